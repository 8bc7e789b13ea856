import type { Compressor } from "../deflate/pieces.ts";
import type { BlockOp, LineOp, LineValue, Op, ValueOp } from "../program/ops.ts";
import type { NotesProgram } from "../program/programs.ts";
import { ContentWriter } from "./content.ts";
import { isTruthy } from "./evaluate/compare/compare.ts";
import { newTurn, type Scope } from "./evaluate/context/scope.ts";
import { noteNoBranch } from "./evaluate/hints/choices.ts";
import { isLost } from "./follow-reference.ts";
import { ListTurns } from "./list-turns.ts";
import { Looks } from "./looks.ts";
import { columnCount, listOf, sectionTurns } from "./loops.ts";
import { ParagraphNumbers } from "./paragraph-numbers.ts";
import { PartWriter } from "./part-writer.ts";
import { readLine, readOwnLine, readPlainLine } from "./read-line.ts";
import type { NoteCopy } from "./references/bookmarks.ts";
import type { Rendering, Running } from "./rendering.ts";
import { SectionHeaders } from "./section-headers.ts";
import { TableWriter } from "./table-writer.ts";
import { idAt, noteReference } from "./turn-ids.ts";

/** The items of a block, which is written once for each item. */
interface Repeated extends Pick<Scope, "alias" | "path"> {
  readonly items: readonly unknown[];
  /** Whether the items are elements of a list. */
  readonly isList: boolean;
}

/** Writes one part of one document. */
export class Run {
  readonly writer: PartWriter;
  /** Set while a repeated copy of a note is written, because its bookmarks need new names; otherwise null. */
  copy: NoteCopy | null = null;
  readonly #rendering: Rendering;
  readonly #content: ContentWriter;
  readonly #headers: SectionHeaders;
  readonly #lists: ListTurns;
  readonly #tables: TableWriter;
  readonly #looks: Looks;
  readonly #numbers: ParagraphNumbers;
  readonly #buffers: boolean;
  /** The printed values of the current line. */
  readonly #texts: (string | null)[] = [];
  readonly #write = ({ op }: LineValue): void => this.#content.text(op);

