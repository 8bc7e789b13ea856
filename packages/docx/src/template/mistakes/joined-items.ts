import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Directive } from "../../language/directive.ts";
import type { ModifierName } from "../../language/grammar/modifier-signatures.ts";
import { outlineOf, tagProblem } from "../nodes/diagnostics.ts";
import {
  attributesOf,
  childNamed,
  closest,
  descendants,
  type ElementNode,
  leadingProperties,
  type TagNode,
} from "../nodes/nodes.ts";
import type { Joined, JoinedWords } from "../nodes/tag-uses.ts";
import { VISIBLE } from "../nodes/visible.ts";
import { type PrintingBlock, printingBlocks } from "./printing-blocks.ts";

/**
 * Warns about a loop that is the whole text of a list item and has no separator between its repetitions. All
 * repetitions are printed in one list item, whereas easy-template-x repeats the list item. Only the data shows whether
 * a section with text is a loop or a condition, so such a section is marked for the renderer. A loop over names that is
 * the whole text of a paragraph in a cell is marked, too, because it may have one item. The blocks of the part must be
 * valid. `tags`: all tags of the part, in document order. `isList` returns whether a paragraph style creates
 * list items.
 */
export function joinedItems(
  tags: readonly TagNode[],
  isList: (style: string) => boolean,
): Diagnostic[] {
  const warnings = new Map<ElementNode, Diagnostic>();
  const printed = new Map<ElementNode, number>();
  const countOf = (paragraph: ElementNode): number => {
    const count = printed.get(paragraph) ?? valuesIn(paragraph);
    printed.set(paragraph, count);
    return count;
  };
  const blocks = repeatedTexts(tags);
  for (const { block, paragraph } of blocks) {
    if (warnings.has(paragraph)) continue;
    const place = isListItem(paragraph, isList) ? "list item" : "cell";
    if (place === "cell" && block.open.place.cell === undefined) continue;
    if (block.values.length < countOf(paragraph)) continue;
    const within = joinedText(block, paragraph);
    const isData = within !== null && dependsOnData(block, within, { place, paragraph });
    if (isData) block.open.mayJoin = place;
    else if (within !== null && place === "list item") warnings.set(paragraph, warning(block.open));
  }
  markWords(blocks.filter(({ paragraph }) => !warnings.has(paragraph)));
  return [...warnings.values()];
}

/** A block that repeats text within a paragraph. */
interface RepeatedText {
  readonly block: PrintingBlock;
  readonly paragraph: ElementNode;
}

function markWords(blocks: readonly RepeatedText[]): void {
  for (const { block, paragraph } of blocks) {
    const words = joinedWords(block, paragraph);
    if (words !== null) block.open.mayJoin ??= words;
  }
}

function repeatedTexts(tags: readonly TagNode[]): RepeatedText[] {
  return printingBlocks(tags).flatMap((block) => {
    const paragraph = closest(block.values[0] ?? null, "w:p");
    return paragraph !== null && mayRunTogether(block, paragraph) ? [{ block, paragraph }] : [];
  });
}

function valuesIn(paragraph: ElementNode): number {
  const tags = [...outlineOf(paragraph).starts.keys()];
  return tags.filter(({ directive }) => directive.kind === "value").length;
}

/** Whether a block repeats text within a paragraph. `paragraph`: the one with its values. */
function mayRunTogether(block: PrintingBlock, paragraph: ElementNode): boolean {
  return isInOneParagraph(block) && repeats(block) && !showsMore(block, paragraph);
}

/** Whether a block contains line breaks, tabs, pictures or the like, which separate its repetitions. */
function showsMore({ open, close }: PrintingBlock, paragraph: ElementNode): boolean {
  let isWithin = false;
  for (const node of descendants(paragraph)) {
    if (node.kind === "marker" && node.tag === close) return false;
    if (isWithin && node.kind === "element" && VISIBLE.has(node.name)) return true;
    isWithin ||= node.kind === "marker" && node.tag === open;
  }
  return false;
}

