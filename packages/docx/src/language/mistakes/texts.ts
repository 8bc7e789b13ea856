import { NAME, PATH, TEXT, VALUE, Written } from "./written.ts";

const JOINS = String.raw`&(?!&)|\|\||\+|~|\s\.\s`;

/** Returns a tag that joins texts with a sign, such as `a & b`, as `$concat(a, b)`. */
export function joinMeant(tag: Written): string | null {
  const [value = "", modifiers] = tag.split("::");
  const parts = new Written(value).split(JOINS);
  const isJoin =
    parts.length > 1 &&
    parts.every((part) => isOne(part, VALUE) || isOne(part, String.raw`\$?${NAME}[^=<>]*\)`));
  const isOfTexts = parts.some((part) => isOne(part, TEXT)) || /[&~]/.test(value);
  if (isJoin && isOfTexts) {
    return `$concat(${parts.join(", ")})${modifiers === undefined ? "" : ` :: ${modifiers}`}`;
  }
  return tag.replace(String.raw`^(${TEXT})\s+(${TEXT})$`, ([, a, b]) => `$concat(${a}, ${b})`);
}

function isOne(text: string, pattern: string): boolean {
  return new Written(text).match(`^${pattern}$`) !== null;
}

/** Returns a tag with `??` in place of `or` before a value for a missing one: `a or "none"`. */
export function fallbackMeant(tag: Written): string | null {
  const freemarker = tag.replace(
    String.raw`^(${PATH})\s*!\s*(${TEXT})$`,
    ([, value, other]) => `${value} ?? ${other}`,
  );
  if (freemarker !== null) return freemarker;
  return tag.replace(
    String.raw`^(${PATH}(?:\(\))?)\s*(?:\|\||(?<=\s|\))or(?=\s|["']))\s*(${VALUE})$`,
    ([, value, other]) => `${value} ?? ${other}`,
  );
}

/** Returns a tag with operators of this language in place of `n ** 2`, `n ^ 2`, `n mod 2` and `n div 2`. */
export function operatorMeant(tag: Written): string | null {
  return (
    tag.replace(String.raw`(${PATH}|\d+)\s*(?:\*\*|\^)\s*([23])(?![\d.])`, ([, base, power]) =>
      Array.from({ length: Number(power) }, () => base).join(" * "),
    ) ??
    tag.replace(
      String.raw`(${PATH}|\d+(?:\.\d+)?|\([^()]*\))\s*(?:\*\*|\^)\s*(${PATH}|\d+)(?![\d.(])`,
      ([, base, power]) => `${base}.power(${power})`,
    ) ??
    tag.replace(String.raw`(?<=[\p{L}\p{N}_)])\s+mod\s+(?=[\p{L}\p{N}_(])`, () => " % ", "i") ??
    tag.replace(String.raw`(?<=[\p{L}\p{N}_)])\s+div\s+(?=[\p{L}\p{N}_(])`, () => " / ", "i")
  );
}

/** Whether a separator is a word without spaces, which is joined to the values. Chinese and Japanese have no spaces. */
export function isJoinedWord(separator: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(separator);
}
