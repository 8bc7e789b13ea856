import type { Expression, LoopVariable } from "../../language/grammar/expression.ts";

/** A tag that counts the positions of a loop, or adds up its items, within the only block of the loop. */
export interface CountedTag {
  /** The tag as written. */
  readonly tag: string;
  readonly name: LoopVariable | "$running";
  /** The condition of the block, and its tag as written. */
  readonly condition: Expression;
  readonly block: string;
  /** The content of the tag of a loop over the items for which the condition is true. */
  readonly hint: string;
}
