import type { Compressed, Compressor, Slot, StaticPiece } from "../deflate/pieces.ts";
import { valueBytes } from "../deflate/value-bytes.ts";
import { checkDepth, type Depth, GROUND, opensIn } from "../package/depth.ts";
import type { Budget } from "./budget.ts";
import type { FlowContext } from "./flow.ts";
import { type Counts, Holds, type Mark, type Need } from "./holds.ts";
import type { LatePlaces } from "./late-places.ts";
import type { Ending, LineOp, StaticOp } from "./ops.ts";
import { PieceList } from "./piece-list.ts";
import type { Rendering } from "./rendering.ts";

/** Halves of ranges: what they mark is more than what was taken back with them. */
const RANGE_MARKS =
  /<w:(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)(?: [^<>]*)?\/>/g;

/** A paragraph that nobody sees, between two tables that are not one. */
export const APART =
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>';

/** So many pieces are kept until they go out together. */
const ENOUGH = 512;

/** The XML of a part while it is written, and what is known of it. */
export class Sheet {
  readonly #pieces = new PieceList();
  /** How many pieces have gone out, and what they have left open. */
  #gone = 0;
  readonly #open = { ...GROUND };
  readonly #part: string;
  readonly #budget: Budget;
  readonly #places: LatePlaces;
  readonly #compressor: Compressor | null;
  readonly #isDeep: () => boolean;
  readonly #counts: Counts = { shown: 0, rows: 0, cells: 0, blocks: 0 };
  #ending: Ending = "other";
  /** Where the paragraph began in which a value may be rich text, or went on after one. */
  #flow: { start: Mark; cut: boolean } | null = null;
  readonly #holds = new Holds();
  /** Whether it is known that nothing may be taken back. */
  #isSettled = false;

  /**
   * With no compressor, what is written is only counted. `isDeep` tells whether elements may stand deeper in
   * each other than in any template that was checked.
   */
  constructor(
    part: string,
    { budget, places }: Pick<Rendering, "budget" | "places">,
    compressor: Compressor | null,
    isDeep: () => boolean,
  ) {
    this.#isDeep = isDeep;
    this.#part = part;
    this.#budget = budget;
    this.#places = places;
    this.#compressor = compressor;
  }

  /** Ends the part; null without a compressor. Throws `limit_exceeded` as {@link letGo} does. */
  finish(): Compressed | null {
    if (this.#isDeep()) this.#checkDepth(this.#pieces.length);
    this.#pieces.send(this.#pieces.length, this.#compressor);
    return this.#compressor?.finish() ?? null;
  }

  /** The end of what is written: some characters more than so many, where there are. */
  tail(length: number): string {
    let characters = 0;
    let from = this.#pieces.length;
    for (; from > 0 && characters <= length; from--) {
      const piece = this.#pieces.at(from - 1);
      characters += typeof piece === "string" ? piece.length : piece.xml.length;
    }
    return this.#pieces.text(from);
  }

  /** What the last thing written is, but for what may follow it. */
  get ending(): Ending {
    return this.#ending;
  }

  static(op: StaticOp): void {
    this.#budget.write(this.#part, op.xml.length, 0);
    this.#pieces.push(op.piece ?? op.xml);
    this.#effects(op);
  }

  #effects(op: StaticOp | LineOp): void {
    if (op.ending !== "unchanged") this.#ending = op.ending;
    if (op.visible) this.#counts.shown += 1;
    if (op.row) this.#counts.rows += 1;
    if (op.cell) this.#counts.cells += 1;
    if (op.block) this.#counts.blocks += 1;
  }

  /**
   * Writes a line. `texts` are its values as XML; where one is null, `write` writes that one.
   */
  line(
    op: LineOp,
    texts: readonly (string | null)[],
    write: (value: LineOp["values"][number]) => void,
  ): void {
    const pieces = this.#pieces;
    let characters = 0;
    let next = 0;
    for (const piece of op.pieces) {
      if (piece !== null) {
        pieces.push(piece);
        continue;
      }
      const text = texts[next] as string | null;
      if (text === null) write(op.values[next] as LineOp["values"][number]);
      else if (text !== "") {
        pieces.push(text);
        characters += text.length;
        this.#counts.shown += 1;
      }
      next += 1;
    }
    this.#budget.write(this.#part, op.characters, characters);
    this.#effects(op);
  }

