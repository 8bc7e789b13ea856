import { nearest } from "@quire/contracts";
import type { ExpressionReader } from "./cursor.ts";
import { type Wording, withTags } from "./delimiters/wording.ts";
import type { Expression } from "./grammar/expression.ts";
import { FUNCTIONS, type FunctionSignature, isFunction } from "./grammar/functions.ts";
import { functionMeant } from "./grammar/functions-elsewhere.ts";
import {
  type ArgumentKind,
  isModifier,
  MODIFIERS,
  type ModifierName,
  modifierMeant,
  type Signature,
} from "./grammar/modifier-signatures.ts";
import { spellExpression } from "./grammar/spell.ts";
import { otherLook, styleHint } from "./mistakes/looks.ts";
import { keyMeant } from "./mistakes/merges.ts";
import { isJoinedWord } from "./mistakes/texts.ts";
import { callWithout, methodCall } from "./parse-call.ts";
import { TagSyntaxError, textOf } from "./tokens.ts";

/** An argument of a modifier. A number is kept as its text: `default(1.50)` prints 1.50. */
export interface ModifierArgument {
  /**
   * Whether the argument is in quotes: `number("0")` has a pattern, `number(0)` has a number of decimals. `data`: the
   * value of an expression, as in `currency(invoice.currency)`. It is a string or a number once the tag is evaluated.
   */
  readonly kind: "string" | "number" | "data";
  /** Empty for `data`. */
  readonly value: string;
  /** For `data`. */
  readonly expression?: Expression;
}

/** A modifier as written after `::`, with its arguments. */
export interface ModifierCall {
  readonly name: ModifierName;
  readonly arguments: readonly ModifierArgument[];
}

/** A value with its modifiers. */
export interface Modified {
  /** The value, with the functions that come before the modifiers: `items :: sort(name), limit(3)`. */
  readonly expression: Expression;
  readonly modifiers: readonly ModifierCall[];
}

/** Reads `:: name("argument"), name …` to the end of the tag. Throws {@link TagSyntaxError}. */
export function parseModifiers(parser: ExpressionReader, subject: Expression): Modified {
  const calls: ModifierCall[] = [];
  let expression = subject;
  let isAny = false;
  for (let more = parser.take("::"); more !== null; more = parser.take("::", ",")) {
    isAny = true;
    const name = parser.peek();
    if (name?.kind !== "name" || isModifier(name.text) || !isFunction(`$${name.text}`)) {
      calls.push(parseModifier(parser));
    } else if (calls.length > 0) throw functionAfter(name.text, calls);
    else expression = parseFunction(parser, expression);
  }
  const unread = parser.peek();
  if (isAny && unread?.kind === "name" && isModifier(unread.text)) {
    throw new TagSyntaxError(
      `'${unread.text}' is not expected here.`,
      "Separate modifiers with ','.",
    );
  }
  parser.end();
  checkLastDelimiter(calls);
  return { expression, modifiers: calls };
}

/** Throws for a word before the last value without spaces, as in `delimiter(", "), lastdelimiter("and")`. */
function checkLastDelimiter(calls: readonly ModifierCall[]): void {
  const [last, between] = ["lastdelimiter", "delimiter"].map((name) => {
    return calls.find((call) => call.name === name)?.arguments[0];
  });
  if (last?.kind !== "string" || !isJoinedWord(last.value) || last.value === between?.value) return;
  throw new TagSyntaxError(
    `The delimiter "${last.value}" has no spaces, so it would be joined to the values.`,
    `Write lastdelimiter(" ${last.value} ").`,
  );
}

/** A default from the data is a value like others, `a ?? b`, and is formatted; text in the tag is printed as it is. */
export function withDefault({ expression, modifiers }: Modified): Modified {
  const given = modifiers.find(({ name }) => name === "default");
  const right = given?.arguments[0]?.expression;
  if (right === undefined) return { expression, modifiers };
  return {
    expression: { kind: "fallback", left: expression, right },
    modifiers: modifiers.filter((each) => each !== given),
  };
}

function parseFunction(parser: ExpressionReader, of: Expression): Expression {
  const { text } = parser.next("a function");
  return parser.take("(") === null
    ? callWithout(parser, text, of)
    : parser.nested(() => methodCall(parser, text, of));
}

function functionAfter(name: string, [before]: readonly ModifierCall[]): TagSyntaxError {
  return new TagSyntaxError(
    `The function '${name}' comes after the modifier '${before?.name ?? ""}'.`,
    `Write functions first, because modifiers work on the printed text: :: ${name}(…), ${before?.name ?? ""}.`,
  );
}

function parseModifier(parser: ExpressionReader): ModifierCall {
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
  const given = parser.take("(") === null ? [] : parseArguments(parser, name);
  checkArguments(name, given);
  return { name, arguments: given };
}

