import { withTags } from "./delimiters/wording.ts";
import { checkDecimals } from "./fixed-arguments.ts";
import { formattedText, unformatted } from "./formatted/formatted-text.ts";
import type { CallExpression, Expression } from "./grammar/expression.ts";
import type { FunctionName } from "./grammar/functions.ts";
import type { ModifierName } from "./grammar/modifier-signatures.ts";
import { spellExpression } from "./grammar/spell.ts";
import { written } from "./literal-conditions.ts";
import { columnMeant, isLook, lookTarget } from "./looks.ts";
import type { ModifierCall } from "./modifiers.ts";
import { spellModifier, spellModifiers } from "./spell-modifiers.ts";
import { TagSyntaxError } from "./tokens.ts";

/** The functions whose result is a part of a date, as a number. */
const PARTS_OF_DATES: ReadonlySet<FunctionName> = new Set([
  ...([
    "$year",
    "$month",
    "$day",
    "$hour",
    "$minute",
    "$weekday",
    "$week",
    "$quarter",
    "$weekYear",
  ] as const),
]);
/** The functions whose result is the text for a number. */
const WORDS: ReadonlySet<FunctionName> = new Set(["$words", "$ordinalWords", "$ordinal", "$roman"]);
const OF_NUMBERS: ReadonlySet<ModifierName> = new Set(["number", "currency", "percent"]);

/** Modifiers of which one tag has at most one: each group is one choice. */
const CHOICES: readonly (readonly ModifierName[])[] = [
  ["number", "currency", "percent"],
  ["qrcode", "barcode"],
  ...(["locale", "timeZone", "default", "link", "width", "height", "fit"] as const).map(alone),
  ["merge", "mergeAcross"],
  ...(["fill", "color", "style", "numbering", "span", "shrink"] as const).map(alone),
  ...(["delimiter", "lastdelimiter", "truncate"] as const).map(alone),
];

function alone(name: ModifierName): readonly ModifierName[] {
  return [name];
}

/** Throws if a tag makes the same choice twice, because only one of them could have an effect. */
function checkChoices(modifiers: readonly ModifierCall[]): void {
  for (const names of CHOICES) {
    const [first, second] = modifiers.filter(({ name }) => names.includes(name));
    if (first === undefined || second === undefined) continue;
    const [one, other] = [first.name, second.name];
    if (one !== other) {
      throw new TagSyntaxError(
        `The tag has both '${one}' and '${other}'.`,
        `Write only one of '${one}' and '${other}'.`,
      );
    }
    throw new TagSyntaxError(
      `The tag has '${one}' more than once.`,
      one === "color" || one === "fill" || one === "style"
        ? `Choose by the data, as in ${one}($if(total < 0, "A", "B")).`
        : "Write it once, or write two tags.",
    );
  }
}

/** Throws for `qrcode, link("Pay")`: a tag prints a picture or text with a link. */
function checkLinkedCode(of: Expression, modifiers: readonly ModifierCall[]): void {
  const code = modifiers.find(({ name }) => name === "qrcode" || name === "barcode");
  const link = modifiers.find(({ name }) => name === "link");
  if (code === undefined || link === undefined) return;
  const ofLink = modifiers.filter(({ name }) => name !== code.name && !OF_PICTURES.has(name));
  const ofCode = modifiers.filter((call) => call !== link && !isLook(call.name));
  throw new TagSyntaxError(
    `The tag has both '${code.name}' and 'link', but it can print only one of them.`,
    withTags`Write two tags: {{${tagOf(of, ofCode)}}} and {{${tagOf(of, ofLink)}}}.`,
  );
}

const OF_PICTURES: ReadonlySet<ModifierName> = new Set(["width", "height", "fit"]);

