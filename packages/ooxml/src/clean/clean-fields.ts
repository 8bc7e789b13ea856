import type { Edits } from "../xml/edits.ts";

/**
 * Fields that read a file or a data source, start a program, or send data to a printer. Word runs some of them without
 * asking. An unknown word is not a field.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "DDE",
  "DDEAUTO",
  "INCLUDE",
  "INCLUDETEXT",
  "INCLUDEPICTURE",
  "IMPORT",
  "LINK",
  "DATABASE",
  "DATA",
  "RD",
  "PRINT",
  "CONTROL",
  "OCX",
  "HTMLCONTROL",
  "SUBSCRIBER",
]);

/** Placeholder in an instruction for a nested field, whose result is known only when the field is evaluated. */
const NESTED = "\ufffc";

/** Maximum number of characters for the first word of an instruction. */
const HEAD = 64;

/** More open fields than this are treated as an attack. */
const MAX_OPEN = 1_000;

/** More changes of context than this within one instruction are treated as an attack. */
const MAX_READINGS = 32;

/**
 * Returns the name of the forbidden field in an instruction, `"computed"` if the name cannot be known, or null if no
 * field is forbidden.
 */
export function forbiddenField(instruction: string): string | null {
  const [, word = "", next = ""] = /^[^A-Za-z=\ufffc]*([A-Za-z]*)(\ufffc?)/.exec(instruction) ?? [];
  const name = word.toUpperCase();
  if (FORBIDDEN.has(name)) return name;
  return next === NESTED ? "computed" : null;
}

/**
 * The possible first words of an instruction. A reader may include or ignore its tracked changes, and use either branch
 * of an alternative, so the instruction may begin at any such boundary.
 */
class Instruction {
  #context: number;
  #first = "";
  #others: string[] = [];

  constructor(context: number) {
    this.#context = context;
  }

  add(text: string, context: number): void {
    if (context !== this.#context && this.#others.length <= MAX_READINGS) this.#others.push("");
    this.#context = context;
    this.#first = continued(this.#first, text);
    if (this.#others.length > 0) this.#others = this.#others.map((each) => continued(each, text));
  }

  get forbidden(): string | null {
    if (this.#others.length > MAX_READINGS) return "computed";
    const found = forbiddenField(this.#first);
    if (found !== null || this.#others.length === 0) return found;
    return this.#others.map(forbiddenField).find((other) => other !== null) ?? null;
  }
}

function continued(reading: string, text: string): string {
  if (reading.length >= HEAD) return reading;
  return reading + (reading === "" ? text.replace(/^[^A-Za-z=\ufffc]+/, "") : text).slice(0, HEAD);
}

interface Field {
  readonly instruction: Instruction;
  /** The number of the piece with its begin mark. */
  readonly begin: number;
  /** The number of the piece with its separator, or null until the separator occurs. */
  separate: number | null;
}

/**
 * Finds forbidden fields that are spread over runs. While a field is open, the pieces of runs are numbered. If
 * a field turns out to be forbidden, its pieces from the begin mark to the separator are removed, and so is its
 * end mark. Its last result remains as text.
 */
export class FieldCleaner {
  readonly #edits: Edits;
  /** The range of each piece. */
  #starts: number[] = [];
  #ends: number[] = [];
  /** The number of pieces that have not ended. */
  #unended = 0;
  #removed: { readonly from: number; readonly to: number }[] = [];
  /** The open fields of each text flow that is being read. A text box has its own fields. */
  readonly #flows: Field[][] = [[]];
  #open = 0;

  /** `edits` collects the removals. */
  constructor(edits: Edits) {
    this.#edits = edits;
  }

  /** Whether the content of runs must be reported. */
  get isActive(): boolean {
    return this.#open > 0;
  }

  /** Whether text at the current position is part of an instruction. */
  get inInstruction(): boolean {
    return this.#current?.separate === null;
  }

  /** Adds a piece of a run's content. Returns its number. */
  piece(start: number, end: number): number {
    if (this.#open === 0 && this.#unended === 0) this.settle();
    this.#unended += 1;
    this.#starts.push(start);
    return this.#ends.push(end) - 1;
  }

  /** Ends a piece that was not a single tag. */
  endPiece(piece: number, end: number): void {
    this.#ends[piece] = end;
    this.#unended -= 1;
  }

  enterFlow(): void {
    this.#flows.push([]);
  }

  /** Leaves a text flow. Returns the names of the forbidden fields that do not end in it. */
  leaveFlow(): string[] {
    const open = this.#flows.pop() ?? [];
    this.#open -= open.length;
    return open.flatMap(({ instruction }) => instruction.forbidden ?? []);
  }

  /** Begins a field. Returns false when too many are open. */
  begin(piece: number, context: number): boolean {
    this.nested(context);
    const instruction = new Instruction(context);
    this.#flows.at(-1)?.push({ instruction, begin: piece, separate: null });
    this.#open += 1;
    return this.#open <= MAX_OPEN;
  }

  /** Records a field within the instruction of another. */
  nested(context: number): void {
    this.text(NESTED, context);
  }

  separate(piece: number): void {
    if (this.#current !== undefined) this.#current.separate ??= piece;
  }

  /** Ends the innermost field. Returns its name if it was forbidden. */
  end(piece: number): string | null {
    const field = this.#flows.at(-1)?.pop();
    if (field === undefined) return null;
    this.#open -= 1;
    const { forbidden } = field.instruction;
    if (forbidden !== null) {
      this.#removed.push({ from: field.begin, to: field.separate ?? piece });
      this.#removed.push({ from: piece, to: piece });
    }
    return forbidden;
  }

  /** Adds text. Only text of an instruction has an effect. */
  text(text: string, context: number): void {
    if (this.inInstruction) this.#current?.instruction.add(text, context);
  }

  /**
   * Records the removals. Also called whenever a field begins while no other is open, because a part may have 300,000
   * fields.
   */
  settle(): void {
    const ranges = this.#removed.toSorted((a, b) => a.from - b.from);
    let next = 0;
    for (const { from, to } of ranges) {
      for (let index = Math.max(from, next); index <= to; index += 1) {
        this.#edits.remove(this.#starts[index] ?? 0, this.#ends[index] ?? 0);
      }
      next = Math.max(next, to + 1);
    }
    this.#starts = [];
    this.#ends = [];
    this.#removed = [];
  }

  get #current(): Field | undefined {
    return this.#flows.at(-1)?.at(-1);
  }
}
