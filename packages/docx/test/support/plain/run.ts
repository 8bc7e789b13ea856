import type { CoveredColumns, TableSizeOp } from "../../../src/program/column-widths.ts";
import type { BlockLists } from "../../../src/program/lists.ts";
import type { NumberOf } from "../../../src/program/numbered.ts";
import type { BlockOp, CellOp, CellWidthOp, Op, ValueOp } from "../../../src/program/ops.ts";
import type { NotesProgram } from "../../../src/program/programs.ts";
import { ContentWriter } from "../../../src/render/content.ts";
import { isTruthy } from "../../../src/render/evaluate/compare/compare.ts";
import { isFirstTurn, type Scope } from "../../../src/render/evaluate/context/scope.ts";
import { noteNoBranch } from "../../../src/render/evaluate/hints/choices.ts";
import { isLost } from "../../../src/render/follow-reference.ts";
import { Looks, spanOf } from "../../../src/render/looks.ts";
import { columnCount, listOf } from "../../../src/render/loops.ts";
import { ParagraphNumbers } from "../../../src/render/paragraph-numbers.ts";
import type { PartWriter as ProductionWriter } from "../../../src/render/part-writer.ts";
import type { NoteCopy } from "../../../src/render/references/bookmarks.ts";
import type { Rendering } from "../../../src/render/rendering.ts";
import { SectionHeaders } from "../../../src/render/section-headers.ts";
import { type CellSize, type Span, sizeOf } from "../../../src/render/tables/covering-row.ts";
import { MergeOrders } from "../../../src/render/tables/merge-orders.ts";
import { acrossText, mergeText } from "../../../src/render/tables/merged-rows.ts";
import { ListTurns } from "./list-turns.ts";
import { type Mark, PartWriter, type Places, TABLE_GAP } from "./part-writer.ts";
import { sectionTurns } from "./section-turns.ts";
import { SizedTable } from "./sized-table.ts";

/** Called with each op before it runs. */
export type Watch = (op: Op) => void;

/** A written cell, with the sizes of all cells that it covers, itself included, and how many it should cover. */
interface WrittenCell {
  readonly op: CellOp;
  readonly text: string | null;
  span: Span | null;
  end: number;
  readonly covered: CellSize[];
  readonly slots: Map<"columns" | "width", ReturnType<PartWriter["slot"]>>;
}

function widthOf([first, ...others]: readonly CellSize[]): string {
  const unit = first?.width?.unit;
  const isKnown = unit !== undefined && others.every(({ width }) => width?.unit === unit);
  const sum = [first, ...others].reduce((all, each) => all + (each?.width?.amount ?? 0), 0);
  return `<w:tcW w:w="${isKnown ? sum : 0}" w:type="${isKnown ? unit : "auto"}"/>`;
}

/**
 * Runs a program literally, step by step, without optimizations. The code in `src` must write the same:
 * `differential.test.ts` compares the two.
 */
export class Run {
  readonly writer: PartWriter;
  /** Set while a repeated copy of a note is written, because its bookmarks need new names; otherwise null. */
  copy: NoteCopy | null = null;
  readonly #rendering: Rendering;
  readonly #content: ContentWriter;
  readonly #headers: SectionHeaders;
  readonly #lists: ListTurns;
  /** The last cell of each column with merged cells, and of each of its repetitions. */
  readonly #merged = new Map<
    string,
    { readonly group: number; readonly text: string | null | undefined }
  >();
  /** The rows around the current content in which some cells may cover others, outermost first. */
  readonly #covering: { readonly cells: WrittenCell[] }[] = [];
  readonly #orders = new MergeOrders();
  readonly #looks: Looks;
  /** The tables around the current content, outermost first; null for a table whose columns have no tags. */
  readonly #tables: { readonly sized: SizedTable | null; cell: number | null }[] = [];
  readonly #numbers: ParagraphNumbers;
  readonly #watch: Watch;

