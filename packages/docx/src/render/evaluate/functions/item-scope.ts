import { kindOf } from "../../../format/print.ts";
import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { hasPlace, noPlace, pathsOf, sourceOf } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { EvaluationError } from "../compare/compare.ts";
import type { Evaluation, Evaluator } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn, type Scope, type Siblings, turnNamed } from "../context/scope.ts";
import { noteOuterKeys } from "../doubts/outer-keys.ts";
import { hintForItem } from "./item-hints.ts";
import { noteOwnKeys, noteSameForAll } from "./item-use.ts";

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
 * Evaluates arguments for each item of a list. Names resolve as in a section of the list, and the name
 * that the surrounding loop gives to its items also works. A missing value is an error, because a sum or a selection
 * would be wrong without a sign of it.
 */
export class ItemScope {
  readonly #env: Evaluation & { scope: Scope | null };
  readonly #outer: Evaluation;
  readonly #by: Evaluator;
  readonly #list: readonly unknown[];
  readonly #path: PathExpression;
  readonly #written: string | null;
  readonly #alias: string | null;
  readonly #siblings: Siblings;
  readonly #call: CallExpression["name"];
  readonly #whole: CallExpression;
  /** Whether an expression uses the name of the loop's item. */
  #named: Map<Expression, boolean> | null = null;

  constructor({ call, list, env, by }: ItemsOf) {
    this.#env = { ...env, absent: false };
    this.#outer = env;
    this.#by = by;
    this.#call = call.name;
    this.#whole = call;
    this.#list = list;
    this.#siblings = siblingsIn(list, env.spend);
    const [of] = call.arguments;
    this.#path = (of === undefined ? null : sourceOf(of)) ?? noPlace();
    this.#written = of === undefined ? null : written(of);
    this.#alias = call.alias;
  }

  /** Returns the value of an expression for an item. Throws {@link EvaluationError} if it is missing. */
  value(expression: Expression, index: number): unknown {
    const value = this.valueOrMissing(expression, index);
    if (value === undefined) throw this.#missing(expression, expression);
    this.#checkHidden(value, expression, index);
    return value;
  }

  /** Returns the value of an expression for an item; undefined if it is missing. */
  valueOrMissing(expression: Expression, index: number): unknown {
    this.#enter(index, expression);
    return this.#by.evaluate(expression, this.#env);
  }

  /** Whether a condition holds for an item. Throws {@link EvaluationError} if it compares a missing value. */
  holds(condition: Expression, index: number): boolean {
    this.#enter(index, condition);
    const env = this.#env;
    env.absent = false;
    const isTrue = this.#by.holds(condition, env);
    if (isAbsent(env)) {
      const missing = missingIn(condition, env, this.#by);
      if (missing !== null) throw this.#missing(missing, condition);
    }
    return isTrue;
  }

  /** Throws {@link EvaluationError} if a condition tests a key that no item has. */
  checkTested(condition: Expression): void {
    if (this.#list.length === 0) return;
    for (const path of testedIn(condition)) {
      const isKnown = this.#list.some((_item, index) => {
        return this.valueOrMissing(path, index) !== undefined;
      });
      if (!isKnown) throw this.#missing(path, condition);
    }
  }

