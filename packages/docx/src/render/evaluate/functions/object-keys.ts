import { kindOf } from "../../../format/print.ts";
import {
  type CallExpression,
  type Expression,
  isPlainName,
} from "../../../language/grammar/expression.ts";
import { EvaluationError } from "../compare/compare.ts";

/** Number of keys that a hint names. */
const MAX_KEYS = 12;

/**
 * Returns how to group or sort by a key of the object in an item, such as `group(customer.id)`. `key`: the argument that
 * gave the object; undefined if the items themselves are compared. `value`: one of the objects.
 */
export function hintForObjectKey(
  { name, descending }: CallExpression,
  key: Expression | undefined,
  value: object,
): string {
  const call = name.slice(1);
  const of = key?.kind === "path" ? key.source : null;
  if (key !== undefined && of === null)
    return `Name a value that can be ordered, as in ${call}(city).`;
  const start = of === null || of === "this" || of === "." ? "" : `${of}.`;
  const end = name === "$sort" && descending[0] === true ? " desc" : "";
  const keys = Object.keys(value).filter(isPlainName).slice(0, MAX_KEYS);
  const single = keys.filter((each) => isSingle(value, each));
  const [one, other] = single.map((each) => `${call}(${start}${each}${end})`);
  if (one === undefined) return `Name the key of the items, as in ${call}(city).`;
  const what = start === "" ? "The items are objects" : `'${of}' is an object`;
  return `${what} with the keys ${keys.join(", ")}: write ${other === undefined ? one : `${one} or ${other}`}.`;
}

/** Whether the value of a key is a text, a number or the like. It is not read from a getter. */
function isSingle(of: object, key: string): boolean {
  const value: unknown = Object.getOwnPropertyDescriptor(of, key)?.value;
  return (
    value !== null && value !== undefined && kindOf(value) !== "object" && !Array.isArray(value)
  );
}

/** Throws {@link EvaluationError} if an object is among the values to sort by. */
export function checkSortKeys(
  call: CallExpression,
  key: Expression | undefined,
  values: readonly unknown[],
): void {
  const element = values.findIndex((value) => kindOf(value) === "object");
  if (element === -1) return;
  const hint = hintForObjectKey(call, key, values[element] as object);
  throw Object.assign(
    new EvaluationError("sort needs text, numbers or dates as keys, but got an object"),
    { argument: 0, element, hint },
  );
}
