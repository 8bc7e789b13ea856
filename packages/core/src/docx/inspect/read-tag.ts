import type { Op, TextOp } from "../program/ops.ts";
import type { Expression } from "../template/expression.ts";
import type { ModifierCall } from "../template/modifiers.ts";
import { readDatePattern } from "../values/format/date-pattern.ts";
import { PatternError, readPatternText, tryPattern } from "../values/format/pattern-text.ts";
import { argumentOf, hasModifier } from "../values/modifiers.ts";
import type { Facts, Use } from "./data-node.ts";
import { readValue, type UseReader } from "./read-expression.ts";

/** A tag that prints a value, or fills a picture. */
type ValueOp = Pick<TextOp, "expression" | "modifiers"> & {
  readonly mode: TextOp["mode"] | "picture";
  /** Whether pictures can stand there. */
  readonly flows: boolean;
  /** Whether a block that repeats stands around, whose turns `delimiter` separates. */
  readonly inLoop: boolean;
};

/** Notes what a tag uses, by its modifiers and by where it stands. Returns whether it is a picture. */
export function readTag(op: ValueOp, reader: UseReader): boolean {
  const { expression, modifiers, mode } = op;
  const use = useOf(op);
  const isPicture = use === "image" || use === "coded";
  if (expression.kind !== "path") {
    readValue(expression, reader);
    return isPicture;
  }
  const { facts } = reader.use(expression, use);
  if (mode === "instruction") facts.uses.add("instruction");
  if (hasModifier(modifiers, "truncate")) facts.uses.add("truncated");
  if (use === "coded") {
    const kind = hasModifier(modifiers, "qrcode") ? "qrcode" : argumentOf(modifiers, "barcode");
    facts.barcode ??= kind ?? "code128";
  }
  if (use === "number" || use === "printed") readFormat(modifiers, facts);
  return isPicture;
}

function useOf({ modifiers, mode, flows, inLoop }: ValueOp): Use {
  const has = (...names: readonly ModifierCall["name"][]): boolean =>
    names.some((name) => hasModifier(modifiers, name));
  if (has("qrcode", "barcode")) return "coded";
  if (mode === "picture" || (flows && has("width", "height", "fit"))) return "image";
  if (mode === "address" || has("link")) return "url";
  if (has("checkbox")) return "checkbox";
  if (has("markdown") && !has("text")) return "markdown";
  if (has("html") && !has("text")) return "html";
  if (has("number", "currency", "percent", "format")) return "printed";
  return has("delimiter", "lastdelimiter") && !inLoop ? "delimited" : "printed";
}

/** Notes what the first of the modifiers that format a value needs; those behind it get its text. */
function readFormat(modifiers: readonly ModifierCall[], facts: Facts): void {
  const first = modifiers.find(({ name }) => FORMATS.includes(name));
  if (first === undefined) return;
  const [pattern = ""] = first.arguments;
  if (first.name !== "format" || /^\s*(?:us|eu)-number\s*$/i.test(pattern)) {
    facts.uses.add("number");
    return;
  }
  const characters = tryPattern(() => readPatternText(pattern));
  if (characters instanceof PatternError) return;
  const places = characters.filter(({ char, quoted }) => !quoted && /x/i.test(char)).length;
  if (places > 0) {
    facts.uses.add("masked");
    facts.mask ??= places;
    return;
  }
  const date = tryPattern(() => readDatePattern(pattern));
  if (date instanceof PatternError) return;
  facts.uses.add(date.showsTime ? "time" : "date");
}

const FORMATS: readonly ModifierCall["name"][] = ["format", "number", "currency", "percent"];

/** An address in which any text may stand behind what is written: it is encoded there. */
const OPEN_ADDRESS = /^(?:mailto:|tel:|https?:\/\/[^/?#]+[/?#])/i;

/** Notes what the tags in the address of a link use. Calls back for each of them. */
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