  constructor(given: {
    readonly part: string;
    readonly inNote: boolean;
    readonly rendering: Rendering;
    readonly watch: Watch;
    readonly places: Places;
  }) {
    const { part, inNote, rendering, watch, places } = given;
    this.#rendering = rendering;
    this.#looks = new Looks(rendering);
    this.#watch = watch;
    this.writer = new PartWriter(part, rendering.budget, places);
    this.#lists = new ListTurns(rendering.output.numbering);
    this.#numbers = new ParagraphNumbers(this.#lists, this.#looks, rendering);
    // Writers have private fields, so the types are incompatible although the classes have the same methods.
    const writer = this.writer as unknown as ProductionWriter;
    const run = this;
    const tables = {
      get textWidthEmu() {
        return run.#textWidthEmu();
      },
    };
    this.#content = new ContentWriter({ part, inNote, rendering, writer }, tables);
    this.#headers = new SectionHeaders(writer, rendering);
  }

  /** Writes a note with an id and the data at the reference to it. */
  note(
    { before, bookmarks, lists, body }: NotesProgram["notes"][number],
    { id, scope }: { readonly id: number | null; readonly scope: Scope | null },
    again: boolean,
  ): void {
    this.writer.write(`${before}${id ?? ""}`, "other");
    this.copy = again ? { bookmarks, names: new Map() } : null;
    if (again) this.#lists.restart(lists);
    this.list(body, scope);
  }

  finish(): string {
    this.#orders.report(this.#rendering.diagnostics);
    return this.writer.text();
  }

  list(ops: readonly Op[], scope: Scope | null): void {
    for (const op of ops) this.#step(op, scope);
  }

