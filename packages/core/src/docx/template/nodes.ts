import type { LostBreak } from "./collector.ts";
import type { Delimiters } from "./delimiters.ts";
import type { Directive } from "./language/directive.ts";

/** An element with its attributes as they stand in the canonical start tag (each after a space). */
export interface ElementNode {
  readonly kind: "element";
  readonly name: string;
  attributes: string;
  readonly children: TemplateNode[];
  parent: ElementNode | null;
  /** Of a `w:p`: its number within the part, from 1, in document order; 0 for other elements. */
  readonly paragraph: number;
  /** Attributes whose values hold tags, by name: the pieces of their values. Absent when there are none. */
  tagged?: ReadonlyMap<string, readonly AttributePiece[]>;
  /** Of a table: a paragraph that has vanished kept it apart from what stands before it. */
  apart?: boolean;
  /** What stands for the number in its `w:val` or `w:w`. Absent when it is as written. */
  computed?: ComputedNumber;
  /** The state of the content control that the element belongs to. Absent if it is copied as written. */
  state?: ControlState;
}

/**
 * A number that depends on how often a `tablecolumn` repeats: the columns that a cell covers, the width
 * that is left for one of them, or the width that is left when some of them are not there.
 */
export type ComputedNumber =
  | {
      readonly kind: "span";
      /** Columns that are not repeated. */
      readonly others: number;
      /** How many columns of the template each `tablecolumn` repeats. */
      readonly repeated: readonly { readonly columns: number; readonly tag: TagNode }[];
    }
  | { readonly kind: "share"; readonly whole: number; readonly tag: TagNode }
  | {
      readonly kind: "rest";
      readonly whole: number;
      /** The widths of what each `tablecolumn` repeats. */
      readonly repeated: readonly { readonly width: number; readonly tag: TagNode }[];
    };

/**
 * What the properties of a content control say about its content: whether a box is checked, which date or which
 * entry of a list is chosen (ECMA-376 part 1, 17.5.2; MS-DOCX 2.6.1).
 */
export interface ControlState {
  readonly of: "checkbox" | "date" | "list";
  /** The tag that is all of the content. */
  readonly tag: TagNode;
}

/** A piece of an attribute's value: text, not escaped, or a tag. */
export type AttributePiece = string | TagNode;

/** Text, escaped as it stands in the XML. */
export interface TextNode {
  readonly kind: "text";
  xml: string;
  parent: ElementNode | null;
}

/** Where in a part something stands, in the words of an author. Numbers count from 1. */
export interface Place {
  readonly part: string;
  /** The number of the paragraph within the part; 0 outside of paragraphs. */
  readonly paragraph: number;
  /** The text of the nearest heading above, tags included; absent before the first one. */
  readonly heading?: string;
  /** The innermost table around it, by its number within the part, with the row and the cell. */
  readonly table?: number;
  readonly row?: number;
  readonly cell?: number;
}

/** A tag, found in the text of a paragraph however Word split it over runs. */
export interface TagNode {
  readonly kind: "tag";
  /** The tag as it is written, delimiters included. */
  readonly text: string;
  /** Those of its template. */
  readonly delimiters: Delimiters;
  /** Settled when the blocks are: the list of a `tablecolumn` is read from outside of its table. */
  directive: Directive;
  readonly place: Place;
  /** The tag with the text around it, once its part has been read. */
  near: string;
  /** The element in whose attribute it stands; null for a tag in running text. */
  readonly owner: ElementNode | null;
  /** In the instruction of a field: whether the address of a link begins with it or goes on. Absent elsewhere. */
  fieldRole?: "instruction" | "address" | "addressPart";
  /** A break between its delimiters that an author may have meant for the text. */
  lost?: LostBreak | null;
  /** Of a section with words: if its value is a list, the items run together in one list item. */
  mayJoin?: boolean;
  /** Of a block: the paths of its conditions that it also prints. */
  printed?: ReadonlySet<string>;
  /** Of a section: whether an inverted section of the same path is beside it. */
  hasInverse?: boolean;
  parent: ElementNode | null;
}

/** Where a block begins, goes on with its next branch, or ends, once the place is settled. */
export interface MarkerNode {
  readonly kind: "marker";
  readonly tag: TagNode;
  parent: ElementNode | null;
}

/** A node of a part's tree. The tree is private to the compiler and changes while it works. */
export type TemplateNode = ElementNode | TextNode | TagNode | MarkerNode;

/** An element without children that is not in a tree yet. */
export function element(name: string, attributes: string, paragraph = 0): ElementNode {
  return { kind: "element", name, attributes, children: [], parent: null, paragraph };
}

/** The nearest ancestor, or the node itself, with one of these element names. */
export function closest(
  node: TemplateNode | null,
  ...names: readonly string[]
): ElementNode | null {
  let at = node;
  while (at !== null && !(at.kind === "element" && names.includes(at.name))) at = at.parent;
  return at;
}

/** The first child element with this name, or null. */
export function childNamed(parent: ElementNode | null, name: string): ElementNode | null {
  const found = parent?.children.find((node) => node.kind === "element" && node.name === name);
  return found?.kind === "element" ? found : null;
}

