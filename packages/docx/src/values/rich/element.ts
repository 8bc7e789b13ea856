import type { DefaultTreeAdapterTypes } from "parse5";
import { parseStyle, type Style } from "./css.ts";
import type { Attributes } from "./format.ts";
import { type QuillLook, quillLook } from "./quill.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

/** A node with children. */
export type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/** An element with its properties. */
export interface HtmlElement {
  /** The name in lowercase. */
  readonly name: string;
  readonly attributes: Attributes;
  /** The properties of its `style` attribute and, with lower precedence, of Quill's classes. */
  readonly style: Style;
  readonly quill: QuillLook;
  readonly node: DefaultTreeAdapterTypes.Element;
}

const NO_ATTRIBUTES: Attributes = new Map();

/** A node of the tree. Comments and doctypes are not rendered. */
export type HtmlNode =
  | { readonly kind: "text" | "comment"; readonly text: string }
  | ({ readonly kind: "element" } & HtmlElement)
  | { readonly kind: "doctype" };

/** Reads one node of a parse5 tree. */
export function readNode(node: Node): HtmlNode {
  if ("value" in node) return { kind: "text", text: node.value };
  if (!("attrs" in node)) {
    return "data" in node ? { kind: "comment", text: node.data } : { kind: "doctype" };
  }
  const attributes =
    node.attrs.length === 0
      ? NO_ATTRIBUTES
      : new Map(node.attrs.map(({ name, value }) => [name, value]));
  const name = node.tagName.toLowerCase();
  const quill = quillLook(name, attributes);
  const own = parseStyle(attributes.get("style"));
  const style = quill.style.length === 0 ? own : new Map([...quill.style, ...own]);
  return { kind: "element", name, attributes, style, quill, node };
}

/** Returns the elements directly below a node. */
export function childElements(parent: ParentNode): HtmlElement[] {
  return parent.childNodes.map(readNode).filter((node) => node.kind === "element");
}
