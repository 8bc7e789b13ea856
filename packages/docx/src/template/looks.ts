import type { Diagnostic } from "@quire/contracts";
import {
  type ElementLook,
  type Look,
  type LookTarget,
  lookTarget,
  type TargetElement,
} from "../language/looks.ts";
import { CELL_ORDER, PARAGRAPH_ORDER, RUN_ORDER } from "../values/rich/properties.ts";
import { placeColumnWidth } from "./column-widths.ts";
import {
  inBlock,
  inWholeRow,
  isOfShape,
  looksOf,
  MAX_LOOKS,
  notInText,
  notOfBox,
  notOfCell,
  notOfColumn,
  notOfParagraph,
  notOfShape,
  outsideElement,
  outsideShape,
  tooMany,
  withoutSize,
} from "./look-problems.ts";
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
import { wholeBlock } from "./nodes/whole-block.ts";
import { fillShape, shapeAround } from "./shape-fill.ts";
import { boxAround, shrinkIn, shrinksWithoutWidth } from "./shrink-boxes.ts";

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
  // Columns come last, because a cell that covers several columns gives none of them a width.
  const inOrder = found
    .slice(0, MAX_LOOKS)
    .toSorted((a, b) => Number(a.target === "column") - Number(b.target === "column"));
  for (const { tag, target } of inOrder) {
    const problem = placeLook(tag, target, blocks);
    if (problem !== null) problems.push(problem);
  }
  return problems;
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
  const wrong = otherTarget(tag, target);
  if (wrong !== null) return wrong;
  const shrinks = looksOf(tag).has("shrink");
  if (target === "shape") return placeShapeLook(tag, blocks);
  const run = runOf(tag);
  if (run === null) return notInText(tag);
  if (target === "text") {
    const problem = shrinks ? shrinkAround(boxAround(run), tag, false) : null;
    if (problem === null) changeRun(isolated(tag, run), looksOf(tag), tag);
    return problem;
  }
  const around = closest(run, ELEMENTS[target]);
  if (around === null) return outsideElement(tag, target);
  if (target === "column") {
    return looksOf(tag).size > 0 ? notOfColumn(tag) : placeColumnWidth(tag, around, blocks);
  }
  const problem =
    blockProblem(tag, target, around, blocks) ?? (shrinks ? shrinkAround(around, tag, true) : null);
  if (problem !== null) return problem;
  detach(tag);
  change(around, tag);
  return null;
}

/** Returns the problem of a tag whose look is only for tags of another element; null for others. */
function otherTarget(tag: TagNode, target: LookTarget): Diagnostic | null {
  const looks = looksOf(tag);
  if (looks.has("numbering") && target !== "paragraph") return notOfParagraph(tag);
  if (looks.has("span") && target !== "cell") return notOfCell(tag);
  const isOfBox = target !== "row" && target !== "paragraph";
  return looks.has("shrink") && !isOfBox ? notOfBox(tag, target) : null;
}

/** Notes that text in a box shrinks. Returns a problem without a box, or without a known size. */
function shrinkAround(box: ElementNode | null, tag: TagNode, isAll: boolean): Diagnostic | null {
  if (box === null) return notOfBox(tag, "text");
  const problem = shrinkIn(box, tag, isAll);
  return problem === null ? null : withoutSize(tag, problem);
}

/** Returns the problems of tags with `shrink` in cells without a fixed width. The cells must have been merged. */
export function checkShrinks(root: ElementNode, tags: readonly TagNode[]): Diagnostic[] {
  if (!tags.some((tag) => looksOf(tag).has("shrink"))) return [];
  return shrinksWithoutWidth(root).map(({ tag, problem }) => withoutSize(tag, problem));
}

function runOf(tag: TagNode): ElementNode | null {
  return tag.parent?.name === "w:t" ? closest(tag, "w:r") : null;
}

function placeShapeLook(
  tag: TagNode,
  blocks: ReadonlyMap<TemplateNode, readonly TagNode[]>,
): Diagnostic | null {
  const shape = shapeAround(tag);
  if (shape === null) return outsideShape(tag);
  if (runOf(tag) === null) return notInText(tag);
  if (!isOfShape(tag)) return notOfShape(tag);
  const looks = looksOf(tag);
  const content = closest(tag, "w:txbxContent");
  const boxProblem = looks.has("shrink") && content !== null ? shrinkIn(content, tag, true) : null;
  const problem =
    blockProblem(tag, "shape", shape, blocks) ??
    (boxProblem === null ? null : withoutSize(tag, boxProblem));
  if (problem !== null) return problem;
  detach(tag);
  decideBefore(shape, tag);
  if (looks.has("fill")) fillShape(shape, tag);
  return null;
}

/** Returns the problem of a tag in a block that begins inside the element that it changes; null for other tags. */
function blockProblem(
  tag: TagNode,
  target: TargetElement,
  around: ElementNode,
  blocks: ReadonlyMap<TemplateNode, readonly TagNode[]>,
): Diagnostic | null {
  const inner = blocks.get(tag)?.at(-1);
  if (blocks.get(around)?.at(-1) === inner) return null;
  const isAllIn = cellsOf(around).every((cell) => blocks.get(cell)?.at(-1) === inner);
  if (target === "row" && inner !== undefined) {
    const [only, more] = cellsOf(around);
    if (only !== undefined && more === undefined && wholeBlock(only) === inner)
      return inWholeRow(tag, inner, blocks.get(around) ?? []);
  }
  return inBlock(tag, target, inner, isAllIn);
}

/** Notes a tag whose values are those where the element begins. */
function decideBefore(around: ElementNode, tag: TagNode): void {
  around.changedBy ??= [];
  around.changedBy.push(tag);
}

/** Changes the properties of a cell, a row or a paragraph, and of its text. */
function change(around: ElementNode, tag: TagNode): void {
  const looks = looksOf(tag);
  if (looks.difference(OF_ITSELF).size > 0) decideBefore(around, tag);
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

const ELEMENTS = { cell: "w:tc", column: "w:tc", row: "w:tr", paragraph: "w:p" } as const;

/** Looks that belong to the cell or the paragraph itself, not to its text. */
const NOT_OF_TEXT: ReadonlySet<Look> = new Set(["fill", "style", "numbering", "span", "shrink"]);
/** Looks that are decided where the cell or the paragraph begins, and change no property. */
const OF_ITSELF: ReadonlySet<Look> = new Set(["numbering", "span"]);
const STYLE: ReadonlySet<Look> = new Set(["style"]);

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

const RUN_SLOTS: Readonly<Record<Look, readonly ElementLook[]>> = {
  fill: ["fill"],
  color: ["color"],
  bold: ["bold", "boldComplex"],
  italic: ["italic", "italicComplex"],
  underline: ["underline"],
  strike: ["strike"],
  style: ["textStyle"],
  numbering: [],
  span: [],
  shrink: ["shrink"],
};
