import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import type { Directive } from "../../language/directive.ts";
import type { PathExpression } from "../../language/grammar/expression.ts";
import type { SlotLook } from "../../language/looks.ts";
import type { LostBreak } from "./collector.ts";
import type { CountedTag, EmptyPlace } from "./counted-tag.ts";
import type { CoverTags, InnerLoop, Joined, ShrunkBox, Sizing, StyleChoice } from "./tag-uses.ts";
import { VISIBLE } from "./visible.ts";

/** An element with its attributes in the form of the canonical start tag (a space before each). */
export interface ElementNode {
  readonly kind: "element";
  readonly name: string;
  attributes: string;
  readonly children: TemplateNode[];
  parent: ElementNode | null;
  /** The number of a `w:p` in its part, from 1, in document order; 0 for other elements. */
  readonly paragraph: number;
  /** The pieces of each attribute value with tags, by the name of the attribute. Absent if there are none. */
  tagged?: ReadonlyMap<string, readonly AttributePiece[]>;
  /** Whether a removed paragraph separated a table from the content before it. */
  apart?: boolean;
  /** The number that replaces the one in the element's `w:val` or `w:w`. Absent if the number is unchanged. */
  computed?: ComputedNumber;
  /** The state of the content control that the element belongs to. Absent if it is copied as written. */
  state?: ControlState;
  /** Set if tags may change this element, which is a property. If not `isThere`, only they write it; later tags win. */
  look?: { readonly look: SlotLook; readonly tags: TagNode[]; readonly isThere: boolean };
  /** For a VML shape: the tags that may fill it, and the attributes that they replace. */
  vmlFill?: { readonly tags: TagNode[]; readonly original: string };
  /** For a row, a cell, a paragraph or a shape: the tags that change its look, and the look of its content. */
  changedBy?: TagNode[];
  /** For a `w:vMerge`: the tag whose value decides whether the cell continues the one above. */
  mergedBy?: TagNode;
  /** For a `w:tr`: whether some of its cells may cover others. */
  coversCells?: true;
  /** For each `w:tc` of such a row: the tags that make it cover the cells to its right. */
  covers?: CoverTags<TagNode>;
  /** For the `w:gridSpan` or `w:tcW` of such a cell, whose value depends on the covered cells. */
  covering?: "columns" | "width";
  /** For an element with a width or a layout, in a table in which tags set the widths of columns. */
  sizing?: Sizing<TagNode>;
  /** For a `w:tc` or a `w:txbxContent` in which text shrinks. */
  shrunk?: ShrunkBox<TagNode>;
  /** For a paragraph: the tags with `numbering`, which continue or restart its list. */
  numberedBy?: TagNode[];
  /** Set if a color in a series of a chart may change. */
  seriesColor?: SeriesColor;
  /**
   * For the `w:numPr` of an included paragraph, if its list is a copy of the one of its style: the attributes of the
   * paragraph's own `w:ind`.
   */
  ownIndents?: string;
  /** For a `w:numPr` or a `w:ind` that depends on the style which tags choose: the choice. */
  styled?: StyleChoice<TagNode>;
}

/** How a color in a series of a chart may change. */
export interface SeriesColor {
  /** The tag with `fill`, whose color comes first, or null. */
  readonly tag: TagNode | null;
  /** The number of series that loops have made, up to this one; null if the series does not repeat. */
  readonly made: SpanNumber | null;
  /** The numbers of the theme's accents that no series of the template uses. */
  readonly free: readonly number[];
}

/** The number of columns, or of series in a chart, of which loops repeat some. */
export interface SpanNumber {
  readonly kind: "span";
  /** The number of columns or series that are not repeated. */
  readonly others: number;
  /** For each loop, the number of template columns that it repeats. */
  readonly repeated: readonly { readonly columns: number; readonly tag: TagNode }[];
  /** For a number in a series that repeats: the tag of its loop. The number grows by one with each repetition. */
  readonly series?: TagNode;
}

/**
 * A number that depends on the repetitions of a `tablecolumn`. `span`: the number of columns that a cell covers.
 * `share`: the width of one repetition, if all repetitions share the width `whole`. `rest`: the width of a cell, minus
 * the width of the repeated columns if the list is empty.
 */
export type ComputedNumber =
  | SpanNumber
  | { readonly kind: "share"; readonly whole: number; readonly tag: TagNode }
  | {
      readonly kind: "rest";
      readonly whole: number;
      /** For each `tablecolumn`, the width of the columns that it repeats. */
      readonly repeated: readonly { readonly width: number; readonly tag: TagNode }[];
    };

