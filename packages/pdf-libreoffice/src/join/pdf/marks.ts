/** The bookmark at the start of an entry, counted from 0. LibreOffice escapes most names of another form. */
export function startMark(entry: number): string {
  return `quireStart${entry}`;
}

/** The bookmark at the end of an entry. */
export function endMark(entry: number): string {
  return `quireEnd${entry}`;
}
