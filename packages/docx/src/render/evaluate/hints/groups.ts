import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { hasOwn, resolveHead } from "../context/scope.ts";

const GROUP = new Group(null, []);

/** Returns the hint for a key of a group, other than the keys that groups have; null for other paths. */
export function hintInGroup({ head, rest }: PathExpression, env: Evaluation): string | null {
  const [key] = rest;
  if (key === undefined || hasOwn(GROUP, key)) return null;
  if (!(resolveHead(head, env) instanceof Group)) return null;
  const group = head === null ? "" : `${head}.`;
  return `A group has a 'key' and 'items': write ${group}key for the value that its items have in common, or ${group}items[0].${rest.join(".")} for a value of its first item.`;
}