  /** Throws if the name of the loop's item is also a key of the item, because either may be meant. */
  #checkAlias(item: unknown, expression: Expression): void {
    const name = this.#alias;
    if (name === null || !hasOwn(item, name)) return;
    this.#named ??= new Map();
    const isNamed =
      this.#named.get(expression) ?? pathsOf(expression).some(({ head }) => head === name);
    this.#named.set(expression, isNamed);
    if (isNamed) throw ambiguous(name);
  }

  /** Throws if the item of a loop around the tag is used in place of a key of the same name. */
  #checkHidden(value: unknown, expression: Expression, index: number): void {
    if (kindOf(value) !== "object" || expression.kind !== "path") return;
    const { head, rest } = expression;
    if (head === null || rest.length > 0 || !hasOwn(this.#list[index], head)) return;
    if (turnNamed(head, this.#env.scope) === null) return;
    throw ambiguous(head);
  }

  #enter(index: number, expression: Expression): void {
    const item = this.#list[index];
    const at = {
      item,
      items: this.#list,
      path: this.#path,
      index,
      length: this.#list.length,
      bookmarks: NO_BOOKMARKS,
      ids: null,
      names: null,
    };
    this.#checkAlias(item, expression);
    const outer = this.#outer.scope;
    const named = this.#alias === null ? outer : { ...at, alias: this.#alias, outer };
    const scope = { ...at, alias: null, outer: named, siblings: this.#siblings };
    this.#env.scope = scope;
    this.#env.spend(1);
    if (!this.#outer.sections.isFirst(expression)) return;
    noteSameForAll(expression, scope, this.#call.slice(1), this.#outer);
    noteOwnKeys(expression, scope, this.#outer);
    noteOuterKeys(expression, scope, this.#call.slice(1), this.#outer);
  }

  #missing(wanted: Expression | null, expression: Expression): EvaluationError {
    const path = wanted === null ? null : (missingPath(wanted, this.#env, this.#by) ?? null);
    const what =
      path === null
        ? expression.kind === "element"
          ? `'${spellExpression(expression)}'`
          : "a value that the tag needs"
        : `'${path.source}'`;
    const list = hasPlace(this.#path) ? `'${this.#path.source}'` : "the list";
    const isGroup = this.#env.scope?.item instanceof Group && path?.head !== "items";
    const one = isGroup ? "a group" : "an item";
    const error = new EvaluationError(`${one} of ${list} has no value for ${what}`);
    const own = path === null || path.head === null ? path : ownPath(path, this.#env);
    error.pointer = pointerOf(own ?? NO_PATH, this.#env);
    const of = this.#written;
    const whole = spellExpression(this.#whole);
    error.hint = hintForItem(path, { call: this.#call, of, expression, whole, env: this.#env });
    error.isMissing = path !== null && isOfOuter(path, this.#env);
    return error;
  }
}

/** Whether a path begins at the item of a loop around the tag, so that it is the same for all items of the list. */
function isOfOuter({ head }: PathExpression, { scope }: Evaluation): boolean {
  const turn = head === null || scope === null ? null : turnNamed(head, scope);
  return turn !== null && !(turn.path === scope?.path && turn.index === scope.index);
}

/** Returns the error for a name that is both the item of a loop and a key of the items. */
function ambiguous(name: string): EvaluationError {
  const error = new EvaluationError(
    `'${name}' is the item of the loop, but the items also have the key '${name}'`,
  );
  error.hint = `Give the item of the loop another name, or write this.${name} for the key.`;
  return error;
}

/** Returns a path as one of the innermost item, unless it has a value elsewhere. */
function ownPath(path: PathExpression, { scope }: Evaluation): PathExpression {
  const isNamed = path.head !== null && turnNamed(path.head, scope) !== null;
  return isNamed ? path : { ...path, head: null, rest: [path.head ?? "", ...path.rest] };
}

/** Whether a path had no value since `absent` was reset. */
function isAbsent({ absent }: Evaluation): boolean {
  return absent === true;
}

/** Returns the names that any item of a list has. It looks at the items when it is asked about a name. */
function siblingsIn(list: readonly unknown[], spend: Evaluation["spend"]): Siblings {
  const known = new Map<string, boolean>();
  return (path) => {
    const { head, rest, source } = path;
    if (head === null) return false;
    let isKnown = known.get(source);
    if (isKnown === undefined) {
      spend(list.length / 4);
      isKnown = list.some(
        (item) => hasOwn(item, head) || (rest.length > 0 && hasOwn(item, source)),
      );
      known.set(source, isKnown);
    }
    return isKnown;
  };
}

/** Returns the first path of an expression that has no value; null if the paths have values. */
function missingPath(
  expression: Expression,
  env: Evaluation,
  by: Evaluator,
): PathExpression | null {
  return pathsOf(expression).find((path) => by.evaluate(path, env) === undefined) ?? null;
}

/**
 * Returns an expression without a value that the result of a condition depends on, or null. A value that
 * is only tested may be missing.
 */
function missingIn(condition: Expression, env: Evaluation, by: Evaluator): Expression | null {
  const needed = (operand: Expression): Expression | null =>
    operand.kind === "list"
      ? (operand.items.map(needed).find((item) => item !== null) ?? null)
      : by.evaluate(operand, env) === undefined
        ? operand
        : null;
  switch (condition.kind) {
    case "not":
      return missingIn(condition.operand, env, by);
    case "and":
    case "or": {
      const isDecided = by.holds(condition.left, env) === (condition.kind === "or");
      return (
        missingIn(condition.left, env, by) ??
        (isDecided ? null : missingIn(condition.right, env, by))
      );
    }
    case "compare": {
      const { left, right } = condition;
      const isTest = [left, right].some((side) => side.kind === "literal" && side.value === null);
      return isTest ? null : (needed(left) ?? needed(right));
    }
    default:
      return null;
  }
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
