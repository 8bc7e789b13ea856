/** Longer names are no names of fonts: Word takes 31 characters. */
const LONGEST = 200;

/** What old programs put behind a name for one of the scripts of a font. */
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

/** The name of the family that is meant, as LibreOffice reads it: the first of a list, without a script. */
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
 * By what LibreOffice compares names of families: `Liberation Sans` and `LiberationSans` are one. Empty for
 * a name without letters and digits.
 */
export function familyKey(written: string): string {
  return familyName(written)
    .toLowerCase()
    .replaceAll(/[\0-/:-`{-\x7f]/g, "");
}
