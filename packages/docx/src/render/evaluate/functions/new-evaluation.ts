import { type Evaluation, evaluationWith } from "../context/evaluation.ts";
import type { Environment, RenderData, Scope } from "../context/scope.ts";
import { evaluateCall } from "./call.ts";

/**
 * Creates an evaluation with all functions, outside all blocks. `spend` counts as in {@link Environment}. The default
 * time zone is UTC, the default locale en-US; without `now`, `$today` and `$now` are errors.
 */
export function newEvaluation(
  data: RenderData,
  spend: Environment["spend"],
  options: Partial<Pick<Evaluation, "timeZone" | "locale" | "now" | "loops">> = {},
): Evaluation & { scope: Scope | null } {
  return evaluationWith(evaluateCall, data, spend, options);
}
