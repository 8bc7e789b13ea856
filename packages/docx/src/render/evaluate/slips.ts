import { nearest } from "@quire/contracts";
import { type PathExpression, spellKey } from "../../language/grammar/expression.ts";
import { isSlip } from "../../language/mistakes/suggest.ts";
import { operatorInOtherCase, WORD_OPERATORS } from "../../language/unexpected.ts";
import { dollarNameMeant, variableOfItem } from "./built-in-meant.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { hasOwn, turnNamed } from "./context/scope.ts";
import { keysOf } from "./hints/candidate-keys.ts";
import { itemMeant } from "./hints/other-names.ts";
import { correctedPath } from "./suggestions.ts";

/**
 * Returns the path that a condition probably means, if its own path differs only in case or in two swapped letters, or
 * ends with a test as if it were a key (`paid.isPresent`). Returns null for any other path, because missing values in a
 * condition are normal.
 */
export function slipIn(path: PathExpression, env: Evaluation): string | null {
  const last = path.rest.at(-1);
  if (last !== undefined && path.source.endsWith(`.${last}`)) {
    const operator = WORD_OPERATORS.find((each) => each === last) ?? operatorInOtherCase(last);
    if (operator === "isPresent" || operator === "isEmpty") {
      return `${path.source.slice(0, -last.length - 1)} ${operator}`;
    }
  }
  return (
    variableOfItem(path, env) ??
    dollarNameMeant(path, env) ??
    correctedPath(path, env, slip, true) ??
    itemMeant(path, env) ??
    keyOfNoItem(path, env)
  );
}

/** Returns the path for `i.payed` in a loop in which no item has this key, but a similar one; null for other paths. */
function keyOfNoItem(
  { head, rest: [key, ...more] }: PathExpression,
  env: Evaluation,
): string | null {
  const turn = head === null || more.length > 0 ? null : turnNamed(head, env.scope);
  // The first repetition reports it for all of them.
  if (turn === null || turn.index !== 0 || turn.items === null || key === undefined) return null;
  env.spend(turn.items.length);
  if (turn.items.some((item) => hasOwn(item, key))) return null;
  const near = nearest(key, keysOf(turn.item));
  return near === null ? null : `${head}${spellKey(near)}`;
}

function slip(word: string, candidates: readonly string[]): string | null {
  return candidates.find((each) => isSlip(word, each)) ?? null;
}
