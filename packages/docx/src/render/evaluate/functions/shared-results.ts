import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { itemArgumentsOf, operandsOf } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { isFromRoot, turnNamed } from "../context/scope.ts";

/** What the result of a call depends on. */
interface Dependencies {
  /** The paths that are looked up where the tag is. */
  readonly paths: readonly PathExpression[];
  /** The paths in arguments that are evaluated for each item, without `this`. */
  readonly ofItems: readonly PathExpression[];
  /** Whether it depends on the position in a loop. */
  readonly position: boolean;
}

const dependencies = new WeakMap<CallExpression, Dependencies>();

/**
 * Whether a call has the same result in every iteration of all surrounding blocks, and for every item of the functions
 * around it. `list`: the value that it is called on.
 */
export function isShared(call: CallExpression, list: unknown, env: Evaluation): boolean {
  let known = dependencies.get(call);
  if (known === undefined) {
    known = dependenciesOf(call, false);
    dependencies.set(call, known);
  }
  const { paths, ofItems, position } = known;
  const { scope } = env;
  if (position || !paths.every((path) => isFromRoot(path, scope))) return false;
  return ofItems.every((path) => isFromRoot(path, scope) || isKeyOfAll(path, call, list, env));
}

/** `perItem`: whether `this` and positions mean an item of a list. */
function dependenciesOf(expression: Expression, perItem: boolean): Dependencies {
  if (expression.kind === "variable") {
    return { paths: [], ofItems: [], position: !perItem || expression.of !== null };
  }
  if (expression.kind === "path") {
    const paths = perItem && expression.head === null ? [] : [expression];
    return { paths: perItem ? [] : paths, ofItems: perItem ? paths : [], position: false };
  }
  const inner = operandsOf(expression).map((each) => dependenciesOf(each, perItem));
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  const all = [...inner, ...items.map((each) => dependenciesOf(each, true))];
  const isRunning = expression.kind === "call" && expression.name === "$running";
  return {
    paths: all.flatMap(({ paths }) => paths),
    ofItems: all.flatMap(({ ofItems }) => ofItems),
    position: isRunning || all.some(({ position }) => position),
  };
}

/**
 * Whether a path in the arguments of a call is a key of each element of its list, so that it means nothing else. Names
 * of loops come before keys. Paths of the calls before and within it are not known.
 */
function isKeyOfAll(
  { head }: PathExpression,
  call: CallExpression,
  list: unknown,
  env: Evaluation,
): boolean {
  const [first] = call.arguments;
  if (head === null || first?.kind !== "path" || !Array.isArray(list)) return false;
  if (turnNamed(head, env.scope) !== null || itemArgumentsOf(call).some(hasItems)) return false;
  return env.sections.allHave(list, head, env);
}

/** Whether an expression has arguments that are evaluated for each item of another list. */
function hasItems(expression: Expression): boolean {
  const isOwn = expression.kind === "call" && itemArgumentsOf(expression).length > 0;
  return isOwn || operandsOf(expression).some(hasItems);
}
