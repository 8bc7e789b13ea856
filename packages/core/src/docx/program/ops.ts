import type { ModifierCall } from "../template/directive.ts";
import type { Expression, PathExpression } from "../template/expression.ts";

/** Where an op comes from, for messages at render time. */
export interface TagOrigin {
  readonly part: string;
  readonly paragraph: number;
  /** The tag with its delimiters, verbatim: what is printed when its value is missing. */
  readonly text: string;
}

/**
 * Whether XML ends where a paragraph ends, which is what a cell must do: marks of ranges, ends of
 * content controls and spaces may follow. `unchanged` when it holds nothing else than those.
 */
export type Ending = "paragraph" | "other" | "unchanged";

/**
 * One step of a program. Static text is XML as it goes out; between the ops of a list the XML need
 * not be balanced (a block may begin in one run and end in another), the whole program is.
 */
export type Op =
  | {
      readonly op: "static";
      readonly xml: string;
      /** Whether it puts anything on the page by itself. */
      readonly visible: boolean;
      /** Whether a row of a table begins in it. */
      readonly row: boolean;
      readonly ending: Ending;
    }
  | {
      readonly op: "text";
      readonly origin: TagOrigin;
      readonly expression: Expression;
      readonly modifiers: readonly ModifierCall[];
    }
  | {
      readonly op: "repeat";
      readonly origin: TagOrigin;
      readonly alias: string;
      readonly collection: PathExpression;
      readonly optional: boolean;
      readonly body: readonly Op[];
    }
  | {
      readonly op: "choose";
      readonly branches: readonly {
        readonly origin: TagOrigin;
        /** Null for the `else` branch. */
        readonly condition: Expression | null;
        readonly body: readonly Op[];
      }[];
    }
  /** A cell or another container that must end in a paragraph, whatever its blocks leave. */
  | { readonly op: "container"; readonly body: readonly Op[] }
  /** A table: left out whole when no row remains. */
  | { readonly op: "table"; readonly body: readonly Op[] }
  /** A paragraph of nothing but blocks: when they show nothing, all that stays are its `marks`. */
  | { readonly op: "paragraph"; readonly marks: string; readonly body: readonly Op[] };

/** A part compiled: immutable, and free of any state of a rendering. */
export interface PartProgram {
  readonly part: string;
  readonly ops: readonly Op[];
}
