import type { FlowContext } from "../../../src/program/flow.ts";
import type { Op } from "../../../src/program/ops.ts";
import type { Ending } from "../../../src/program/static-op.ts";
import { UsedRelationships } from "../../../src/render/references/used-relationships.ts";
import type { Budget } from "../../../src/values/budget.ts";

/** A position in the output to return to. */
export interface Mark {
  readonly chunks: number;
  readonly shown: number;
  readonly rows: number;
  readonly cells: number;
  readonly blocks: number;
  readonly ending: Ending;
}

/** A place in the output that may be filled later. */
export interface Slot {
  xml: string;
}

/**
 * The places of a document that may be filled later, in order. When the document is written a second
 * time, `known` states for each place whether it will be filled.
 */
export class Places {
  readonly #known: readonly boolean[];
  readonly #slots: Slot[] = [];

  constructor(known: readonly boolean[] = []) {
    this.#known = known;
  }

  /** Reserves a place. `shows` is true if it will be filled. */
  leave(): readonly [slot: Slot, shows: boolean] {
    const slot = { xml: "" };
    this.#slots.push(slot);
    return [slot, this.#known[this.#slots.length - 1] === true];
  }

  get filled(): readonly boolean[] {
    return this.#slots.map(({ xml }) => xml !== "");
  }
}

/** The start and end marks of ranges. These are kept when content is removed: the other mark may be outside. */
const RANGE_MARKS =
  /<w:(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)(?: [^<>]*)?\/>/g;

/** An invisible paragraph that separates two tables. */
export const TABLE_GAP =
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>';

/** Writes the XML of a part, and removes content that turns out to be empty. */
export class PartWriter {
  readonly relationships = new UsedRelationships();
  readonly #chunks: (string | Slot)[] = [];
  readonly #part: string;
  readonly #budget: Budget;
  readonly #places: Places;
  /** Counts everything that is visible on the page. */
  #shown = 0;
  #rows = 0;
  #cells = 0;
  #blocks = 0;
  #ending: Ending = "other";
  /** The start of the current paragraph that may contain rich text, or of its continuation after rich text. */
  #flow: { start: Mark; cut: boolean } | null = null;

  constructor(part: string, budget: Budget, places: Places) {
    this.#part = part;
    this.#budget = budget;
    this.#places = places;
  }

  text(): string {
    return textOf(this.#chunks);
  }

  /** Returns the end of the output, with at least `length` characters if there are enough. */
  tail(length: number): string {
    let characters = 0;
    let from = this.#chunks.length;
    for (; from > 0 && characters <= length; from--) {
      characters += textOf(this.#chunks.slice(from - 1, from)).length;
    }
    return textOf(this.#chunks.slice(from));
  }

  /** The kind of the last output. */
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

  /** Reserves an empty place. */
  slot(): Slot {
    const [slot, shows] = this.#places.leave();
    if (shows) this.#shown += 1;
    this.#chunks.push(slot);
    return slot;
  }

  /** Fills a reserved place, or replaces its content. */
  fill(slot: Slot, xml: string): void {
    this.#budget.write(this.#part, 0, xml.length);
    slot.xml = xml;
  }

  /** Writes content, and replaces its XML, in which a control character stands for each slot. */
  replaced(write: () => void, change: (xml: string) => string): void {
    const from = this.#chunks.length;
    write();
    const written = this.#chunks.splice(from);
    const slots = written.filter((chunk) => typeof chunk !== "string");
    const texts = change(
      written.map((chunk) => (typeof chunk === "string" ? chunk : "\u0001")).join(""),
    ).split("\u0001");
    for (const [index, text] of texts.entries()) {
      const slot = slots[index - 1];
      this.#chunks.push(...(slot === undefined ? [] : [slot]), text);
    }
  }

  /** Records that the output is visible on the page. */
  show(): void {
    this.#shown += 1;
  }

  /** Starts a container, whose last content is still unknown. */
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

  rollback(to: Mark): void {
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

  /**
   * Writes a paragraph that {@link cut} may split. If the paragraph is empty after the last split, that part of it is
   * removed.
   */
  flow(write: () => void): void {
    const outer = this.#flow;
    const flow = { start: this.mark(), cut: false };
    this.#flow = flow;
    write();
    this.#flow = outer;
    if (flow.cut && !this.shownSince(flow.start)) this.#rollbackAllButMarks(flow.start);
  }

  #rollbackAllButMarks(to: Mark): void {
    const marks = textOf(this.#chunks.slice(to.chunks)).match(RANGE_MARKS)?.join("") ?? "";
    this.rollback(to);
    if (marks !== "") this.write(marks, "unchanged");
  }

  /** True if the paragraph has had visible content. */
  get flowHasText(): boolean {
    return this.#flow !== null && this.shownSince(this.#flow.start);
  }

  /** Ends the paragraph at a tag, writes blocks and continues in a new paragraph. Removes an empty first paragraph. */
  cut(
    { closeRun, openRun, closeParagraph, openParagraph }: FlowContext,
    blocks: string,
    ending: Ending,
  ): void {
    const flow = this.#flow;
    if (flow === null || closeParagraph === null) throw new Error("The paragraph cannot be split.");
    if (this.shownSince(flow.start)) this.write(`${closeRun}${closeParagraph}`, "paragraph");
    else this.#rollbackAllButMarks(flow.start);
    if (blocks !== "") {
      if (this.#ending === "table" && blocks.startsWith("<w:tbl>"))
        this.write(TABLE_GAP, "paragraph");
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
