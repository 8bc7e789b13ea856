import { toDecimal } from "../../format/decimal.ts";
import { withTags } from "../../language/delimiters/wording.ts";
import type { Expression, PathExpression } from "../../language/grammar/expression.ts";
import { pathsOf } from "../../language/grammar/expression.ts";
import { written } from "../../language/literal-conditions.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { isFollowed } from "../../program/text-after.ts";
import { argumentOf, hasModifier } from "../../values/modifiers.ts";
import { isEmptyMarkup, withoutMarkup } from "./blank-texts.ts";
import { hyphenatedKey } from "./computation-hints.ts";
import type { Diagnostics } from "./context/document-diagnostics.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { placeOf, pointerOf } from "./context/pointers.ts";
import { resolve, turnIn } from "./context/scope.ts";
import { noteColumnInRow } from "./doubts/columns-in-rows.ts";
import { noteFlatElement, noteOuterValues } from "./doubts/flat-lists.ts";
import { notePercentage, percentIn } from "./doubts/percentages.ts";
import { noteMinutes } from "./doubts/printed-forms.ts";
import { noteListInCode, noteListInRow, noteRepeatedCount } from "./doubts/printed-lists.ts";
import { checkPrintedNumber } from "./doubts/printed-numbers.ts";
import {
  noteChecked,
  noteFileName,
  noteProgramText,
  noteQuotedKey,
  noteZone,
} from "./doubts/printed-texts.ts";
import { noteTextFormatted } from "./doubts/text-numbers.ts";
import { lengthMeant } from "./hints/length-meant.ts";
import { listSeparatorIn, splitAt } from "./hints/parts-of-text.ts";

/** The parts of a tag that a doubt about its value needs. */
type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** Warns about a value that the tag probably does not print as its author means. */
export function checkPrinted(
  tag: Valued,
  value: unknown,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const { expression, modifiers } = tag;
  checkPrintedNumber(tag, value, diagnostics);
  noteQuotedKey(tag, env, diagnostics);
  noteFlatElement(tag, env, diagnostics);
  noteRepeatedCount(tag, env, diagnostics);
  if (env.scope !== null) noteColumnInRow(tag, value, env, diagnostics);
  if (!Array.isArray(value) && hasModifier(modifiers, "delimiter")) {
    noteDelimiter(tag, env, diagnostics);
    if (typeof value === "string") noteText(tag, value, env, diagnostics);
  }
  if (expression.kind === "compute") noteHyphen(tag, env, diagnostics);
  else if (expression.kind === "path" && Array.isArray(value)) {
    noteList(tag, expression, value, env, diagnostics);
  } else {
    const percent = percentIn(modifiers);
    if (percent !== null) notePercentage(tag, value, percent, diagnostics);
  }
  if (Array.isArray(value) && value.length === 0 && expression.kind === "path") {
    noteEmptyLength(tag, expression, env, diagnostics);
  }
  const isEmpty =
    value === "" || (Array.isArray(value) && value.length === 0) || isEmptyMarkup(value);
  if (isEmpty && !hasModifier(modifiers, "checkbox")) noteEmpty(tag, value, env, diagnostics);
  if (typeof value === "string") checkText(tag, value, env, diagnostics);
}

/** Warns about the values of all items of a list, in a loop or in a cell. */
function noteList(
  tag: Valued,
  path: PathExpression,
  list: readonly unknown[],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (hasModifier(tag.modifiers, "delimiter") || hasModifier(tag.modifiers, "checkbox")) return;
  if (env.scope !== null && list.length > 1 && noteOuterValues(tag, path, env, diagnostics)) return;
  if (tag.modifiers.length === 0) noteListInRow(tag, path, list, env, diagnostics);
  else noteListInCode(tag, path, list, env, diagnostics);
}

