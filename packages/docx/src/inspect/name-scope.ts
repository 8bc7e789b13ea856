import type { DataNode } from "./data-node.ts";

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
