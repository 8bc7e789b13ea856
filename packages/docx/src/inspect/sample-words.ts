/** The meaning of a key, according to its words. The three values are for the first three elements of a list. */
interface Meaning {
  readonly words: readonly string[];
  readonly values: readonly (string | number)[];
}

const FIRST_NAMES = ["Ann", "Bob", "Cleo"];
const LAST_NAMES = ["Example", "Miller", "Smith"];

const TEXTS: readonly Meaning[] = [
  meaning("surname", LAST_NAMES),
  meaning("email mail", ["ann@example.com", "bob@example.com", "cleo@example.com"]),
  meaning("phone tel telephone mobile fax", ["+1 555 0100", "+1 555 0101", "+1 555 0102"]),
  meaning("url website homepage link", [
    "https://example.com/a",
    "https://example.com/b",
    "https://example.com/c",
  ]),
  meaning("zip postcode", ["10115", "75001", "94103"]),
  meaning("city town place", ["Berlin", "Paris", "Lisbon"]),
  meaning("country", ["Germany", "France", "Portugal"]),
  meaning("street address", ["1 High Street", "2 Station Road", "3 Park Lane"]),
  meaning("company organisation organization vendor supplier", [
    "Example Ltd",
    "Sample Inc",
    "Model GmbH",
  ]),
  meaning("currency", ["EUR", "USD", "GBP"]),
  meaning("date day due deadline birthday from until since on at", [
    "2026-11-20",
    "2026-11-21",
    "2026-11-22",
  ]),
  meaning("id code reference sku number no", ["A-1001", "A-1002", "A-1003"]),
  meaning("name author signer contact", ["Ann Example", "Bob Miller", "Cleo Smith"]),
  meaning("description detail details note notes comment text", [
    "A short text.",
    "Another text.",
    "One more text.",
  ]),
];

const NUMBERS: readonly Meaning[] = [
  meaning("quantity qty count pieces", [2, 5, 10]),
  meaning("percent percentage rate share vat", [0.19, 0.07, 0.25]),
  meaning("price amount total subtotal sum cost fee balance discount tax", [120.5, 49.9, 75]),
  meaning("year", [2026, 2027, 2028]),
  meaning("age months days hours weeks years", [12, 24, 36]),
];

function meaning(words: string, values: readonly (string | number)[]): Meaning {
  return { words: words.split(" "), values };
}

/** The number of characters of a key that are examined. */
const MAX_LENGTH = 40;

/** Returns the words of a key, in lowercase: `firstName`, `first_name` and `first name` give the same words. */
export function wordsOf(key: string): readonly string[] {
  const words = key.slice(0, MAX_LENGTH).match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\d+/gu);
  return (words ?? []).map((word) => word.toLowerCase());
}

/** Finds a value for a key. The last word determines what a key means: a `discountLabel` is a label. */
function valueFor(key: string, among: readonly Meaning[], turn: number): string | number | null {
  const last = wordsOf(key).findLast((word) => !/^\d+$/.test(word)) ?? "";
  const found = among.find(({ words }) => words.includes(last));
  return found?.values[turn % found.values.length] ?? null;
}

/** Returns plausible text for a key, for one element of a list. */
export function sampleText(key: string, turn: number): string {
  const words = wordsOf(key);
  const [first = "sample", second] = words;
  if (second === "name" && /^(?:first|given)$/.test(first)) return FIRST_NAMES[turn % 3] ?? "";
  if (second === "name" && /^(?:last|family)$/.test(first)) return LAST_NAMES[turn % 3] ?? "";
  const found = valueFor(key, TEXTS, turn);
  if (found !== null) return String(found);
  const text = [first.charAt(0).toUpperCase() + first.slice(1), ...words.slice(1)].join(" ");
  return turn === 0 ? text : `${text} ${turn + 1}`;
}

/** Returns a number for a key. Returns null if its words do not suggest one. */
export function sampleNumber(key: string, turn: number): number | null {
  const found = valueFor(key, NUMBERS, turn);
  return typeof found === "number" ? found : null;
}

/** Whether the words of a key suggest true or false. */
export function isFlag(key: string): boolean {
  const [first = "", second] = wordsOf(key);
  return second === undefined
    ? /^(?:active|enabled|paid|visible|done|selected)$/.test(first)
    : /^(?:is|has|can|should|was|are|show)$/.test(first);
}

/** Whether the words of a key suggest more than one thing. */
export function isPlural(key: string): boolean {
  const last = wordsOf(key).at(-1) ?? "";
  return /^(?:list|data|children|people)$/.test(last) || /[^siu]s$/.test(last);
}
