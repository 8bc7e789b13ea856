import type { PathExpression } from "../language/grammar/expression.ts";
import { type DataNode, itemOf, keyOf } from "./data-node.ts";

/** A block around a tag. */
export interface Scope {
  /** The name of its item; null in a section. */
  readonly alias: string | null;
  /** The item that the name refers to, or the value of the section. */
  readonly node: DataNode;
  /** Whether `node` is an item of a list, although no name refers to it. */
  readonly isItem?: boolean;
  readonly outer: Scope | null;
  /** The number of conditions around the content of the block. A repeating block counts as a condition. */
  readonly conditions: number;
}

/** The start of a path: a place, or a key of it. */
export interface Beginning {
  readonly start: DataNode;
  readonly key: string | null;
  /** The number of conditions around the content of the block in which it begins. */
  readonly conditions: number;
  /** False if the key may belong to another place when it is missing here. */
  readonly isSure: boolean;
}

/** The target of a path. */
export interface Found extends Omit<Beginning, "key"> {
  readonly node: DataNode;
  /** The places that the keys of the path lead to, one for each key. */
  readonly way: readonly DataNode[];
}

/** Whether a scope is in `around`, or equal to it. Each scope is in the data, which is null. */
export function isWithin(scope: Scope | null, around: Scope | null): boolean {
  for (let at = scope; at !== null; at = at.outer) if (at === around) return true;
  return around === null;
}

/** Finds what the names in tags mean. */
export class Names {
  /**
   * The names that tags outside all sections use. Names in sections are resolved with the result of the survey before.
   */
  readonly outside = new Set<string>();
  readonly #before: ReadonlySet<string>;
  readonly #root: DataNode;

  /** `before`: these names in the survey before. */
  constructor(root: DataNode, before: ReadonlySet<string>) {
    this.#root = root;
    this.#before = before;
  }

  /** Whether the survey before would have resolved names in sections differently. */
  get isUnsettled(): boolean {
    return this.outside.size !== this.#before.size || !this.outside.isSubsetOf(this.#before);
  }

  /** Returns the place that a path in a scope means. */
  find({ head, rest }: PathExpression, scope: Scope | null): Found {
    const { start, key, conditions, isSure } = this.#begins(head, rest.length === 0, scope);
    const way: DataNode[] = [];
    let node = start;
    for (const each of key === null ? rest : [key, ...rest]) {
      node = keyOf(node, each);
      way.push(node);
    }
    return { start, node, way, conditions, isSure };
  }

  #begins(head: string | null, alone: boolean, scope: Scope | null): Beginning {
    if (head === null) return this.#item(alone, scope);
    let section: Scope | null = null;
    for (let at = scope; at !== null; at = at.outer) {
      const { alias, node, conditions } = at;
      if (alias === head) return { start: node, key: null, conditions, isSure: true };
      if (alias === null && node.reading === "turns") section ??= at;
    }
    if (section === null) this.outside.add(head);
    return section === null || this.#before.has(head)
      ? { start: this.#root, key: head, conditions: 0, isSure: true }
      : { start: section.node, key: head, conditions: section.conditions, isSure: false };
  }

  /** Returns the place that `this` means. `alone` says whether no key follows. */
  #item(alone: boolean, scope: Scope | null): Beginning {
    if (scope === null) return { start: this.#root, key: null, conditions: 0, isSure: true };
    const { alias, node, conditions } = scope;
    const place = { key: null, conditions, isSure: true };
    if (alias !== null || scope.isItem === true || !alone) return { start: node, ...place };
    node.facts.uses.add("listed");
    return { start: itemOf(node), ...place };
  }
}