  /**
   * Lets all that is written go out, when nothing of it may be taken back: then the values of a line may be
   * read, and {@link direct} writes it. False when that cannot be.
   */
  goDirect(): boolean {
    if (this.#compressor?.takesLines === false || this.#isDeep()) return false;
    this.#isSettled ||= this.#holds.isSettled(this.#counts);
    if (this.#isSettled && this.#pieces.length > 0) this.#send(this.#pieces.length);
    return this.#isSettled;
  }

  /** Writes a line whose values were read behind {@link goDirect}. */
  direct(op: LineOp): void {
    this.#compressor?.line(op.pieces);
    this.#add(op.opens);
    this.#gone += op.pieces.length;
    this.#counts.shown += valueBytes.shown;
    this.#budget.write(this.#part, op.characters, valueBytes.characters);
    this.#effects(op);
  }

  write(xml: string, ending: Ending): void {
    this.#budget.write(this.#part, 0, xml.length);
    if (xml !== "") this.#pieces.push(xml);
    if (ending !== "unchanged") this.#ending = ending;
  }

  /** Leaves a place empty. It shows something if it is known to be filled later. */
  slot(): Slot {
    const slot = this.#places.leave();
    if (this.#places.shows(slot)) this.show();
    this.#pieces.push(slot);
    return slot;
  }

  /** Writes at a place that was left empty, or writes something else there. */
  fill(slot: Slot, xml: string): void {
    this.#budget.write(this.#part, 0, xml.length);
    slot.xml = xml;
  }

  /**
   * Lets what cannot be taken back any more go out, when it is enough. Throws `limit_exceeded` when elements
   * stand too deep in each other.
   */
  letGo(): void {
    if (this.#pieces.length < ENOUGH) return;
    const count = this.#settled();
    if (count === 0) return;
    this.#send(count);
  }

  #send(count: number): void {
    if (this.#isDeep()) this.#checkDepth(count);
    else this.#countOpen(count);
    this.#pieces.send(count, this.#compressor);
    this.#gone += count;
  }

  /** Counts what the first so many pieces leave open: what stands for a value leaves nothing open. */
  #countOpen(count: number): void {
    for (let at = 0; at < count; at++) {
      const piece = this.#pieces.at(at);
      if (typeof piece !== "string" && piece.index >= 0) this.#add((piece as StaticPiece).opens);
    }
  }

  /** The same where values have brought elements, whose halves may stand apart. */
  #checkDepth(count: number): void {
    const xml = this.#pieces.text(0, count);
    checkDepth(this.#part, xml, undefined, this.#open);
    this.#add(opensIn(xml));
  }

  #add({ elements, tables }: Depth): void {
    this.#open.elements += elements;
    this.#open.tables += tables;
  }

  /** How many pieces can be taken back no more. */
  #settled(): number {
    return this.#holds.settled(this.#gone + this.#pieces.length, this.#counts) - this.#gone;
  }

  #hold(need: Need, mark: Mark): void {
    this.#holds.push(need, mark);
    this.#isSettled = false;
  }

  /** Writes what is taken back unless it brings what it needs; whether it stays. */
  unlessWithout(need: keyof Counts, write: () => void): boolean {
    const mark = this.mark();
    this.#hold(need, mark);
    write();
    this.#holds.pop();
    const stays = this.#counts[need] > mark[need];
    if (!stays) this.takeBack(mark);
    return stays;
  }

  /** Notes that what was written shows on the page. */
  show(): void {
    this.#counts.shown += 1;
  }

  /** A container begins, which ends in nothing yet. */
  open(): void {
    this.#ending = "other";
  }

  mark(): Mark {
    const { shown, rows, cells, blocks } = this.#counts;
    const pieces = this.#gone + this.#pieces.length;
    return { pieces, shown, rows, cells, blocks, ending: this.#ending };
  }

  takeBack({ pieces, shown, rows, cells, blocks, ending }: Mark): void {
    for (const slot of this.#pieces.cut(pieces - this.#gone)) this.#places.takeBack(slot);
    Object.assign(this.#counts, { shown, rows, cells, blocks });
    this.#isSettled = false;
    this.#ending = ending;
  }

  shownSince({ shown }: Mark): boolean {
    return this.#counts.shown > shown;
  }

  /** Writes a paragraph that {@link cut} may cut in two. What is left empty behind the last cut goes away. */
  flow(write: () => void): void {
    const outer = this.#flow;
    const flow = { start: this.mark(), cut: false };
    this.#flow = flow;
    this.#hold("never", flow.start);
    write();
    this.#holds.pop();
    this.#flow = outer;
    if (flow.cut && !this.shownSince(flow.start)) this.#takeBackAllButMarks(flow.start);
  }

  #takeBackAllButMarks(to: Mark): void {
    const marks =
      this.#pieces
        .text(to.pieces - this.#gone)
        .match(RANGE_MARKS)
        ?.join("") ?? "";
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
      this.#counts.blocks += 1;
      this.show();
    }
    flow.start = this.mark();
    flow.cut = true;
    this.write(`${openParagraph}${openRun}`, "other");
  }
}
