import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import {
  closest,
  descendants,
  type ElementNode,
  endsSection,
  type TemplateNode,
} from "../nodes/nodes.ts";
import { isRangeMark } from "../nodes/range-marks.ts";
import { replaceAll } from "../nodes/replace-all.ts";
import { scanTags } from "../nodes/scan.ts";
import {
  FieldStack,
  keywordOf,
  marksOf,
  type OpenField,
  resultOf,
  withEmptied,
} from "./field-stack.ts";
import { hasWholeFields } from "./field-zones.ts";
import { INDEX_TEXT } from "./held-entries.ts";
import { isIndexKeyword } from "./instructions.ts";

/** One tag from each index that has tags in its entries. The key is the mark that begins the index. */
const tagged = new WeakMap<ElementNode, string>();

/** Returns a tag in the entries of an index in the template, or null. */
export function tagInEntries(begin: ElementNode): string | null {
  return tagged.get(begin) ?? null;
}

/** Removes the entries with tags from indexes, because their headings differ from document to document. */
export function dropTaggedEntries(root: ElementNode, delimiters: Delimiters): void {
  const { content, indexes } = indexesIn(root);
  const removed = new Map<TemplateNode, readonly TemplateNode[]>();
  for (const index of indexes) {
    for (const entry of entriesOf(index, content)) {
      const text = entry.content.map(textOf).join("");
      if (!text.includes(delimiters.start) && !text.includes(delimiters.end)) continue;
      const tag = scanTags(text, delimiters).pieces.find(({ kind }) => kind === "tag");
      if (!tagged.has(index.begin)) tagged.set(index.begin, tag?.text ?? text);
      remove(entry, removed);
    }
  }
  replaceAll(removed);
  const texts = [...descendants(root)].filter(isHeld);
  replaceAll(new Map(texts.map((text) => [text, [revealed(text)]])));
}

function isHeld(node: TemplateNode): node is ElementNode {
  return node.kind === "element" && node.name === INDEX_TEXT;
}

/** Restores the name of a hidden text element. */
function revealed(element: ElementNode): ElementNode {
  const text: ElementNode = { ...element, name: "w:t" };
  for (const child of text.children) child.parent = text;
  return text;
}

function textOf(element: ElementNode): string {
  const texts = isHeld(element) ? element.children : [];
  return texts.map((node) => (node.kind === "text" ? unescapeText(node.xml) : "")).join("");
}

function indexesIn(root: ElementNode): {
  readonly content: readonly ElementNode[];
  readonly indexes: readonly OpenField<null>[];
} {
  const fields = new FieldStack<null>();
  const indexes: OpenField<null>[] = [];
  const visit = (node: TemplateNode): void => {
    if (node.kind === "text" && node.parent?.name === "w:instrText") fields.text(node);
    if (node.kind !== "element") return;
    const ended = fields.enter(node, () => null);
    if (ended !== null && isIndexKeyword(keywordOf(ended))) indexes.push(ended);
    for (const child of node.children) visit(child);
    fields.leave(node);
  };
  visit(root);
  return { content: fields.content, indexes };
}

/** The part of an index's result that is in one paragraph. */
export interface IndexEntry {
  /** The content of the runs of the entry. */
  readonly content: readonly ElementNode[];
  /** The paragraph, if it can be omitted completely; otherwise null. */
  readonly whole: ElementNode | null;
}

/** Returns the entries of an index. */
export function entriesOf<T>(
  index: OpenField<T>,
  content: readonly ElementNode[],
): readonly IndexEntry[] {
  const { head, tail } = marksOf(index, content);
  const marked = new Set([...head, ...tail].map((mark) => closest(mark, "w:p")));
  const lasts = new Map<ElementNode, TemplateNode | undefined>();
  const isLast = (paragraph: ElementNode): boolean => {
    const { parent } = paragraph;
    if (parent === null) return true;
    if (!lasts.has(parent)) lasts.set(parent, parent.children.findLast(isParagraph));
    return lasts.get(parent) === paragraph;
  };
  const paragraphs = Map.groupBy(resultOf(index, content), (each) => closest(each, "w:p"));
  return [...paragraphs].map(([paragraph, own]) => {
    // A cell and a control must keep a paragraph, and a section must keep its end.
    const isWhole =
      paragraph !== null &&
      !marked.has(paragraph) &&
      !isLast(paragraph) &&
      !endsSection(paragraph) &&
      hasWholeFields(paragraph);
    return { content: own, whole: isWhole ? paragraph : null };
  });
}

function isParagraph(node: TemplateNode): boolean {
  return node.kind === "element" && node.name === "w:p";
}

/** Whether the fields that begin in an entry also end in it. */
export function isBalanced(content: readonly ElementNode[]): boolean {
  let open = 0;
  for (const { name, attributes } of content) {
    if (name !== "w:fldChar") continue;
    if (attributes.includes('w:fldCharType="begin"')) open += 1;
    if (attributes.includes('w:fldCharType="end"')) open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/**
 * Returns the range marks in a removed paragraph. They are kept, because the other mark of a range may be elsewhere.
 */
export function rangeMarksIn(paragraph: ElementNode): ElementNode[] {
  return [...descendants(paragraph)].filter(
    (node): node is ElementNode => node.kind === "element" && isRangeMark(node),
  );
}

function remove(
  { content, whole }: IndexEntry,
  removed: Map<TemplateNode, readonly TemplateNode[]>,
): void {
  if (whole !== null) removed.set(whole, rangeMarksIn(whole));
  else if (isBalanced(content)) for (const each of withEmptied(content)) removed.set(each, []);
  else for (const each of content) if (isHeld(each)) each.children.length = 0;
}
