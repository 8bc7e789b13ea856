import type { ElementNode, TemplateNode } from "./nodes.ts";

/**
 * Replaces nodes with others in a single pass, because a paragraph may have a hundred thousand nodes. A replacement may
 * contain nodes that are also replaced.
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
