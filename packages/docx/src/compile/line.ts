import { Buffer } from "node:buffer";
import { opensIn } from "@quire/ooxml/internal/xml/depth";
import type { StaticPiece } from "../deflate/pieces.ts";
import type { PathExpression } from "../language/grammar/expression.ts";
import type { LineOp, LineValue, Op } from "../program/ops.ts";
import type { Ending, StaticOp } from "../program/static-op.ts";
import { TABLE_GAP } from "../program/table-gap.ts";
import type { TextOp } from "../program/tag-ops.ts";
import { isBeforePercent } from "../program/text-after.ts";
import { isPictureKey } from "../values/image/picture-names.ts";
import { argumentOf, hasDataArguments, hasModifier } from "../values/modifiers.ts";
import type { Statics } from "./statics.ts";

const PARAGRAPH = "<w:p/>";

/** A piece of a line: static text, text that a container or a table adds, or a value. */
type Part = StaticOp | TextOp | { readonly op: "added"; readonly xml: string };

/**
 * Collects ops whose output is known except for the text of values. As long as no value splits its paragraph, it is
 * known in advance whether a container ends with a paragraph and whether a table has rows.
 */
export class LineBuilder {
  readonly #ops: Op[] = [];
  readonly #parts: Part[] = [];
  /** How the output ends; null if this depends on earlier content. */
  #ending: Ending | null = null;

  get isEmpty(): boolean {
    return this.#ops.length === 0;
  }

  /** Adds an op. If the op does not fit, returns false and changes nothing. */
  add(op: Op): boolean {
    const { length } = this.#parts;
    const ending = this.#ending;
    if (this.#take(op)) {
      this.#ops.push(op);
      return true;
    }
    this.#parts.length = length;
    this.#ending = ending;
    return false;
  }

