import type { Decimal } from "../../../format/decimal.ts";
import type { Wording } from "../../../language/delimiters/wording.ts";
import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { forgetPlaces } from "./pointers.ts";
import type { Environment, RenderData, Scope } from "./scope.ts";
import { SectionKeys } from "./section-keys.ts";

/** A reason why a tag may not do what its author intended. It does not change the output. */
export interface Doubt {
  readonly code: string;
  /** A sentence about the tag. */
  readonly message: (tag: string) => string;
  readonly hint: Wording;
  /** JSON Pointers to the values that the doubt concerns. */
  readonly pointers: Iterable<string>;
  /** Whether the doubt is about missing values, which `optional` allows. */
  readonly isMissing: boolean;
  /**
   * The path whose truth is in doubt. A block that prints the value removes the doubt, because its condition checks
   * whether the value exists.
   */
  readonly truthOf?: string;
  /** The path whose doubt matters only in a block that prints it next to other text. */
  readonly ifPrinted?: string;
  /** A key that settles the doubt if the tag also names it after a dot, as in `this.city == city`. */
  readonly unlessNamed?: string;
  /** A path that settles the doubt if the tag names it more than once. */
  readonly unlessAgain?: string;
  /** Text of the tag that settles the doubt. */
  readonly unlessWritten?: string;
}

/** The sums of a call of `$running` over the first items of the loop that last used it, up to each item. */
export interface Sums {
  readonly items: readonly unknown[];
  readonly outer: Scope | null;
  readonly sums: Decimal[];
}

/** Evaluates the arguments of functions. */
export interface Evaluator {
  /** Returns the value of an expression, or undefined if a value that it needs is missing. */
  evaluate(expression: Expression, env: Evaluation): unknown;
  /** Whether a condition is true. */
  holds(condition: Expression, env: Evaluation): boolean;
}

/** The parts of a rendering that an evaluation uses. */
export interface Evaluation extends Environment {
  /** Collects the missing paths of a computation. A computation with a missing path has no result. */
  readonly missed: PathExpression[];
  /** Results of functions over data that is the same in the whole document, with the values that they were called on. */
  results: Map<Expression, { readonly of: unknown; readonly result: unknown }> | null;
  /** Returns the result of a function. */
  readonly call: (call: CallExpression, env: Evaluation, by: Evaluator) => unknown;
  /** The sums of `$running`. */
  readonly totals: Map<Expression, Sums>;
  /** Set when a path had no value. */
  absent?: boolean;
  /** For hints: the tags of the loops that have begun, by the names of their items. */
  opened: Map<string, string> | null;
  /** For hints: the first loop of the template for each name of an item. */
  readonly loops: ReadonlyMap<string, string>;
  /** For hints: whether the tag is in a header or footer. */
  isInHeader: boolean;
  /** The doubts about a tag that were recorded since its evaluation began. */
  readonly doubts: Doubt[];
  readonly gaps: { count: number };
  /** The last cell of a table that printed the values of a list: its row, its number and the list. */
  listInRow?: { readonly row: string; readonly cell: number; readonly source: string };
  readonly sections: SectionKeys;
  /** The time zone in which an instant is compared with a date without an offset. */
  readonly timeZone: string;
  /** The locale whose rules order texts. */
  readonly locale: string;
  /** The date of the document, or its date and time; null if unknown. */
  readonly now: Date | string | null;
}

const NO_LOOPS: Evaluation["loops"] = new Map();

/** Returns the tag of the loop whose items have a name: the last that has begun, or else the first of the template. */
export function loopNamed(
  name: string,
  { opened, loops }: Pick<Evaluation, "opened" | "loops">,
): string | undefined {
  return opened?.get(name) ?? loops.get(name);
}

/** Creates an evaluation outside all blocks. `spend` counts as in {@link Environment}. */
export function evaluationWith(
  call: Evaluation["call"],
  data: RenderData,
  spend: Environment["spend"],
  {
    timeZone = "UTC",
    locale = "en-US",
    now = null,
    loops = NO_LOOPS,
  }: Partial<Pick<Evaluation, "timeZone" | "locale" | "now" | "loops">> = {},
): Evaluation & { scope: Scope | null } {
  forgetPlaces(data);
  return {
    data,
    scope: null,
    spend,
    missed: [],
    results: null,
    call,
    totals: new Map(),
    absent: false,
    opened: null,
    loops,
    isInHeader: false,
    doubts: [],
    gaps: { count: 0 },
    sections: new SectionKeys(),
    timeZone,
    locale,
    now,
  };
}