  /** `buffers` says whether to keep all output until it is complete. */
  constructor(
    part: string,
    { rendering, isDeep }: Running,
    compressor: Compressor | null,
    buffers: boolean,
    inNote = false,
  ) {
    this.#rendering = rendering;
    this.#buffers = buffers;
    this.writer = new PartWriter(part, rendering, compressor, isDeep);
    this.#lists = new ListTurns(rendering.output);
    this.#looks = new Looks(rendering);
    this.#numbers = new ParagraphNumbers(this.#lists, this.#looks, rendering);
    this.#tables = new TableWriter(this.writer, rendering, (need, write) =>
      this.#keepIf(need, write),
    );
    this.#content = new ContentWriter(
      { part, inNote, rendering, writer: this.writer },
      this.#tables,
    );
    this.#headers = new SectionHeaders(this.writer, rendering);
  }

  /** Writes a note with this id, with the data at the reference to it. */
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

  finish(): ReturnType<PartWriter["finish"]> {
    this.#tables.finish();
    return this.writer.finish();
  }

  list(ops: readonly Op[], scope: Scope | null): void {
    for (const op of ops) this.#step(op, scope);
  }

  #step(op: Op, scope: Scope | null): void {
    if (op.op === "line") {
      this.#line(op, scope);
      return;
    }
    this.#rendering.budget.step();
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
      case "control":
      case "row":
        this.#keepIf(op.op === "row" ? "cells" : "blocks", () => this.list(op.body, scope));
        break;
      case "table":
      case "grid":
      case "coveringRow":
      case "cell":
      case "cellWidth":
        this.#tables.write(op, scope, () => this.list(op.body, scope));
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
        this.#value(op, scope);
    }
  }

  #value(op: ValueOp, scope: Scope | null): void {
    const { env, output } = this.#rendering;
    env.scope = scope;
    switch (op.op) {
      case "id":
        this.writer.write(String(idAt(op, scope, output)), "unchanged");
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
        this.writer.write(String(noteReference(op, scope, output)), "unchanged");
        break;
      case "sequence":
        this.writer.write(output.sequences.next(op), "unchanged");
        break;
      case "merge":
        this.#tables.merge(op);
        break;
      case "cellSize":
      case "gridColumn":
      case "tableSize":
        this.#tables.size(op, scope);
        break;
      case "state":
      case "picture":
      case "link":
      case "chart":
      case "chartPoint":
      case "taggedName":
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
    }
  }

  /** Writes a line in one step, or op by op if a value splits its paragraph. */
  #line(op: LineOp, scope: Scope | null): void {
    const { env } = this.#rendering;
    env.scope = scope;
    if (this.#beginDirect() && readPlainLine(op, env)) {
      this.writer.writeDirect(op);
    } else if (readLine(op, env, this.#texts)) {
      this.#rendering.budget.step(op.steps);
      this.writer.line(op, this.#texts, this.#write);
    } else this.list(op.body, scope);
  }

  /** Whether a line may be written in one step. */
  #beginDirect(): boolean {
    return !this.#buffers && this.writer.beginDirect();
  }

  #repeat(op: Extract<Op, { op: "repeat" }>, scope: Scope | null): void {
    this.#rendering.env.scope = scope;
    const items = listOf(op, this.#rendering);
    this.#turns(op, { alias: op.alias, path: op.collection, items, isList: true }, scope);
  }

  #section(op: Extract<Op, { op: "section" }>, scope: Scope | null): void {
    this.#rendering.env.scope = scope;
    const turns = sectionTurns(op, this.#rendering);
    if (turns === "nothing") return;
    if (turns === "around") {
      this.#rendering.budget.step();
      this.#turn(op, scope, null);
      return;
    }
    if (turns.isList && turns.items.length > 0) this.#lists.itemsRepeat(op.lists);
    this.#turns(op, { alias: null, ...turns }, scope);
  }

  /** Writes an iteration. `own`: its scope; null if it has the scope around it. */
  #turn({ body, paged }: BlockOp, scope: Scope | null, own: Scope | null): void {
    this.#headers.begin(paged, own);
    this.list(body, own ?? scope);
    this.#headers.end(paged);
  }

  #turns(op: BlockOp, { alias, path, items, isList }: Repeated, outer: Scope | null): void {
    const { body, lists, bookmarks } = op;
    const { length } = items;
    const around = { alias, path, items: isList ? items : null, length, outer, bookmarks };
    this.#rendering.budget.step(length);
    const single = body.length === 1 && lists.restarted.length === 0 ? body[0] : null;
    const line = single?.op === "line" && single.item === alias ? single : null;
    this.#lists.repeat(isList ? lists : null, length, (turn) => {
      const item = items[turn];
      if (line !== null && this.#beginDirect() && readOwnLine(line, item)) {
        this.writer.writeDirect(line);
        return;
      }
      this.#turn(op, outer, newTurn(around, item, isList ? turn : null));
      if (!this.#buffers) this.writer.flush();
    });
  }

  #choose(op: Extract<Op, { op: "choose" }>, scope: Scope | null): void {
    const { env, diagnostics } = this.#rendering;
    for (const [branch, { origin, condition, body }] of op.branches.entries()) {
      env.scope = scope;
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

  #paragraph(op: Extract<Op, { op: "paragraph" }>, scope: Scope | null): void {
    if (!this.#keepIf("shown", () => this.list(op.body, scope))) this.list(op.marks, scope);
  }

  /**
   * Writes content. Rolls it back, together with content that may occur only once, if it contains nothing of the kind
   * `need`. Returns whether it is kept.
   */
  #keepIf(need: "shown" | "rows" | "cells" | "blocks", write: () => void): boolean {
    const { output } = this.#rendering;
    const { bookmarks, onceWritten } = output;
    const held = bookmarks.savepoint();
    const stays = this.writer.keepIf(need, write);
    bookmarks.release(held, stays);
    if (!stays) output.forgetOnce(onceWritten);
    return stays;
  }
}
