import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import { type Expression, operandsOf } from "../../language/grammar/expression.ts";
import { isModifier, type ModifierName } from "../../language/grammar/modifier-signatures.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";
import { quotedName } from "./look-alikes.ts";
import { doubtfulLimits } from "./meaning/branch-order.ts";
import { countedBrackets } from "./meaning/counted-brackets.ts";
import { countryAsLocale } from "./meaning/countries.ts";
import { signTwice, signTwiceInText } from "./meaning/doubled-signs.ts";
import { doubtfulMath } from "./meaning/doubtful-math.ts";
import { formattedOrder } from "./meaning/formatted-order.ts";
import { otherLetters } from "./meaning/letter-case.ts";
import { listOrders } from "./meaning/list-orders.ts";
import { lookOfMarkup } from "./meaning/looks-of-codes.ts";
import { manyDecimals } from "./meaning/many-decimals.ts";
import { fileAsDefault } from "./meaning/picture-defaults.ts";
import { positionLimits } from "./meaning/position-limits.ts";
import { minuteAfterHour, minutesAfterHours } from "./meaning/times.ts";
import { doubtfulZone } from "./meaning/zones.ts";

/** Returns the warnings that result from a tag's own text. */
export function tagWarnings(tag: TagNode): Diagnostic[] {
  const warnings = [quotedName(tag, tag.delimiters), lostBreak(tag), escapeInText(tag)];
  const uses = [placeWithoutUse(tag), countryAsLocale(tag), quotedVariable(tag), lookOfMarkup(tag)];
  const signs = [valueInNote(tag), hundredfold(tag), signTwice(tag), modifierOutside(tag)];
  const pictures = [fileAsDefault(tag), doubtfulZone(tag)];
  const orders = [minuteAfterHour(tag), minutesAfterHours(tag)];
  const found = [...warnings, ...uses, ...signs, ...pictures, ...orders].filter(
    (each) => each !== null,
  );
  const limits = [...doubtfulLimits(tag), ...positionLimits(tag)];
  const numbers = [...doubtfulMath(tag), ...manyDecimals(tag), ...signTwiceInText(tag)];
  return [
    ...found,
    ...numbers,
    ...limits,
    ...listOrders(tag),
    ...countedBrackets(tag),
    ...formattedOrder(tag),
    ...otherLetters(tag),
  ];
}

