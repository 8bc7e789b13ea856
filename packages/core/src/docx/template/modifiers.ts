import type { ExpressionParser } from "./parse-expression.ts";
import { nearest } from "./suggest.ts";
import { TagSyntaxError } from "./tokens.ts";

/** What an argument must be: a text in quotes, a whole number, or either of them. */
type ArgumentKind = "string" | "number" | "text";

interface Signature {
  readonly arguments: readonly ArgumentKind[];
  /** How many of the arguments must be there. */
  readonly required: number;
  /** An example for messages. */
  readonly example: string;
}

/** What each modifier takes. */
const MODIFIERS = {
  optional: takes(),
  default: takes('("text")', ["text"]),
  uppercase: takes(),
  lowercase: takes(),
  capitalize: takes(),
  trim: takes(),
  truncate: takes("(20)", ["number", "string"], 1),
  format: takes('("dd-mm-yyyy")', ["string"]),
  number: takes('("#,##0.00")', ["text"], 0),
  currency: takes('("EUR")', ["string"]),
  percent: takes("(1)", ["number"], 0),
  delimiter: takes('(", ")', ["string"]),
  lastdelimiter: takes('(" and ")', ["string"]),
  html: takes(),
  markdown: takes(),
  text: takes(),
  link: takes('("label")', ["string"], 0),
  checkbox: takes(),
  width: takes('("4cm")', ["string"]),
  height: takes('("3cm")', ["string"]),
  fit: takes('("contain")', ["string"], 0),
  qrcode: takes(),
  barcode: takes('("code128")', ["string"], 0),
} as const satisfies Record<string, Signature>;

/** The name of a modifier that the language has. */
export type ModifierName = keyof typeof MODIFIERS;

/** A modifier as written after `::`, with literal arguments; a number is the text that spells it. */
export interface ModifierCall {
  readonly name: ModifierName;
  readonly arguments: readonly string[];
}

function takes(
  example = "",
  kinds: readonly ArgumentKind[] = [],
  required = kinds.length,
): Signature {
  return { arguments: kinds, required, example };
}

/** Reads `:: name("argument"), name …` to the end of the tag. Throws {@link TagSyntaxError}. */
export function parseModifiers(parser: ExpressionParser): ModifierCall[] {
  const calls: ModifierCall[] = [];
  for (let more = parser.take("::"); more !== null; more = parser.take("::", ",")) {
    calls.push(parseModifier(parser));
  }
  parser.end();
  return calls;
}

function parseModifier(parser: ExpressionParser): ModifierCall {
  const name = parser.next("a modifier").text;
  if (!isModifier(name)) {
    const near = nearest(name, Object.keys(MODIFIERS));
    throw new TagSyntaxError(
      `There is no modifier '${name}'.`,
      near === null
        ? `The modifiers are ${Object.keys(MODIFIERS).join(", ")}.`
        : `Did you mean '${near}'?`,
    );
  }
  const given = parser.take("(") === null ? [] : parseArguments(parser);
  checkArguments(name, given);
  return { name, arguments: given.map(({ value }) => value) };
}

function isModifier(name: string): name is ModifierName {
  return Object.hasOwn(MODIFIERS, name);
}

function checkArguments(name: ModifierName, given: readonly Argument[]): void {
  const { arguments: kinds, required, example }: Signature = MODIFIERS[name];
  if (given.length < required || given.length > kinds.length) {
    const wanted = required === kinds.length ? `${required}` : `${required} to ${kinds.length}`;
    throw new TagSyntaxError(
      kinds.length === 0
        ? `The modifier '${name}' takes no argument.`
        : `The modifier '${name}' takes ${wanted} argument${kinds.length === 1 ? "" : "s"}, for example ${name}${example}.`,
    );
  }
  given.forEach(({ kind, value }, index) => {
    if (kinds[index] === "string" && kind !== "string") {
      throw new TagSyntaxError(`The argument of '${name}' must be a text in quotes.`);
    }
    if (kinds[index] === "number" && !/^\d{1,6}$/.test(value)) {
      throw new TagSyntaxError(
        `The argument of '${name}' must be a whole number.`,
        `Write ${name}${example}.`,
      );
    }
  });
}

/** An argument, and whether it is written in quotes. */
interface Argument {
  readonly kind: "string" | "number";
  readonly value: string;
}

function parseArguments(parser: ExpressionParser): Argument[] {
  const values: Argument[] = [];
  if (parser.take(")") !== null) return values;
  do {
    const sign = parser.take("-") ?? "";
    const lexeme = parser.next("an argument");
    if (lexeme.kind === "number") {
      values.push({ kind: "number", value: `${sign}${lexeme.text}` });
    } else if (lexeme.kind === "string" && sign === "") {
      values.push({ kind: "string", value: lexeme.value });
    } else {
      throw new TagSyntaxError(
        `'${lexeme.text}' cannot be an argument.`,
        "Arguments are numbers or texts in quotes.",
      );
    }
  } while (parser.take(",") !== null);
  if (parser.take(")") === null) throw new TagSyntaxError("A '(' is not closed.");
  return values;
}
