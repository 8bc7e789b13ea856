import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { pathsOf, sourceOf } from "../../../language/grammar/expression.ts";
import { EvaluationError } from "../compare.ts";
import type { Evaluation, Evaluator } from "../evaluation.ts";
import { pointerOf } from "../pointers.ts";
import { resolve, type Scope } from "../scope.ts";
import { doubtfulName } from "../section-keys.ts";

const NO_BOOKMARKS: ReadonlySet<string> = new Set();
const NO_PATH: PathExpression = { kind: "path", source: ".", head: null, rest: [] };

/** A call whose arguments are evaluated for each item of a list. */
interface ItemsOf {
  readonly call: CallExpression;
  readonly list: readonly unknown[];
  readonly env: Evaluation;
  readonly by: Evaluator;
}

/**
 * Evaluates arguments for each item of a list. Names in them mean what they mean in a section of the list, and the name
 * that the surrounding loop gives to its items also works. A missing value is an error, because a sum or a selection
 * would be wrong without a sign of it.
 */
export class ItemScope {
  readonly #env: Evaluation & { scope: Scope | null };
  readonly #outer: Evaluation;
  readonly #by: Evaluator;
  readonly #list: readonly unknown[];
  readonly #path: PathExpression;
  readonly #alias: string | null;

  constructor({ call, list, env, by }: ItemsOf) {
    this.#env = { ...env, absent: false };
    this.#outer = env;
    this.#by = by;
    this.#list = list;
    const [of] = call.arguments;
    this.#path = (of === undefined ? null : sourceOf(of)) ?? NO_PATH;
    this.#alias = call.alias;
  }

  /** Returns the value of an expression for an item. Throws {@link EvaluationError} if it is missing. */
  value(expression: Expression, index: number): unknown {
    const value = this.valueOrMissing(expression, index);
    if (value === undefined) {
      const path =
        expression.kind === "path" ? expression : missingIn(expression, this.#env, this.#by);
      throw this.#missing(path, expression);
    }
    return value;
  }

  /** Returns the value of an expression for an item; undefined if it is missing. */
  valueOrMissing(expression: Expression, index: number): unknown {
    this.#enter(index);
    const { doubts } = this.#env;
    const known = doubts.length;
    const value = this.#by.evaluate(expression, this.#env);
    if (doubts.length > known) this.#checkNames(expression);
    return value;
  }

  /** Whether a condition holds for an item. Throws {@link EvaluationError} if it compares a missing value. */
  holds(condition: Expression, index: number): boolean {
    this.#enter(index);
    const env = this.#env;
    env.absent = false;
    const known = env.doubts.length;
    const isTrue = this.#by.holds(condition, env);
    if (env.doubts.length > known) this.#checkNames(condition);
    if (isAbsent(env)) {
      const missing = missingIn(condition, this.#env, this.#by);
      if (missing !== null) throw this.#missing(missing, condition);
    }
    return isTrue;
  }

  /** Throws {@link EvaluationError} if a condition tests a key that no item has. */
  checkTested(condition: Expression): void {
    if (this.#list.length === 0) return;
    for (const path of testedIn(condition)) {
      const isKnown = this.#list.some((_item, index) => {
        this.#enter(index);
        return resolve(path, this.#env) !== undefined;
      });
      if (!isKnown) throw this.#missing(path, condition);
    }
  }

  #enter(index: number): void {
    const at = {
      item: this.#list[index],
      items: this.#list,
      path: this.#path,
      index,
      length: this.#list.length,
      bookmarks: NO_BOOKMARKS,
      ids: null,
      names: null,
    };
    const outer = this.#outer.scope;
    const named = this.#alias === null ? outer : { ...at, alias: this.#alias, outer };
    this.#env.scope = { ...at, alias: null, outer: named };
    this.#env.spend(1);
  }

  /** Throws if a name has a value outside the item that only this item lacks. */
  #checkNames(expression: Expression): void {
    for (const path of pathsOf(expression)) {
      const doubtful = doubtfulName(path, this.#env);
      if (doubtful !== null && !doubtful.isHidden && doubtful.section === this.#env.scope) {
        throw this.#missing(
          { ...path, head: null, rest: [path.head ?? "", ...path.rest] },
          expression,
        );
      }
    }
  }

  #missing(path: PathExpression | null, expression: Expression): EvaluationError {
    const what = path === null ? "a value" : `'${path.source}'`;
    const error = new EvaluationError(`an item of '${this.#path.source}' has no value for ${what}`);
    error.pointer = pointerOf(path ?? NO_PATH, this.#env);
    error.hint =
      path === null
        ? "Give each item the values that the tag needs."
        : `Give each item the value, or write what counts in its place, as in (${path.source} ?? ${expression.kind === "compute" ? "0" : '""'}).`;
    return error;
  }
}

/** Whether a path had no value since `absent` was reset. */
function isAbsent({ absent }: Evaluation): boolean {
  return absent === true;
}

/** Returns the first path without a value that the result of an expression depends on; null if there is none. */
function missingIn(expression: Expression, env: Evaluation, by: Evaluator): PathExpression | null {
  const needed = (operand: Expression): PathExpression | null =>
    operand.kind === "path"
      ? resolve(operand, env) === undefined
        ? operand
        : null
      : missingIn(operand, env, by);
  switch (expression.kind) {
    case "path":
      return null;
    case "isPresent":
    case "isEmpty":
      return null;
    case "not":
      return missingIn(expression.operand, env, by);
    case "and":
      return (
        missingIn(expression.left, env, by) ??
        (by.holds(expression.left, env) ? missingIn(expression.right, env, by) : null)
      );
    case "or":
      return (
        missingIn(expression.left, env, by) ??
        (by.holds(expression.left, env) ? null : missingIn(expression.right, env, by))
      );
    case "compare": {
      const { left, right } = expression;
      const isTest = [left, right].some((side) => side.kind === "literal" && side.value === null);
      return isTest ? null : (needed(left) ?? needed(right));
    }
    case "fallback":
      return by.evaluate(expression.left, env) === undefined ? needed(expression.right) : null;
    case "call":
      return expression.name === "$if" ? null : first(expression.arguments.slice(0, 1), needed);
    case "compute":
      return needed(expression.left) ?? needed(expression.right);
    case "negate":
      return needed(expression.operand);
    case "member":
      return needed(expression.of);
    case "element":
      return needed(expression.of) ?? needed(expression.key);
    case "list":
      return first(expression.items, needed);
    default:
      return null;
  }
}

function first<T, R>(values: readonly T[], find: (value: T) => R | null): R | null {
  for (const value of values) {
    const found = find(value);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the paths that a condition only tests for truth. */
function testedIn(condition: Expression): PathExpression[] {
  switch (condition.kind) {
    case "path":
      return [condition];
    case "not":
      return testedIn(condition.operand);
    case "and":
    case "or":
      return [...testedIn(condition.left), ...testedIn(condition.right)];
    default:
      return [];
  }
}