  #step(op: Op, scope: Scope | null): void {
    const { budget } = this.#rendering;
    budget.step();
    this.#watch(op);
    switch (op.op) {
      case "static":
        this.writer.static(op);
        break;
      case "text":
        this.#rendering.env.scope = scope;
        this.#content.text(op);
        break;
      case "repeat":
        this.#repeat(op, scope);
        break;
      case "section":
        this.#section(op, scope);
        break;
      case "choose":
        this.#choose(op, scope);
        break;
      case "container":
        this.#container(op, scope);
        break;
      case "table":
        this.#table(op, scope);
        break;
      case "control":
        this.#control(op, scope);
        break;
      case "row":
        this.#row(op, scope);
        break;
      case "coveringRow":
        this.#coveringRow(op, scope);
        break;
      case "cell":
        this.#cell(op, scope);
        break;
      case "grid":
        this.list(op.body, scope);
        this.#tables.at(-1)?.sized?.fill((slot, xml) => this.writer.fill(slot, xml));
        this.#tables.at(-1)?.sized?.report();
        break;
      case "cellWidth":
        this.#cellWidth(op, scope);
        break;
      case "paragraph":
        this.#paragraph(op, scope);
        break;
      case "flow":
        this.writer.flow(() => this.list(op.body, scope));
        break;
      case "shrink":
        this.writer.replaced(
          () => this.list(op.body, scope),
          (xml) => this.#looks.shrunk(xml, op, scope),
        );
        break;
      case "reference":
        this.list(isLost(op, this.#rendering, scope, this.copy) ? op.otherwise : op.body, scope);
        break;
      case "once":
        if (this.#rendering.output.isFirst(op.key)) this.list(op.body, scope);
        break;
      default:
        this.#value(op as ValueOp, scope);
    }
  }

  #value(op: ValueOp, scope: Scope | null): void {
    const { env, output } = this.#rendering;
    env.scope = scope;
    switch (op.op) {
      case "id":
        this.writer.write(String(this.#id(op.of, op.original, scope)), "unchanged");
        break;
      case "bookmark":
        this.writer.write(output.bookmarks.nameOf(op, scope, this.copy), "unchanged");
        break;
      case "list":
      case "numbering":
      case "styled":
        this.writer.write(this.#numbers.xml(op), "unchanged");
        break;
      case "note":
        this.writer.write(String(this.#reference(op, scope)), "unchanged");
        break;
      case "link":
        this.#content.address(op);
        break;
      case "sequence":
        this.writer.write(output.sequences.next(op), "unchanged");
        break;
      case "merge":
        this.#merge(op, scope);
        break;
      case "cellSize":
        this.#covering.at(-1)?.cells.at(-1)?.slots.set(op.of, this.writer.slot());
        break;
      case "gridColumn": {
        const width = this.#tables.at(-1)?.sized?.column(op, scope);
        this.writer.write(`<w:gridCol w:w="${width}"/>`, "unchanged");
        break;
      }
      case "tableSize":
        this.#tableSize(op);
        break;
      case "state":
      case "picture":
      case "chart":
      case "chartPoint":
        this.#content.special(op);
        break;
      case "headers":
      case "nextSection":
        this.#headers.write(op);
        break;
      case "look":
      case "decide":
      case "chartColor":
        this.writer.write(this.#looks.xml(op), "unchanged");
        break;
      case "columns":
        this.writer.write(String(columnCount(op, this.#rendering)), "unchanged");
        break;
      default:
        // Other ops must not occur here, such as those that the code in `src` combines from several ops.
        throw new Error("The plain renderer does not support this op.");
    }
  }

  #repeat(op: Extract<Op, { op: "repeat" }>, scope: Scope | null): void {
    this.#rendering.env.scope = scope;
    const items = listOf(op, this.#rendering);
    this.#turns(op.lists, items.length, (index) => {
      this.#turn(op, scope, {
        alias: op.alias,
        item: items[index],
        items,
        path: op.collection,
        index,
        length: items.length,
        outer: scope,
        bookmarks: op.bookmarks,
        ids: null,
        names: null,
      });
    });
  }

  #section(op: Extract<Op, { op: "section" }>, scope: Scope | null): void {
    this.#rendering.env.scope = scope;
    const turns = sectionTurns(op, scope, this.#rendering);
    const turn = turns[0];
    if (turn !== undefined && (turn === null || turn === scope || turn.index === null)) {
      this.#rendering.budget.step();
      this.#turn(op, scope, turn === scope ? null : turn);
      return;
    }
    if (turns.length > 0) this.#lists.itemsRepeat(op.lists);
    this.#turns(op.lists, turns.length, (index) => {
      this.#turn(op, scope, turns[index] ?? null);
    });
  }

  #turn(
    { body, paged }: Pick<BlockOp, "body" | "paged">,
    scope: Scope | null,
    own: Scope | null,
  ): void {
    this.#headers.begin(paged, own);
    this.list(body, own ?? scope);
    this.#headers.end(paged);
  }

  #turns(lists: BlockLists, count: number, turn: (index: number) => void): void {
    this.#rendering.budget.step(count);
    this.#lists.repeat(lists, count, turn);
  }

  #choose(op: Extract<Op, { op: "choose" }>, scope: Scope | null): void {
    const { env, diagnostics } = this.#rendering;
    let next = 0;
    for (const { origin, condition, body } of op.branches) {
      env.scope = scope;
      const branch = next++;
      const chosen =
        condition === null ||
        diagnostics.guard(origin, () =>
          isTruthy(this.#rendering.condition(origin, condition, branch)),
        ) === true;
      if (chosen) {
        this.list(body, scope);
        return;
      }
    }
    const origin = op.branches[0]?.origin;
    if (origin !== undefined) noteNoBranch(origin, op.branches, diagnostics);
  }

  #container(op: Extract<Op, { op: "container" }>, scope: Scope | null): void {
    this.writer.open();
    this.list(op.body, scope);
    if (this.writer.ending !== "paragraph") this.writer.write("<w:p/>", "paragraph");
  }

  #table(op: Extract<Op, { op: "table" }>, scope: Scope | null): void {
    this.#tables.push({ sized: op.isSized ? new SizedTable(this.#rendering) : null, cell: null });
    const write = (): void => {
      if (op.apart && this.writer.ending === "table") this.writer.write(TABLE_GAP, "paragraph");
      this.list(op.body, scope);
    };
    if (op.vanishes) this.#unless(write, (before) => this.writer.rowsSince(before) === 0);
    else write();
    this.#tables.pop();
  }