/**
 * The state in the properties of a content control: whether a box is checked, or which date or list entry is
 * selected (ECMA-376 part 1, 17.5.2; MS-DOCX 2.6.1).
 */
export interface ControlState {
  readonly of: "checkbox" | "date" | "list";
  /** The tag that is the whole content. */
  readonly tag: TagNode;
}

/** A piece of an attribute's value: unescaped text, or a tag. */
export type AttributePiece = string | TagNode;

/** Text, escaped as in the XML. */
export interface TextNode {
  readonly kind: "text";
  xml: string;
  parent: ElementNode | null;
}

/** A location in a part, as messages describe it to template authors. Numbers count from 1. */
export interface Place {
  readonly part: string;
  /** The number of the paragraph within the part; 0 outside paragraphs. */
  readonly paragraph: number;
  /** The text of the nearest heading above, including tags; absent before the first heading. */
  readonly heading?: string;
  /** The number of the innermost table within the part, with row and cell; absent outside tables. */
  readonly table?: number;
  readonly row?: number;
  readonly cell?: number;
}

/** A tag in the text of a paragraph, even if Word split it over runs. */
export interface TagNode {
  readonly kind: "tag";
  /** The tag as written, including delimiters. */
  readonly text: string;
  /** The delimiters of its template. */
  readonly delimiters: Delimiters;
  /** The meaning of the tag. It may change until the blocks are placed: see `column-list.ts`. */
  directive: Directive;
  readonly place: Place;
  /** The tag with the text around it, available after its part has been read. */
  near: string;
  /** The element whose attribute contains the tag; null for a tag in running text. */
  readonly owner: ElementNode | null;
  /** For a tag in the instruction of a field: whether it begins the address of a link, continues one, or neither. */
  fieldRole?: "instruction" | "address" | "addressPart";
  /** A break between the tag's delimiters that the author may have meant to be in the text. */
  lost?: LostBreak | null;
  /** Where a block is the whole text, so that the items of a list are printed without separators. */
  mayJoin?: Joined;
  /** The paths in a block's conditions that the block also prints. Absent if there are none. */
  printed?: ReadonlySet<string>;
  /** For a condition that names the item of a loop within its block: that loop. */
  innerLoop?: InnerLoop;
  /** The paths in a block that may be meant as keys of its item, each with its first tag. May be absent. */
  outer?: ReadonlyMap<PathExpression, TagNode>;
  /** For a loop with one condition around all its content: a tag there that counts positions, or the empty place. */
  counted?: CountedTag | EmptyPlace;
  /** For a condition around all content of a row: the hint how to hide the row. */
  emptyRow?: string;
  /** For a tag in a column that repeats: the name of the items of its loop. */
  column?: string;
  /** Whether the list of these items belongs to the first item of another list: `halls[0].prices`. */
  ofFirst?: boolean;
  /** For the conditions of an `include` with several templates: whether one of them must hold. */
  mustHold?: boolean;
  /** Whether a section has a matching inverted section with the same path. */
  hasInverse?: boolean;
  /** For a loop around a section break whose headers use items of loops: the number of the loop. Otherwise absent. */
  paged?: number;
  /** For the block around a cell that another cell may cover: the covered cell. */
  cell?: ElementNode;
  /** For the tag of a value in a chart, which becomes a point there: the attributes of the point, apart from its index. */
  point?: string;
  /** For the tag of a value in a chart, which colors its point: the outline of the point. */
  pointColor?: { readonly outline: ElementNode | null };
  parent: ElementNode | null;
}

/** Marks a position where a block begins, starts its next branch, or ends. It replaces the block tag in the tree. */
export interface MarkerNode {
  readonly kind: "marker";
  readonly tag: TagNode;
  parent: ElementNode | null;
}

/** A node of a part's tree. Only the compiler uses the tree, and changes it. */
export type TemplateNode = ElementNode | TextNode | TagNode | MarkerNode;

/** Creates an element without children that is not in a tree yet. */
export function element(name: string, attributes: string, paragraph = 0): ElementNode {
  return { kind: "element", name, attributes, children: [], parent: null, paragraph };
}

/** Returns the nearest ancestor, or the node itself, with one of these element names, or null. */
export function closest(
  node: TemplateNode | null,
  ...names: readonly string[]
): ElementNode | null {
  let at = node;
  while (at !== null && !(at.kind === "element" && names.includes(at.name))) at = at.parent;
  return at;
}

