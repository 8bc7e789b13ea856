import type { Expression, PathExpression } from "../../language/grammar/expression.ts";
import { operandsOf, pathsOf } from "../../language/grammar/expression.ts";

/** A path that a condition compares with something. */
export interface ComparedPath {
  readonly path: PathExpression;
  /** Whether it may be a string whose quotes are missing, as `paid` is in `status == paid`. */
  readonly quotable: boolean;
}

/** The paths of a condition. */
export interface ConditionPaths {
  /** Paths that are compared without a check that they exist. */
  readonly compared: readonly ComparedPath[];
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
  const asked = new Set(findTested(condition));
  const compared = findCompared(condition).filter(({ path }) => !asked.has(path.source));
  const known = new Set(compared.map(({ path }) => path));
  return {
    compared,
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
      const { left, right } = condition;
      // A comparison with null checks whether the value exists.
      if ([left, right].some((side) => side.kind === "literal" && side.value === null)) return [];
      // The values after `in` are on the left side.
      const among = left.kind === "list" ? left.items : [];
      return [left, right, ...among].flatMap((path) =>
        path.kind !== "path" ? [] : [{ path, quotable: isQuotable(path, right, among) }],
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
