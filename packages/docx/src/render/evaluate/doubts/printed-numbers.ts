import { decimalPlaces, decimalText, isDecimal, toDecimal } from "../../../format/decimal.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { spellExpression, spellOperand } from "../../../language/grammar/spell.ts";
import type { TextOp } from "../../../program/tag-ops.ts";
import { isBeforePercent, textAfter } from "../../../program/text-after.ts";
import { formats, hasModifier } from "../../../values/modifiers.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";

type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** The fault of a printed number: the message about its tag, the hint, and the code. */
type Doubt = readonly [message: string, hint: Wording, code?: string];

/** Warns about a number that is probably printed in another form than its author means. */
export function checkPrintedNumber(tag: Valued, value: unknown, diagnostics: Diagnostics): void {
  const doubt =
    aboutYears(tag, value) ??
    (hasModifier(tag.modifiers, "number")
      ? aboutFormatted(tag, value)
      : formats(tag.modifiers)
        ? null
        : (aboutTruncated(tag, value) ?? aboutPlain(tag, value)));
  if (doubt === null) return;
  const [message, hint, code = "doubtful_sign"] = doubt;
  diagnostics.warn(tag.origin, code, message, undefined, () => hint);
}

/** `$today.yearsUntil(born)` */
function aboutYears({ origin, expression }: Valued, value: unknown): Doubt | null {
  if (expression.kind !== "call" || expression.name !== "$yearsUntil") return null;
  const [from, to] = expression.arguments;
  if (from === undefined || to === undefined || !(Number(value) < 0)) return null;
  if (from.kind !== "moment" && to.kind !== "moment") return null;
  const meant = spellExpression({ ...expression, arguments: [to, from] });
  return [
    `The tag ${origin.text} prints a negative number of years, because the second date is before the first.`,
    withTags`Write {{${meant}}}.`,
    "doubtful_computation",
  ];
}

/** Number of decimals that nobody wants to read. */
const MANY_DECIMALS = 10;

/** Names of rates that are fractions: 0.19 for 19%. */
const RATE =
  /(?:^|_)(?:vat|tax|mwst|ust|tva|iva|btw|discount|rabatt|remise|share|ratio|progress|done|completion|quota)(?:_?rate)?$/i;
/** Matches a currency after a tag. */
const CURRENCY = /^\s?(?:\p{Sc}|(?:EUR|USD|CHF|GBP)(?!\p{L}))/u;

/** `{{total :: truncate(2)}}` cuts the digits of a number. */
function aboutTruncated({ origin, expression, modifiers }: Valued, value: unknown): Doubt | null {
  const places = modifiers.find(({ name }) => name === "truncate")?.arguments[0]?.value;
  const number = typeof value === "string" ? null : toDecimal(value);
  if (places === undefined || number === null || decimalText(number).length <= Number(places))
    return null;
  return [
    `In the tag ${origin.text}, 'truncate' shortens the digits of a number as text.`,
    withTags`To leave out decimals write {{${spellOperand(expression)}.round(${places}, "down")}}.`,
  ];
}

function aboutPlain({ origin, expression }: Valued, value: unknown): Doubt | null {
  const isFraction = typeof value === "number" && value > 0 && value < 1;
  if (!isDecimal(value) && !(isFraction && RATE.test(lastName(expression)))) return null;
  const { text } = origin;
  if (isDecimal(value) && decimalPlaces(value) > MANY_DECIMALS) {
    return [
      `The tag ${text} prints a result with ${decimalPlaces(value)} decimals.`,
      withTags`To print two of them, write {{${spellExpression(expression)} :: number(2)}}.`,
      "many_decimals",
    ];
  }
  if (!isDecimal(value)) {
    if (!isBeforePercent(origin)) return null;
    return [
      `The tag ${text} prints a fraction before a percent sign: 0.19 is 19%.`,
      withTags`Write {{${spellExpression(expression)} :: percent}} without the sign after it.`,
    ];
  }
  const places = placesOf(expression);
  if (places === null || decimalPlaces(value) >= places) return null;
  if (!CURRENCY.test(textAfter(origin))) return null;
  return [
    `The tag ${text} prints fewer decimals than it rounds to, because 'round' gives a number: 12.50 is 12.5.`,
    withTags`To print ${String(places)} decimals, write {{${spellExpression(roundedIn(expression))} :: number(${String(places)})}}.`,
  ];
}

/** Returns the places of `total.round(2)`, or null. */
function placesOf(expression: Expression): number | null {
  if (expression.kind !== "call" || expression.name !== "$round") return null;
  const [, places] = expression.arguments;
  return places?.kind === "number" && /^[1-9]$/.test(places.text) ? Number(places.text) : null;
}

function roundedIn(expression: Expression): Expression {
  const [of] = expression.kind === "call" ? expression.arguments : [];
  return of ?? expression;
}

/** Names of years, and the forms of numbers that separate thousands. */
const YEAR = /(?:^|_)(?:year|jahr|annee|année|anno|año|ano|jaar)$|Year$|Jahr$/;

function aboutFormatted({ origin, expression, modifiers }: Valued, value: unknown): Doubt | null {
  const { text } = origin;
  if (typeof value === "string") {
    if (!/^\s*0\d+\s*$/.test(value)) return null;
    return [
      `The tag ${text} prints text that begins with 0 as a number, without the 0.`,
      withTags`For a code such as a zip code write {{${spellExpression(expression)}}}.`,
    ];
  }
  if (typeof value !== "number" || value < 1800 || value > 2200) return null;
  const given = modifiers.find((call) => call.name === "number")?.arguments[0];
  const isGrouped = given === undefined || given.kind === "number" || given.value.includes(",");
  const isYear =
    (expression.kind === "call" && /^\$(?:year|weekYear)$/.test(expression.name)) ||
    YEAR.test(lastName(expression));
  if (!isGrouped || !isYear || !Number.isInteger(value)) return null;
  return [
    `The tag ${text} prints a year with a separator between thousands, as in 2,026.`,
    withTags`Write {{${spellExpression(expression)}}}.`,
  ];
}

function lastName(expression: Expression): string {
  return expression.kind === "path" ? (expression.rest.at(-1) ?? expression.head ?? "") : "";
}
