import type { Compressed } from "@quire/ooxml/internal/write";
import { checkDepth, type Depth, GROUND, opensIn } from "@quire/ooxml/internal/xml/depth";
import type { Compressor, Slot, StaticPiece } from "../deflate/pieces.ts";
import { valueBytes } from "../deflate/value-bytes.ts";
import type { FlowContext } from "../program/flow.ts";
import type { LineOp } from "../program/ops.ts";
import type { Ending, StaticOp } from "../program/static-op.ts";
import { TABLE_GAP } from "../program/table-gap.ts";
import type { Budget } from "../values/budget.ts";
import { PieceList } from "./piece-list.ts";
import type { LatePlaces } from "./references/late-places.ts";
import { UsedRelationships } from "./references/used-relationships.ts";
import type { Rendering } from "./rendering.ts";
import { type Counts, type Mark, type Need, Savepoints } from "./savepoints.ts";

/**
 * The start and end marks of ranges. If content is rolled back, its marks are kept, because the other mark of a range
 * may be outside.
 */
const RANGE_MARKS =
  /<w:(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)(?: [^<>]*)?\/>/g;

/** Number of pieces to collect before they are sent together. */
const FLUSH_AT = 512;

/** Writes the XML of a part, and rolls back content that turns out to be empty. */
export class PartWriter {
  readonly relationships = new UsedRelationships();
  readonly #pieces = new PieceList();
  /** The number of pieces sent, and the elements that they left open. */
  #sent = 0;
  readonly #open = { ...GROUND };
  readonly #part: string;
  readonly #budget: Budget;
  readonly #places: LatePlaces;
  readonly #compressor: Compressor | null;
  readonly #isDeep: () => boolean;
  readonly #counts: Counts = { shown: 0, rows: 0, cells: 0, blocks: 0 };
  #ending: Ending = "other";
  /** The start of the current paragraph that may contain rich text, or of its continuation after rich text. */
  #flow: { start: Mark; cut: boolean } | null = null;
  readonly #savepoints = new Savepoints();
  /** Whether it is known that nothing can be rolled back. */
  #isSettled = false;

  /**
   * Without a compressor, the output is only counted. `isDeep` returns whether elements may be nested deeper
   * than in any template that was checked.
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

  /** Ends the part. Returns null if there is no compressor. Throws `limit_exceeded`, like {@link flush}. */
  finish(): Compressed | null {
    if (this.#isDeep()) this.#checkDepth(this.#pieces.length);
    this.#pieces.send(this.#pieces.length, this.#compressor);
    return this.#compressor?.finish() ?? null;
  }

  /** Returns the end of the output that was not sent yet, with at least `length` characters if there are that many. */
  tail(length: number): string {
    return this.#pieces.tail(length);
  }

  /** The kind of the last output, ignoring content that may follow it. */
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
    if (op.relationships !== null) this.relationships.use(op.relationships);
  }

  /** Writes a line. `texts` are its values as XML. If a text is null, `write` writes the value. */
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
   * Sends all output if none of it can be rolled back. The values of a line may then be read, and {@link writeDirect}
   * writes the line. Returns false if a line cannot be written in this way.
   */
  beginDirect(): boolean {
    if (this.#compressor?.takesLines === false || this.#isDeep()) return false;
    this.#isSettled ||= this.#savepoints.isSettled(this.#counts);
    if (this.#isSettled && this.#pieces.length > 0) this.#send(this.#pieces.length);
    return this.#isSettled;
  }

  /** Writes a line whose values were read after {@link beginDirect}. */
  writeDirect(op: LineOp): void {
    this.#budget.step(op.steps);
    this.#compressor?.line(op.pieces);
    this.#add(op.opens);
    this.#sent += op.pieces.length;
    this.#counts.shown += valueBytes.shown;
    this.#budget.write(this.#part, op.characters, valueBytes.characters);
    this.#effects(op);
  }

  write(xml: string, ending: Ending): void {
    this.#budget.write(this.#part, 0, xml.length);
    if (xml !== "") this.#pieces.push(xml);
    if (ending !== "unchanged") this.#ending = ending;
  }

  /** Reserves a slot to fill later. It counts as visible if it was filled in the previous pass. */
  slot(): Slot {
    const slot = this.#places.create();
    if (this.#places.shows(slot)) this.show();
    this.#pieces.push(slot);
    return slot;
  }

  /** Fills a slot, or replaces its content. */
  fill(slot: Slot, xml: string): void {
    this.#budget.write(this.#part, 0, xml.length);
    slot.xml = xml;
  }

  /**
   * Sends the output that can no longer be rolled back, if it is long enough. Throws `limit_exceeded` if elements are
   * nested too deeply.
   */
  flush(): void {
    if (this.#pieces.length < FLUSH_AT) return;
    const count = this.#settled();
    if (count === 0) return;
    this.#send(count);
  }

  #send(count: number): void {
    if (this.#isDeep()) this.#checkDepth(count);
    else this.#countOpen(count);
    this.#pieces.send(count, this.#compressor);
    this.#sent += count;
  }

  /** Counts the elements that the first `count` pieces leave open. Values do not leave elements open. */
  #countOpen(count: number): void {
    for (let at = 0; at < count; at++) {
      const piece = this.#pieces.at(at);
      if (typeof piece !== "string" && piece.index >= 0) this.#add((piece as StaticPiece).opens);
    }
  }

  /**
   * Checks the nesting depth of the first `count` pieces. Values may have added elements that start and end in
   * different pieces.
   */
  #checkDepth(count: number): void {
    const xml = this.#pieces.text(0, count);
    checkDepth(this.#part, xml, undefined, this.#open);
    this.#add(opensIn(xml));
  }

  #add({ elements, tables }: Depth): void {
    this.#open.elements += elements;
    this.#open.tables += tables;
  }

  /** Returns the number of pieces that can no longer be rolled back. */
  #settled(): number {
    return this.#savepoints.settled(this.#sent + this.#pieces.length, this.#counts) - this.#sent;
  }

  #savepoint(need: Need, mark: Mark): void {
    this.#savepoints.push(need, mark);
    this.#isSettled = false;
  }

