import { type DateField, readDatePattern } from "../../format/date-pattern.ts";
import { toDecimal } from "../../format/decimal.ts";
import { isDatePattern, isDateStyle } from "../../format/format-date.ts";
import { readDate } from "../../format/read-date.ts";
import type { CallExpression, Expression } from "../grammar/expression.ts";
import type { FunctionName } from "../grammar/functions.ts";

/** The text that a function makes of a value, such as `total.number(2)`. */
export interface FormattedText {
  readonly call: CallExpression;
  /**
   * Whether the text can be read as a number: `no` for `1,250.00 €`, `small` for text that may have separators between
   * thousands.
   */
  readonly asNumber: "no" | "small" | "yes";
  /** Whether the text can be read as a date. */
  readonly isDate: boolean;
  /**
   * Whether such texts have the order of their values: by their letters, as `date.format("yyyy-MM")` does, or only if
   * their figures count by size, as in `date.format("yyyy-M")`.
   */
  readonly order: "no" | "figures" | "letters";
}

type Text = Omit<FormattedText, "call">;

/** The functions whose result is never a number or a date. */
const MAKE_TEXT: ReadonlySet<FunctionName> = new Set([
  ...(["$currency", "$percent", "$words", "$ordinalWords", "$roman", "$letter"] as const),
]);
const NEITHER: Text = { asNumber: "no", isDate: false, order: "no" };
const GROUPED: Text = { ...NEITHER, asNumber: "small" };
const PLAIN: Text = { asNumber: "yes", isDate: false, order: "letters" };

/** Returns the text that an expression certainly makes of a value; null for other expressions. */
export function formattedText(expression: Expression): FormattedText | null {
  if (expression.kind === "fallback") return formattedText(expression.left);
  const text = expression.kind === "call" ? textOf(expression) : null;
  return text === null ? null : { ...text, call: expression as CallExpression };
}

function textOf({ name, arguments: [of, form] }: CallExpression): Text | null {
  if (of === undefined) return null;
  if (MAKE_TEXT.has(name)) return NEITHER;
  if (name === "$number") {
    if (form === undefined || form.kind === "number") return GROUPED;
    if (form.kind !== "literal") return null;
    return /^[#0]+(?:\.[#0]+)?$/.test(String(form.value)) ? PLAIN : GROUPED;
  }
  return name === "$format" && form?.kind === "literal" ? textOfPattern(String(form.value)) : null;
}

/** Returns the text of a pattern of `format`. Masks, and styles with figures in some languages, may be anything. */
function textOfPattern(pattern: string): Text | null {
  if (/x/i.test(pattern)) return null;
  if (/^\s*(?:us|eu)-number\s*$/i.test(pattern)) return GROUPED;
  if (isDateStyle(pattern)) return /long|full/i.test(pattern) ? NEITHER : null;
  if (!isDatePattern(pattern)) return null;
  const { parts } = readDatePattern(pattern);
  const fields = parts.filter((part) => typeof part === "string");
  const example = parts.map((part) => (typeof part === "string" ? exampleOf(part) : part.text));
  const text = example.join("");
  const isDate = !("problem" in readDate(text, null, "UTC"));
  return {
    asNumber: toDecimal(text) === null ? "no" : "yes",
    isDate,
    order: isDate ? "letters" : orderOf(fields),
  };
}

/** The parts of a date in figures, from the largest. */
const FIGURES = "yMdHmsS";

function isFigure(field: DateField): boolean {
  return FIGURES.includes(field.charAt(0)) && field !== "MMM" && field !== "MMMM";
}

function exampleOf(field: DateField): string {
  if (field === "Z") return "+01:00";
  if (field === "yyyy") return "2026";
  return isFigure(field) || field.startsWith("h") ? "11" : "Nov";
}

/** Returns the order of dates in figures: the larger parts come first, as in `MM-dd`. */
function orderOf(fields: readonly DateField[]): FormattedText["order"] {
  const sizes = fields.map((field) => FIGURES.indexOf(field.charAt(0)));
  const isFalling = sizes.every((size, at) => at === 0 || size > (sizes[at - 1] ?? size));
  if (!isFalling || !fields.every(isFigure)) return "no";
  return fields.length === 1 || fields.every((field) => field.length > 1) ? "letters" : "figures";
}

/** Returns an expression with the value itself in place of the text that a function makes of it. */
export function unformatted(expression: Expression): Expression {
  if (expression.kind === "fallback") return { ...expression, left: unformatted(expression.left) };
  const text = formattedText(expression);
  return text?.call.arguments[0] ?? expression;
}
