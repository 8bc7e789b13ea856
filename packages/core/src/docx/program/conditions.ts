import type { Expression, PathExpression } from "../template/language/expression.ts";
import { operandsOf, pathsOf } from "../template/language/expression.ts";

/** A path that a condition compares with something. */
export interface ComparedPath {
  readonly path: PathExpression;
  /** Whether it may be a text without its quotes, as `paid` is in `status == paid`. */
  readonly quotable: boolean;
}

/** The paths of a condition. */
export interface ConditionPaths {
  /** Those that are compared although nothing asks whether they are there. */
  readonly compared: readonly ComparedPath[];
  /** All others: of these, any may be missing. */
  readonly others: readonly PathExpression[];
  /** Its outermost computations. */
  readonly computed: readonly Expression[];
  /** Whether it may hold without a look at all of it. */
  readonly branches: boolean;
}

const known = new WeakMap<Expression, ConditionPaths>();

/** The paths of a condition, found once. */
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
  const told = new Set(compared.map(({ path }) => path));
  return {
    compared,
    others: pathsOf(condition).filter((path) => !told.has(path)),
    computed: findComputed(condition),
    branches: hasBranches(condition),
  };
}

/** The paths of which a condition asks whether they are there: then it knows what it compares. */
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
      // Whoever compares with null asks whether the value is there.
      if ([left, right].some((side) => side.kind === "literal" && side.value === null)) return [];
      return [left, right].flatMap((path) =>
        path.kind !== "path"
          ? []
          : [{ path, quotable: path === right && path.head !== null && path.rest.length === 0 }],
      );
    }
    default:
      return [];
  }
}

function findComputed(condition: Expression): Expression[] {
  return condition.kind === "compute" ? [condition] : operandsOf(condition).flatMap(findComputed);
}

function hasBranches(condition: Expression): boolean {
  return (
    condition.kind === "and" || condition.kind === "or" || operandsOf(condition).some(hasBranches)
  );
}
