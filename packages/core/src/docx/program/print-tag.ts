import type { ModifierCall } from "../template/modifiers.ts";
import type { FormatContext } from "../values/format/format-number.ts";
import {
  argumentOf,
  formats,
  formatValue,
  hasModifier,
  type LoopPlace,
  modify,
} from "../values/modifiers.ts";
import { type Printed, printValue } from "../values/print.ts";
import { holdsForbidden } from "../values/text.ts";
import { type Evaluation, evaluate, isTruthy } from "./evaluate.ts";
import type { Findings, MissingPolicy } from "./findings.ts";
import type { TextOp } from "./ops.ts";
import { nearMiss, pointerOf, type Scope } from "./scope.ts";

/** How values are printed in one document. */
export interface PrintOptions extends FormatContext {
  readonly onMissing: MissingPolicy;
}

/** What the printing of a tag works with. */
export interface PrintContext {
  readonly env: Evaluation;
  readonly findings: Findings;
  readonly options: PrintOptions;
}

/** A tag of which the value, and not yet the text, is known. */
type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** The value of a tag: a value, or, when it is missing, the text that stands for it. */
export type TagValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "fallback"; readonly text: string }
  /** The tag as written, which is not to be changed. */
  | { readonly kind: "kept"; readonly text: string };

/** Evaluates a tag. What is missing is told, unless the tag says what then. */
export function evaluateTag(op: Valued, { env, findings, options }: PrintContext): TagValue {
  const { origin, expression, modifiers } = op;
  env.missed.length = 0;
  const value = findings.guard(origin, () => evaluate(expression, env));
  if (value !== undefined) return { kind: "value", value };
  const fallback = argumentOf(modifiers, "default");
  if (fallback !== undefined) return { kind: "fallback", text: fallback };
  if (hasModifier(modifiers, "optional")) return { kind: "fallback", text: "" };
  const paths = expression.kind === "path" ? [expression] : env.missed;
  for (const path of paths) {
    findings.notProvided(origin, path.source, pointerOf(path, env), nearMiss(path, env));
  }
  if (paths.length === 0) findings.notProvided(origin, origin.text, "", null);
  return options.onMissing === "blank"
    ? { kind: "fallback", text: "" }
    : { kind: "kept", text: origin.text };
}

/**
 * The text that a value tag prints, before it becomes XML. What is missing prints its default, nothing
 * or the tag itself; what cannot be printed prints nothing and is an `invalid_value` among the findings.
 */
export function printTag(op: Valued, context: PrintContext): string {
  const found = evaluateTag(op, context);
  return found.kind === "value"
    ? printFound(op, found.value, context)
    : printFallback(op, found, context);
}

/** The text for a value that is missing. */
export function printFallback(
  { modifiers }: Valued,
  found: Exclude<TagValue, { kind: "value" }>,
  { env: { scope } }: PrintContext,
): string {
  return found.kind === "kept" ? found.text : modify(found.text, modifiers, loopPlace(scope));
}

/** The text for a value that is there. */
export function printFound(op: Valued, value: unknown, context: PrintContext): string {
  const { origin, expression, modifiers } = op;
  const { env, findings } = context;
  if (Array.isArray(value)) env.spend(value.length);
  const pointer = (): string | undefined =>
    expression.kind === "path" ? pointerOf(expression, env) : undefined;
  const printed = print(value, modifiers, context.options);
  if (printed.problem !== undefined) {
    findings.invalid(origin, printed.problem, pointer());
    return "";
  }
  // What delimits a list does not delimit turns as well.
  const place = expression.kind === "path" && !Array.isArray(value) ? loopPlace(env.scope) : null;
  const text = modify(printed.text, modifiers, place);
  if (holdsForbidden(text)) {
    findings.warn(
      origin,
      "forbidden_character",
      `The value for the tag ${origin.text} holds characters that a Word document cannot hold; they were replaced by U+FFFD.`,
      pointer(),
    );
  }
  return text;
}

function print(value: unknown, modifiers: readonly ModifierCall[], options: PrintOptions): Printed {
  if (hasModifier(modifiers, "checkbox")) return { text: isTruthy(value) ? "☒" : "☐" };
  const between = argumentOf(modifiers, "delimiter") ?? ", ";
  const beforeLast = argumentOf(modifiers, "lastdelimiter") ?? between;
  if (!formats(modifiers)) return printValue(value, { between, beforeLast });
  if (!Array.isArray(value)) return formatValue(value, modifiers, options);
  const texts: string[] = [];
  for (const item of value) {
    if (item === null || item === undefined) continue;
    const printed = formatValue(item, modifiers, options);
    if (printed.problem !== undefined)
      return { problem: `is a list with an element that ${printed.problem}` };
    texts.push(printed.text);
  }
  return printValue(texts, { between, beforeLast });
}

/** The innermost turn of a loop. */
function loopPlace(scope: Scope | null): LoopPlace | null {
  for (let at = scope; at !== null; at = at.outer) {
    if (at.index !== null) return { index: at.index, length: at.length };
  }
  return null;
}
