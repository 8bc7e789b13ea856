import type { Budget } from "../../../src/docx/program/budget.ts";
import type { FlowContext } from "../../../src/docx/program/flow.ts";
import type { Ending, Op } from "../../../src/docx/program/ops.ts";

/** A place in what is written, to which one may go back. */
export interface Mark {
  readonly chunks: number;
  readonly shown: number;
  readonly rows: number;
  readonly cells: number;
  readonly blocks: number;
  readonly ending: Ending;
}

/** A place in what is written, of which the XML may be known later. */
export interface Slot {
  xml: string;
}

/**
 * The places of a document of which the XML may be known later, in their order. When the document is written a
 * second time, it is known of each whether there will be any.
 */
export class Places {
  readonly #known: readonly boolean[];
  readonly #slots: Slot[] = [];

  constructor(known: readonly boolean[] = []) {
    this.#known = known;
  }

  /** Leaves a place, and tells whether something will be written there. */
  leave(): readonly [slot: Slot, shows: boolean] {
    const slot = { xml: "" };
    this.#slots.push(slot);
    return [slot, this.#known[this.#slots.length - 1] === true];
  }

  get filled(): readonly boolean[] {
    return this.#slots.map(({ xml }) => xml !== "");
  }
}

/** Halves of ranges: what they mark is more than what was taken back with them. */
const RANGE_MARKS =
  /<w:(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)(?: [^<>]*)?\/>/g;

/** A paragraph that nobody sees, between two tables that are not one. */
export const APART =
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>';

/** The XML of a part while it is written, and what is known of it. */
export class Sheet {
  readonly #chunks: (string | Slot)[] = [];
  readonly #part: string;
  readonly #budget: Budget;
  readonly #places: Places;
  /** Grows with everything that shows on the page. */
  #shown = 0;
  #rows = 0;
  #cells = 0;
  #blocks = 0;
  #ending: Ending = "other";
  /** Where the paragraph began in which a value may be rich text, or went on after one. */
  #flow: { start: Mark; cut: boolean } | null = null;

  constructor(part: string, budget: Budget, places: Places) {
    this.#part = part;
    this.#budget = budget;
    this.#places = places;
  }

  text(): string {
    return textOf(this.#chunks);
  }

  /** The end of what is written: some characters more than so many, where there are. */
  tail(length: number): string {
    let characters = 0;
    let from = this.#chunks.length;
    for (; from > 0 && characters <= length; from--) {
      characters += textOf(this.#chunks.slice(from - 1, from)).length;
    }
    return textOf(this.#chunks.slice(from));
  }

  /** What the last thing written is, but for what may follow it. */
  get ending(): Ending {
    return this.#ending;
  }

  static(op: Extract<Op, { op: "static" }>): void {
    this.write(op.xml, op.ending);
    if (op.visible) this.#shown += 1;
    if (op.row) this.#rows += 1;
    if (op.cell) this.#cells += 1;
    if (op.block) this.#blocks += 1;
  }

  write(xml: string, ending: Ending): void {
    this.#budget.write(this.#part, 0, xml.length);
    this.#chunks.push(xml);
    if (ending !== "unchanged") this.#ending = ending;
  }

  /** Leaves a place empty. */
  slot(): Slot {
    const [slot, shows] = this.#places.leave();
    if (shows) this.#shown += 1;
    this.#chunks.push(slot);
    return slot;
  }

  /** Writes at a place that was left empty, or writes something else there. */
  fill(slot: Slot, xml: string): void {
    this.#budget.write(this.#part, 0, xml.length);
    slot.xml = xml;
  }

  /** Notes that what was written shows on the page. */
  show(): void {
    this.#shown += 1;
  }

  /** A container begins, which ends in nothing yet. */
  open(): void {
    this.#ending = "other";
  }

  mark(): Mark {
    return {
      chunks: this.#chunks.length,
      shown: this.#shown,
      rows: this.#rows,
      cells: this.#cells,
      blocks: this.#blocks,
      ending: this.#ending,
    };
  }

  takeBack(to: Mark): void {
    this.#chunks.length = to.chunks;
    this.#shown = to.shown;
    this.#rows = to.rows;
    this.#cells = to.cells;
    this.#blocks = to.blocks;
    this.#ending = to.ending;
  }

  shownSince({ shown }: Mark): boolean {
    return this.#shown > shown;
  }

  rowsSince({ rows }: Mark): number {
    return this.#rows - rows;
  }

  cellsSince({ cells }: Mark): number {
    return this.#cells - cells;
  }

  blocksSince({ blocks }: Mark): number {
    return this.#blocks - blocks;
  }

  /** Writes a paragraph that {@link cut} may cut in two. What is left empty behind the last cut goes away. */
  flow(write: () => void): void {
    const outer = this.#flow;
    const flow = { start: this.mark(), cut: false };
    this.#flow = flow;
    write();
    this.#flow = outer;
    if (flow.cut && !this.shownSince(flow.start)) this.#takeBackAllButMarks(flow.start);
  }

  #takeBackAllButMarks(to: Mark): void {
    const marks = textOf(this.#chunks.slice(to.chunks)).match(RANGE_MARKS)?.join("") ?? "";
    this.takeBack(to);
    if (marks !== "") this.write(marks, "unchanged");
  }

  /** Whether the paragraph has shown anything before this place. */
  get flowHasText(): boolean {
    return this.#flow !== null && this.shownSince(this.#flow.start);
  }

  /** Ends the paragraph at a tag, writes blocks, and goes on in a new paragraph. What is empty before the first cut goes away. */
  cut(
    { closeRun, openRun, closeParagraph, openParagraph }: FlowContext,
    blocks: string,
    ending: Ending,
  ): void {
    const flow = this.#flow;
    if (flow === null || closeParagraph === null) throw new Error("The paragraph cannot be cut.");
    if (this.shownSince(flow.start)) this.write(`${closeRun}${closeParagraph}`, "paragraph");
    else this.#takeBackAllButMarks(flow.start);
    if (blocks !== "") {
      if (this.#ending === "table" && blocks.startsWith("<w:tbl>")) this.write(APART, "paragraph");
      this.write(blocks, ending);
      this.#blocks += 1;
      this.show();
    }
    flow.start = this.mark();
    flow.cut = true;
    this.write(`${openParagraph}${openRun}`, "other");
  }
}

function textOf(chunks: readonly (string | Slot)[]): string {
  return chunks.map((chunk) => (typeof chunk === "string" ? chunk : chunk.xml)).join("");
}
