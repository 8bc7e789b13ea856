import { type BlockLists, noLists } from "../program/lists.ts";
import type { Op } from "../program/ops.ts";
import type { Ending } from "../program/static-op.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import type { ElementNode, TagNode } from "../template/nodes/nodes.ts";
import { relationshipIdsIn } from "../template/relationship-ids.ts";
import type { Conditional } from "./references/references.ts";
import { cellOp } from "./table-ops.ts";

/** An open block, or ops that become the body of one op. The outermost frame contains the whole program. */
type Frame =
  | { readonly kind: "root" | "wrapped"; readonly ops: Op[] }
  | {
      readonly kind: "loop";
      readonly tag: TagNode;
      readonly lists: BlockLists;
      readonly bookmarks: Set<string>;
      readonly ops: Op[];
    }
  | { readonly kind: "cell"; readonly cell: ElementNode; readonly ops: Op[] }
  | {
      readonly kind: "choose";
      readonly branches: { readonly tag: TagNode; readonly ops: Op[] }[];
    };

/** Collects ops, merges adjacent text, and nests the bodies of blocks. */
export class Assembly {
  readonly #originOf: (tag: TagNode) => TagOrigin;
  readonly #frames: Frame[] = [{ kind: "root", ops: [] }];
  /** The names of all bookmarks in the output. */
  readonly bookmarks = new Set<string>();
  #loops: number;
  #pending = "";
  #visible = false;
  #row = false;
  #cell = false;
  #block = false;
  #ending: Ending = "unchanged";
  #hidden = false;

  /** `looped`: whether all of the output may be repeated. */
  constructor(originOf: (tag: TagNode) => TagOrigin, looped: boolean) {
    this.#originOf = originOf;
    this.#loops = looped ? 1 : 0;
  }

  /** Whether the next output is in a block that repeats. */
  get inLoop(): boolean {
    return this.#loops > 0;
  }

  finish(): Op[] {
    this.#flush();
    const [root, ...open] = this.#frames;
    if (root?.kind !== "root" || open.length > 0) throw new Error("A block was not closed.");
    return root.ops;
  }

  write(xml: string, ending: Ending = "other", visible = false): void {
    this.#pending += xml;
    if (this.#hidden) return;
    this.#visible ||= visible;
    if (ending !== "unchanged") this.#ending = ending;
  }

  /** Records which kind of element starts next. */
  starts(name: string): void {
    if (name === "w:tr") this.#row = true;
    if (name === "w:tc") this.#cell = true;
    if (name === "w:tr" || name === "w:p" || name === "w:tbl") this.#block = true;
  }

  /** Writes something that is not visible on the page. */
  invisibly(write: () => void): void {
    const hidden = this.#hidden;
    this.#hidden = true;
    write();
    this.#hidden = hidden;
  }

  push(op: Op): void {
    this.#flush();
    this.#current().push(op);
  }

  /** Records that a bookmark begins here, for all loops around it. */
  #bookmark(name: string): void {
    this.bookmarks.add(name);
    for (const frame of this.#frames) if (frame.kind === "loop") frame.bookmarks.add(name);
  }

  /** Writes text and ops in the given order. */
  pieces(pieces: readonly (string | Op)[]): void {
    for (const piece of pieces) {
      if (typeof piece === "string") this.write(piece, "unchanged");
      else this.push(piece);
      if (typeof piece !== "string" && piece.op === "bookmark" && piece.starts) {
        this.#bookmark(piece.name);
      }
    }
  }

  /**
   * Writes content that depends on a reference: if the reference is lost, the document contains the output of `marks`
   * instead of the output of `write`.
   */
  conditional(
    { reference, first }: Pick<Conditional, "reference" | "first">,
    write: () => void,
    marks: () => void = () => {},
  ): void {
    const otherwise = this.gathered(marks);
    this.wrapped((body) => ({ op: "reference", reference, first, body, otherwise }), write);
  }

  /** Makes the output of `write` the body of one op. */
  wrapped(make: (body: Op[]) => Op, write: () => void): void {
    this.push(make(this.gathered(write)));
  }

  /** Returns the output of `write` as a separate list of ops. */
  gathered(write: () => void): Op[] {
    this.#flush();
    const ops: Op[] = [];
    const depth = this.#frames.push({ kind: "wrapped", ops });
    write();
    this.#flush();
    if (this.#frames.length !== depth) throw new Error("A block crosses an element.");
    this.#frames.pop();
    return ops;
  }

  /** Begins a block, starts its next branch, or ends it. */
  marker(tag: TagNode, lists: BlockLists = noLists()): void {
    this.#flush();
    switch (tag.directive.kind) {
      case "for":
      case "tablerow":
      case "tablecolumn":
      case "section":
        this.#loops += 1;
        this.#frames.push({ kind: "loop", tag, lists, bookmarks: new Set(), ops: [] });
        break;
      case "if":
        if (tag.cell !== undefined) this.#frames.push({ kind: "cell", cell: tag.cell, ops: [] });
        else this.#frames.push({ kind: "choose", branches: [{ tag, ops: [] }] });
        break;
      case "elseif":
      case "else": {
        const frame = this.#frames.at(-1);
        if (frame?.kind !== "choose") throw new Error("A branch is outside its block.");
        frame.branches.push({ tag, ops: [] });
        break;
      }
      default:
        this.#close();
    }
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame?.kind === "loop") {
      this.#loops -= 1;
      this.push(this.#loop(frame));
    } else if (frame?.kind === "choose") {
      const branches = frame.branches.map(({ tag, ops }) => ({
        origin: this.#originOf(tag),
        condition: "condition" in tag.directive ? tag.directive.condition : null,
        body: ops,
      }));
      this.push({ op: "choose", branches });
    } else if (frame?.kind === "cell") {
      this.push(cellOp(frame.cell, frame.ops));
    } else {
      throw new Error("The ends of two blocks are in the wrong order.");
    }
  }

  #loop({ tag, lists, bookmarks, ops: body }: Extract<Frame, { kind: "loop" }>): Op {
    const { directive, mayJoin, hasInverse = false } = tag;
    const origin = this.#originOf(tag);
    const marks = {
      ...(tag.paged === undefined ? {} : { paged: tag.paged }),
      ...(mayJoin === undefined ? {} : { mayJoin }),
    };
    if (directive.kind === "section") {
      const { condition, inverted } = directive;
      const facts = { condition, inverted, hasInverse, ...marks };
      return { op: "section", origin, ...facts, lists, bookmarks, body };
    }
    if (!("alias" in directive)) throw new Error("The block is not a loop.");
    const { alias, collection, shape, optional } = directive;
    const list = { alias, collection, shape, optional, ...marks };
    return { op: "repeat", origin, ...list, lists, bookmarks, body };
  }

  #flush(): void {
    if (this.#pending === "") return;
    this.#current().push({
      op: "static",
      xml: this.#pending,
      visible: this.#visible,
      row: this.#row,
      cell: this.#cell,
      block: this.#block,
      ending: this.#ending,
      relationships: relationshipIdsIn(this.#pending),
    });
    this.#pending = "";
    this.#visible = false;
    this.#row = false;
    this.#cell = false;
    this.#block = false;
    this.#ending = "unchanged";
  }

  #current(): Op[] {
    const frame = this.#frames.at(-1);
    const ops = frame?.kind === "choose" ? frame.branches.at(-1)?.ops : frame?.ops;
    if (ops === undefined) throw new Error("There is no open block.");
    return ops;
  }
}
