/** Number of characters in which a separator is searched. */
const MAX_SEARCHED = 1000;

/** Returns the separator in a text that looks like a list: a line break, a comma, a semicolon or a bar; or null. */
export function separatorIn(text: string): string | null {
  return /\n|, |,|; |;| \| |\|/.exec(text.slice(0, MAX_SEARCHED))?.[0] ?? null;
}

/** Returns the call that splits a text at a separator, as in `tags.split(", ")`. */
export function splitAt(separator: string, source: string): string {
  return separator === "\n" ? `${source}.lines()` : `${source}.split("${separator}")`;
}

/** Returns the separator of a text that is certainly a list: commas may also be part of a single text. */
export function listSeparatorIn(text: string): string | null {
  const separator = separatorIn(text);
  if (separator === null || !separator.startsWith(",")) return separator;
  return text.slice(0, MAX_SEARCHED).split(separator).length > 2 ? separator : null;
}

/** Returns the hint for `name[0]` in a condition: one character of a text. */
export function hintForCharacter(source: string, index: string): string {
  const start = index === "0" ? ` To ask how it begins, write ${source}.startsWith("…").` : "";
  return `For one character of a text write ${source}.substring(${index}, 1).${start}`;
}
