import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../language/delimiters/wording.ts";
import { LOOKS } from "../language/grammar/modifier-signatures.ts";
import { type Look, type LookTarget, lookTarget, type SlotLook } from "../language/looks.ts";
import { CELL_ORDER, PARAGRAPH_ORDER, RUN_ORDER } from "../values/rich/properties.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import { isolated } from "./nodes/isolate.ts";
import {
  closest,
  contentOf,
  descendants,
  detach,
  type ElementNode,
  type MarkerNode,
  type TagNode,
  type TemplateNode,
} from "./nodes/nodes.ts";
import { addSlot, propertiesOf } from "./nodes/properties.ts";

/**
 * Prepares the properties that look modifiers change. Tags such as `{{row :: fill("red")}}` are removed from the text.
 * The blocks must have been placed. Returns a problem for each tag without a cell, row or run to change, and for each
 * tag in a block that begins inside the element that it changes.
 */
export function placeLooks(root: ElementNode, tags: readonly TagNode[]): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const blocks = new Map<TemplateNode, readonly TagNode[]>();
  const found = tags.flatMap((tag) => {
    const { directive } = tag;
    const target =
      directive.kind === "value" ? lookTarget(directive.expression, directive.modifiers) : null;
    return target === null ? [] : [{ tag, target }];
  });
  if (found.length === 0) return problems;
  noteBlocks(root, blocks);
  const [beyond] = found.slice(MAX_LOOKS);
  if (beyond !== undefined) problems.push(tooMany(beyond.tag));
  for (const { tag, target } of found.slice(0, MAX_LOOKS)) {
    const problem = placeLook(tag, target, blocks);
    if (problem !== null) problems.push(problem);
  }
  return problems;
}

/** Maximum number of tags with looks in a part. Each may change all runs of a row, so more would take too long. */
const MAX_LOOKS = 1_000;

function tooMany(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "too_many_looks",
    `More than ${MAX_LOOKS} tags of this part change the look of text, cells or rows.`,
    "Use a loop, or styles of Word.",
  );
}

/** Records the blocks around each element and tag, as their opening tags. */
function noteBlocks(root: ElementNode, blocks: Map<TemplateNode, readonly TagNode[]>): void {
  let open: readonly TagNode[] = [];
  for (const node of descendants(root)) {
    if (node.kind === "marker") open = afterMarker(node, open);
    else if (node.kind !== "text") blocks.set(node, open);
  }
}

function afterMarker({ tag }: MarkerNode, open: readonly TagNode[]): readonly TagNode[] {
  const { kind } = tag.directive;
  if (kind.startsWith("end")) return open.slice(0, -1);
  // Another branch of a condition is another block.
  return kind === "else" || kind === "elseif" ? [...open.slice(0, -1), tag] : [...open, tag];
}

function placeLook(
  tag: TagNode,
  target: LookTarget,
  blocks: ReadonlyMap<TemplateNode, readonly TagNode[]>,
): Diagnostic | null {
  const run = tag.parent?.name === "w:t" ? closest(tag, "w:r") : null;
  if (run === null)
    return outside(tag, `${tag.text} is not in running text, so its look cannot change.`, NO_LOOK);
  if (looksOf(tag).has("numbering") && target !== "paragraph") return notOfParagraph(tag);
  if (looksOf(tag).has("span") && target !== "cell") return notOfCell(tag);
  if (target === "text") {
    changeRun(isolated(tag, run), looksOf(tag), tag);
    return null;
  }
  const around = closest(run, ELEMENTS[target]);
  if (around === null)
    return outside(tag, `${tag.text} is not in a ${target}.`, elsewhere(tag, target));
  const inner = blocks.get(tag)?.at(-1);
  if (blocks.get(around)?.at(-1) !== inner) {
    const isAllIn = cellsOf(around).every((cell) => blocks.get(cell)?.at(-1) === inner);
    return inBlock(tag, target, inner, isAllIn);
  }
  detach(tag);
  change(around, tag);
  return null;
}

/** Changes the properties of a cell, a row or a paragraph, and of its text. */
function change(around: ElementNode, tag: TagNode): void {
  const looks = looksOf(tag);
  if (looks.difference(OF_ITSELF).size > 0) {
    around.changedBy ??= [];
    around.changedBy.push(tag);
  }
  if (looks.has("span")) {
    around.covers ??= { span: [], merge: null, isAlone: false };
    around.covers.span.push(tag);
  }
  const isParagraph = around.name === "w:p";
  if (looks.has("numbering")) {
    around.numberedBy ??= [];
    around.numberedBy.push(tag);
  }
  if (isParagraph) changeParagraph(around, looks, tag);
  else for (const cell of cellsOf(around)) changeCell(cell, looks, tag);
  const ofText = looks.difference(NOT_OF_TEXT);
  const runs: ElementNode[] = [];
  for (const node of contentOf(around)) {
    if (node.kind !== "element") continue;
    if (node.name === "w:r") runs.push(node);
    if (node.name === "w:p" && looks.has("style")) changeParagraph(node, STYLE, tag);
  }
  for (const run of runs) changeRun(run, ofText, tag);
}