function isInOneParagraph({ open, close, values }: PrintingBlock): boolean {
  const { part, paragraph } = open.place;
  return [open, close, ...values].every(
    ({ place, owner }) => owner === null && place.part === part && place.paragraph === paragraph,
  );
}

/** Whether a block repeats its content. A section that prints its own value is a condition. */
function repeats({ open: { directive }, values }: PrintingBlock): boolean {
  if (directive.kind === "for") return true;
  if (directive.kind !== "section" || directive.inverted) return false;
  const { condition } = directive;
  if (condition.kind !== "path") return false;
  return !values.some(({ directive: value }) => {
    const path =
      value.kind === "value" && value.expression.kind === "path" ? value.expression : null;
    return path !== null && `${path.source}.`.startsWith(`${condition.source}.`);
  });
}

function isListItem(paragraph: ElementNode, isList: (style: string) => boolean): boolean {
  const properties = leadingProperties(paragraph, "w:pPr");
  const numbering = childNamed(properties, "w:numPr");
  const id = childNamed(numbering, "w:numId");
  if (id !== null) return attributesOf(id.attributes)["w:val"] !== "0";
  const style = childNamed(properties, "w:pStyle");
  return style !== null && isList(attributesOf(style.attributes)["w:val"] ?? "");
}

/** Represents the value of a tag in text. */
const VALUE = "\0";

/**
 * Returns the text of one repetition if the block is the whole text of the paragraph and nothing separates its
 * repetitions; otherwise null.
 */
function joinedText({ open, close, values }: PrintingBlock, paragraph: ElementNode): string | null {
  const { text, starts } = outlineOf(paragraph);
  const from = starts.get(open);
  const to = starts.get(close);
  if (from === undefined || to === undefined) return null;
  const shown = (start: number, end: number): string => withoutTags(text, starts, start, end);
  const around = shown(0, from) + shown(to + close.text.length, text.length);
  const within = shown(from + open.text.length, to);
  const isApart =
    /^[\s\p{P}\p{S}]|[\s\p{P}\p{S}]$/u.test(within) ||
    values.some(({ directive }) => delimits(directive));
  return isApart || /[\p{L}\p{N}\0]/u.test(around) ? null : within;
}

/** Whether the data decides if the repetitions of a block run together. `within`: the text of one repetition. */
function dependsOnData(
  block: PrintingBlock,
  within: string,
  {
    place,
    paragraph,
  }: { readonly place: Exclude<Joined, JoinedWords>; readonly paragraph: ElementNode },
): boolean {
  return place === "cell"
    ? areNames(block, within, paragraph)
    : block.open.directive.kind === "section" && /[\p{L}\p{N}]/u.test(within);
}

/** Returns the words at the ends of each repetition of a block; null if something separates them. */
function joinedWords(block: PrintingBlock, paragraph: ElementNode): JoinedWords | null {
  const { open, close, values } = block;
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { text, starts } = outlineOf(paragraph);
  const [from = 0, to = 0] = [starts.get(open), starts.get(close)];
  const within = withoutTags(text, starts, from + open.text.length, to);
  const isJoined = within.startsWith(VALUE) && within.endsWith(VALUE);
  const isPlain = values.every(printsText) && !values.some(({ directive }) => delimits(directive));
  if (!isJoined || !isPlain || tagsWithin(block, starts) > values.length) return null;
  const [begin, end] = [keysIn(first, open), keysIn(last, open)];
  if (begin === null || end === null || last.directive.kind !== "value") return null;
  const content = last.text.slice(last.delimiters.start.length, -last.delimiters.end.length).trim();
  const joint = last.directive.modifiers.length > 0 ? ", " : " :: ";
  return { first: begin, last: end, separated: `${content}${joint}delimiter(", ")` };
}

/** Returns the keys of a value in the item of a block; null if it is not a value of the item. */
function keysIn({ directive }: TagNode, open: TagNode): readonly string[] | null {
  if (directive.kind !== "value" || directive.expression.kind !== "path") return null;
  const { head, rest } = directive.expression;
  if ("alias" in open.directive) return head === open.directive.alias ? rest : null;
  return head === null ? rest : [head, ...rest];
}

