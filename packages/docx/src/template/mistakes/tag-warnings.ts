import type { Diagnostic } from "@quire/contracts";
import { type Expression, operandsOf } from "../../language/grammar/expression.ts";
import type { ModifierName } from "../../language/grammar/modifier-signatures.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";
import { quotedName } from "./look-alikes.ts";

/** Returns the warnings that result from a tag's own text. */
export function tagWarnings(tag: TagNode): Diagnostic[] {
  const warnings = [quotedName(tag, tag.delimiters), lostBreak(tag), escapeInText(tag)];
  return [...warnings, placeWithoutUse(tag), quotedVariable(tag), lookOfMarkup(tag)].filter(
    (each) => each !== null,
  );
}

/** Warns about `\n` in a text, which is not a line break. */
function escapeInText(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  const written = /["'“”„‟«»″‘’‚‛‹›′][^"“”„‟«»″]*?(?<!\\)(\\[nr])/u.exec(text)?.[1];
  if (written === undefined || directive.kind === "include" || directive.kind === "note")
    return null;
  const problem = tagProblem(
    tag,
    "escape_in_text",
    `The tag ${text} has '${written}' in a text. It is printed as it is, not as a line break.`,
    "Write $newline without quotes for a line break, as in names.join($newline).",
  );
  return { ...problem, severity: "warning" };
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

/** Warns about a look of HTML or Markdown, which keep their own look. */
function lookOfMarkup(tag: TagNode): Diagnostic | null {
  const { directive, text } = tag;
  if (directive.kind !== "value") return null;
  const names = directive.modifiers.map(({ name }) => name);
  const markup = names.find((name) => name === "html" || name === "markdown");
  const look = names.find((name) => TEXT_LOOKS.includes(name));
  if (markup === undefined || look === undefined || names.includes("text")) return null;
  const problem = tagProblem(
    tag,
    "modifier_without_effect",
    `In the tag ${text}, '${look}' has no effect, because ${markup === "html" ? "HTML" : "Markdown"} keeps its own look.`,
    "Give the paragraph a style in Word, or write the look into the value.",
  );
  return { ...problem, severity: "warning" };
}

const TEXT_LOOKS: readonly ModifierName[] = [
  ...(["fill", "color", "bold", "italic", "underline", "strike"] as const),
];

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
