import type { Expression } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { isEmpty } from "./compare/compare.ts";
import type { Doubt, Evaluation } from "./context/evaluation.ts";
import { placeOf } from "./context/pointers.ts";

/** Records text of spaces only, which counts as true. `without`: names an operator to leave out, for the hint. */
export function noteBlank(expression: Expression, env: Evaluation, without = ""): void {
  const name = expression.kind === "path" ? expression.source : "name";
  push(expression, env, {
    message: (tag) =>
      `The tag ${tag} treats text of spaces as true: only empty text counts as false.`,
    hint: `Write ${name}.trim() ${without === "" ? `in place of ${name}` : without}, or give empty text in the data.`,
  });
}

/** Maximum length of HTML that is checked for text. */
const MAX_MARKUP = 80;
/** Matches HTML that shows nothing, as editors save it for an empty field. */
const EMPTY_MARKUP =
  /^(?:\s|&nbsp;|&#160;|<\/?(?:p|div|br|span|b|i|u|em|strong|font|h[1-6])(?:\s[^<>]*)?\/?>)+$/i;

/** Whether a value is HTML without text, such as `<p><br></p>`. */
export function isEmptyMarkup(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_MARKUP) return false;
  return /^\s*[<&]/.test(value) && EMPTY_MARKUP.test(value);
}

/** Returns how to write a value so that HTML without text becomes empty text; null for HTML with attributes. */
export function withoutMarkup(name: string, value: string): string | null {
  return /["'=\\\n]/.test(value) ? null : `${name}.replace("${value}", "")`;
}

/** Records HTML without text in a test of a value. `test`: the word that tests it, or `""`. */
export function noteEmptyMarkup(
  expression: Expression,
  value: unknown,
  env: Evaluation,
  test: "" | "isPresent" | "isEmpty" | '!= ""' | '== ""' = "",
): void {
  if (!isEmptyMarkup(value)) return;
  const name = expression.kind === "path" ? expression.source : spellExpression(expression);
  const form = withoutMarkup(name, value);
  const rest = test === "" || test === "isPresent" ? "" : ` ${test}`;
  const written = test === "" ? name : `${name} ${test}`;
  push(expression, env, {
    // The tag compares with this HTML, or replaces it.
    unlessWritten: value,
    message: (tag) =>
      `In the tag ${tag}, '${name}' is HTML without text, which is not empty: editors save it for an empty field.`,
    hint:
      form === null
        ? "Give empty text in the data in its place."
        : `Write ${form}${rest} in place of ${written}, or give empty text in the data.`,
  });
}

/** Records HTML without text that is compared with `""`. `one`: the value of the left side. */
export function noteMarkupCompared(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  env: Evaluation,
): void {
  if (right.kind !== "literal" || right.value !== "") return;
  if (operator === "==" || operator === "!=") noteEmptyMarkup(left, one, env, `${operator} ""`);
}

/** Whether a value is empty. Records HTML without text, which is not. */
export function hasNothing(operand: Expression, value: unknown, env: Evaluation): boolean {
  noteEmptyMarkup(operand, value, env, "isEmpty");
  return isEmpty(value);
}

function push(
  expression: Expression,
  env: Evaluation,
  said: Pick<Doubt, "message" | "hint" | "unlessWritten">,
): void {
  const place = placeOf(expression, env);
  const pointers = place === undefined ? [] : [place];
  env.doubts.push({ code: "text_as_condition", ...said, pointers, isMissing: false });
}
