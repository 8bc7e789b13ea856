import type { DataNode } from "./data-node.ts";

/** A block around a tag. */
export interface Scope {
  /** The name of its item; null in a section. */
  readonly alias: string | null;
  /** The item that the name stands for, or what the section is over. */
  readonly node: DataNode;
  readonly outer: Scope | null;
  /** How many conditions stand around what is in the block; a block that repeats is one. */
  readonly conditions: number;
}

/** Where a path begins: at a place, or at a key of it. */
export interface Beginning {
  readonly start: DataNode;
  readonly key: string | null;
  /** How many conditions stand around what is in the block in which it begins. */
  readonly conditions: number;
  /** False when the key may be one of another place, if it is not there. */
  readonly isSure: boolean;
}

/** Where a path leads. */
export interface Found extends Omit<Beginning, "key"> {
  readonly node: DataNode;
  /** The places on its way that it names with a key, the last one included. */
  readonly way: readonly DataNode[];
}
