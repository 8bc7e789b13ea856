import { nearest } from "@quire/contracts";
import type { PathExpression } from "../../language/grammar/expression.ts";
import type { Evaluation } from "./evaluation.ts";
import { hasOwn, otherItemsHave, type Scope, turnIn, turnNamed } from "./scope.ts";
import { correctedPath, isThere, spelled } from "./suggestions.ts";

/**
 * Returns what a condition that only tests a name probably means, if the name has no value anywhere: a key of a loop's
 * item, a position in the loop, or a similar name. Returns null if other items have the name.
 */
export function testMeant(path: PathExpression, env: Evaluation): string | null {
  if (otherItemsHave(path, env.scope)) return null;
  return (
    keyInLoop(path, env) ?? positionTested(path, env) ?? correctedPath(path, env, misspelt, true)
  );
}

/** `paid` in a loop whose items have `paid` and the name `i`: `i.paid`. */
function keyInLoop({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || isThere(head, env)) return null;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias === null || at.alias === "" || !hasOwn(at.item, head)) continue;
    return spelled(at.alias, [head, ...rest], env);
  }
  return null;
}

/** `last` and `i.last` in a loop: `$last`. */
function positionTested(path: PathExpression, env: Evaluation): string | null {
  const { head, rest } = path;
  const [key = head, ...more] = rest;
  const turn = turnIn(env.scope);
  if (key === null || more.length > 0) return null;
  if (rest.length === 0 && turn !== null && key.startsWith("$")) return variableMeant(key, turn);
  if (!/^(?:first|last)$/.test(key)) return null;
  const isInLoop = turn !== null;
  if (isInLoop && /^(?:forloop|loop)$/.test(head ?? "") && !isThere(head ?? "", env))
    return `$${key}`;
  if (rest.length === 0) return isInLoop && head !== null && !isThere(head, env) ? `$${key}` : null;
  return head !== null && turnNamed(head, env.scope) !== null ? `${head}.$${key}` : null;
}

/** Returns how to write a variable of loops in other languages; null for others. */
function variableMeant(name: string, { path }: Scope): string | null {
  if (/^\$(?:even|odd)$/.test(name)) return `$number % 2 == ${name === "$even" ? 0 : 1}`;
  return /^\$(?:count|size|length)$/.test(name) ? `${path.source}.count()` : null;
}

/** Returns a similar name that is not only the plural: `line2` and `line1`, or `item` and `items`, are different names. */
function misspelt(word: string, candidates: readonly string[]): string | null {
  if (word.length < 5 || !WORD.test(word)) return null;
  const others = candidates.filter((each) => {
    return WORD.test(each) && each !== `${word}s` && word !== `${each}s`;
  });
  return nearest(word, others);
}

const WORD = /^[\p{L}_]+$/u;
