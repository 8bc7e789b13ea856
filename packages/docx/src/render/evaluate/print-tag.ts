import type { FormatContext } from "../../format/format-number.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  type PathExpression,
  pathsOf,
} from "../../language/grammar/expression.ts";
import type { ModifierCall } from "../../language/modifiers.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { hintForPrinted } from "../../values/arguments/print-hints.ts";
import {
  argumentOf,
  hasDataArguments,
  hasModifier,
  withoutFormats,
} from "../../values/modifiers.ts";
import { holdsForbidden } from "../../values/text.ts";
import { hintForGroupKey } from "./built-in-meant.ts";
import { hintForOperandMissing, hyphenatedKey } from "./computation-hints.ts";
import type { Diagnostics, MissingPolicy } from "./context/document-diagnostics.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { placeOf, pointerOf } from "./context/pointers.ts";
import { printSteps } from "./context/weights.ts";
import { hintForMissingArgument, resolveArguments } from "./data-arguments.ts";
import { hintForModifierAlone } from "./dotted-names.ts";
import { notePlainDefault, noteSameKeys } from "./doubts/printed-forms.ts";
import { hintForQuoted } from "./doubts/printed-texts.ts";
import { noteQuotedPaths } from "./doubts/quoted-paths.ts";
import { noteGaps, noteTruth, reportDoubts } from "./doubts.ts";
import { evaluate } from "./evaluate.ts";
import { neitherHint } from "./hints/choices-missing.ts";
import { printedInGroup } from "./hints/items-of-groups.ts";
import { keysBeside } from "./hints/other-level.ts";
import { callOverList, ofOneItem, overAllItems } from "./hints/whole-lists.ts";
import { loopMeant } from "./loop-meant.ts";
import { hintForObjects, isSlashed } from "./misplaced-names.ts";
import { noResult } from "./no-result.ts";
import { hintOutsideLoop } from "./outside-loops.ts";
import { print } from "./print-value.ts";
import { checkLeftOut, checkPrinted } from "./printed-doubts.ts";
import { hintForArgument, hintForMissing } from "./suggestions.ts";
import { hintForForm } from "./tag-forms.ts";

/** Whether HTML is detected in values, or only tags with `html` or `markdown` print rich text. */
export type RichTextPolicy = "detected" | "tagged";

/** Options for printing values in one document. */
export interface PrintOptions extends FormatContext {
  readonly onMissing: MissingPolicy;
  readonly richText: RichTextPolicy;
  /** The date and time of `$now`; null if unknown. */
  readonly now: Date | string | null;
}

/** The context for printing a tag. */
export interface PrintContext {
  readonly env: Evaluation;
  readonly diagnostics: Diagnostics;
  readonly options: PrintOptions;
}

/** The parts of a tag that are needed to print its value. */
type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** The value of a tag, or what happens to the tag if the value is missing. */
export type TagValue<T extends Valued> =
  | {
      readonly kind: "value";
      readonly value: unknown;
      /** The tag with the modifiers for this value. */
      readonly op: T;
      /** Whether the value is the tag's default. */
      readonly isDefault: boolean;
    }
  | { readonly kind: "nothing" }
  /** The tag as written, to be printed unchanged. */
  | { readonly kind: "kept"; readonly text: string };

/** Evaluates a tag. Reports a missing value unless the tag allows that. */
export function evaluateTag<T extends Valued>(op: T, context: PrintContext): TagValue<T> {
  if (!hasDataArguments(op.modifiers)) return evaluateWith(op, context);
  const { env, diagnostics } = context;
  const { origin } = op;
  env.doubts.length = 0;
  const resolved = diagnostics.guard(origin, () => resolveArguments(op.modifiers, env), FAILED);
  // No document is produced in this case.
  if (resolved === FAILED || resolved === undefined) return { kind: "nothing" };
  const { modifiers, missing } = resolved;
  if (env.doubts.length > 0) reportDoubts(env, origin, diagnostics, "allowed");
  if (modifiers !== undefined) return evaluateWith({ ...op, modifiers }, context);
  const own = mayMiss(op.modifiers) ? withoutArguments(op, context) : null;
  if (own !== null && (own.kind !== "value" || own.isDefault)) return own;
  env.missed.length = 0;
  if (missing === null) return withoutValue({ ...op, expression: NOTHING }, context);
  const hint = (): string | null => hintForMissingArgument(op.modifiers, missing, env);
  diagnostics.notProvided(origin, missing.source, pointerOf(missing, env), hint);
  return missingTag(op, context);
}

