import { patternOfDate } from "../../format/text-forms.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";

/**
 * Returns a sentence about a list with dates in two forms, of which a pattern reads one; empty if both forms have the same
 * signs. `meant`: how to read the other form, if Quire needs a function. `written`: the date as the tag names it.
 */
export function severalForms(
  written: string,
  pattern: string,
  { text, meant }: { readonly text: string; readonly meant: string | null },
): string {
  const [given, other] = [read(written, pattern), read(written, meant)];
  const ofPattern = signOnlyIn(pattern, text);
  const ofText = signOnlyIn(text, pattern);
  const choice =
    ofPattern === undefined
      ? ofText && `"${ofText}", ${other}, ${given}`
      : `"${ofPattern}", ${given}, ${other}`;
  return choice === undefined
    ? ""
    : ` If the list has dates in several forms, write all as 2026-11-20 in the data, or choose by a sign: write $if(${written} contains ${choice}) in place of ${given}.`;
}

/**
 * Returns the last result of `$if(due contains "/", due.toDate("MM/dd/yyyy"), due)` as it reads text of another form,
 * and this result as written; null for other expressions.
 */
export function otherForm(
  expression: Expression,
  text: string,
  locale: string,
): { readonly result: string; readonly meant: string } | null {
  if (expression.kind !== "call" || expression.name !== "$if") return null;
  const [, one, other] = expression.arguments;
  if (one?.kind !== "call" || one.name !== "$toDate" || other === undefined) return null;
  if (other.kind !== "path") return otherForm(other, text, locale);
  const pattern = patternOfDate(text, locale);
  const sign = pattern === null ? undefined : signOnlyIn(text, "2026-11-20");
  if (sign === undefined) return null;
  const result = spellExpression(other);
  return {
    result,
    meant: `$if(${result} contains "${sign}", ${read(result, pattern)}, ${result})`,
  };
}

/** Returns the call that reads a date in a form; null for a date that needs none. */
function read(written: string, form: string | null): string {
  return form === null ? written : `${written}.toDate("${form}")`;
}

function signOnlyIn(form: string, other: string): string | undefined {
  return ["/", ".", " ", "-"].find((sign) => form.includes(sign) && !other.includes(sign));
}
