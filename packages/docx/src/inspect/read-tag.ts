import { readDatePattern } from "../format/date-pattern.ts";
import { isDateStyle } from "../format/format-date.ts";
import { PatternError, readPatternText, tryPattern } from "../format/pattern-text.ts";
import type { Expression } from "../language/grammar/expression.ts";
import { MODIFIERS, type Signature } from "../language/grammar/modifier-signatures.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { Op } from "../program/ops.ts";
import type { LookOp, TextOp } from "../program/tag-ops.ts";
import { argumentOf, hasModifier } from "../values/modifiers.ts";
import type { Use } from "./data-node.ts";
import { readCondition, readValue } from "./read-expression.ts";
import type { UseReader } from "./use-reader.ts";

/** A tag that prints a value, or fills a picture. */
type ValueOp = Pick<TextOp, "expression" | "modifiers"> & {
  readonly mode: TextOp["mode"] | "picture";
  /** Whether pictures are possible here. */
  readonly flows: boolean;
  /** Whether it is in a repeating block, whose items `delimiter` separates. */
  readonly inLoop: boolean;
};

/** Records what a tag uses, judging by its modifiers and its position. Returns whether the tag prints a picture. */
export function readTag(op: ValueOp, reader: UseReader): boolean {
  const { expression, modifiers, mode } = op;
  const use = useOf(op);
  const isCode = hasModifier(modifiers, "qrcode") || hasModifier(modifiers, "barcode");
  const isPicture = use === "image" || use === "pictured" || isCode;
  if (expression.kind !== "path") {
    readValue(expression, reader);
    return isPicture;
  }
  const { facts } = reader.use(expression, use);
  if (mode === "instruction") facts.uses.add("instruction");
  if (use === "time" && hasModifier(modifiers, "timeZone")) facts.uses.add("zoned");
  if (isCode || !op.flows) facts.uses.add("unformatted");
  if (isCode) {
    const kind = hasModifier(modifiers, "qrcode") ? "qrcode" : argumentOf(modifiers, "barcode");
    facts.barcode ??= kind ?? "code128";
  }
  if (use === "masked") facts.mask ??= placesIn(patternOf(modifiers) ?? "");
  return isPicture;
}

function useOf({ modifiers, mode, flows, inLoop }: ValueOp): Use {
  const has = (...names: readonly ModifierCall["name"][]): boolean =>
    names.some((name) => hasModifier(modifiers, name));
  if (has("qrcode", "barcode")) return formatUse(modifiers) ?? "coded";
  if (mode === "picture") return "image";
  const isOther = has("checkbox", "text", "html", "markdown");
  if (flows && has("width", "height", "fit") && !isOther) return "pictured";
  if (mode === "address" || has("link")) return "url";
  if (has("checkbox")) return "checkbox";
  if (has("markdown") && !has("text")) return "markdown";
  if (has("html") && !has("text")) return "html";
  const format = formatUse(modifiers);
  if (format !== null) return format;
  return has("delimiter", "lastdelimiter") && !inLoop ? "delimited" : "printed";
}

/** Returns the use that the first formatting modifier implies, or null. Later ones format its text. */
function formatUse(modifiers: readonly ModifierCall[]): Use | null {
  const pattern = patternOf(modifiers);
  if (pattern === null) return null;
  if (pattern === undefined || /^\s*(?:us|eu)-number\s*$/i.test(pattern)) return "number";
  if (isDateStyle(pattern)) return /time\s*$/i.test(pattern) ? "time" : "date";
  if (placesIn(pattern) > 0) return "masked";
  const date = tryPattern(() => readDatePattern(pattern));
  if (date instanceof PatternError) return "printed";
  return date.showsTime ? "time" : "date";
}

/**
 * Returns the pattern of the first formatting modifier: null if there is no such modifier, and undefined if it formats
 * only numbers.
 */
function patternOf(modifiers: readonly ModifierCall[]): string | null | undefined {
  const first = modifiers.find(({ name }) => FORMATS.includes(name));
  if (first === undefined) return null;
  return first.name === "format" ? (first.arguments[0]?.value ?? "") : undefined;
}

/** Returns the number of characters that a mask can show, or 0 for other patterns. */
function placesIn(pattern: string): number {
  const characters = tryPattern(() => readPatternText(pattern));
  if (characters instanceof PatternError) return 0;
  return characters.filter(({ char, quoted }) => !quoted && /x/i.test(char)).length;
}

const FORMATS: readonly ModifierCall["name"][] = ["format", "number", "currency", "percent"];

/** Records what the tag of a number in a chart uses. Calls `begin` first. */
export function readPoint(op: TextOp, reader: UseReader, begin: (op: TextOp) => void): void {
  begin(op);
  for (const call of op.modifiers) readArguments(call, reader);
  readValue(op.expression, reader, "number");
}

/** Records what the arguments of a modifier use. */
export function readArguments(call: ModifierCall, reader: UseReader): void {
  for (const [index, { expression }] of call.arguments.entries()) {
    if (expression !== undefined) readArgument(call.name, index, expression, reader);
  }
}

function readArgument(
  name: ModifierCall["name"],
  index: number,
  expression: Expression,
  reader: UseReader,
): void {
  const { arguments: kinds }: Signature = MODIFIERS[name];
  const use = kinds[index] === "number" ? "places" : "separator";
  if (kinds[index] === "condition") readCondition(expression, null, reader);
  else if (name === "default") reader.conditionally(() => readValue(expression, reader));
  else if (name === "merge" || name === "mergeAcross") readValue(expression, reader);
  else if (expression.kind !== "path") readValue(expression, reader, use);
  else {
    const { facts } = reader.use(expression, use);
    if (index === 0) facts.sample ??= SAMPLES[name] ?? null;
    else if (name === "barcode") facts.sample ??= "text";
  }
}

/** Arguments that fit, for sample data. */
const SAMPLES: Readonly<Partial<Record<ModifierCall["name"], string>>> = {
  currency: "EUR",
  span: "1",
  shrink: "8",
  number: "0.00",
  format: "yyyy-mm-dd",
  locale: "en-US",
  timeZone: "UTC",
  color: "red",
  fill: "red",
  width: "4cm",
  height: "3cm",
  fit: "contain",
  numbering: "continue",
  barcode: "code128",
};

/** The start of an address after which any text is allowed, because the text is encoded. */
const OPEN_ADDRESS = /^(?:mailto:|tel:|https?:\/\/[^/?#]+[/?#])/i;

/** Records what tags use that change how something looks. Calls `begin` before each tag is read. */
export function readLooks(
  tags: LookOp["tags"],
  reader: UseReader,
  begin: (tag: LookOp["tags"][number]) => void,
): void {
  for (const tag of tags) {
    begin(tag);
    for (const call of tag.modifiers) readArguments(call, reader);
  }
}

/** Records what the tags in the address of a link use. Calls `begin` before each tag is read. */
export function readAddress(
  { pieces }: Extract<Op, { op: "link" }>,
  reader: UseReader,
  begin: (op: TextOp) => void,
): void {
  let before = "";
  let isFirst = true;
  for (const piece of pieces) {
    if (typeof piece === "string") before += piece;
    else {
      begin(piece);
      const use = OPEN_ADDRESS.test(before)
        ? "printed"
        : isFirst && before === ""
          ? "url"
          : "urlPart";
      readPiece(piece.expression, use, reader);
      isFirst = false;
    }
  }
}

function readPiece(expression: Expression, use: Use, reader: UseReader): void {
  if (expression.kind === "path") reader.use(expression, use);
  else readValue(expression, reader);
}