/** Evaluates a tag only with its `optional` and `default`, which are about its value, not about other arguments. */
function withoutArguments<T extends Valued>(op: T, context: PrintContext): TagValue<T> {
  const policy = op.modifiers.filter(({ name }) => name === "optional" || name === "default");
  const resolve = (): TagValue<T> => {
    const { modifiers = [] } = resolveArguments(policy, context.env);
    return evaluateWith({ ...op, modifiers }, context);
  };
  return context.diagnostics.guard(op.origin, resolve) ?? { kind: "nothing" };
}

/** Stands for an expression whose missing paths are already known. */
const NOTHING: Expression = { kind: "literal", value: null };

function evaluateWith<T extends Valued>(op: T, context: PrintContext): TagValue<T> {
  const { env, diagnostics } = context;
  const { origin, expression, modifiers } = op;
  env.missed.length = 0;
  env.doubts.length = 0;
  env.gaps.count = 0;
  if (origin.quoted !== undefined) noteQuotedPaths(origin, env, diagnostics);
  const own = ownPlaceOf(modifiers);
  // Results of functions may depend on the place, so they are not shared.
  const here = own === null ? env : { ...env, ...own, results: null };
  const value = diagnostics.guard(origin, () => evaluate(expression, here), FAILED);
  if (Array.isArray(value)) env.spend(value.length);
  if (isPrintedList(value, modifiers)) noteGaps(expression, value, env);
  if (hasModifier(modifiers, "checkbox")) noteTruth(expression, value, env, "check box");
  if (env.doubts.length > 0) {
    reportDoubts(env, origin, diagnostics, mayMiss(modifiers) ? "allowed" : "by policy");
  }
  // No document is produced in this case.
  if (value === FAILED) return { kind: "nothing" };
  const isThere = value !== undefined && !(value === "" && mayHaveNoCode(modifiers));
  if (isThere) {
    checkPrinted(op, value, env, diagnostics);
    return { kind: "value", value, op, isDefault: false };
  }
  if (expression.kind === "compute" && mayMiss(modifiers)) checkLeftOut(op, env, diagnostics);
  const fallback = argumentOf(modifiers, "default");
  if (fallback !== undefined && fallback !== "") {
    const format = (number: unknown) => print(number, modifiers, context.options).text;
    notePlainDefault(op, fallback, format, diagnostics);
    const tag = { ...op, modifiers: withoutFormats(modifiers) };
    return { kind: "value", value: defaultValue(fallback, modifiers), op: tag, isDefault: true };
  }
  if (mayMiss(modifiers)) return { kind: "nothing" };
  return withoutValue(op, context);
}

/** Reports a missing value, and returns what happens to the tag. */
function withoutValue<T extends Valued>(op: T, context: PrintContext): TagValue<T> {
  reportMissing(op, context);
  return missingTag(op, context);
}

function missingTag<T extends Valued>({ origin }: T, { options }: PrintContext): TagValue<T> {
  return options.onMissing === "blank" ? { kind: "nothing" } : { kind: "kept", text: origin.text };
}

/** Whether a tag allows a missing value. */
function mayMiss(modifiers: readonly ModifierCall[]): boolean {
  return modifiers.some(({ name }) => name === "optional" || name === "default");
}

/** Whether a tag draws a barcode, which needs text, and allows the text to be missing. */
function mayHaveNoCode(modifiers: readonly ModifierCall[]): boolean {
  const isCode = hasModifier(modifiers, "qrcode") || hasModifier(modifiers, "barcode");
  return isCode && mayMiss(modifiers);
}

/** Returns the value of a default: its text. For a check box, a default that means "no" is false. */
function defaultValue(text: string, modifiers: readonly ModifierCall[]): unknown {
  return hasModifier(modifiers, "checkbox") ? !/^\s*(?:false|0|no|off)\s*$/i.test(text) : text;
}

const FAILED = Symbol("failed computation");

