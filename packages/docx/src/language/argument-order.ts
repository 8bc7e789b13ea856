import { localeNamed } from "../format/locale-names.ts";
import { withTags } from "./delimiters/wording.ts";
import type { Expression } from "./grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "./grammar/functions.ts";
import { spellExpression, spellOperand } from "./grammar/spell.ts";
import { isJoinedWord } from "./mistakes/texts.ts";
import { TagSyntaxError } from "./tokens.ts";

/** The arguments of a function after its value. */
type Given = readonly [first: Expression | undefined, second: Expression | undefined];
type Check = (of: Expression, given: Given) => void;

/** Functions whose fixed arguments may show a mistake. Each check throws {@link TagSyntaxError}. */
const CHECKS: Readonly<Partial<Record<FunctionName, Check>>> = {
  $padStart: (of, given) => checkPadding("$padStart", of, given),
  $padEnd: (of, given) => checkPadding("$padEnd", of, given),
  $substring: checkSubstring,
  $round: checkRounding,
  $currency: checkCurrency,
  $split: checkSplit,
  $replace: (of, [sought, other]) => checkReplaced(of, sought, other),
  $join: (_of, [between, last]) => checkSeparators(between, last),
};

/** Throws {@link TagSyntaxError} if fixed arguments show that an author has swapped them. */
export function checkOrder(name: FunctionName, [of, ...given]: readonly Expression[]): void {
  if (of === undefined) return;
  const [first, second] = given;
  CHECKS[name]?.(of, [first, second]);
  if (isSwapped(name, of, first)) {
    const value = first?.kind === "path" ? first.source : "value";
    throw comesFirst(name, `${value}.${name.slice(1)}(${writtenOf(of)})`);
  }
}

/** `code.padStart("0000")`, `$padStart(8, code)` and `code.padStart("0", 8)`. */
function checkPadding(name: FunctionName, of: Expression, [first, second]: Given): void {
  const method = name.slice(1);
  const text = first?.kind === "literal" ? String(first.value) : "";
  const [, sign] = /^(.)\1+$/u.exec(text) ?? [];
  if (sign !== undefined && second === undefined) {
    throw new TagSyntaxError(
      `The first argument of '${method}' is the number of characters.`,
      `Write ${spellOperand(of)}.${method}(${[...text].length}, ${JSON.stringify(sign)}).`,
    );
  }
  if (of.kind === "number" && first?.kind === "path") {
    const fill = second === undefined ? '"0"' : spellExpression(second);
    throw comesFirst(name, `${first.source}.${method}(${of.text}, ${fill})`);
  }
  if (first?.kind !== "literal" || second === undefined || second.kind === "literal") return;
  const swapped = [second, first].map(spellExpression).join(", ");
  throw new TagSyntaxError(
    `The length of '${method}' comes before the text that fills it.`,
    `Write ${spellOperand(of)}.${method}(${swapped}).`,
  );
}

/** `$substring(0, 3, name)`, `name.substring(3, 0)` and `name.substring(0, -1)`. */
function checkSubstring(of: Expression, [first, second]: Given): void {
  if (of.kind === "number" && first?.kind === "number" && second?.kind === "path")
    throw comesFirst("$substring", `${second.source}.substring(${of.text}, ${first.text})`);
  if (second?.kind === "number" && Number(second.text) === 0) {
    throw new TagSyntaxError(
      "The second number of 'substring' is the number of characters, so the result is always empty.",
      "Write the position first, from 0: substring(0, 3) is the first three characters.",
    );
  }
  if (second?.kind !== "negate" || second.operand.kind !== "number") return;
  const text = spellOperand(of);
  const count = second.operand.text;
  const from = first === undefined ? "0" : spellExpression(first);
  const rest = `${text}.length() - ${from === "0" ? count : `${count} - ${from}`}`;
  throw new TagSyntaxError(
    "The second number of 'substring' is the number of characters.",
    `To leave out the last ${count} characters write ${text}.substring(${from}, ${rest}).`,
  );
}

/** `total.round(0, "nearest 5")`, `total.round("up")` and `total.round("down", 2)`. */
function checkRounding(of: Expression, [first, second]: Given): void {
  const step =
    second?.kind === "number" && first?.kind === "number"
      ? second.text
      : (stepIn(second) ?? (isDigits(first) ? null : stepIn(first)));
  if (step !== null) {
    throw new TagSyntaxError(
      "'round' takes a number of decimal places and a way of rounding, not a step.",
      `To round to steps of ${step}, write (${spellOperand(of)} / ${step}).round() * ${step}.`,
    );
  }
  if (first?.kind !== "literal") return;
  const mode = JSON.stringify(String(first.value));
  const places = second?.kind === "number" ? second.text : "0";
  throw new TagSyntaxError(
    "The number of decimal places comes before the way of rounding.",
    /^"\d+"$/.test(mode)
      ? `Write the number without quotes: ${spellOperand(of)}.round(${first.value}).`
      : `Write ${spellOperand(of)}.round(${places}, ${mode}).`,
  );
}

