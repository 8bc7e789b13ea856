import { toDecimal } from "../../format/decimal.ts";
import {
  type CallExpression,
  type Expression,
  type PathExpression,
  pathsOf,
} from "../../language/grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "../../language/grammar/functions.ts";
import { compare } from "./compare/compare.ts";
import { pathsOfCondition } from "./condition-paths.ts";
import type { Evaluation, Evaluator } from "./context/evaluation.ts";
import { hasOwn, otherItemsHave, resolve } from "./context/scope.ts";
import { partMissing } from "./hints/made-lists.ts";
import { hintForMissing } from "./suggestions.ts";

/** A missing value that a condition computes with, so that the condition is false without an error. */
export interface MissingOperand {
  readonly path: PathExpression;
  /** Where the path is looked up. */
  readonly env: Evaluation;
  /** The problem of the path, to end a sentence. */
  readonly why: string;
  readonly hint: () => string;
}

/** Where an expression is in a condition. */
interface Place {
  readonly env: Evaluation;
  readonly by: Evaluator;
  /** Whether the expression is in a comparison. */
  readonly isCompared: boolean;
  /** Whether its comparison would have another result with 0 in its place. */
  readonly isZero: boolean;
}

/**
 * Returns the missing values that a condition computes with, in the parts that decided its result. Omits values that may
 * be missing: values that the condition also tests or replaces, null, and keys that other items have. A missing count or
 * sum is always returned if 0 in its place would change the result.
 */
export function missingOperands(
  condition: Expression,
  env: Evaluation,
  by: Evaluator,
): MissingOperand[] {
  const { tested } = pathsOfCondition(condition);
  const apart = { ...env, doubts: [], missed: [], gaps: { count: 0 } };
  const place = { env: apart, by, isCompared: false, isZero: false };
  return operandsIn(condition, place).filter(({ path }) => !tested.has(path.source));
}

function operandsIn(expression: Expression, place: Place): MissingOperand[] {
  switch (expression.kind) {
    case "not":
    case "negate":
      return operandsIn(expression.operand, place);
    case "and":
    case "or": {
      const { left, right } = expression;
      const isDecided = place.by.holds(left, place.env) === (expression.kind === "or");
      return [...operandsIn(left, place), ...(isDecided ? [] : operandsIn(right, place))];
    }
    case "compare":
      return comparedIn(expression, place);
    case "compute": {
      const sides = [expression.left, expression.right];
      return sides.flatMap((side) =>
        side.kind === "path" && place.isCompared
          ? missingAt(side, false, place)
          : operandsIn(side, { ...place, isZero: false }),
      );
    }
    case "call":
      return calledIn(expression, place);
    case "member":
    case "element":
      return operandsIn(expression.of, { ...place, isZero: false });
    default:
      return [];
  }
}

function comparedIn(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  place: Place,
): MissingOperand[] {
  const { env, by } = place;
  const sides = [left, right];
  // A comparison with null checks whether the value exists.
  if (sides.some((side) => side.kind === "literal" && side.value === null)) return [];
  return sides.flatMap((side, index) => {
    if (side.kind === "path") return [];
    const other = by.evaluate(index === 0 ? right : left, env);
    const [missing, zero] = [undefined, 0].map((value) =>
      toDecimal(other) === null
        ? false
        : compare(
            operator,
            ...(index === 0 ? pair(value, other) : pair(other, value)),
            env.timeZone,
          ),
    );
    const isZero = side.kind === "call" && COUNTS.has(side.name) && missing !== zero;
    return operandsIn(side, { ...place, isCompared: true, isZero });
  });
}

function pair(left: unknown, right: unknown): [unknown, unknown] {
  return [left, right];
}

/** Functions whose result is 0 for an empty list. */
const COUNTS: ReadonlySet<FunctionName> = new Set(["$count", "$sum"]);

