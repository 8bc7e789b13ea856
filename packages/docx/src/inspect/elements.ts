import {
  type DataNode,
  isIndex,
  itemOf,
  keyOf,
  mergeNodes,
  noteLiteral,
  type Use,
} from "./data-node.ts";
import { isList } from "./settle.ts";

/**
 * Merges what is known about the elements of each list. Keys of the list, and uses of the list as a value, apply to
 * each element.
 */
export function joinElements(root: DataNode): void {
  new Joining().node(root);
}

class Joining {
  readonly #seen = new Set<DataNode>();
  readonly #optional = new Set<DataNode>();
  readonly #loosened = new Set<DataNode>();

  node(node: DataNode): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    if (isList(node)) this.#list(node);
    if (node.item !== null) this.node(node.item);
    for (const inner of node.keys.values()) this.node(inner);
  }

  #list(node: DataNode): void {
    const item = itemOf(node);
    for (const [key, inner] of node.keys) {
      if (isIndex(key)) {
        this.#loosen(inner, this.#loosened);
        mergeNodes(item, inner);
      } else {
        this.#loosen(inner, this.#optional);
        if (item.keys.has(key)) mergeNodes(keyOf(item, key), inner);
        else item.keys.set(key, inner);
      }
    }
    for (const kind of ["uses", "firm"] as const) {
      for (const use of node.facts[kind]) {
        const ofElement = OF_ELEMENTS[use];
        if (ofElement !== undefined) item.facts[kind].add(ofElement);
      }
    }
    for (const part of node.facts.parts) noteLiteral(item.facts.wanted, part);
    item.facts.mask ??= node.facts.mask;
  }

  /** Paths skip elements without a key. A requirement for one element does not apply to the others. */
  #loosen(node: DataNode, done: Set<DataNode>): void {
    if (done.has(node)) return;
    done.add(node);
    const { facts, item, keys } = node;
    facts.required = false;
    if (done === this.#loosened) facts.firm.clear();
    else if (facts.uses.has("repeated")) {
      facts.uses.add("flattened");
      facts.firm.delete("repeated");
    }
    if (item !== null) this.#loosen(item, done);
    for (const inner of keys.values()) this.#loosen(inner, done);
  }
}

/** How each element of a list is used if the list is used as a value. */
const OF_ELEMENTS: Readonly<Partial<Record<Use, Use>>> = {
  printed: "printed",
  delimited: "printed",
  joined: "printed",
  contains: "compared",
  date: "date",
  time: "time",
  zoned: "zoned",
  number: "number",
  aggregated: "number",
  masked: "masked",
};