/** Throws if a tag has several conditions for its look, or a condition without a look. */
function checkWhen(of: Expression, calls: readonly ModifierCall[]): void {
  const conditions = calls.filter(({ name }) => name === "when").length;
  if (conditions === 0) return;
  if (conditions > 1) {
    throw new TagSyntaxError(
      "The tag has 'when' more than once, but it counts for the whole tag.",
      'Choose by the data, as in color($if(total < 0, "red", "green")), or give a condition to bold, italic, underline or strike: bold(total > 100).',
    );
  }
  if (calls.some(({ name }) => name !== "when" && isLook(name))) return;
  if (lookTarget(of, calls) === "column") return;
  throw new TagSyntaxError(
    "'when' says when a look applies, but the tag has none.",
    columnMeant(of, widthWhen(calls)) ??
      withTags`To show a value only sometimes, write {{if condition}} … {{endif}}.`,
  );
}

/** Returns the width and the condition of a tag, as written; null without a width. */
function widthWhen(calls: readonly ModifierCall[]): string | null {
  const [width, when] = (["width", "when"] as const).map((name) =>
    calls.find((call) => call.name === name),
  );
  const condition = when?.arguments[0]?.expression;
  const test = (condition === undefined ? null : written(condition)) ?? "condition";
  return width === undefined ? null : `${spellModifier(width)}, when(${test})`;
}

/** Throws for `number(0.00)`, which would print no decimals. */
function checkPlaces(modifiers: readonly ModifierCall[]): void {
  for (const {
    name,
    arguments: [places],
  } of modifiers) {
    if (name !== "number" && name !== "percent") continue;
    if (places?.kind === "number") checkDecimals(name, places.value);
  }
}

/**
 * Throws for a modifier that can never format its value, such as the number of a month as a date. Otherwise, the message
 * would blame the data.
 */
export function checkFormats(expression: Expression, modifiers: readonly ModifierCall[]): void {
  checkWhen(expression, modifiers);
  checkChoices(modifiers);
  checkLinkedCode(expression, modifiers);
  checkPlaces(modifiers);
  if (expression.kind === "call") {
    checkResult(expression.name, expression.arguments[0], modifiers);
    checkPadded(expression, modifiers);
    checkPart(expression, modifiers);
  }
  checkText(expression, modifiers);
  modifiers.forEach((call, index) => {
    const other = modifiers
      .slice(index + 1)
      .find((each) => OF_NUMBERS.has(each.name) || (each.name === "format" && isDatePattern(each)));
    if (other?.name === "format" && isDatePattern(call)) throw twoPatterns();
    const isText =
      call.name === "currency" || call.name === "percent" || (isDatePattern(call) && isFull(call));
    if (isText && other !== undefined) throw formattedTwice(call.name, other.name);
  });
}

/** Whether a modifier formats a date by a pattern. A pattern with `x` is a mask for any value. */
function isDatePattern({ name, arguments: [pattern] }: ModifierCall): boolean {
  return name === "format" && pattern?.kind === "string" && !/x|number/i.test(pattern.value);
}

/** Whether a pattern has three parts, so that its result is certainly not a number. */
function isFull({ arguments: [pattern] }: ModifierCall): boolean {
  return /[a-z]+[^a-z]+[a-z]+[^a-z]+[a-z]/i.test(pattern?.value ?? "");
}

function checkResult(
  name: FunctionName,
  of: Expression | undefined,
  modifiers: readonly ModifierCall[],
): void {
  const isPart = PARTS_OF_DATES.has(name);
  const wrong = modifiers.find((call) => {
    return isPart ? isDatePattern(call) : WORDS.has(name) && OF_NUMBERS.has(call.name);
  });
  if (wrong === undefined) return;
  const value = (of === undefined ? null : written(of)) ?? (isPart ? "date" : "total");
  throw new TagSyntaxError(
    isPart
      ? `The function '${name.slice(1)}' gives a number, but the modifier 'format' needs a date.`
      : `The function '${name.slice(1)}' gives text, but the modifier '${wrong.name}' needs a number.`,
    withTags`${isPart ? "" : `Leave out '${wrong.name}', or write `}${isPart ? "Write " : ""}{{${value} :: ${spellModifier(wrong)}}}.`,
  );
}

