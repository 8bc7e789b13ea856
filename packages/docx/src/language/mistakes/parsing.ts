import { checkParsed } from "../../format/parse-date.ts";
import { PatternError } from "../../format/pattern-text.ts";
import type { Expression } from "../grammar/expression.ts";
import type { FunctionName } from "../grammar/functions.ts";

/** A message and its hint. */
type Problem = readonly [message: string, hint: string];

/** Returns why text can never be read with a pattern or a decimal sign that is fixed in the tag; null if it can. */
export function parsingProblem(name: FunctionName, form: Expression | undefined): Problem | null {
  if (form === undefined) return null;
  if (name === "$toNumber") return signProblem(form);
  if (name === "$format" && form.kind === "compute") return unquotedProblem("format", form);
  return name === "$toDate" ? (unquotedProblem("toDate", form) ?? patternProblem(form)) : null;
}

/** Returns the problem of a pattern without quotes, such as `MM/dd/yyyy`; null for other values. */
function unquotedProblem(name: string, form: Expression): Problem | null {
  const text = unquoted(form);
  if (text === null || !/^(?:[dDMyYhHms]{1,4}[./:-]?)+$/.test(text)) return null;
  return [`The pattern of '${name}' is text.`, `Put it in quotes: ${name}("${text}").`];
}

function signProblem(form: Expression): Problem | null {
  const isPoint = form.kind === "path" && form.source === ".";
  if (form.kind !== "literal" && form.kind !== "number" && !isPoint) return null;
  if (form.kind === "literal" && (form.value === "," || form.value === ".")) return null;
  return [
    "The argument of 'toNumber' is the sign before the decimals.",
    'Write toNumber(",") for text such as 1.234,50, and toNumber(".") for 1,234.50.',
  ];
}

function patternProblem(form: Expression): Problem | null {
  if (form.kind !== "literal") return null;
  try {
    checkParsed(String(form.value));
    return null;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [
      `The pattern of 'toDate' ${error.message}.`,
      'Write the form that the text has in the data, as in toDate("MM/dd/yyyy").',
    ];
  }
}

/** Returns a pattern without quotes, such as `MM/dd/yyyy`, which reads as a division; null for other values. */
function unquoted(form: Expression): string | null {
  if (form.kind === "path") return form.source;
  if (form.kind !== "compute") return null;
  const [left, right] = [unquoted(form.left), unquoted(form.right)];
  return left === null || right === null ? null : `${left}${form.operator}${right}`;
}
