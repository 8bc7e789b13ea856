import { PARAGRAPH_ORDER } from "../../values/rich/properties.ts";
import { attributesOf, childNamed, type ElementNode, insertAt } from "./nodes.ts";

/** Attributes of a `w:ind` by name, with escaped values. */
export type Indents = Readonly<Record<string, string | undefined>>;

/** Creates an element that is not from the template. */
export function newElement(
  name: string,
  attributes: string,
  ...children: readonly ElementNode[]
): ElementNode {
  const made: ElementNode = {
    kind: "element",
    name,
    attributes,
    children: [],
    parent: null,
    paragraph: 0,
  };
  insertAt(made, 0, ...children);
  return made;
}

/** Adds a property of a paragraph in the order of the schema. It replaces a property with the same name. */
export function putProperty(properties: ElementNode, property: ElementNode): void {
  const rank = PARAGRAPH_ORDER.get(property.name) ?? 0;
  const { children } = properties;
  const before = children.findIndex(
    (node) => node.kind === "element" && node.name === property.name,
  );
  if (before !== -1) children.splice(before, 1);
  const behind = children.findIndex(
    (node) =>
      node.kind === "element" &&
      (PARAGRAPH_ORDER.get(node.name) ?? Number.POSITIVE_INFINITY) > rank,
  );
  insertAt(properties, behind === -1 ? children.length : behind, property);
}

/** Whether a property comes before the numbering in the order of the schema. */
export function isBeforeNumbering(property: string): boolean {
  const numbering = PARAGRAPH_ORDER.get("w:numPr") ?? 0;
  return (PARAGRAPH_ORDER.get(property) ?? numbering) < numbering;
}

/**
 * Copies to a paragraph those indents of its style that override the indents of the list. Word ignores these indents of
 * the style if the paragraph refers to the list directly. The paragraph's own indents take precedence.
 */
export function keepIndents(properties: ElementNode, indents: Indents): void {
  const own = childNamed(properties, "w:ind")?.attributes ?? "";
  const all = indentAttributes(attributesOf(own), indents);
  if (all !== own) putProperty(properties, newElement("w:ind", all));
}

/** Returns the attributes of a `w:ind`: the indents of a paragraph, and for other sides the indents of its style. */
export function indentAttributes(own: Indents, ofStyle: Indents): string {
  const sides = new Set(Object.keys(own).map(sideOf));
  const added = Object.entries(ofStyle).filter(([name]) => !sides.has(sideOf(name)));
  return [...Object.entries(own), ...added].map(([name, value]) => ` ${name}="${value}"`).join("");
}

/** Returns the side to which an attribute of `w:ind` applies. Each side has two names and two units. */
function sideOf(attribute: string): string {
  const name = attribute.replace(/^w:|Chars$/g, "");
  if (name === "start") return "left";
  if (name === "end") return "right";
  return name === "hanging" || name === "firstLine" ? "first" : name;
}
