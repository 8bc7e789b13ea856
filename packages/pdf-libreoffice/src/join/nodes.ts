import { formOf } from "./forms.ts";
import { CHILDREN } from "./whitelist.ts";

/** An element that may have children. */
export interface Node {
  readonly name: string;
  /** The allowed children, with the number of each form. */
  readonly children: ReadonlyMap<string, { readonly node: Node; readonly form: number }>;
}

/** The elements of the whitelist by name. */
export const NODES: ReadonlyMap<string, Node> = linked(CHILDREN);

function linked(table: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, Node> {
  const names = new Set([...table].flatMap(([name, children]) => [name, ...children]));
  const nodes = new Map([...names].map((name) => [name, { name, children: new Map() }]));
  for (const [parent, children] of table) {
    for (const name of children) {
      nodes
        .get(parent)
        ?.children.set(name, { node: nodes.get(name), form: formOf(`${parent}>${name}`) });
    }
  }
  return nodes;
}