/** Warns about a delimiter between iterations whose tag is not at their end: it is printed before the text that follows. */
function noteDelimiter(
  { origin, modifiers }: Valued,
  { scope }: Evaluation,
  diagnostics: Diagnostics,
): void {
  const turn = turnIn(scope);
  if (turn?.index !== 1 || !isFollowed(origin)) return;
  const own = argumentOf(modifiers, "delimiter") ?? "";
  const delimiter = /^[^\n\t]*\S[^\n\t]*$/.test(own) ? own : ", ";
  diagnostics.warn(
    origin,
    "doubtful_sign",
    `The delimiter of the tag ${origin.text} follows its value directly, before the text after it.`,
    undefined,
    () =>
      withTags`For a delimiter between the items, write {{if not $last}}${delimiter}{{endif}} at the end of the loop.`,
  );
}

/** Warns about a delimiter outside loops for text that is not a list, but looks like one. */
function noteText(
  { origin, expression, modifiers }: Valued,
  text: string,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const separator = listSeparatorIn(text);
  const isOwn = separator === argumentOf(modifiers, "delimiter");
  if (expression.kind !== "path" || separator === null || isOwn || turnIn(env.scope) !== null)
    return;
  const { source } = expression;
  const message = `In the tag ${origin.text}, '${source}' is text and not a list, so 'delimiter' changes nothing.`;
  diagnostics.warn(origin, "sum_of_one_value", message, pointerOf(expression, env), () => {
    return `For its parts write ${splitAt(separator, source)} in place of ${source}.`;
  });
}

function checkText(tag: Valued, value: string, env: Evaluation, diagnostics: Diagnostics): void {
  const { expression, modifiers } = tag;
  noteFileName(tag, value, env, diagnostics);
  noteMinutes(tag, value, diagnostics);
  noteTextFormatted(tag, value, env, diagnostics);
  if (hasModifier(modifiers, "checkbox")) noteChecked(tag, value, env, diagnostics);
  const isOther =
    expression.kind === "fallback" &&
    expression.right.kind === "literal" &&
    expression.right.value === value;
  const hasOther =
    (expression.kind === "fallback" && !isOther) || hasModifier(modifiers, "default");
  if (hasOther && value.length < 12 && NOTHING.test(value)) {
    noteNothing(tag, value.trim(), env, diagnostics);
  } else if (modifiers.length === 0) noteProgramText(tag, value, env, diagnostics);
  if (modifiers.length > 1) noteZone(tag, value, env, diagnostics);
}

/** Warns about `{{items.length}}` for an empty list, which prints nothing. */
function noteEmptyLength(
  { origin }: Valued,
  path: PathExpression,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const meant = lengthMeant(path, env);
  if (meant === null) return;
  const message = `The tag ${origin.text} prints nothing: the list is empty, and lists have no such key.`;
  diagnostics.warn(origin, "skipped_value", message, pointerOf(path, env), () => {
    return withTags`For the number of its elements write {{${meant}}}.`;
  });
}

