import { TEXT, VALUE, type Written } from "./written.ts";

/** Replaces the conditions of SQL and other languages in a tag, such as `a between 1 and 3`. */
export function conditionMeant(tag: Written): string | null {
  return rangeMeant(tag) ?? partOfTextMeant(tag) ?? sameMeant(tag);
}

function rangeMeant(tag: Written): string | null {
  const within = ([, value, not, least, most]: readonly string[]): string => {
    const range = `${value} >= ${least} and ${value} <= ${most}`;
    return not === "" ? range : `not (${range})`;
  };
  return (
    tag.replace(
      String.raw`(${VALUE})\s+(not\s+)?between\s+(${VALUE})\s+and\s+(${VALUE})`,
      within,
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+(not\s+)?in\s+\(?(${VALUE})\s*\.\.\.?\s*(${VALUE})\)?`,
      within,
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s*([<>]=?)\s*(${VALUE})\s*([<>]=?)\s*(${VALUE})`,
      ([, a, one, b, other, c]) => `${a} ${one} ${b} and ${b} ${other} ${c}`,
    )
  );
}

function partOfTextMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(${VALUE})\s+(not\s+)?i?like\s+(${TEXT})`,
      ([, value = "", not = "", text = ""]) =>
        `${not === "" ? "" : "not "}${likeMeant(value, text)}`,
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+(starts?|begins?|ends?)\s?with\s+(${VALUE})`,
      ([, value, word = "", text]) =>
        `${value}.${/^e/i.test(word) ? "endsWith" : "startsWith"}(${text})`,
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+(?:does\s+)?not\s+contains?\s+(${VALUE})`,
      ([, value, text]) => `not ${value} contains ${text}`,
      "i",
    ) ??
    tag.replace(
      String.raw`(!\s*|not\s+)?(${VALUE})\.(?:contains|includes)\(\s*(${VALUE})\s*\)`,
      ([, not, value, text]) => `${not === "" ? "" : "not "}${value} contains ${text}`,
    )
  );
}

/** Returns the condition for a pattern of SQL, in which `%` means any text. */
function likeMeant(value: string, quoted: string): string {
  const text = quoted.slice(1, -1);
  const plain = `"${text.replace(/^%|%$/g, "")}"`;
  if (/^%.*%$/s.test(text)) return `${value} contains ${plain}`;
  if (text.startsWith("%")) return `${value}.endsWith(${plain})`;
  return text.endsWith("%") ? `${value}.startsWith(${plain})` : `${value} == ${plain}`;
}

function sameMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(${VALUE})\s*(!=|==?)=?\s*\[\s*\]`,
      ([, value, sign]) => `${sign === "!=" ? "not " : ""}${value} isEmpty`,
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+is\s+(not\s+)?(null|none|nil|undefined|defined|present|set|empty|blank)(?![\p{L}\p{N}_.])`,
      ([, value, not, word = ""]) => {
        const isBlank = /^(?:empty|blank)$/i.test(word);
        const negated = (not === "") === /^n|^u/i.test(word);
        return `${negated ? "not " : ""}${value} ${isBlank ? "isEmpty" : "isPresent"}`;
      },
      "i",
    ) ??
    tag.replace(
      String.raw`(${VALUE})\s+is\s+(not\s+)?(?:equal\s+to\s+|equals\s+)?(${VALUE})`,
      ([, value, not, other]) => `${value} ${not === "" ? "==" : "!="} ${other}`,
    )
  );
}