  #take(op: Op): boolean {
    const { length } = this.#parts;
    const has = (what: "row" | "cell" | "block"): boolean =>
      this.#parts.slice(length).some((part) => part.op === "static" && part[what]);
    switch (op.op) {
      case "static":
        this.#parts.push(op);
        if (op.ending !== "unchanged") this.#ending = op.ending;
        return true;
      case "text":
        this.#parts.push(op);
        this.#ending = "other";
        return isInline(op);
      case "flow":
        return this.#takeAll(op.body);
      case "container":
        this.#ending = "other";
        if (!this.#takeAll(op.body)) return false;
        if (!this.#endsIn("paragraph")) this.#added(PARAGRAPH);
        return true;
      case "table":
        if (op.apart && this.#endsIn(null)) return false;
        if (op.apart && this.#endsIn("table")) this.#added(TABLE_GAP);
        return this.#takeAll(op.body) && (!op.vanishes || has("row"));
      case "row":
        return this.#takeAll(op.body) && has("cell");
      case "control":
        return this.#takeAll(op.body) && has("block");
      default:
        return false;
    }
  }

  #takeAll(ops: readonly Op[]): boolean {
    return ops.every((op) => this.#take(op));
  }

  #endsIn(ending: Ending | null): boolean {
    return this.#ending === ending;
  }

  #added(xml: string): void {
    this.#parts.push({ op: "added", xml });
    this.#ending = "paragraph";
  }

  /** Returns the line, or a single static op if there are no values. */
  finish(statics: Statics, block: number, names: LineNames): LineOp | StaticOp {
    const pieces: (StaticPiece | null)[] = [];
    const values: LineValue[] = [];
    const places = new Map<StaticOp, StaticPiece>();
    let run: Part[] = [];
    const endRun = (): void => {
      if (run.length > 0) pieces.push(joined(run, statics, block, places));
      run = [];
    };
    for (const part of this.#parts) {
      if (part.op !== "text") {
        run.push(part);
        continue;
      }
      endRun();
      pieces.push(null);
      values.push(lineValue(part, names));
      statics.value(block);
    }
    endRun();
    const fixed = this.#parts.filter((part) => part.op === "static");
    const effects = {
      visible: fixed.some(({ visible }) => visible),
      row: fixed.some(({ row }) => row),
      cell: fixed.some(({ cell }) => cell),
      block: fixed.some(({ block: each }) => each),
      ending: this.#ending ?? ("unchanged" as const),
      relationships: relationshipsOf(fixed),
    };
    const [only] = pieces;
    if (pieces.length === 1 && only)
      return { op: "static", xml: only.xml, piece: only, ...effects };
    const characters = pieces.reduce((sum, piece) => sum + (piece?.xml.length ?? 0), 0);
    const steps = 1 + values.length;
    const body = this.#ops.map((op) => placed(op, places));
    const opens = {
      elements: pieces.reduce((sum, piece) => sum + (piece?.opens.elements ?? 0), 0),
      tables: pieces.reduce((sum, piece) => sum + (piece?.opens.tables ?? 0), 0),
    };
    const { item } = names;
    return { op: "line", pieces, values, characters, opens, item, steps, body, ...effects };
  }
}

/** Returns the relationships that static texts use; null if they use none. */
function relationshipsOf(fixed: readonly StaticOp[]): readonly string[] | null {
  const ids = fixed.flatMap(({ relationships }) => relationships ?? []);
  return ids.length === 0 ? null : ids;
}

/** Merges adjacent static texts. */
function joined(
  run: readonly Part[],
  statics: Statics,
  block: number,
  places: Map<StaticOp, StaticPiece>,
): StaticPiece {
  const whole = statics.add(run.map((part) => ("xml" in part ? part.xml : "")).join(""), block);
  let from = 0;
  for (const part of run) {
    if (!("xml" in part)) continue;
    const to = from + Buffer.byteLength(part.xml);
    const all = to - from === whole.to;
    const { index } = whole;
    const { xml } = part;
    const bytes = whole.bytes.subarray(from, to);
    const piece = all ? whole : { xml, bytes, index, from, to, whole: false, opens: opensIn(xml) };
    if (part.op === "static") places.set(part, piece);
    from = to;
  }
  return whole;
}

/** Replaces the static text of an op with pieces of the line. */
function placed(op: Op, places: ReadonlyMap<StaticOp, StaticPiece>): Op {
  if (op.op === "static") {
    const piece = places.get(op);
    return piece === undefined ? op : { ...op, piece };
  }
  if (!("body" in op)) return op;
  return { ...op, body: op.body.map((each) => placed(each, places)) };
}

/** Whether the output of a tag remains within its paragraph, unless its value looks like HTML. */
function isInline({ flow, expression, modifiers }: TextOp): boolean {
  if (flow === null || flow.closeParagraph === null) return true;
  if (hasModifier(modifiers, "html") || hasModifier(modifiers, "markdown")) return false;
  if (expression.kind !== "path" || hasDataArguments(modifiers)) return false;
  return !argumentOf(modifiers, "default")?.includes("<");
}

/** What names mean in a line. */
export interface LineNames {
  /** The alias of the innermost block's item; null in a section and outside blocks. */
  readonly item: string | null;
  /** The aliases of all blocks around the line. */
  readonly aliases: ReadonlySet<string>;
}

function ownKeyOf(path: PathExpression | null, { item, aliases }: LineNames): string | null {
  if (path === null || path.head === null) return null;
  const { head, rest } = path;
  let keys: readonly string[] = [];
  if (head === item) keys = rest;
  else if (item === null && !aliases.has(head)) keys = [head, ...rest];
  const [key] = keys;
  return keys.length === 1 && key !== undefined && !(key in Object.prototype) ? key : null;
}

function lineValue(op: TextOp, names: LineNames): LineValue {
  const { expression, modifiers, mode, flow } = op;
  const path = expression.kind === "path" ? expression : null;
  // The renderer looks at a value before a percent sign, in some columns, and at a name of a picture.
  const isDoubtful =
    isBeforePercent(op.origin) ||
    op.origin.ofFirst === true ||
    (path !== null && isPictureKey(path));
  const isPlain = modifiers.length === 0 && (mode === "run" || mode === "plain") && !isDoubtful;
  const cuts = flow !== null && flow.closeParagraph !== null && !hasModifier(modifiers, "text");
  const ownKey = ownKeyOf(path, names);
  return { op, mode, path, isPlain: isPlain && path !== null, ownKey, cuts };
}