/** Matches text that other programs write for a missing value. */
const NOTHING = /^\s*(?:n\/a|#n\/a|null|undefined)\s*$/i;

/** Warns about a value such as `N/A` in a tag with a value for a missing one. */
function noteNothing(tag: Valued, word: string, env: Evaluation, diagnostics: Diagnostics): void {
  const { origin, expression } = tag;
  diagnostics.warn(
    origin,
    "empty_text",
    `The value for the tag ${origin.text} is text such as 'N/A', which is not missing.`,
    placeOf(expression, env),
    () => {
      const [name, other] = wordsOf(tag, origin.text.includes("??"));
      return withTags`Leave the key out of the data, or write {{$if(${name} == "${word}", ${other}, ${name})}}.`;
    },
  );
}

/** Warns about a default, or a value after `??`, for empty text, HTML without text or an empty list, which are not missing. */
function noteEmpty(tag: Valued, value: unknown, env: Evaluation, diagnostics: Diagnostics): void {
  const { origin, expression, modifiers } = tag;
  const instead = argumentOf(modifiers, "default");
  const isDefault = instead !== undefined && instead !== "";
  if (!isDefault && !(expression.kind === "fallback" && printsInstead(tag, expression, env))) {
    return;
  }
  const isBySign = !isDefault && origin.text.includes("??");
  const isList = Array.isArray(value);
  const what = isList
    ? "a list without elements"
    : value === ""
      ? "empty text"
      : "HTML without text";
  const kind = isBySign ? "the value after '??'" : "its default";
  diagnostics.warn(
    origin,
    "empty_text",
    `The value for the tag ${origin.text} is ${what}, which is not missing, so ${kind} is not printed.`,
    placeOf(expression, env),
    () => {
      const [name, other] = wordsOf(tag, isBySign);
      const tested = isEmptyMarkup(value) ? withoutMarkup(name, value) : name;
      if (tested === null) return "Give null in the data, or leave the key out.";
      return withTags`To print it for ${isList ? "an empty list" : what}, too, write {{$if(${tested}, ${name}, ${other})}}.`;
    },
  );
}

/** Whether a fallback has another value to print in place of empty text, or of an empty list. */
function printsInstead(
  { modifiers }: Valued,
  { right }: Extract<Expression, { kind: "fallback" }>,
  env: Evaluation,
): boolean {
  if (hasModifier(modifiers, "optional")) return false;
  if (right.kind === "path") return !isBlank(resolve(right, env));
  return (right.kind === "literal" && !isBlank(right.value)) || right.kind === "number";
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === "" || Array.isArray(value);
}

/**
 * Returns the value of a tag with an alternative, and the alternative, both as written. `isBySign`: whether the
 * alternative follows `??`.
 */
function wordsOf({ origin, expression }: Valued, isBySign: boolean): readonly [string, string] {
  const { text, delimiters } = origin;
  const content = text.slice(delimiters.start.length, -delimiters.end.length);
  const [before = "", ...rest] = content.split(isBySign ? "??" : "::");
  const after = rest.join(isBySign ? "??" : "::");
  const value = expression.kind === "fallback" ? expression.left : expression;
  const other = isBySign ? after.split("::")[0] : /\bdefault\(([^()]*)\)/.exec(after)?.[1];
  return [written(value) ?? before.trim(), other?.trim() || '"…"'];
}

/** Warns about a difference of two values, if the data has a key with a hyphen of that name. */
function noteHyphen(
  { origin, expression }: Valued,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const key = /[\p{L}\p{N}_]-[\p{L}\p{N}_]/u.test(origin.text)
    ? hyphenatedKey(expression, env)
    : null;
  if (key === null) return;
  const message = `The tag ${origin.text} subtracts, although the data has a key with a hyphen of that name.`;
  const hint = withTags`For the key write {{${key}}}.`;
  diagnostics.warn(origin, "hidden_key", message, undefined, () => hint);
}

/**
 * Warns about a sum or a difference that is not printed because a part of it is missing, although the tag allows missing
 * values: `{{total - discount :: optional}}`. A default with a number in place of the whole result is reported, too. A
 * default with text says what to print.
 */
export function checkLeftOut(
  { origin, expression, modifiers }: Valued,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (expression.kind !== "compute") return;
  const instead = argumentOf(modifiers, "default");
  const neutral = /[+-]/.test(expression.operator) ? "0" : "1";
  if (instead !== undefined && toDecimal(instead) === null) return;
  // A product with a missing value may well be empty, or 0.
  if (neutral === "1" && toDecimal(instead ?? "0")?.toString() === "0") return;
  const parts = partsOf(expression);
  const gap = parts.find((part) => part.kind === "path" && resolve(part, env) === undefined);
  const isKnown = parts.some((part) => part.kind !== "number" && !isLost(part, env));
  if (gap?.kind !== "path" || !isKnown || (instead === undefined && gap === parts[0])) return;
  const { source } = gap;
  const ends = instead === undefined ? "left out" : "replaced by its default";
  diagnostics.warn(
    origin,
    "skipped_value",
    `'${source}' is missing, so the whole result of the tag ${origin.text} is ${ends}.`,
    pointerOf(gap, env),
    () =>
      `If ${neutral} counts in its place, write (${source} ?? ${neutral}) in place of ${source}.`,
  );
}

/** Returns the operands of a computation, including the operands of nested computations. */
function partsOf(expression: Expression): readonly Expression[] {
  return expression.kind === "compute"
    ? [...partsOf(expression.left), ...partsOf(expression.right)]
    : [expression];
}

/** Whether a value that a part of a computation needs is missing. */
function isLost(part: Expression, env: Evaluation): boolean {
  return pathsOf(part).some((path) => resolve(path, env) === undefined);
}
