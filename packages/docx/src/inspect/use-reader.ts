import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { DataNode, Use } from "./data-node.ts";

/** Records what expressions use. */
export interface UseReader {
  /** Records that the current tag uses the value of a path. */
  use(path: PathExpression, use: Use): DataNode;
  /** Like {@link use}, for a function over all elements of a list. The list may be anywhere on the path. */
  aggregate(path: PathExpression, use: Use): void;
  /** Reads expressions in which names are keys of a list's items. `alias`: another name for the item. */
  within(list: DataNode, alias: string | null, read: () => void): void;
  /** Records a use of keys of a place that no single path leads to. */
  follow(node: DataNode, keys: readonly string[], use: Use): DataNode;
  /** Returns a place for the value that an expression chooses among several places. */
  choice(first: DataNode, others: readonly DataNode[]): DataNode;
  /** Records that a tag compares which of the values at two places is greater. */
  order(one: PathExpression, other: PathExpression): void;
  /** Records that a tag uses the position in the innermost loop. */
  asksForLoop(): void;
  /** Reads expressions that are not evaluated in every rendering. */
  conditionally(read: () => void): void;
}

/** Records what the expressions within a list use. */
export interface Reading {
  /** Records the data that an expression reads if its value is printed or used in another way. */
  value(expression: Expression, reader: UseReader, use?: Use): void;
  /** Records what an operand of arithmetic uses. */
  number(expression: Expression, divides: boolean, reader: UseReader): void;
  /** Records what a condition uses. `wanted`: the result that sample data should give, or null. */
  condition(condition: Expression, wanted: boolean | null, reader: UseReader): void;
}