/** Throws for a format after the function of a format: `total.number(2) :: currency("EUR")`. */
function checkText(expression: Expression, modifiers: readonly ModifierCall[]): void {
  const text = formattedText(expression);
  if (text === null) return;
  const wrong = modifiers.find((call) => {
    if (OF_NUMBERS.has(call.name)) return text.asNumber !== "yes";
    // A pattern may show the order of day and month.
    return isDatePattern(call) && text.asNumber === "no" && text.call.name !== "$format";
  });
  if (wrong === undefined) return;
  const needed = wrong.name === "format" ? "date" : "number";
  throw new TagSyntaxError(
    `The function '${text.call.name.slice(1)}' gives text, but the modifier '${wrong.name}' needs a ${needed}.`,
    withTags`Use the value itself: {{${tagOf(unformatted(expression), modifiers)}}}.`,
  );
}

/** Throws for `total.padStart(12, "*") :: number(2)`, which loses its padding. */
function checkPadded(call: CallExpression, modifiers: readonly ModifierCall[]): void {
  const format = modifiers.find(({ name }) => OF_NUMBERS.has(name));
  const [of, ...given] = call.arguments;
  if (format === undefined || of === undefined || !/^\$pad/.test(call.name)) return;
  const formatted = asCall(spellExpression(of), spellModifier(format));
  const padding = given.map(spellExpression).join(", ");
  const padded = `${formatted}.${call.name.slice(1)}(${padding})`;
  const others = modifiers.filter((each) => each !== format);
  const tag = others.length === 0 ? padded : `${padded} :: ${spellModifiers(others)}`;
  throw new TagSyntaxError(
    `The modifier '${format.name}' formats the number again, without the padding of '${call.name.slice(1)}'.`,
    withTags`Write the format first: {{${tag}}}.`,
  );
}

function asCall(value: string, modifier: string): string {
  return `${value}.${modifier}${modifier.endsWith(")") ? "" : "()"}`;
}

/** The shortest date has this length: `1.1.2026`. */
const SHORTEST_DATE = 8;

/** Throws for `due.substring(0, 7) :: format("MMMM yyyy")`: a part of a date is not a date. */
function checkPart(call: CallExpression, modifiers: readonly ModifierCall[]): void {
  const [of, start, length] = call.arguments;
  const isStart = start?.kind === "number" && Number(start.text) === 0;
  if (call.name !== "$substring" || of === undefined || !isStart) return;
  const isShort = length?.kind === "number" && Number(length.text) < SHORTEST_DATE;
  if (!isShort || !modifiers.some(isDatePattern)) return;
  throw new TagSyntaxError(
    `A text of ${length.text} characters is not a date, but the modifier 'format' needs a date.`,
    withTags`Format the date itself: {{${tagOf(of, modifiers)}}}.`,
  );
}

/** Returns a tag with a value and its modifiers. */
function tagOf(value: Expression, modifiers: readonly ModifierCall[]): string {
  return `${spellExpression(value)} :: ${spellModifiers(modifiers)}`;
}

function formattedTwice(one: ModifierName, other: ModifierName): TagSyntaxError {
  return new TagSyntaxError(
    `The modifier '${one}' gives text, but the modifier '${other}' needs a ${other === "format" ? "date" : "number"}.`,
    `Write only one of '${one}' and '${other}'.`,
  );
}

/** `due :: format("long"), format("HH:mm")`: the second pattern would read the text of the first one. */
function twoPatterns(): TagSyntaxError {
  return new TagSyntaxError(
    "The tag has 'format' twice.",
    'Write one pattern, such as format("d MMMM yyyy HH:mm"), or two tags.',
  );
}