/** Returns the first child element with this name, or null. */
export function childNamed(parent: ElementNode | null, name: string): ElementNode | null {
  const found = parent?.children.find((node) => node.kind === "element" && node.name === name);
  return found?.kind === "element" ? found : null;
}

/** Returns the properties of a paragraph or run; null if they are not its first child element. */
export function leadingProperties(
  parent: ElementNode,
  name: "w:pPr" | "w:rPr",
): ElementNode | null {
  const first = parent.children.find(({ kind }) => kind === "element");
  return first?.kind === "element" && first.name === name ? first : null;
}

/** Returns the node's index among its siblings; -1 if it has no parent. */
export function indexInParent(node: TemplateNode): number {
  return node.parent?.children.indexOf(node) ?? -1;
}

/** Inserts nodes into a parent's list of children before the child at the index. */
export function insertAt(
  parent: ElementNode,
  index: number,
  ...nodes: readonly TemplateNode[]
): void {
  for (const node of nodes) node.parent = parent;
  parent.children.splice(index, 0, ...nodes);
}

/** Removes a node from the tree. */
export function detach(node: TemplateNode): void {
  const index = indexInParent(node);
  if (index !== -1) node.parent?.children.splice(index, 1);
  node.parent = null;
}

/** Returns the chain of ancestors from the root down to the node's parent. */
export function ancestors(node: TemplateNode): ElementNode[] {
  const chain: ElementNode[] = [];
  for (let at = node.parent; at !== null; at = at.parent) chain.unshift(at);
  return chain;
}

/** Returns the lowest element that contains all of these nodes. */
export function commonAncestor(nodes: readonly TemplateNode[]): ElementNode {
  const [first = [], ...others] = nodes.map(ancestors);
  let depth = first.length;
  for (const chain of others) {
    let shared = 0;
    while (shared < depth && chain[shared] === first[shared]) shared += 1;
    depth = shared;
  }
  const common = first[depth - 1];
  if (common === undefined) throw new Error("The nodes are in different trees.");
  return common;
}

/** Yields every node below an element in document order, without the element itself. */
export function* descendants(element: ElementNode): Generator<TemplateNode> {
  for (const child of element.children) {
    yield child;
    if (child.kind === "element") yield* descendants(child);
  }
}

/** Elements that describe others: nothing in them is visible on the page. */
const PROPERTIES = new Set("w:pPr w:rPr w:trPr w:tcPr w:tblPr w:tblGrid w:sdtPr".split(" "));

/** Whether a node only describes others, such as the properties of a paragraph, a run or a table. */
export function isProperties(node: TemplateNode): boolean {
  return node.kind === "element" && PROPERTIES.has(node.name);
}

/** Yields every node below an element, except elements that only describe others: see {@link isProperties}. */
export function* contentOf(element: ElementNode): Generator<TemplateNode> {
  for (const child of element.children) {
    if (isProperties(child)) continue;
    yield child;
    if (child.kind === "element") yield* contentOf(child);
  }
}

/** Whether a paragraph has the properties of the section that ends with it. */
export function endsSection(paragraph: ElementNode): boolean {
  return childNamed(leadingProperties(paragraph, "w:pPr"), "w:sectPr") !== null;
}

/** Whether a paragraph is kept even if it has only block tags, because it ends a section or begins a page. */
export function staysEmpty(paragraph: ElementNode): boolean {
  const begins = childNamed(leadingProperties(paragraph, "w:pPr"), "w:pageBreakBefore");
  const isOff = begins === null || / w:val="(?:0|false|off)"/.test(begins.attributes);
  return !isOff || endsSection(paragraph);
}

/** Whether a node itself is visible on the page. */
export function isVisible(node: TemplateNode): boolean {
  if (node.kind === "element") return VISIBLE.has(node.name);
  if (node.kind === "text") return node.parent?.name === "w:t" && node.xml.trim() !== "";
  return true;
}

/** Returns the attributes of a canonical start tag by name, with values as in the XML. */
export function attributesOf(attributes: string): Readonly<Record<string, string | undefined>> {
  const found: Record<string, string> = Object.create(null);
  for (const [, name = "", value = ""] of attributes.matchAll(/ ([^=]+)="([^"]*)"/g)) {
    found[name] = value;
  }
  return found;
}
