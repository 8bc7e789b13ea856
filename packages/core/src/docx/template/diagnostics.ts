import type { Diagnostic } from "../../errors.ts";
import { unescapeText } from "../package/xml.ts";
import { DELIMITERS } from "./lexer.ts";
import { closest, descendants, type ElementNode, type TagNode } from "./nodes.ts";

/** How many characters a message quotes on each side of a tag. */
const SIDE_LENGTH = 40;

/** A tag as it is written in the template, delimiters included. */
export function tagText(tag: Pick<TagNode, "content">): string {
  return `${DELIMITERS.start}${tag.content}${DELIMITERS.end}`;
}

/** A problem of the template at a tag. Call it while the tag is still in the tree. */
export function tagProblem(tag: TagNode, code: string, message: string, hint?: string): Diagnostic {
  return {
    severity: "error",
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    template: {
      part: tag.part,
      tag: tagText(tag),
      paragraph: tag.paragraph,
      near: textAround(tag),
    },
  };
}

/** The text of a paragraph as an author sees it, and where in it each tag begins. */
interface Outline {
  readonly text: string;
  readonly starts: ReadonlyMap<TagNode, number>;
}

/** Kept, because one paragraph may hold thousands of wrong tags. Trees are private to a compilation. */
const outlines = new WeakMap<ElementNode, Outline>();

function outlineOf(paragraph: ElementNode): Outline {
  const known = outlines.get(paragraph);
  if (known !== undefined) return known;
  const starts = new Map<TagNode, number>();
  let text = "";
  for (const node of descendants(paragraph)) {
    if (node.kind === "tag") {
      starts.set(node, text.length);
      text += tagText(node);
    } else if (node.kind === "text" && node.parent?.name === "w:t") {
      text += unescapeText(node.xml);
    }
  }
  const outline = { text, starts };
  outlines.set(paragraph, outline);
  return outline;
}

/** A tag with the text around it in its paragraph, other tags included. */
function textAround(tag: TagNode): string {
  const own = tagText(tag);
  const paragraph = closest(tag, "w:p");
  const outline = paragraph === null ? null : outlineOf(paragraph);
  const start = outline?.starts.get(tag);
  if (outline === null || start === undefined) return own;
  const { text } = outline;
  const end = start + own.length;
  const from = Math.max(start - SIDE_LENGTH, 0);
  const to = Math.min(end + SIDE_LENGTH, text.length);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