function calledIn({ name, arguments: given }: CallExpression, place: Place): MissingOperand[] {
  const [of] = given;
  if (of === undefined || name === "$if" || name === "$running") return [];
  if (of.kind !== "path") return operandsIn(of, place);
  const isList = FUNCTIONS[name].of === "list" || name === "$entries";
  return isList || place.isCompared ? missingAt(of, isList, place) : [];
}

function missingAt(written: PathExpression, isList: boolean, place: Place): MissingOperand[] {
  if (resolve(written, place.env) !== undefined) return [];
  const part = partMissing(written, place.env);
  const { path, env } = part ?? { path: written, env: place.env };
  const isOfOthers = otherItemsHave(path, env.scope);
  const isNull = endsWithNull(path, env);
  if ((isOfOthers || isNull) && !place.isZero) return [];
  const hint = (): string => {
    const near =
      isOfOthers || isNull || hasValueless(path, env) ? null : hintForMissing(path, env, false);
    const other = isList
      ? `If the list may be missing, write (${path.source} ?? []) in its place.`
      : `If it may be missing, ask for it first: ${path.source} isPresent.`;
    return near === null ? other : `${near} ${other}`;
  };
  const isThere = isNull || hasValueless(path, env);
  return [
    { path, env, why: isThere ? "which has no value" : "which the data does not have", hint },
  ];
}

/**
 * Whether a missing path does not change the result of a condition, because an earlier side decided it, and its name is
 * no mistake: its key has null, other items have it, or the condition tests its object.
 */
export function isUnneeded(
  path: PathExpression,
  condition: Expression,
  env: Evaluation,
  by: Evaluator,
): boolean {
  if (!pathsOfCondition(condition).branches || !mayLack(path, condition, env)) return false;
  const apart = { ...env, doubts: [], missed: [], gaps: { count: 0 } };
  return undecided(condition, apart, by).includes(path);
}

/** Returns the paths of the parts of a condition that do not change its result. */
function undecided(condition: Expression, env: Evaluation, by: Evaluator): PathExpression[] {
  if (condition.kind === "not") return undecided(condition.operand, env, by);
  if (condition.kind !== "and" && condition.kind !== "or") return [];
  const { kind, left, right } = condition;
  const isDecided = by.holds(left, env) === (kind === "or");
  return [...undecided(left, env, by), ...(isDecided ? pathsOf(right) : undecided(right, env, by))];
}

function mayLack(path: PathExpression, condition: Expression, env: Evaluation): boolean {
  if (endsWithNull(path, env) || otherItemsHave(path, env.scope)) return true;
  const { tested } = pathsOfCondition(condition);
  return [...tested].some((each) => path.source.startsWith(`${each}.`));
}

/** Whether the data ends with null on the way to a value. */
function endsWithNull({ head, rest }: PathExpression, env: Evaluation): boolean {
  const keys = head === null ? rest : [head, ...rest];
  return keys.some((key, index) => {
    const of = index === 0 && head !== null ? null : keys.slice(head === null ? 0 : 1, index);
    if (of === null) return resolveNull(key, env);
    const value = resolve({ kind: "path", source: "", head, rest: of }, env);
    return hasOwn(value, key) && value[key] === null;
  });
}

/** Whether a name of the data, or of the item around the tag, has null. */
function resolveNull(name: string, env: Evaluation): boolean {
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias === name) return at.item === null;
    if (at.alias === null && hasOwn(at.item, name)) return at.item[name] === null;
  }
  return hasOwn(env.data, name) && env.data[name] === null;
}

/** Whether items of a list have the last key of a path, all of them without a value. */
function hasValueless({ head, rest }: PathExpression, env: Evaluation): boolean {
  const key = rest.at(-1);
  if (key === undefined) return false;
  const list = resolve({ kind: "path", source: "", head, rest: rest.slice(0, -1) }, env);
  return Array.isArray(list) && list.some((item) => hasOwn(item, key));
}
