import { childNamed, type ElementNode, element, insertAt } from "./nodes.ts";

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