function outside(tag: TagNode, message: string, hint: Wording): Diagnostic {
  return tagProblem(tag, "look_outside", message, hint);
}

/** `isAllIn`: whether all cells of a row are in the block, too. */
function inBlock(
  tag: TagNode,
  target: string,
  block: TagNode | undefined,
  isAllIn: boolean,
): Diagnostic {
  const { text = "" } = block ?? {};
  const isOfColumn = target === "row" && block?.directive.kind === "tablecolumn";
  const inRow = isAllIn ? "" : " For the row, move the tag into a cell outside of the block.";
  return tagProblem(
    tag,
    "look_in_block",
    `${tag.text} changes its whole ${target}, but it is in the block ${text}, which begins inside of that ${target}.`,
    isOfColumn
      ? `For the cell in each of these columns write ${tag.text.replace("row", "cell")}.${inRow}`
      : 'Move the tag out of the block. For a condition, write it into the tag: :: fill("red"), when(condition).',
  );
}

function notOfParagraph(tag: TagNode): Diagnostic {
  return outside(
    tag,
    `${tag.text} changes the numbering of a paragraph, but it is not a tag for a paragraph.`,
    'Write {{paragraph :: numbering("continue")}} into the paragraph.',
  );
}

function notOfCell(tag: TagNode): Diagnostic {
  return outside(
    tag,
    `${tag.text} makes a cell cover the ones to its right, but it is not a tag for a cell.`,
    withTags`Write {{cell :: span(2)}} into the cell, beside the tag that prints its value.`,
  );
}

const NO_LOOK = "Leave out the modifiers that change the look.";

/** Returns the hint for a tag outside the element that it changes: outside tables, a paragraph may be meant. */
function elsewhere(tag: TagNode, target: keyof typeof PUT): string {
  if (target === "paragraph" || looksOf(tag).has("span")) return PUT[target];
  return `${PUT[target]} For the look of a paragraph write ${tag.text.replace(target, "paragraph")}.`;
}

const ELEMENTS = { cell: "w:tc", row: "w:tr", paragraph: "w:p" } as const;

const PUT = {
  cell: "Put it into a cell of a table.",
  row: "Put it into a row of a table.",
  paragraph: "Put it into a paragraph.",
} as const;

/** Looks that belong to the cell or the paragraph itself, not to its text. */
const NOT_OF_TEXT: ReadonlySet<Look> = new Set(["fill", "style", "numbering", "span"]);
/** Looks that are decided where the cell or the paragraph begins, and change no property. */
const OF_ITSELF: ReadonlySet<Look> = new Set(["numbering", "span"]);
const STYLE: ReadonlySet<Look> = new Set(["style"]);

function looksOf({ directive }: TagNode): Set<Look> {
  const names = directive.kind === "value" ? directive.modifiers.map(({ name }) => name) : [];
  return new Set(LOOKS.filter((look) => (names as readonly string[]).includes(look)));
}

function cellsOf(around: ElementNode): ElementNode[] {
  if (around.name === "w:tc") return [around];
  return [...contentOf(around)].filter(
    (node): node is ElementNode =>
      node.kind === "element" && node.name === "w:tc" && closest(node.parent, "w:tr") === around,
  );
}

function changeCell(cell: ElementNode, looks: ReadonlySet<Look>, tag: TagNode): void {
  if (looks.has("fill")) addSlot(propertiesOf(cell, "w:tcPr"), "fill", CELL_ORDER, tag);
}

function changeParagraph(paragraph: ElementNode, looks: ReadonlySet<Look>, tag: TagNode): void {
  const properties = (): ElementNode => propertiesOf(paragraph, "w:pPr");
  if (looks.has("style")) addSlot(properties(), "paragraphStyle", PARAGRAPH_ORDER, tag);
  if (looks.has("fill")) addSlot(properties(), "fill", PARAGRAPH_ORDER, tag);
}

function changeRun(run: ElementNode, looks: ReadonlySet<Look>, tag: TagNode): void {
  for (const look of looks) {
    for (const slot of RUN_SLOTS[look]) {
      addSlot(propertiesOf(run, "w:rPr"), slot, RUN_ORDER, tag);
    }
  }
}

const RUN_SLOTS: Readonly<Record<Look, readonly SlotLook[]>> = {
  fill: ["fill"],
  color: ["color"],
  bold: ["bold", "boldComplex"],
  italic: ["italic", "italicComplex"],
  underline: ["underline"],
  strike: ["strike"],
  style: ["textStyle"],
  numbering: [],
  span: [],
};
