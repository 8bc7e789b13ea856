import type { TagOrigin } from "../../../program/tag-ops.ts";
import type { Doubt } from "../context/evaluation.ts";

/** Whether the text of a tag settles a doubt. */
export function isSettled(
  {
    unlessNamed,
    unlessAgain,
    unlessWritten,
  }: Pick<Doubt, "unlessNamed" | "unlessAgain" | "unlessWritten">,
  tag: string,
): boolean {
  if (unlessNamed !== undefined && namesKey(tag, unlessNamed)) return true;
  if (unlessAgain !== undefined && tag.split(unlessAgain).length > 2) return true;
  return unlessWritten !== undefined && tag.includes(unlessWritten);
}

/**
 * Whether the block of a tag prints a value with something else. A block within a paragraph that prints only the value
 * prints nothing for empty text.
 */
export function isShown(source: string, { text, near, delimiters, printed }: TagOrigin): boolean {
  // Another value may show the block.
  if (printed?.has(source) !== true || /\bor\b/.test(text)) return false;
  const after = near.slice(near.indexOf(text) + text.length);
  const [block = "", ...others] = after.split(`${delimiters.start}end`);
  const words = block.split(delimiters.start).map((each, index) => {
    return index === 0 ? each : each.slice(each.indexOf(delimiters.end) + delimiters.end.length);
  });
  return others.length === 0 || /[\p{L}\p{N}]/u.test(words.join(""));
}

/** Whether a tag names a key after a dot. */
function namesKey(tag: string, key: string): boolean {
  const after = tag.split(`.${key}`).slice(1);
  return after.some((text) => !/^[\p{L}\p{N}_(]/u.test(text));
}