/** Returns the number of tags within a block. */
function tagsWithin({ open, close }: PrintingBlock, starts: ReadonlyMap<TagNode, number>): number {
  const [from = 0, to = 0] = [starts.get(open), starts.get(close)];
  return [...starts].filter(([, at]) => at > from && at < to).length;
}

/** Whether a tag prints a value of the data as text, not as a picture or as paragraphs. */
function printsText({ directive, text }: TagNode): boolean {
  if (directive.kind !== "value" || directive.expression.kind !== "path") return false;
  if (PICTURES.test(text) || directive.expression.source.startsWith("$")) return false;
  return directive.modifiers.every(({ name }) => !OF_BLOCKS.has(name));
}

/** Whether a block in a cell prints only values of its items, and no pictures, line breaks or other blocks. */
function areNames(block: PrintingBlock, within: string, paragraph: ElementNode): boolean {
  const { values } = block;
  return (
    within === VALUE.repeat(values.length) &&
    tagsWithin(block, outlineOf(paragraph).starts) === values.length &&
    values.every(printsText)
  );
}

/** Matches names of values that are pictures. */
const PICTURES = /photo|image|picture|logo|icon|signature|stamp|avatar/i;

/** Modifiers whose values are pictures, may be paragraphs, or are not printed. */
const OF_BLOCKS: ReadonlySet<ModifierName> = new Set([
  ...([
    "width",
    "height",
    "fit",
    "qrcode",
    "barcode",
    "html",
    "markdown",
    "checkbox",
    "link",
  ] as const),
]);

/** Returns a piece of a paragraph's text with {@link VALUE} for each tag that prints, and without other tags. */
function withoutTags(
  text: string,
  starts: ReadonlyMap<TagNode, number>,
  from: number,
  to: number,
): string {
  let shown = "";
  let at = from;
  for (const [tag, start] of starts) {
    if (start < from || start >= to) continue;
    shown += text.slice(at, start) + (tag.directive.kind === "value" ? VALUE : "");
    at = start + tag.text.length;
  }
  return shown + text.slice(at, to);
}

function delimits(directive: Directive): boolean {
  return (
    directive.kind === "value" && directive.modifiers.some(({ name }) => name.endsWith("delimiter"))
  );
}

function warning(open: TagNode): Diagnostic {
  const { directive } = open;
  const written = directive.kind === "section" ? directive.written : "";
  const subject =
    written === "" ? `The iterations of ${open.text}` : `If '${written}' is a list, its items`;
  const { code, message, hint } = joinedInListItem(subject, open.text);
  return { ...tagProblem(open, code, message, hint), severity: "warning" };
}

/** Returns the wording for a block whose items are printed in one cell without separators. `loop`: `i in items`. */
export function joinedInCell(
  list: string,
  loop: string,
): { readonly code: string; readonly message: string; readonly hint: Wording } {
  return {
    code: "list_in_cell",
    message: `The items of ${list} run together in one cell, because nothing separates them.`,
    hint: withTags`For a row for each item, write {{tablerow ${loop}}} in the first cell of the row and {{endtablerow}} at the end of its last cell. For a column for each item, write {{tablecolumn ${loop}}} and {{endtablecolumn}}. For one text, put a separator before the end of the loop.`,
  };
}

/**
 * Returns the wording for a block whose repetitions are printed in one list item without separators. `subject` begins
 * the sentence.
 */
export function joinedInListItem(
  subject: string,
  tag: string,
): { readonly code: string; readonly message: string; readonly hint: string } {
  return {
    code: "joined_in_list_item",
    message: `${subject} run together in one list item: a block within one paragraph repeats text.`,
    hint: `To repeat the list item, put ${tag} and its end into separate paragraphs, before and after this one. To keep one line, put a separator before the end.`,
  };
}
