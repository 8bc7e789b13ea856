import type { Diagnostic } from "../../errors.ts";
import { unescapeText } from "../package/xml.ts";
import { DELIMITERS } from "./lexer.ts";
import { closest, descendants, type ElementNode, type TagNode } from "./nodes.ts";

/** How much of a paragraph a message quotes. */
const NEAR_LENGTH = 80;

/** A tag as it is written in the template, delimiters included. */
export function tagText(tag: Pick<TagNode, "content">): string {
  return `${DELIMITERS.start}${tag.content}${DELIMITERS.end}`;
}

/** A problem of the template at a tag. Call it while the tag is still in the tree. */
export function tagProblem(tag: TagNode, code: string, message: string, hint?: string): Diagnostic {
  const paragraph = closest(tag, "w:p");
  return {
    severity: "error",
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    template: {
      part: tag.part,
      tag: tagText(tag),
      paragraph: tag.paragraph,
      ...(paragraph === null ? {} : { near: paragraphText(paragraph) }),
    },
  };
}

/** The text of a paragraph as an author sees it, tags included, cut to a quotable length. */
export function paragraphText(paragraph: ElementNode): string {
  let text = "";
  for (const node of descendants(paragraph)) {
    if (node.kind === "tag") text += tagText(node);
    else if (node.kind === "text" && node.parent?.name === "w:t") text += unescapeText(node.xml);
    if (text.length > NEAR_LENGTH) return `${text.slice(0, NEAR_LENGTH)}…`;
  }
  return text;
}
