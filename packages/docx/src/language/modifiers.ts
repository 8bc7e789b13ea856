import { nearest } from "@quire/contracts";
import {
  isModifier,
  MODIFIERS,
  type ModifierName,
  modifierMeant,
  type Signature,
} from "./modifier-signatures.ts";
import type { ExpressionParser } from "./parse-expression.ts";
import { TagSyntaxError } from "./tokens.ts";

/** An argument of a modifier. A number is kept as its text: `default(1.50)` prints 1.50. */
export interface ModifierArgument {
  /** Whether the argument is in quotes: `number("0")` has a pattern, `number(0)` has a number of decimals. */
  readonly kind: "string" | "number";
  readonly value: string;
}

/** A modifier as written after `::`, with literal arguments. */
export interface ModifierCall {
  readonly name: ModifierName;
  readonly arguments: readonly ModifierArgument[];
}

/** Reads `:: name("argument"), name …` to the end of the tag. Throws {@link TagSyntaxError}. */
export function parseModifiers(parser: ExpressionParser): ModifierCall[] {
  const calls: ModifierCall[] = [];
  for (let more = parser.take("::"); more !== null; more = parser.take("::", ",")) {
    calls.push(parseModifier(parser));
  }
  const unread = parser.peek();
  if (calls.length > 0 && unread?.kind === "name" && isModifier(unread.text)) {
    throw new TagSyntaxError(
      `'${unread.text}' is not expected here.`,
      "Separate modifiers with ','.",
    );
  }
  parser.end();
  return calls;
}

function parseModifier(parser: ExpressionParser): ModifierCall {
  const name = parser.next("a modifier").text;
  if (!isModifier(name)) {
    throw new TagSyntaxError(`There is no modifier '${name}'.`, otherModifier(name));
  }
  const next = parser.peek();
  if (
    MODIFIERS[name].arguments.length > 0 &&
    (next?.kind === "string" || next?.kind === "number")
  ) {
    throw new TagSyntaxError(
      `The argument of '${name}' must be in parentheses.`,
      `Write ${name}(${next.text}).`,
    );
  }
  const given = parser.take("(") === null ? [] : parseArguments(parser);
  checkArguments(name, given);
  return { name, arguments: given };
}

/** Returns a hint for an unknown modifier: its equivalent or a similar name. */
function otherModifier(name: string): string {
  const known = modifierMeant(name);
  if (known !== null) {
    const { required, example }: Signature = MODIFIERS[known];
    return required === 0
      ? `Did you mean '${known}'?`
      : `Did you mean '${known}', as in ${known}${example}?`;
  }
  const near = nearest(name, Object.keys(MODIFIERS));
  return near === null
    ? `The modifiers are ${Object.keys(MODIFIERS).join(", ")}.`
    : `Did you mean '${near}'?`;
}

function checkArguments(name: ModifierName, given: readonly ModifierArgument[]): void {
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
      throw new TagSyntaxError(`The argument of '${name}' must be text in quotes.`);
    }
    if (kinds[index] === "number" && !/^\d{1,6}$/.test(value)) {
      throw new TagSyntaxError(
        `The argument of '${name}' must be a whole number.`,
        `Write ${name}${example}.`,
      );
    }
  });
}

function parseArguments(parser: ExpressionParser): ModifierArgument[] {
  const values: ModifierArgument[] = [];
  const opened = parser.begun();
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
        "Arguments are numbers or text in quotes.",
      );
    }
  } while (parser.take(",") !== null);
  parser.close(opened);
  return values;
}
