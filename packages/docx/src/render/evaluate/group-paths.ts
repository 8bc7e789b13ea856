import type { PathExpression } from "../../language/grammar/expression.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { Group } from "./context/origins.ts";
import { hasOwn, resolveHead } from "./context/scope.ts";

/** Whether a path names a key of a group, other than the keys that groups have. */
export function inGroup({ head, rest }: PathExpression, env: Evaluation): boolean {
  const [key] = rest;
  return key !== undefined && !hasOwn(GROUP, key) && resolveHead(head, env) instanceof Group;
}

const GROUP = new Group(null, []);

/** Returns how to write a path to a key of a group, or of its items. */
export function hintInGroup({ head, rest }: PathExpression): string {
  const group = head === null ? "" : `${head}.`;
  return `A group has a 'key' and 'items': write ${group}key for the value that its items have in common, or ${group}items[0].${rest.join(".")} for a value of its first item.`;
}