/** Warns about `\n` in a text, which is not a line break. */
function escapeInText(tag: TagNode): Diagnostic | null {
  const { directive, text: whole } = tag;
  // Text of the data may have such signs, which are looked for here.
  const text = whole.replace(/\b(replace|split)\(\s*(["'])\\[nr]\2/g, "$1(");
  const written = /["'“”„‟«»″‘’‚‛‹›′][^"“”„‟«»″]*?(?<!\\)(\\[nr])/u.exec(text)?.[1];
  if (written === undefined || directive.kind === "include" || directive.kind === "note")
    return null;
  const problem = tagProblem(
    tag,
    "escape_in_text",
    `The tag ${whole} has '${written}' in a text. It is printed as it is, not as a line break.`,
    "Write $newline without quotes for a line break, as in names.join($newline).",
  );
  return { ...problem, severity: "warning" };
}

/** Warns about `{{!paid :: checkbox}}`, which is a note. */
function valueInNote(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  if (directive.kind !== "note") return null;
  const [, value, modifiers, name = ""] =
    /^[^!]*!([\p{L}_][\p{L}\p{N}_.]*)\s*(::\s*([A-Za-z]+)[^}]*?)\s*\}*$/u.exec(text) ?? [];
  if (value === undefined || name !== "checkbox") return null;
  return warningAbout(tag, "looks_like_tag", `${text} is a note and prints nothing.`, [
    withTags`For the opposite of '${value}' write {{(not ${value}) ${modifiers ?? ""}}}.`,
  ]);
}

/** Warns about `{{rate * 100 :: percent}}` and `{{part * 100 / total :: percent}}`. */
function hundredfold(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  if (directive.kind !== "value") return null;
  const isPercent = directive.modifiers.some(({ name, arguments: [given] }) => {
    return name === "percent" || (name === "number" && given?.value.includes("%") === true);
  });
  if (!isPercent) return null;
  const { above, below } = factorsOf(directive.expression);
  if (hundredsIn(above) <= hundredsIn(below)) return null;
  const message = `In the tag ${text}, '${text.includes("percent") ? "percent" : "%"}' multiplies by 100 once more: 0.19 is 19%.`;
  return warningAbout(tag, "doubtful_sign", message, ["Leave out '* 100'."]);
}

/** The factors of a product or a quotient, above and below the line. */
interface Factors {
  readonly above: readonly Expression[];
  readonly below: readonly Expression[];
}

function factorsOf(expression: Expression): Factors {
  if (expression.kind !== "compute" || !/[*/]/.test(expression.operator)) {
    return { above: [expression], below: [] };
  }
  const [left, right] = [factorsOf(expression.left), factorsOf(expression.right)];
  const isProduct = expression.operator === "*";
  return {
    above: [...left.above, ...(isProduct ? right.above : right.below)],
    below: [...left.below, ...(isProduct ? right.below : right.above)],
  };
}

function hundredsIn(factors: readonly Expression[]): number {
  return factors.filter((one) => one.kind === "number" && one.text === "100").length;
}

/** Warns about `{{total}} :: currency("EUR")`. */
function modifierOutside(tag: TagNode): Diagnostic | null {
  const { directive, text, near, delimiters } = tag;
  if (directive.kind !== "value") return null;
  const after = near.slice(near.indexOf(text) + text.length);
  const [, name = "", given = ""] = /^\s*::\s*([A-Za-z]+)(\([^()]*\))?/.exec(after) ?? [];
  if (!isModifier(name)) return null;
  const content = text.slice(delimiters.start.length, -delimiters.end.length).trim();
  return warningAbout(tag, "looks_like_tag", `The text after ${text} looks like its modifier.`, [
    withTags`Write it before the end of the tag: {{${content} :: ${name}${given}}}.`,
  ]);
}

function warningAbout(
  tag: TagNode,
  code: string,
  message: string,
  [hint]: readonly [Wording],
): Diagnostic {
  return { ...tagProblem(tag, code, message, hint), severity: "warning" };
}

/** Warns about a variable in quotes, which is only text. */
function quotedVariable(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  const found =
    /["'“”„‟«»″‘’‚‛‹›′](\$(?:newline|today|now|index|number|first|last|length))["'“”„‟«»″‘’‚‛‹›′]/u;
  const variable = found.exec(text)?.[1];
  if (variable === undefined || directive.kind === "include" || directive.kind === "note")
    return null;
  const problem = tagProblem(
    tag,
    "variable_in_quotes",
    `The tag ${text} has '${variable}' in quotes, so it is printed as it is.`,
    `Write ${variable} without quotes.`,
  );
  return { ...problem, severity: "warning" };
}

/** Modifiers whose result depends on the locale. */
const LOCAL: readonly ModifierName[] = [
  ...(["format", "number", "currency", "percent"] as const),
  ...(["uppercase", "lowercase", "capitalize"] as const),
];

/** Warns about a locale or a time zone that has no effect, because the tag formats nothing. */
function placeWithoutUse(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  if (directive.kind !== "value") return null;
  const { expression, modifiers } = directive;
  const place = modifiers.find(({ name }) => name === "locale" || name === "timeZone");
  if (place === undefined || isComputed(expression)) return null;
  const users = place.name === "locale" ? LOCAL : LOCAL.slice(0, 1);
  if (modifiers.some(({ name }) => users.includes(name))) return null;
  const example =
    place.name === "locale" ? 'format("long") or number("#,##0.00")' : 'format("long time")';
  const problem = tagProblem(
    tag,
    "modifier_without_effect",
    `In the tag ${text}, '${place.name}' has no effect, because nothing in the tag depends on it.`,
    `Add a format, such as ${example}.`,
  );
  return { ...problem, severity: "warning" };
}

/** Whether a function or a comparison, which may depend on the place, computes a value. */
function isComputed(expression: Expression): boolean {
  const isOwn = ["call", "compare", "moment"].includes(expression.kind);
  return isOwn || operandsOf(expression).some(isComputed);
}

/** Warns about a lost break. A lost line break matters only in a tag that prints a value. */
function lostBreak(tag: TagNode): Diagnostic | null {
  const { lost = null, directive, text } = tag;
  if (lost === null || (lost === "line" && directive.kind !== "value")) return null;
  const problem = tagProblem(
    tag,
    "break_in_tag",
    `The tag ${text} has a ${lost} break between its delimiters. The document loses the break.`,
    "Put the break before or after the tag.",
  );
  return { ...problem, severity: "warning" };
}
