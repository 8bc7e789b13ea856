import type { TagOrigin } from "./tag-ops.ts";

/** Returns the text after a tag in its paragraph. Long texts are cut off. */
export function textAfter({ near, text }: Pick<TagOrigin, "near" | "text">): string {
  const at = near.indexOf(text);
  return at === -1 ? "" : near.slice(at + text.length);
}

/** Whether a percent sign follows a tag. */
export function isBeforePercent(origin: Pick<TagOrigin, "near" | "text">): boolean {
  return /^\s?%/.test(textAfter(origin));
}

/** Whether visible text follows a tag in its block. False if the end of the block is not known. */
export function isFollowed(origin: Pick<TagOrigin, "near" | "text" | "delimiters">): boolean {
  const [rest = "", ...more] = textAfter(origin).split(
    new RegExp(`${escaped(origin.delimiters.start)}\\s*(?:end|/)`),
  );
  return more.length > 0 && rest.trim() !== "";
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
