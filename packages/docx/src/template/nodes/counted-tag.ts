import type { Expression, LoopVariable } from "../../language/grammar/expression.ts";

/** The only block of a loop, which leaves out some items. */
interface OnlyBlock {
  /** The condition of the block, and its tag as written. */
  readonly condition: Expression;
  readonly block: string;
  /** The content of the tag of a loop over the items for which the condition is true. */
  readonly hint: string;
}

/** A tag that counts the positions of a loop, or adds up its items, within the only block of the loop. */
export interface CountedTag extends OnlyBlock {
  /** The tag as written. */
  readonly tag: string;
  readonly name: LoopVariable | "$running";
}

/** A block that is the whole content of a repeated row or column, which is empty for the items that it leaves out. */
export interface EmptyPlace extends OnlyBlock {
  readonly empty: "row" | "column";
}