  /** Writes content. Rolls it back if it contains nothing of the kind `need`. Returns whether it is kept. */
  keepIf(need: keyof Counts, write: () => void): boolean {
    const mark = this.mark();
    this.#savepoint(need, mark);
    write();
    this.#savepoints.pop();
    const stays = this.#counts[need] > mark[need];
    if (!stays) this.rollback(mark);
    return stays;
  }

  /** Writes content whose slots are filled before its end, so that none of it is sent earlier. */
  hold(write: () => void): void {
    this.#savepoint("never", this.mark());
    write();
    this.#savepoints.pop();
  }

  /** Writes content, and replaces its XML as {@link PieceList.change} says. */
  replaced(write: () => void, change: (xml: string) => string): void {
    const { pieces } = this.mark();
    this.hold(write);
    this.#budget.write(this.#part, 0, this.#pieces.change(pieces - this.#sent, change));
  }

  /** Records that the output is visible on the page. */
  show(): void {
    this.#counts.shown += 1;
  }

  /** Begins a container, which has no content yet. */
  open(): void {
    this.#ending = "other";
  }

  mark(): Mark {
    const { shown, rows, cells, blocks } = this.#counts;
    const pieces = this.#sent + this.#pieces.length;
    const relationships = this.relationships.count;
    return { pieces, shown, rows, cells, blocks, relationships, ending: this.#ending };
  }

  rollback({ pieces, shown, rows, cells, blocks, relationships, ending }: Mark): void {
    for (const slot of this.#pieces.cut(pieces - this.#sent)) this.#places.rollback(slot);
    Object.assign(this.#counts, { shown, rows, cells, blocks });
    this.relationships.forget(relationships);
    this.#isSettled = false;
    this.#ending = ending;
  }

  shownSince({ shown }: Mark): boolean {
    return this.#counts.shown > shown;
  }

  /**
   * Writes a paragraph that {@link cut} may split. If the paragraph is empty after the last split, that part of it is
   * removed.
   */
  flow(write: () => void): void {
    const outer = this.#flow;
    const flow = { start: this.mark(), cut: false };
    this.#flow = flow;
    this.#savepoint("never", flow.start);
    write();
    this.#savepoints.pop();
    this.#flow = outer;
    if (flow.cut && !this.shownSince(flow.start)) this.#rollbackAllButMarks(flow.start);
  }

  #rollbackAllButMarks(to: Mark): void {
    const written = this.#pieces.text(to.pieces - this.#sent);
    const marks = written.match(RANGE_MARKS)?.join("") ?? "";
    this.rollback(to);
    if (marks !== "") this.write(marks, "unchanged");
  }

  /** Whether the paragraph has shown anything since its start or its last split. */
  get flowHasText(): boolean {
    return this.#flow !== null && this.shownSince(this.#flow.start);
  }

  /**
   * Ends the paragraph at a tag, writes blocks, and continues in a new paragraph. If the part of the
   * paragraph before the split is empty, it is removed.
   */
  cut(
    { closeRun, openRun, closeParagraph, openParagraph }: FlowContext,
    blocks: string,
    ending: Ending,
  ): void {
    const flow = this.#flow;
    if (flow === null || closeParagraph === null) throw new Error("The paragraph cannot be cut.");
    if (this.shownSince(flow.start)) this.write(`${closeRun}${closeParagraph}`, "paragraph");
    else this.#rollbackAllButMarks(flow.start);
    if (blocks !== "") {
      if (this.#ending === "table" && blocks.startsWith("<w:tbl>"))
        this.write(TABLE_GAP, "paragraph");
      this.write(blocks, ending);
      this.#counts.blocks += 1;
      this.show();
    }
    flow.start = this.mark();
    flow.cut = true;
    this.write(`${openParagraph}${openRun}`, "other");
  }
}