/** Returns the number of `nearest 5`, and of `5` in the place of a way of rounding; null for other arguments. */
function stepIn(argument: Expression | undefined): string | null {
  if (argument?.kind !== "literal") return null;
  const words = "(?:to)? *(?:the)? *(?:nearest|closest|multiples? +of|steps? +of)?";
  return (
    new RegExp(`^ *${words} *(\\d+(?:\\.\\d+)?) *$`, "i").exec(String(argument.value))?.[1] ?? null
  );
}

function isDigits(argument: Expression | undefined): boolean {
  return argument?.kind === "literal" && /^\d+$/.test(String(argument.value));
}

/** `total.currency("EUR", "German")`: the language is another modifier. */
function checkCurrency(of: Expression, [code, decimals]: Given): void {
  if (code === undefined || decimals?.kind !== "literal" || isDigits(decimals)) return;
  const text = String(decimals.value);
  const locale = /^[a-z]{2}(?:-[A-Z]{2})?$/.test(text) ? text : localeNamed(text);
  if (locale === null) return;
  throw new TagSyntaxError(
    "The second argument of 'currency' is a number of decimals.",
    withTags`Write {{${spellExpression(of)} :: currency(${spellExpression(code)}), locale("${locale}")}}.`,
  );
}

/** `iban.split(4)` and `iban.split("")`. */
function checkSplit(of: Expression, [first]: Given): void {
  const text = spellOperand(of);
  if (first?.kind === "number") {
    throw new TagSyntaxError(
      "'split' takes the text between the parts, in quotes.",
      `For the first ${first.text} characters write ${text}.substring(0, ${first.text}). For groups of characters write a mask, with an x for each of them: format("xxxx xxxx").`,
    );
  }
  if (first?.kind !== "literal" || first.value !== "") return;
  throw new TagSyntaxError(
    "'split' cannot look for an empty text.",
    // Within the parentheses of 'map', 'this' is a number.
    /^(?:this\b|\.)/.test(text)
      ? undefined
      : `For a list of the characters write $range(0, ${text}.length() - 1).map(${text}.substring(this, 1)).`,
  );
}

function comesFirst(name: FunctionName, meant: string): TagSyntaxError {
  return new TagSyntaxError(
    `The ${FUNCTIONS[name].of} of '${name}' comes before its other arguments.`,
    `Write ${meant}.`,
  );
}

/** Throws for a pattern in place of the text to replace, and for a value after the texts. */
function checkReplaced(
  of: Expression,
  sought: Expression | undefined,
  other: Expression | undefined,
): void {
  if (isText(of) && sought !== undefined && isText(sought) && other?.kind === "path") {
    throw new TagSyntaxError(
      "The text of '$replace' comes first.",
      `Write ${other.source}.replace(${writtenOf(of)}, ${writtenOf(sought)}).`,
    );
  }
  if (sought?.kind !== "literal" || !PATTERN.test(String(sought.value))) return;
  throw new TagSyntaxError(
    "'replace' looks for a text as it is, not for a pattern.",
    'Write each text to replace, as in phone.replace(" ", "").replace("-", "").',
  );
}

const PATTERN = /^\/.+\/[gimsuy]*$|\[\^|\\[dDsSwW]|\[\w-\w\]/;

const SEPARATOR = /^\s*[,;]\s*$/;

/** Throws for separators in the wrong order, and for a word between the last two without spaces. */
function checkSeparators(first: Expression | undefined, second: Expression | undefined): void {
  if (first?.kind !== "literal" || second?.kind !== "literal") return;
  const [between, last] = [String(first.value), String(second.value)];
  if (/\p{L}/u.test(between) && SEPARATOR.test(last)) {
    const key = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(between)
      ? ` If '${between}' is a key of the items, write map(${between}).join(${JSON.stringify(last)}).`
      : "";
    throw new TagSyntaxError(
      "The second separator of 'join' is the one before the last element.",
      `Write join(${JSON.stringify(last)}, ${JSON.stringify(between)}).${key}`,
    );
  }
  if (!isJoinedWord(last) || between === last) return;
  throw new TagSyntaxError(
    `The separator "${last}" has no spaces, so it would be joined to the elements.`,
    `Write join(${JSON.stringify(between)}, " ${last} ").`,
  );
}

/** Whether a fixed number or text is in the place of the value, and a path in the place of the argument. */
function isSwapped(name: FunctionName, of: Expression, first: Expression | undefined): boolean {
  if (first?.kind !== "path") return false;
  const kind = FUNCTIONS[name].of;
  if (of.kind === "number") return kind === "date" || name === "$substring";
  return isText(of) && kind === "list";
}

function isText(expression: Expression): boolean {
  return expression.kind === "literal" && typeof expression.value === "string";
}

function writtenOf(expression: Expression): string {
  if (expression.kind === "number") return expression.text;
  return expression.kind === "literal" ? JSON.stringify(expression.value) : "…";
}
