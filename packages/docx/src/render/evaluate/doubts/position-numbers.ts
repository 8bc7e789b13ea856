import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { spellExpression, spellOperand } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";

/** Matches a position number such as `1.10`. The numbers after the dot begin with 1, so `1.05` is an amount. */
const POSITION = /^\d{1,3}(?:\.[1-9]\d{0,2})?$/;

/**
 * Records texts that are ordered as numbers, if they may be position numbers such as `1.1` and `1.10`, which are equal
 * as numbers. `write` returns the call that orders them by the key in its argument.
 */
export function notePositionNumbers(
  values: readonly unknown[],
  by: Expression | null,
  env: Evaluation,
  write: (key: string) => string,
): void {
  if (!hasPositions(values)) return;
  const key = by === null ? "this" : spellExpression(by);
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `The tag ${tag} orders texts as numbers, and some of them differ only in zeros at the end: as numbers, 1.10 and 1.1 are equal.`,
    hint: `For position numbers write ${write(`$concat("No. ", ${key})`)}, and for amounts ${write(`${key}.toNumber(".")`)}.`,
    pointers: [],
    isMissing: false,
  });
}

/** Records that `$min` or `$max` of a list compares position numbers as numbers. `values`: the compared values. */
export function noteExtremePosition(
  { call, env }: { readonly call: CallExpression; readonly env: Evaluation },
  values: readonly unknown[],
): void {
  const [of, by] = call.arguments;
  if (of === undefined) return;
  const list = spellOperand(of);
  const method = call.name.slice(1);
  notePositionNumbers(values, by ?? null, env, (key) => {
    if (!key.startsWith("$concat(")) return `${list}.${method}(${key})`;
    const end = method === "max" ? "last" : "first";
    const item = by === undefined ? "" : `.${spellExpression(by)}`;
    return `${list}.sort(${key}).${end}()${item}`;
  });
}

/** Number of values that are compared again. */
const MAX_VALUES = 1_000;

/**
 * Records `where(no > "1.2")` for position numbers, which compares them as numbers. `valueAt` returns one of the
 * `count` values of an expression.
 */
export function noteComparedPosition(
  condition: Expression,
  count: number,
  valueAt: (of: Expression, index: number) => unknown,
  env: Evaluation,
): void {
  if (condition.kind !== "compare" || !/^[<>]/.test(condition.operator)) return;
  const { operator, left, right } = condition;
  if (left.kind !== "path" || right.kind !== "literal" || typeof right.value !== "string") return;
  const [, first, last] = /^(\d{1,3})\.([1-9]\d{0,2})$/.exec(right.value) ?? [];
  if (first === undefined) return;
  const length = Math.min(count, MAX_VALUES);
  env.spend(length);
  if (!hasPositions(Array.from({ length }, (_value, index) => valueAt(left, index)))) return;
  const parts = `${left.source}.split(".")`;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `The tag ${tag} compares texts as numbers, and some of them differ only in zeros at the end: as numbers, 1.10 and 1.1 are equal.`,
    hint: `Compare position numbers by their parts, as in ${parts}.first() == "${first}" and ${parts}.last().toNumber(".") ${operator} ${last}.`,
    pointers: [],
    isMissing: false,
  });
}

/** Whether all present values have the form of position numbers, and two different ones are equal as numbers. */
function hasPositions(values: readonly unknown[]): boolean {
  const written = new Map<string, string>();
  let isDoubtful = false;
  for (const value of values) {
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string" || !POSITION.test(value)) return false;
    const number = value.includes(".") ? value.replace(/0+$/, "") : value;
    const other = written.get(number);
    if (other === undefined) written.set(number, value);
    else if (other !== value) isDoubtful = true;
  }
  return isDoubtful;
}
