import { nearest } from "@quire/contracts";
import type { Expression, PathExpression } from "../../language/grammar/expression.ts";
import { operandsOf, pathsOf } from "../../language/grammar/expression.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { hasOwn, isThere, otherItemsHave, type Scope, turnIn, turnNamed } from "./context/scope.ts";
import { correctedPath, spelled } from "./suggestions.ts";

/** A path that a condition compares with something. */
export interface ComparedPath {
  readonly path: PathExpression;
  /** Whether it may be a string whose quotes are missing, as `paid` is in `status == paid`. */
  readonly quotable: boolean;
  /** Whether it is ordered, as in `total > limit`. */
  readonly ordered: boolean;
}

/** The paths of a condition. */
export interface ConditionPaths {
  /** Paths that are compared without a check that they exist. */
  readonly compared: readonly ComparedPath[];
  /** The paths, as written, whose existence the condition checks. */
  readonly tested: ReadonlySet<string>;
  /** All other paths. Any of them may be missing. */
  readonly others: readonly PathExpression[];
  /** The outermost computations of the condition. */
  readonly computed: readonly Expression[];
  /** Whether the result can be known without evaluating all of it. */
  readonly branches: boolean;
}

const known = new WeakMap<Expression, ConditionPaths>();

/** Returns the paths of a condition. Computes them only once. */
export function pathsOfCondition(condition: Expression): ConditionPaths {
  let paths = known.get(condition);
  if (paths === undefined) {
    paths = findPaths(condition);
    known.set(condition, paths);
  }
  return paths;
}

function findPaths(condition: Expression): ConditionPaths {
  const tested = new Set(findTested(condition));
  const compared = findCompared(condition).filter(({ path }) => !tested.has(path.source));
  const known = new Set(compared.map(({ path }) => path));
  return {
    compared,
    tested,
    others: pathsOf(condition).filter((path) => !known.has(path)),
    computed: findComputed(condition),
    branches: hasBranches(condition),
  };
}

/** Returns the paths whose existence a condition checks. */
function findTested(condition: Expression): string[] {
  switch (condition.kind) {
    case "path":
      return [condition.source];
    case "not":
    case "isPresent":
    case "isEmpty":
      return findTested(condition.operand);
    case "and":
    case "or":
      return [...findTested(condition.left), ...findTested(condition.right)];
    case "compare": {
      // A comparison with null checks whether the value exists.
      const { left, right } = condition;
      const isTest = right.kind === "literal" && right.value === null;
      return isTest && left.kind === "path" ? [left.source] : [];
    }
    default:
      return [];
  }
}

function findCompared(condition: Expression): ComparedPath[] {
  switch (condition.kind) {
    case "not":
      return findCompared(condition.operand);
    case "and":
    case "or":
      return [...findCompared(condition.left), ...findCompared(condition.right)];
    case "compare": {
      const { left, right, operator } = condition;
      const ordered = /^[<>]/.test(operator);
      // A comparison with null checks whether the value exists.
      if ([left, right].some((side) => side.kind === "literal" && side.value === null)) return [];
      // The values after `in` are on the left side.
      const among = left.kind === "list" ? left.items : [];
      return [left, right, ...among].flatMap((path) =>
        path.kind !== "path"
          ? []
          : [{ path, quotable: !ordered && isQuotable(path, right, among), ordered }],
      );
    }
    default:
      return [];
  }
}

/** Whether a path may be a string whose quotes are missing, as `paid` is in `status == paid`. */
function isQuotable(
  path: PathExpression,
  right: Expression,
  among: readonly Expression[],
): boolean {
  const isValue = among.length === 0 ? path === right : among.includes(path);
  return isValue && path.head !== null && path.rest.length === 0;
}

function findComputed(condition: Expression): Expression[] {
  return condition.kind === "compute" ? [condition] : operandsOf(condition).flatMap(findComputed);
}

function hasBranches(condition: Expression): boolean {
  return (
    condition.kind === "and" || condition.kind === "or" || operandsOf(condition).some(hasBranches)
  );
}

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
  if (word.length < 5) return WORD.test(word) ? withLetter(word, candidates) : null;
  if (!WORD.test(word)) return null;
  const others = candidates.filter((each) => {
    return WORD.test(each) && each !== `${word}s` && word !== `${each}s`;
  });
  return nearest(word, others);
}

/** Returns a name that a word of four letters becomes with one more letter within it, as `itms` becomes `items`. */
function withLetter(word: string, candidates: readonly string[]): string | null {
  if (word.length < 4) return null;
  const found = candidates.filter((each) => {
    if (each.length !== word.length + 1 || each.at(-1) !== word.at(-1)) return false;
    const at = [...word].findIndex((letter, index) => each[index] !== letter);
    return at > 0 && each.slice(0, at) + each.slice(at + 1) === word;
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

const WORD = /^[\p{L}_]+$/u;
