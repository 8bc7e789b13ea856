import type { Expression, PathExpression } from "../template/language/expression.ts";
import type { Wording } from "../template/wording.ts";
import { forgetPlaces } from "./pointers.ts";
import type { Environment, RenderData, Scope } from "./scope.ts";
import { SectionKeys } from "./section-keys.ts";

/** A reason why a tag may not do what its author means. It is reported and stops nothing. */
export interface Doubt {
  readonly code: string;
  /** A sentence about the tag. */
  readonly message: (tag: string) => string;
  readonly hint: Wording;
  /** Its place in the data. */
  readonly pointers: Iterable<string>;
  /** Whether it is about values that are missing, which `optional` allows. */
  readonly isMissing: boolean;
  /** The path whose truth is doubtful: no doubt in a block that prints it, for that asks whether it is there. */
  readonly truthOf?: string;
}

/** The parts of a rendering that an evaluation uses. */
export interface Evaluation extends Environment {
  /** Gathers the paths of a computation that lead to nothing, so that the computation gives nothing. */
  readonly missed: PathExpression[];
  /** Results of functions over data that is the same everywhere in the document. */
  results: Map<Expression, unknown> | null;
  /** Set when a path led to nothing. */
  absent?: boolean;
  /** The tags of the loops that have begun, by the names of their items: for hints. */
  opened: Map<string, string> | null;
  /** The doubts about a tag since its evaluation began. */
  readonly doubts: Doubt[];
  readonly gaps: { count: number };
  readonly sections: SectionKeys;
  /** Where an instant is compared with a date without an offset. */
  readonly timeZone: string;
}

/** An evaluation outside of all blocks. `spend` counts as in {@link Environment}. */
export function newEvaluation(
  data: RenderData,
  spend: Environment["spend"],
  timeZone = "UTC",
): Evaluation & { scope: Scope | null } {
  forgetPlaces(data);
  return {
    data,
    scope: null,
    spend,
    missed: [],
    results: null,
    absent: false,
    opened: null,
    doubts: [],
    gaps: { count: 0 },
    sections: new SectionKeys(),
    timeZone,
  };
}
