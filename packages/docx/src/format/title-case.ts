/**
 * Words that remain small within names and titles: particles of names in several languages, and short English and German
 * words of titles.
 */
const SMALL: ReadonlySet<string> = new Set(
  (
    "von vom van der den dem des zu zum zur ten ter de del della delle dei degli di da das do dos du " +
    "la las le les los et und and of the or for in on at by to with af av bin ibn"
  ).split(" "),
);

/** Small words of one letter, by the language. In others, such a letter may be an initial: John E Smith. */
const SMALL_LETTERS: Readonly<Record<string, string>> = {
  es: "y",
  ca: "i",
  pt: "e",
  it: "e",
  pl: "i",
};

/** Words with a fixed case, by their lowercase form. */
const FIXED: ReadonlyMap<string, string> = new Map(
  "GmbH mbH AG KG KGaA OHG GbR UG SE LLC LLP PLC USA UK EU SpA SAS SARL NV BV"
    .split(" ")
    .map((word) => [word.toLowerCase(), word] as const),
);

/** Roman numbers after a name, as in `Henry VIII`. */
const NUMBER = /^(?:i{2,3}|iv|vi{0,3}|ix|xi{0,3}|xiv|xv|xvi{0,3})$/;

/**
 * Writes each word of a name or title with a capital letter. Particles within it remain small (`Maria von der Heide`),
 * parts after a hyphen, an apostrophe or `Mc` get a capital letter, too (`Anne-Marie O'Neil`, `McDonald`), and legal forms
 * and Roman numbers keep theirs (`GmbH`, `Henry VIII`). A text with both small and capital letters keeps the letters after
 * the first one of each word, because its author chose them (`IBM`, `iPhone`).
 */
export function titleCase(text: string, locale: string): string {
  const small = text.toLocaleLowerCase(locale);
  const isMixed = text !== small && text !== text.toLocaleUpperCase(locale);
  const letter = SMALL_LETTERS[locale.slice(0, 2).toLowerCase()];
  let isFirst = true;
  return (isMixed ? text : small).replace(/[^\s/]+/gu, (word) => {
    const first = isFirst;
    isFirst = /[.:!?]$/u.test(word) && word.length > 3;
    const lower = word.toLocaleLowerCase(locale);
    if (!first && (SMALL.has(lower) || lower === letter))
      return isMixed && word !== lower ? word : lower;
    if (isMixed) return hasCapitals(word, locale) ? word : capitalized(word, locale);
    if (!first && NUMBER.test(lower)) return lower.toLocaleUpperCase(locale);
    return FIXED.get(lower) ?? capitalized(word, locale);
  });
}

function hasCapitals(word: string, locale: string): boolean {
  return word !== word.toLocaleLowerCase(locale);
}

/** Writes the first letter of a word, and of each of its parts, as a capital. */
function capitalized(word: string, locale: string): string {
  const upper = (_all: string, before: string, letter: string): string =>
    before + letter.toLocaleUpperCase(locale);
  const written = word
    .replace(/^([^\p{L}\p{N}]*)(\p{L})/u, upper)
    .replace(/([-–.(])(\p{L})/gu, upper)
    .replace(/^([^\p{L}]*\p{L}{1,2}['’])(\p{L})(?=\p{L})/u, upper)
    .replace(/^([^\p{L}]*Mc)(\p{L})/u, upper);
  return locale.startsWith("nl") ? written.replace(/^([^\p{L}]*)(Ij)/u, upper) : written;
}