function reportMissing(
  { origin, expression, modifiers }: Valued,
  { env, diagnostics }: Pick<PrintContext, "env" | "diagnostics">,
): void {
  const paths = expression.kind === "path" ? [expression] : env.missed;
  const hyphenated = expression.kind === "compute" ? hyphenatedKey(expression, env) : null;
  const [first] = paths;
  if (hyphenated !== null && first !== undefined) {
    const hint = withTags`Write a key with a hyphen in brackets and quotes: {{${hyphenated}}}.`;
    diagnostics.notProvided(origin, first.source, pointerOf(first, env), () => hint);
    return;
  }
  for (const path of paths) {
    const hint = (): Wording | null => {
      const form =
        loopMeant(expression, path, origin, env) ??
        hintForForm({ expression, modifiers, text: origin.text }, path, env) ??
        textMeant(expression, path, env);
      if (form !== null) return form;
      const call = callOverList(expression, path, env);
      if (call !== null) return `Did you mean '${call}'?`;
      const all = overAllItems(expression, path, env);
      if (all !== null) return `${hintOutsideLoop(path, env)} For all items write ${all}.`;
      const one = ofOneItem(path, env);
      if (one !== null) return `${hintOutsideLoop(path, env)} For one of the items write ${one}.`;
      return (
        printedInGroup(expression, path, env) ??
        hintForMissing(path, env, expression.kind === "path") ??
        (expression === path ? hintForModifierAlone(path) : null) ??
        hintForOperandMissing(expression, path, paths) ??
        neitherHint(expression, path) ??
        keysBeside(path, env)
      );
    };
    diagnostics.notProvided(origin, path.source, pointerOf(path, env), hint);
  }
  if (paths.length > 0) return;
  const { hint, pointer } = noResult({ expression, modifiers, text: origin.text }, env);
  diagnostics.withoutResult(origin, hint, pointer);
}

/** Returns the hint for a single name in place of a text, as in `$if(paid, Yes, No)` and `phone ?? none`. */
function textMeant(expression: Expression, path: PathExpression, env: Evaluation): string | null {
  const isOther =
    expression.kind === "fallback" && pathsOf(expression.left).some((each) => each === path);
  for (const result of resultsOf(expression)) {
    if (isOther && isSlashed(result)) return 'Text goes in quotes: "n/a".';
    const isName = result.kind === "path" && result.rest.length === 0;
    if (isName && (isOther || result === path) && evaluate(result, env) === undefined) {
      const otherwise = isOther
        ? "Otherwise add one of the values to the data."
        : `If '${result.source}' is a key, add it to the data.`;
      return `${hintForArgument(result, env)} ${otherwise}`;
    }
    const inner = textMeant(result, path, env);
    if (inner !== null) return inner;
  }
  return null;
}

/** Returns the values of which an expression chooses one, except for the first value of a fallback. */
function resultsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "fallback") return [expression.right];
  const isChoice = expression.kind === "call" && expression.name === "$if";
  return isChoice ? expression.arguments.slice(1) : [];
}

/**
 * Returns the text that a value tag prints, before it becomes XML. For a missing value, prints the tag's default,
 * nothing, or the tag itself. A value that cannot be printed prints nothing and gives an `invalid_value` diagnostic.
 */
export function printTag(op: Valued, context: PrintContext): string {
  const found = evaluateTag(op, context);
  if (found.kind === "value") return printFound(found.op, found.value, context) ?? "";
  return found.kind === "kept" ? found.text : "";
}

/** Whether the delimiter is printed only between the elements of a value, and not also between iterations. */
export function isPrintedList(
  value: unknown,
  modifiers: readonly ModifierCall[],
): value is readonly unknown[] {
  return Array.isArray(value) && !hasModifier(modifiers, "checkbox");
}

/** Returns the text for an existing value. If the value cannot be printed, reports this and returns null. */
export function printFound(op: Valued, value: unknown, context: PrintContext): string | null {
  const { origin, expression, modifiers } = op;
  const { env, diagnostics } = context;
  env.spend(printSteps(value, modifiers), "texts");
  const own = ownPlaceOf(modifiers);
  const options = own === null ? context.options : { ...context.options, ...own };
  const printed = print(value, modifiers, options);
  if (printed.problem !== undefined) {
    const place = placeOf(expression, env, printed.element);
    const hint = (): Wording | null =>
      hintForGroupKey(expression, env) ??
      hintForQuoted(op, env) ??
      hintForPrinted(expression, modifiers, value, options.locale) ??
      hintForObjects(op, value, env);
    diagnostics.invalid(origin, printed.problem, place, hint);
    return null;
  }
  const { text } = printed;
  const textOf = (other: unknown) => print(other, modifiers, options).text;
  if (env.scope !== null) noteSameKeys(op, text, textOf, env, diagnostics);
  if (holdsForbidden(text)) {
    diagnostics.warn(
      origin,
      "forbidden_character",
      `The value for the tag ${origin.text} contains characters that are not allowed in a Word document; they were replaced by U+FFFD.`,
      placeOf(expression, env),
    );
  }
  return text;
}

/** Returns the locale and the time zone that a tag sets for itself; null if it sets none. */
function ownPlaceOf(modifiers: readonly ModifierCall[]): Partial<FormatContext> | null {
  const locale = argumentOf(modifiers, "locale");
  const timeZone = argumentOf(modifiers, "timeZone");
  if (locale === undefined && timeZone === undefined) return null;
  return { ...(locale !== undefined && { locale }), ...(timeZone !== undefined && { timeZone }) };
}
