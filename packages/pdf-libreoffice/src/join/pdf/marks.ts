/**
 * Returns the name of the bookmark at the start of an entry; entries are counted from 0. LibreOffice would escape most
 * names of any other form.
 */
export function startMark(entry: number): string {
  return `quireStart${entry}`;
}

/** Returns the name of the bookmark at the end of an entry. */
export function endMark(entry: number): string {
  return `quireEnd${entry}`;
}
