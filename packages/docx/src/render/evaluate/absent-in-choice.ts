import type { Expression } from "../../language/grammar/expression.ts";
import { pathsOfCondition, testMeant } from "./condition-paths.ts";
import type { Evaluation, Evaluator } from "./context/evaluation.ts";
import { pointerOf } from "./context/pointers.ts";
import { isUnneeded, missingOperands } from "./missing-operands.ts";
import { hintOutsideLoop, testedOutsideLoop } from "./outside-loops.ts";
import { slipIn } from "./slips.ts";

/** Records a comparison with a missing value in the condition of `$if`, which `if` reports as well. */
export function noteAbsent(condition: Expression, env: Evaluation, by: Evaluator): void {
  const { compared, others } = pathsOfCondition(condition);
  const lost = others.filter((path) => testedOutsideLoop(path, env) !== null);
  const quotable = compared.filter((each) => each.quotable).map((each) => each.path);
  const tested = others.filter((path) => !lost.includes(path));
  for (const path of [...compared.map((each) => each.path), ...lost, ...tested]) {
    if (by.evaluate(path, env) !== undefined) continue;
    if (isUnneeded(path, condition, env, by)) continue;
    const meant = tested.includes(path) ? (slipIn(path, env) ?? testMeant(path, env)) : null;
    if (meant === null && tested.includes(path)) continue;
    const does = compared.some((each) => each.path === path) ? "compares" : "uses";
    env.doubts.push({
      code: "missing_in_condition",
      message: (tag) =>
        `The condition in ${tag} ${does} '${path.source}', which the data does not have.`,
      hint:
        (meant === null ? null : `Did you mean '${meant}'?`) ??
        hintOutsideLoop(path, env) ??
        `${quotable.includes(path) ? `If '${path.source}' is text, put it in quotes: "${path.source}". ` : ""}Correct the name, or write what counts in its place, as in $if((a ?? 0) > 1, b, c).`,
      pointers: [pointerOf(path, env)],
      isMissing: false,
    });
    return;
  }
  for (const { path, env: at, why, hint } of missingOperands(condition, env, by)) {
    env.doubts.push({
      code: "missing_in_condition",
      message: (tag) => `The condition in ${tag} uses '${path.source}', ${why}.`,
      hint: hint(),
      pointers: [pointerOf(path, at)],
      isMissing: false,
    });
    return;
  }
}
