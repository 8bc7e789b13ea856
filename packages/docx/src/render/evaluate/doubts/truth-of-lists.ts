import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { resolve } from "../context/scope.ts";

/**
 * Records a list of the values of a key that counts as true because it has elements, although some of them are false,
 * or all of them are empty text.
 */
export function noteTruthOfList(
  path: PathExpression,
  list: readonly unknown[],
  env: Evaluation,
): void {
  const key = path.rest.at(-1);
  if (key === undefined || list.length === 0 || !path.source.endsWith(`.${key}`)) return;
  const isOfTruths = list.includes(false) && list.every((each) => typeof each === "boolean");
  const isEmpty = !isOfTruths && list.every((each) => typeof each === "string" && !each.trim());
  if (!isOfTruths && !isEmpty) return;
  const of = path.source.slice(0, -key.length - 1);
  const items = resolve({ ...path, source: of, rest: path.rest.slice(0, -1) }, env);
  if (!Array.isArray(items)) return;
  env.doubts.push({
    code: "text_as_condition",
    message: (tag) =>
      `The tag ${tag} treats '${path.source}' as true because it is a list with elements, although ${isOfTruths ? "some of them are false" : "all of them are empty"}.`,
    hint: isOfTruths
      ? `For all items write ${of}.count(not ${key}) == 0, and for at least one ${of}.count(${key}) > 0.`
      : `To ask for an element that is not empty, write ${path.source}.nonEmpty().`,
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}
