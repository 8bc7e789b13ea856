import type { Diagnostic, TemplatePlace } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { spell, type Wording } from "../../language/delimiters/wording.ts";
import { closest, descendants, type ElementNode, type Place, type TagNode } from "./nodes.ts";
import { PARAGRAPHS } from "./paragraph-texts.ts";

/** Number of characters that a message quotes on each side of a tag. */
const SIDE_LENGTH = 40;

/** Converts a place to the form that diagnostics use. */
export function placeOf({ paragraph, ...place }: Place): TemplatePlace {
  return paragraph === 0 ? place : { ...place, paragraph };
}

/** Orders diagnostics by paragraph. */
export function byParagraph(a: Diagnostic, b: Diagnostic): number {
  return (a.template?.paragraph ?? 0) - (b.template?.paragraph ?? 0);
}

/** Creates a problem of the template at a tag. */
export function tagProblem(
  tag: TagNode,
  code: string,
  message: Wording,
  hint?: Wording,
): Diagnostic {
  return {
    severity: "error",
    code,
    message: spell(message, tag.delimiters),
    ...(hint === undefined ? {} : { hint: spell(hint, tag.delimiters) }),
    template: { ...placeOf(tag.place), tag: tag.text, near: tag.near },
  };
}

/** The text of a paragraph as an author sees it, and the start of each tag in it. */
interface Outline {
  readonly text: string;
  readonly starts: ReadonlyMap<TagNode, number>;
}

/** Elements whose text an author sees. */
const TEXTS = new Set(["w:t", "m:t", "a:t"]);

/** Cached outlines. One paragraph may contain thousands of wrong tags. Trees belong to a single compilation. */
const outlines = new WeakMap<ElementNode, Outline>();

/** Returns the text of a paragraph, with tags as written. Call this after all children have been added. */
export function outlineOf(paragraph: ElementNode): Outline {
  const known = outlines.get(paragraph);
  if (known !== undefined) return known;
  const starts = new Map<TagNode, number>();
  let text = "";
  for (const node of descendants(paragraph)) {
    if (node.kind === "tag") {
      starts.set(node, text.length);
      text += node.text;
    } else if (node.kind === "text" && TEXTS.has(node.parent?.name ?? "")) {
      text += unescapeText(node.xml);
    }
  }
  const outline = { text, starts };
  outlines.set(paragraph, outline);
  return outline;
}

/** Returns a tag with the text around it in its paragraph, including other tags. */
export function textAround(tag: TagNode): string {
  const own = tag.text;
  const paragraph = closest(tag.owner ?? tag, ...PARAGRAPHS);
  const outline = paragraph === null ? null : outlineOf(paragraph);
  const start = outline?.starts.get(tag);
  if (outline === null || start === undefined) return own;
  const { text } = outline;
  const end = start + own.length;
  const from = Math.max(start - SIDE_LENGTH, 0);
  const to = Math.min(end + SIDE_LENGTH, text.length);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
