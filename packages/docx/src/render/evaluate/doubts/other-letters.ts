import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { turnIn } from "../context/scope.ts";
import { valuesOfItems } from "./number-words.ts";

/** Number of values that are compared again. */
const MAX_VALUES = 1_000;

/** Longer texts are not compared again. */
const MAX_LENGTH = 1_000;

/**
 * Records that `startsWith` or `endsWith` finds nothing only because of uppercase and lowercase letters. `condition`: a
 * condition that is false for each of `count` values. `valueAt` returns one of the values of an expression.
 */
export function noteOtherCase(
  condition: Expression,
  count: number,
  valueAt: (of: Expression, index: number) => unknown,
  env: Evaluation,
): void {
  if (condition.kind !== "call" || !/^\$(?:starts|ends)With$/.test(condition.name)) return;
  const [of, part] = condition.arguments;
  if (of === undefined || part?.kind !== "literal" || typeof part.value !== "string") return;
  const wanted = part.value.toLowerCase();
  // A single letter at the end is hardly a word.
  if (wanted.length < (condition.name === "$startsWith" ? 1 : 2)) return;
  const most = Math.min(count, MAX_VALUES);
  for (let index = 0; index < most; index++) {
    env.spend(1);
    if (!isAtEnd(condition, valueAt(of, index), wanted)) continue;
    if (isInOthers(condition, of, part.value, env)) return;
    push(condition, [of, { ...part, value: wanted }], env);
    return;
  }
}

function isAtEnd({ name }: CallExpression, value: unknown, wanted: string): boolean {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return false;
  const text = value.toLowerCase();
  return name === "$startsWith" ? text.startsWith(wanted) : text.endsWith(wanted);
}

/** Whether other items of the loop have the text in these letters, so that it is written as it is meant. */
function isInOthers(
  { name }: CallExpression,
  of: Expression,
  text: string,
  env: Evaluation,
): boolean {
  if (of.kind !== "path" || env.scope === null) return false;
  if ((turnIn(env.scope)?.index ?? 0) >= MAX_TURNS) return true;
  return valuesOfItems(of, env).some(
    (each) =>
      typeof each === "string" &&
      (name === "$startsWith" ? each.startsWith(text) : each.endsWith(text)),
  );
}

/** Number of iterations in which the values of the other items are compared. */
const MAX_TURNS = 50;

function push(
  found: CallExpression,
  [of, wanted]: readonly [Expression, Expression],
  { doubts }: Evaluation,
): void {
  const call = found.name.slice(1);
  const small = { ...found, name: "$lowercase", arguments: [of] } as const;
  const meant = spellExpression({ ...found, arguments: [small, wanted] });
  doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `The tag ${tag} looks with '${call}' for text that the value has only with other uppercase or lowercase letters, so it does not find it.`,
    hint: `Write it in the same way, or look in small letters: ${meant}.`,
    pointers: [],
    isMissing: false,
  });
}