  #tableSize(op: TableSizeOp): void {
    const { sized = null } = this.#tables.at(-1) ?? {};
    sized?.size(op, this.writer.slot());
    sized?.fill((slot, xml) => this.writer.fill(slot, xml));
  }

  #cellWidth(op: CellWidthOp, scope: Scope | null): void {
    const width = this.#given(op.columns, op.isFixed, scope);
    if (width === null) this.list(op.body, scope);
    else this.writer.write(`<${op.element} w:w="${width}" w:type="dxa"/>`, "unchanged");
  }

  #given(columns: CoveredColumns, isFixed: boolean, scope: Scope | null) {
    const table = this.#tables.at(-1);
    if (table === undefined || table.sized === null) return null;
    this.#rendering.env.spend(columns.to - columns.from);
    table.cell = table.sized.cell(columns, isFixed, scope);
    return table.cell;
  }

  #textWidthEmu(): number | null {
    const { cell = null } = this.#tables.at(-1) ?? {};
    return cell !== null && cell > 216 ? (cell - 216) * 635 : null;
  }

  #control(op: Extract<Op, { op: "control" }>, scope: Scope | null): void {
    const write = (): void => this.list(op.body, scope);
    this.#unless(write, (before) => this.writer.blocksSince(before) === 0);
  }

  #row(op: Extract<Op, { op: "row" }>, scope: Scope | null): void {
    const write = (): void => this.list(op.body, scope);
    this.#unless(write, (before) => this.writer.cellsSince(before) === 0);
  }

  #coveringRow(op: Extract<Op, { op: "coveringRow" }>, scope: Scope | null): void {
    const cells: WrittenCell[] = [];
    this.#covering.push({ cells });
    this.#unless(
      () => this.list(op.body, scope),
      (before) => this.writer.cellsSince(before) === 0,
    );
    this.#covering.pop();
    for (const { op: cell, span, end, covered, slots } of cells) {
      const own = covered.length === 1 ? cell.own : { columns: null, width: null };
      const isGiven = covered[0]?.isGiven === true;
      const count = covered.reduce((sum, { columns }) => sum + columns, 0);
      const columns = count === 1 ? "" : `<w:gridSpan w:val="${count}"/>`;
      this.#size(slots.get("columns"), own.columns ?? columns);
      this.#size(slots.get("width"), (isGiven ? null : own.width) ?? widthOf(covered));
      if (span === null || end <= covered.length) continue;
      const missing = end - covered.length;
      this.#rendering.diagnostics.invalid(
        span.origin,
        `covers ${span.cells} cells, but its row has only ${span.cells - missing} from there`,
        span.pointer,
        () => "Give a smaller number, or add columns to the table.",
      );
    }
  }

  #size(slot: ReturnType<PartWriter["slot"]> | undefined, xml: string): void {
    if (slot !== undefined) this.writer.fill(slot, xml);
  }

  #cell(op: CellOp, scope: Scope | null): void {
    const { env } = this.#rendering;
    env.scope = scope;
    const size = this.#sizeOf(op, scope);
    const cells = this.#covering.at(-1)?.cells ?? [];
    const last = cells.at(-1);
    if (last !== undefined && last.covered.length < last.end) {
      if (last.op === op && last.span !== null && !op.isSame) {
        this.#rendering.diagnostics.warn(
          last.span.origin,
          "covered_cell",
          `${last.span.origin.text} covers the cell of another item of its loop, which is not printed.`,
          undefined,
          () =>
            "To print it, too, repeat the columns below the headings, and merge equal headings with mergeAcross.",
        );
      }
      last.covered.push(size);
      return;
    }
    const text = op.by === null ? null : acrossText(op.by, this.#rendering);
    const span = spanOf(op.tags, this.#rendering);
    const isAlike = last !== undefined && (last.op === op || (last.op.isAlone && op.isAlone));
    if (isAlike && text !== null && last.text === text) {
      if (span !== null && span.cells > 1) {
        last.end = last.covered.length + span.cells;
        last.span = span;
      }
      last.covered.push(size);
      return;
    }
    cells.push({ op, text, span, end: span?.cells ?? 1, covered: [size], slots: new Map() });
    this.list(op.body, scope);
  }

  #sizeOf(op: CellOp, scope: Scope | null): CellSize {
    const size = sizeOf(op, (columns) => columnCount(columns, this.#rendering));
    const isFixed = size.width?.unit === "dxa";
    const given = op.grid === null ? null : this.#given(op.grid, isFixed, scope);
    if (given === null) return size;
    return { ...size, width: { amount: given, unit: "dxa" }, isGiven: true };
  }

  #paragraph(op: Extract<Op, { op: "paragraph" }>, scope: Scope | null): void {
    const write = (): void => this.list(op.body, scope);
    if (this.#unless(write, (before) => !this.writer.shownSince(before))) {
      this.list(op.marks, scope);
    }
  }

  /** Writes content and removes it if it is empty. Returns true if it was empty. */
  #unless(write: () => void, isEmpty: (before: Mark) => boolean): boolean {
    const { output } = this.#rendering;
    const before = this.writer.mark();
    const once = output.onceWritten;
    const held = output.bookmarks.savepoint();
    write();
    const empty = isEmpty(before);
    output.bookmarks.release(held, !empty);
    if (!empty) return false;
    this.writer.rollback(before);
    output.forgetOnce(once);
    return true;
  }

  #merge(op: Extract<Op, { op: "merge" }>, scope: Scope | null): void {
    const { column, turns, group, above } = op;
    const text = mergeText(op, this.#rendering);
    if (group === null) {
      for (const key of this.#merged.keys())
        if (key.startsWith(`${column}:`)) this.#merged.delete(key);
      return;
    }
    let key = `${column}:`;
    let at = scope;
    for (let turn = 0; turn < turns; turn++) {
      key += ` ${at?.index}`;
      at = at?.outer ?? null;
    }
    const last = this.#merged.get(key);
    const mayContinue =
      last !== undefined && above !== null && last.group >= above[0] && last.group <= above[1];
    this.#orders.add(op, text, mayContinue, scope);
    if (mayContinue && text !== undefined && last.text === text) {
      this.writer.write("<w:vMerge/>", "unchanged");
      return;
    }
    this.#merged.set(key, { group, text });
    this.writer.write('<w:vMerge w:val="restart"/>', "unchanged");
  }

  /** Returns the number in a reference to a note or comment. */
  #reference({ kind, id }: Extract<Op, { op: "note" }>, scope: Scope | null): number {
    const { output } = this.#rendering;
    if (kind !== "comment") return output.note(kind, id, scope);
    const own = this.#id(kind, id, scope);
    output.comment(id, own, scope);
    return own;
  }

  /**
   * Returns the original number in the first iteration, then a new number per iteration, which both ends of a range
   * share.
   */
  #id(of: NumberOf, original: number, scope: Scope | null): number {
    if (isFirstTurn(scope) || scope === null) return original;
    const { output } = this.#rendering;
    const key = `${of}${original}`;
    scope.ids ??= new Map();
    let id = scope.ids.get(key);
    if (id === undefined) {
      id = of === "drawing" ? output.nextDrawing() : output.nextMark();
      scope.ids.set(key, id);
    }
    return id;
  }
}