/** Returns a hint for an unknown modifier: its equivalent or a similar name. */
function otherModifier(name: string): Wording {
  const ofStyle = styleHint(name) ?? otherLook(name);
  if (ofStyle !== null) return ofStyle;
  const known = modifierMeant(name);
  if (known !== null) {
    const { required, example }: Signature = MODIFIERS[known];
    return required === 0
      ? `Did you mean '${known}'?`
      : `Did you mean '${known}', as in ${known}${example}?`;
  }
  const meant = functionMeant(name);
  if (meant !== null && !isModifier(meant.slice(1))) {
    const { example }: FunctionSignature = FUNCTIONS[meant];
    return `Did you mean the function '${meant.slice(1)}', as in value.${meant.slice(1)}${example}?`;
  }
  if (/^\$?if$/i.test(name))
    return "A look takes its condition in parentheses, as in bold(total > 1000). To print one of two values, write $if(total > 1000, a, b) before '::'.";
  if (/^(?:hide|hidden|show|visible|invisible)$/i.test(name))
    return withTags`To show a value only sometimes, write {{if condition}} … {{endif}}.`;
  const near = nearest(name, Object.keys(MODIFIERS));
  return near === null
    ? "The page card.md of the documentation lists all modifiers, such as number, currency, format, uppercase, default and optional."
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
      severalMeant(name, given),
    );
  }
  const [key] = given;
  if (name === "number" && key?.kind === "number" && /^0{3,}/.test(key.value)) {
    throw new TagSyntaxError("A pattern is text.", `Put it in quotes: number("${key.value}").`);
  }
  if (isMerge(name) && key !== undefined && key.kind !== "data") {
    const [all, each] = name === "merge" ? ["rows", "row"] : ["columns", "column"];
    throw new TagSyntaxError(
      `The key of '${name}' is the same for all ${all}.`,
      keyMeant(name, key.value) ?? `Name a value that each ${each} has: ${name}${example}.`,
    );
  }
  given.forEach(({ kind, value }, index) => {
    if (kind === "data" && name.endsWith("delimiter")) {
      throw new TagSyntaxError(
        `The argument of '${name}' must be text in quotes.`,
        "To join a list with text from the data, write list.join(separator).",
      );
    }
    if (kind === "data") return;
    if (kinds[index] === "string" && kind !== "string") {
      throw new TagSyntaxError(
        `The argument of '${name}' must be text in quotes.`,
        name === "numbering"
          ? NUMBERING
          : `Write ${swappedMeant(name, given) ?? `${name}${example}`}.`,
      );
    }
    if (kinds[index] === "number" && !isCount(value)) {
      throw new TagSyntaxError(
        `The argument of '${name}' must be a whole number.`,
        `Write ${swappedMeant(name, given) ?? `${name}${example}`}.`,
      );
    }
  });
}

const NUMBERING =
  'Write numbering("continue") to continue the list, or numbering("restart") to begin it again. Set its first number in Word.';

/** `currency(0, "EUR")`, `currency(2)` and `truncate("…", 8)`. */
function swappedMeant(
  name: ModifierName,
  [one, other]: readonly ModifierArgument[],
): string | null {
  if (name === "currency" && one?.kind === "number") {
    return `currency(${JSON.stringify(other?.kind === "string" ? other.value : "EUR")}, ${one.value})`;
  }
  return name === "truncate" && one?.kind === "string" && other?.kind === "number"
    ? `truncate(${other.value}, ${JSON.stringify(one.value)})`
    : null;
}

/** `merge(country, city)` and `width("3cm", "4cm")`. */
function severalMeant(name: ModifierName, given: readonly ModifierArgument[]): string | undefined {
  const values = given.map(({ value, expression }) => {
    return expression === undefined ? JSON.stringify(value) : spellExpression(expression);
  });
  if (name === "default" && values.length > 1) {
    // Text in quotes is never missing, so it comes last.
    const isText = (value: string): boolean => value.startsWith('"');
    const inTurn = [...values.filter((each) => !isText(each)), ...values.filter(isText)];
    return `To try several values in turn, write ?? between them, in place of 'default': value ?? ${inTurn.join(" ?? ")}.`;
  }
  if (isMerge(name) && values.length > 1)
    return `Join several values to one: ${name}($concat(${values.join(', "/", ')})).`;
  if (name !== "width" || values.length !== 2) return undefined;
  return `Write width(${values[0]}), height(${values[1]}).`;
}

/** Whether a modifier merges cells with equal values. */
export function isMerge(name: ModifierName): name is "merge" | "mergeAcross" {
  return name === "merge" || name === "mergeAcross";
}

/** Whether a string is a whole number that an argument may have. */
export function isCount(text: string): boolean {
  return /^\d{1,6}$/.test(text);
}

function parseArguments(parser: ExpressionReader, name: ModifierName): ModifierArgument[] {
  const kinds: readonly ArgumentKind[] = MODIFIERS[name].arguments;
  const values: ModifierArgument[] = [];
  const opened = parser.begun();
  if (parser.take(")") !== null) return values;
  do {
    const isCondition = kinds[values.length] === "condition";
    const start = parser.at;
    const expression = isCondition ? parser.condition() : parser.value();
    if (expression.kind === "compute" && values.length === 0 && OF_NAMES.has(name)) {
      throw new TagSyntaxError(
        `The argument of '${name}' must be text in quotes.`,
        `Write ${name}("${textOf(parser.lexemes.slice(start, parser.at))}").`,
      );
    }
    values.push(isCondition ? { kind: "data", value: "", expression } : argumentOf(expression));
  } while (parser.take(",") !== null);
  parser.close(opened);
  return values;
}

/** Modifiers whose first argument is never a number: a name with `-` or `/` in it has no quotes. */
const OF_NAMES: ReadonlySet<ModifierName> = new Set([
  ...(["format", "locale", "timeZone", "currency", "barcode", "fit"] as const),
  ...(["color", "fill", "style", "numbering"] as const),
]);

function argumentOf(expression: Expression): ModifierArgument {
  if (expression.kind === "number") return { kind: "number", value: expression.text };
  if (expression.kind === "literal" && typeof expression.value === "string") {
    return { kind: "string", value: expression.value };
  }
  if (expression.kind === "negate" && expression.operand.kind === "number") {
    return { kind: "number", value: `-${expression.operand.text}` };
  }
  if (expression.kind !== "literal") return { kind: "data", value: "", expression };
  throw new TagSyntaxError(
    `'${expression.value}' cannot be an argument.`,
    "Arguments are numbers, text in quotes or paths.",
  );
}
