import type { Expression } from "../language/grammar/expression.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import { readCondition } from "./read-expression.ts";
import type { UseReader } from "./use-reader.ts";

/**
 * Records what the condition of a branch uses. Sample data shows the first branch. If one of the conditions must hold,
 * only the compared values fit.
 */
export function readBranch(
  { mustHold }: TagOrigin,
  condition: Expression | null,
  isFirst: boolean,
  reader: UseReader,
): void {
  if (condition === null) return;
  if (mustHold && condition.kind === "compare" && condition.left.kind === "path") {
    reader.use(condition.left, "compared").facts.isClosed = true;
  }
  if (isFirst) readCondition(condition, true, reader);
  else reader.conditionally(() => readCondition(condition, null, reader));
}
