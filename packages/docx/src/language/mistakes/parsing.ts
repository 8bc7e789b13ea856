import { checkParsed } from "../../format/parse-date.ts";
import { PatternError } from "../../format/pattern-text.ts";
import type { Expression } from "../grammar/expression.ts";
import type { FunctionName } from "../grammar/functions.ts";
import { TagSyntaxError } from "../tokens.ts";

/** Throws for `toDate(MM/dd/yyyy)`. */
function checkQuoted(name: FunctionName, form: Expression): void {
  const text = name === "$toDate" ? unquoted(form) : null;
  if (text === null || !/^(?:[dDMyYhHms]{1,4}[./:-]?)+$/.test(text)) return;
  throw new TagSyntaxError(
    "The pattern of 'toDate' is text.",
    `Put it in quotes: toDate("${text}").`,
  );
}

function unquoted(form: Expression): string | null {
  if (form.kind === "path") return form.source;
  if (form.kind !== "compute") return null;
  const [left, right] = [unquoted(form.left), unquoted(form.right)];
  return left === null || right === null ? null : `${left}${form.operator}${right}`;
}

/** Throws {@link TagSyntaxError} for a fixed pattern or decimal sign with which text can never be read. */
export function checkParsing(name: FunctionName, form: Expression | undefined): void {
  if (form !== undefined) checkQuoted(name, form);
  if (form?.kind !== "literal") return;
  const given = String(form.value);
  if (name === "$toNumber" && given !== "," && given !== ".") {
    throw new TagSyntaxError(
      "The argument of 'toNumber' is the sign before the decimals.",
      'Write toNumber(",") for text such as 1.234,50, and toNumber(".") for 1,234.50.',
    );
  }
  if (name !== "$toDate") return;
  try {
    checkParsed(given);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new TagSyntaxError(
      `The pattern of 'toDate' ${error.message}.`,
      'Write the form that the text has in the data, as in toDate("MM/dd/yyyy").',
    );
  }
}
