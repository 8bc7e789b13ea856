import type { ModifierCall } from "../template/directive.ts";
import { argumentOf, hasModifier, modify } from "../values/modifiers.ts";
import { printValue } from "../values/print.ts";
import { holdsForbidden } from "../values/text.ts";
import { evaluate, type RenderData, type Resolved, resolve, type Scope } from "./evaluate.ts";
import type { Findings } from "./findings.ts";
import type { Op } from "./ops.ts";

/** The op of a tag that prints a value. */
export type TextOp = Extract<Op, { op: "text" }>;

/**
 * The text that a value tag prints, before it becomes XML. What is missing prints its default, nothing
 * or the tag itself; what cannot be printed prints nothing and is an `invalid_value` among the findings.
 */
export function printTag(
  op: TextOp,
  scope: Scope | null,
  data: RenderData,
  findings: Findings,
): string {
  const { origin, expression, modifiers } = op;
  const { value, pointer } = valueFor(op, scope, data, findings);
  const text =
    value === undefined ? missing(op, pointer, findings) : print(op, value, pointer, findings);
  if (text === null) return "";
  // Only a path can name a place in a loop; and what delimits a list does not delimit turns as well.
  const place = expression.kind === "path" && !Array.isArray(value) ? scope : null;
  const printed =
    value === undefined && !hasFallback(modifiers) ? text : modify(text, modifiers, place);
  if (holdsForbidden(printed)) {
    findings.add(origin, {
      severity: "warning",
      code: "forbidden_character",
      message: `The value for the tag ${origin.text} holds characters that a Word document cannot hold; they were replaced by U+FFFD.`,
      pointer,
    });
  }
  return printed;
}

function valueFor(
  { expression, origin }: TextOp,
  scope: Scope | null,
  data: RenderData,
  findings: Findings,
): Resolved {
  if (expression.kind === "path") return resolve(expression, scope, data);
  return { value: findings.guard(origin, () => evaluate(expression, scope, data)), pointer: "" };
}

function print(
  { origin, modifiers }: TextOp,
  value: unknown,
  pointer: string,
  findings: Findings,
): string | null {
  const between = argumentOf(modifiers, "delimiter") ?? ", ";
  const beforeLast = argumentOf(modifiers, "lastdelimiter") ?? between;
  const printed = printValue(value, { between, beforeLast });
  if (printed.problem === undefined) return printed.text;
  findings.add(origin, {
    severity: "error",
    code: "invalid_value",
    message: `The value for the tag ${origin.text} ${printed.problem}.`,
    pointer,
  });
  return null;
}

function missing(
  { origin, expression, modifiers }: TextOp,
  pointer: string,
  findings: Findings,
): string {
  const fallback = argumentOf(modifiers, "default");
  if (fallback !== undefined) return fallback;
  if (hasModifier(modifiers, "optional")) return "";
  findings.notProvided(
    origin,
    expression.kind === "path" ? expression.source : origin.text,
    pointer,
  );
  return origin.text;
}

function hasFallback(modifiers: readonly ModifierCall[]): boolean {
  return hasModifier(modifiers, "default") || hasModifier(modifiers, "optional");
}
