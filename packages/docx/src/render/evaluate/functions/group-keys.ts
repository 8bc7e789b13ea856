import type { Expression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../evaluation.ts";
import { Group } from "../origins.ts";
import { turnNamed } from "../scope.ts";

/** A group by a part of a date, in the tag of a loop. */
const BY_PART = /\.group\(\s*([\p{L}_$][\p{L}\p{N}_$.]*)\.(month|week)\(\)\s*\)/u;

/**
 * Returns the hint for the key of a group by months or weeks that is formatted as a date: the key is a number. Null for
 * other values.
 */
export function hintForGroupKey(
  expression: Expression,
  { scope, opened }: Evaluation,
): string | null {
  if (expression.kind !== "path" || expression.head === null) return null;
  const { head, rest } = expression;
  if (rest.length !== 1 || rest[0] !== "key") return null;
  if (!(turnNamed(head, scope)?.item instanceof Group)) return null;
  const loop = opened?.get(head) ?? "";
  const [written = "", date = "", part = ""] = BY_PART.exec(loop) ?? [];
  if (written === "") return null;
  const start = part === "month" ? "startOfMonth" : "startOfWeek";
  return `The key is the number that ${part}() gives. To print it as a date, group by the first day of the ${part}: ${loop.replace(written, `.group(${date}.${start}())`)}.`;
}