/** The properties of a paragraph or run: what stands first in it, when it has any. */
export function leadingProperties(
  parent: ElementNode,
  name: "w:pPr" | "w:rPr",
): ElementNode | null {
  const first = parent.children.find(({ kind }) => kind === "element");
  return first?.kind === "element" && first.name === name ? first : null;
}

/** The node's place among its siblings. */
export function indexInParent(node: TemplateNode): number {
  return node.parent?.children.indexOf(node) ?? -1;
}

/** Puts nodes into a parent's list of children, in their order, before the child at the index. */
export function insertAt(
  parent: ElementNode,
  index: number,
  ...nodes: readonly TemplateNode[]
): void {
  for (const node of nodes) node.parent = parent;
  parent.children.splice(index, 0, ...nodes);
}

/** Takes a node out of the tree. */
export function detach(node: TemplateNode): void {
  const index = indexInParent(node);
  if (index !== -1) node.parent?.children.splice(index, 1);
  node.parent = null;
}

/**
 * Puts other nodes in the place of some nodes, in one pass: a paragraph may have a hundred thousand of them. A
 * replacement may hold nodes that are replaced as well.
 */
export function replaceAll(others: ReadonlyMap<TemplateNode, readonly TemplateNode[]>): void {
  const add = (parent: ElementNode, node: TemplateNode): void => {
    const replacement = others.get(node);
    if (replacement === undefined) {
      node.parent = parent;
      parent.children.push(node);
    } else for (const each of replacement) add(parent, each);
  };
  const parents = new Set([...others.keys()].map(({ parent }) => parent));
  for (const parent of parents) {
    if (parent === null || others.has(parent)) continue;
    for (const child of parent.children.splice(0)) add(parent, child);
  }
  for (const node of others.keys()) node.parent = null;
}

/** The chain of ancestors from the root down to the node's parent. */
export function ancestors(node: TemplateNode): ElementNode[] {
  const chain: ElementNode[] = [];
  for (let at = node.parent; at !== null; at = at.parent) chain.unshift(at);
  return chain;
}

/** The lowest element that holds all of these nodes. */
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

/** Every node below an element in document order, the element itself not included. */
export function* descendants(element: ElementNode): Generator<TemplateNode> {
  for (const child of element.children) {
    yield child;
    if (child.kind === "element") yield* descendants(child);
  }
}

/** Elements that describe others: nothing in them stands on the page. */
const PROPERTIES = new Set([
  "w:pPr",
  "w:rPr",
  "w:trPr",
  "w:tcPr",
  "w:tblPr",
  "w:tblGrid",
  "w:sdtPr",
]);

/** Whether a node only describes others: properties of a paragraph, a run, a table. */
export function isProperties(node: TemplateNode): boolean {
  return node.kind === "element" && PROPERTIES.has(node.name);
}

/** Like {@link descendants}, without what only describes: properties of paragraphs, runs, cells. */
export function* contentOf(element: ElementNode): Generator<TemplateNode> {
  for (const child of element.children) {
    if (isProperties(child)) continue;
    yield child;
    if (child.kind === "element") yield* contentOf(child);
  }
}

/** Whether a paragraph carries the properties of the section that ends with it. */
export function endsSection(paragraph: ElementNode): boolean {
  return childNamed(leadingProperties(paragraph, "w:pPr"), "w:sectPr") !== null;
}

/** Whether a paragraph is kept even if it has only block tags: it ends a section or begins a page. */
export function staysEmpty(paragraph: ElementNode): boolean {
  const begins = childNamed(leadingProperties(paragraph, "w:pPr"), "w:pageBreakBefore");
  const isOff = begins === null || / w:val="(?:0|false|off)"/.test(begins.attributes);
  return !isOff || endsSection(paragraph);
}

/** Whether a node by itself puts something on the page. */
export function isVisible(node: TemplateNode): boolean {
  if (node.kind === "element") return VISIBLE.has(node.name);
  if (node.kind === "text") return node.parent?.name === "w:t" && node.xml.trim() !== "";
  return true;
}

/** Elements within a paragraph that put something on the page, or that must not get lost. */
const VISIBLE = new Set([
  "w:drawing",
  "w:pict",
  "w:object",
  "w:br",
  "w:cr",
  "w:tab",
  "w:ptab",
  "w:sym",
  "w:noBreakHyphen",
  "w:softHyphen",
  "w:pgNum",
  "w:dayLong",
  "w:dayShort",
  "w:monthLong",
  "w:monthShort",
  "w:yearLong",
  "w:yearShort",
  "w:contentPart",
  "w:subDoc",
  "w:fldSimple",
  "w:fldChar",
  "w:footnoteReference",
  "w:endnoteReference",
  "w:footnoteRef",
  "w:endnoteRef",
  "w:annotationRef",
  "w:commentReference",
  "w:separator",
  "w:continuationSeparator",
  "m:oMath",
  "m:oMathPara",
  "mc:AlternateContent",
]);

/** The attributes of a canonical start tag by name, their values as they stand in the XML. */
export function attributesOf(attributes: string): Readonly<Record<string, string | undefined>> {
  const found: Record<string, string> = Object.create(null);
  for (const [, name = "", value = ""] of attributes.matchAll(/ ([^=]+)="([^"]*)"/g)) {
    found[name] = value;
  }
  return found;
}
