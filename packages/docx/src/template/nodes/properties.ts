import { SHRINK_MARK } from "../../fit/read-text.ts";
import type { ElementLook, SlotLook } from "../../language/looks.ts";
import { childNamed, type ElementNode, element, insertAt, type TagNode } from "./nodes.ts";

/** Returns the properties of an element, which are created if it has none. */
export function propertiesOf(parent: ElementNode, name: string): ElementNode {
  const known = childNamed(parent, name);
  if (known !== null) return known;
  const made = element(name, "");
  // The properties come first, before markers of blocks that begin in the element.
  insertAt(parent, 0, made);
  return made;
}

/** Inserts a property where the schema wants it. `order`: the rank of each property by its name. */
export function insertInOrder(
  properties: ElementNode,
  made: ElementNode,
  order: ReadonlyMap<string, number>,
): void {
  const rank = order.get(made.name) ?? 0;
  const behind = properties.children.findIndex(
    (node) => node.kind === "element" && (order.get(node.name) ?? Number.POSITIVE_INFINITY) > rank,
  );
  insertAt(properties, behind === -1 ? properties.children.length : behind, made);
}

/** The elements that fill a shape or a line. */
export const SHAPE_FILLS = [
  "a:solidFill",
  "a:noFill",
  "a:gradFill",
  "a:blipFill",
  "a:pattFill",
  "a:grpFill",
] as const;

/** The elements that set each property. If no such element exists, the first is created. */
const SLOT_ELEMENTS: Readonly<Record<ElementLook, readonly [string, ...string[]]>> = {
  fill: ["w:shd"],
  color: ["w:color"],
  bold: ["w:b"],
  boldComplex: ["w:bCs"],
  italic: ["w:i"],
  italicComplex: ["w:iCs"],
  underline: ["w:u"],
  strike: ["w:strike"],
  paragraphStyle: ["w:pStyle"],
  textStyle: ["w:rStyle"],
  shrink: [SHRINK_MARK],
  shapeFill: SHAPE_FILLS,
};

/** Notes that a tag may set a property, which is created if it is missing. `order`: as in {@link insertInOrder}. */
export function addSlot(
  properties: ElementNode,
  look: ElementLook,
  order: ReadonlyMap<string, number>,
  tag: TagNode,
): void {
  const [first, ...others] = SLOT_ELEMENTS[look];
  for (const name of [first, ...others]) {
    const known = childNamed(properties, name);
    if (known === null) continue;
    mayChange(known, look, tag);
    return;
  }
  const made = element(first, "");
  made.look = { look, tags: [tag], isThere: false };
  insertInOrder(properties, made, order);
}

/** Notes that a tag may set a property of the template. */
export function mayChange(property: ElementNode, look: SlotLook, tag: TagNode): void {
  property.look ??= { look, tags: [], isThere: true };
  property.look.tags.push(tag);
}
