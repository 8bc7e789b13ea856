import { withTags } from "../../language/delimiters/wording.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import { EvaluationError, isTruthy } from "./compare/compare.ts";
import type { Diagnostics } from "./context/document-diagnostics.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { newTurn, type Scope } from "./context/scope.ts";
import { evaluate } from "./evaluate.ts";

/** Number of items whose condition is checked. */
const MAX_ITEMS = 1_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * Warns about positions in a loop, such as `$number`, that also count items which the only block of the loop leaves out:
 * the printed numbers have gaps, or the separator before the last item is printed after all of them. Also warns about
 * rows and columns that are empty for such items.
 */
export function checkCounted(
  { counted, text, ...origin }: TagOrigin,
  { alias, path, items }: Pick<Scope, "alias" | "path"> & { readonly items: readonly unknown[] },
  {
    env,
    diagnostics,
  }: { readonly env: Evaluation; readonly diagnostics: Pick<Diagnostics, "warn"> },
): void {
  if (counted === undefined || items.length > MAX_ITEMS) return;
  const around = { alias, path, items, length: items.length, outer: env.scope, bookmarks: NONE };
  const isShown = (index: number): boolean => {
    const scope = newTurn(around, items[index], index);
    const own = { ...env, scope, doubts: [], missed: [], gaps: { count: 0 } };
    return isTruthy(evaluate(counted.condition, own));
  };
  try {
    const shown = items.map((_item, index) => isShown(index));
    if ("empty" in counted ? !shown.includes(false) : !isWrong(counted.name, shown)) return;
  } catch (error) {
    // The block reports it.
    if (error instanceof EvaluationError) return;
    throw error;
  }
  diagnostics.warn(
    { ...origin, text },
    "hidden_items",
    "empty" in counted
      ? `In ${text}, each item that ${counted.block} leaves out has an empty ${counted.empty}.`
      : `In ${text}, the tag ${counted.tag} also counts the items that ${counted.block} leaves out.`,
    undefined,
    () => withTags`Repeat only the other items: {{${counted.hint}}}, without ${counted.block}.`,
  );
}

function isWrong(name: string, shown: readonly boolean[]): boolean {
  if (!shown.includes(true)) return false;
  if (name === "$last") return shown.at(-1) === false;
  if (name === "$first") return shown[0] === false;
  return shown.lastIndexOf(true) > shown.indexOf(false) && shown.includes(false);
}
