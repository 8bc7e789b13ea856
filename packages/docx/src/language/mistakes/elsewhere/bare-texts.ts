import type { Wording } from "../../delimiters/wording.ts";
import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, TEXT, type Written } from "../written.ts";

/** Characters of one text: all but spaces, quotes, brackets and commas. */
const BARE = String.raw`[^\s"'()\[\],{}]+`;
/** Signs that cannot be in a name or a computation. */
const SIGN = /[@#&;~^\\§€£¥°…]/u;
const END = String.raw`(?=\s*(?:$|\)|\s(?:and|or)\s))`;
const OF_TEXT = "contains|startsWith|endsWith|(?:starts?|begins?|ends?)\\s+with";
const FUNCTION = "contains|includes|startsWith|endsWith|replace|split|padStart|padEnd";

/** Texts without quotes that have signs which no name has: `email contains @x.edu`. */
export const BARE_TEXTS: readonly Correction[] = [
  rewrite(
    String.raw`(?<=[\p{L}\p{N}_)\]]\s+(?:${OF_TEXT})\s+)(${BARE})${END}`,
    ([, text = ""]) => (SIGN.test(text) || isPart(text) ? `"${text}"` : null),
    "i",
  ),
  rewrite(String.raw`(?<=[\p{L}\p{N}_)\]]\s*(?:[!=]=|=)=?\s*)(${BARE})${END}`, ([, text = ""]) =>
    isText(text) ? `"${text}"` : null,
  ),
  rewrite(
    String.raw`(?<=\.(?:${FUNCTION})\(\s*(?:(?:${TEXT}|\d+)\s*,\s*)?)(${BARE})(?=\s*[,)])`,
    ([, text = ""]) => (isText(text) || isPart(text) ? `"${text}"` : null),
  ),
  // `status == in progress`.
  rewrite(
    String.raw`(?<=^(?:if|elseif)\s.*[\p{L}\p{N}_)\]]\s*[!=]=\s*)(${NAME}(?:\s+${NAME})+)(?=\s*$)`,
    ([, words = ""]) =>
      /(?:^|\s)(?:and|or|not|contains|isPresent|isEmpty|if|then|else|as|is|null)(?:\s|$)/i.test(
        words,
      )
        ? null
        : `"${words}"`,
  ),
];

function isText(text: string): boolean {
  return SIGN.test(text) && !/[=<>]/.test(text);
}

/** Whether a text is the end of a name or of a number, such as `.pdf`, `-x`, `50%` and `2nd`. */
function isPart(text: string): boolean {
  return /^[.\-/]\p{L}|^\d+(?:%|\p{L}+)$|^[-/+*.]$|^\/|\/$/u.test(text);
}

/** Returns a sentence about the key that words without quotes may be: `status == in progress`. */
export function noteOnWords(tag: Written, meant: string): Wording {
  const [, words] = tag.match(String.raw`[!=]=\s*(${NAME}(?:\s+${NAME})+)\s*$`) ?? [];
  return words !== undefined && meant.endsWith(`"${words}"`)
    ? ` For a key with a space write this["${words}"].`
    : "";
}
