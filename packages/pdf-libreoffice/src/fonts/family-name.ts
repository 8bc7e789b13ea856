/** Longer names are not font names: Word allows 31 characters. */
const LONGEST = 200;

/** Suffixes that old programs add to a font name to select one script. */
const SCRIPTS = [
  " baltic",
  " ce",
  " cyr",
  " greek",
  " tur",
  " (arabic)",
  " (hebrew)",
  " (thai)",
  " (vietnamese)",
];

/** Returns the family name as LibreOffice reads it: the first of a list, without a script suffix. */
export function familyName(written: string): string {
  let name = (written.slice(0, LONGEST).split(/[;,]/, 1)[0] ?? "").trim();
  for (;;) {
    const lower = name.toLowerCase();
    const script = SCRIPTS.find((each) => lower.endsWith(each));
    if (script === undefined) return name;
    name = name.slice(0, -script.length);
  }
}

/**
 * Returns the key by which LibreOffice compares family names: `Liberation Sans` and `LiberationSans` are equal. Empty
 * for a name without letters and digits.
 */
export function familyKey(written: string): string {
  return familyName(written)
    .toLowerCase()
    .replaceAll(/[\0-/:-`{-\x7f]/g, "");
}
