import { QuireError } from "../../errors.ts";
import { textXml } from "../values/text.ts";
import { holds, type RenderData, resolve, type Scope, withArticle } from "./evaluate.ts";
import type { Findings } from "./findings.ts";
import type { Op, PartProgram } from "./ops.ts";
import { printTag, type TextOp } from "./print-tag.ts";

/**
 * Runs the program of one part over the data. What it finds is added to the findings. Throws
 * `limit_exceeded` when the part becomes longer than a text can be.
 */
export function runProgram(program: PartProgram, data: RenderData, findings: Findings): string {
  const run = new Run(data, findings);
  run.list(program.ops, null);
  try {
    return run.chunks.join("");
  } catch (cause) {
    // The one way in which joining fails: V8 holds no longer text than some 500 million characters.
    throw new QuireError(
      "limit_exceeded",
      `The part ${program.part} of the document becomes too large. Give the data in several documents.`,
      { cause },
    );
  }
}

class Run {
  readonly chunks: string[] = [];
  readonly #data: RenderData;
  readonly #findings: Findings;
  /** Grows with everything that shows on the page. */
  #shown = 0;

  constructor(data: RenderData, findings: Findings) {
    this.#data = data;
    this.#findings = findings;
  }

  list(ops: readonly Op[], scope: Scope | null): void {
    for (const op of ops) this.#step(op, scope);
  }

  #step(op: Op, scope: Scope | null): void {
    switch (op.op) {
      case "static":
        this.chunks.push(op.xml);
        if (op.visible) this.#shown += 1;
        break;
      case "text":
        this.#text(op, scope);
        break;
      case "repeat":
        this.#repeat(op, scope);
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
      case "paragraph":
        this.#paragraph(op, scope);
    }
  }

  #text(op: TextOp, scope: Scope | null): void {
    const text = printTag(op, scope, this.#data, this.#findings);
    if (text === "") return;
    this.chunks.push(textXml(text));
    this.#shown += 1;
  }

  #repeat(op: Extract<Op, { op: "repeat" }>, scope: Scope | null): void {
    const { value, pointer } = resolve(op.collection, scope, this.#data);
    if (value === undefined) {
      if (!op.optional) this.#findings.notProvided(op.origin, op.collection.source, pointer);
      return;
    }
    if (!Array.isArray(value)) {
      this.#findings.add(op.origin, {
        severity: "error",
        code: "invalid_value",
        message: `The tag ${op.origin.text} repeats '${op.collection.source}', which is ${withArticle(value)} and not a list.`,
        hint: "Give a list: [ … ].",
        pointer,
      });
      return;
    }
    const { length } = value;
    for (let index = 0; index < length; index++) {
      this.list(op.body, {
        alias: op.alias,
        item: value[index],
        pointer: `${pointer}/${index}`,
        index,
        length,
        outer: scope,
      });
    }
  }

  #choose(op: Extract<Op, { op: "choose" }>, scope: Scope | null): void {
    for (const { origin, condition, body } of op.branches) {
      const chosen =
        condition === null ||
        this.#findings.guard(origin, () => holds(condition, scope, this.#data)) === true;
      if (chosen) {
        this.list(body, scope);
        return;
      }
    }
  }

  #table(op: Extract<Op, { op: "table" }>, scope: Scope | null): void {
    const start = this.chunks.length;
    this.list(op.body, scope);
    for (let at = start; at < this.chunks.length; at++) {
      if (ROW.test(this.chunks[at] ?? "")) return;
    }
    this.chunks.length = start;
  }

  #paragraph(op: Extract<Op, { op: "paragraph" }>, scope: Scope | null): void {
    const start = this.chunks.length;
    const shown = this.#shown;
    this.list(op.body, scope);
    if (this.#shown > shown) return;
    this.chunks.length = start;
    if (op.marks !== "") this.chunks.push(op.marks);
  }

  #container(op: Extract<Op, { op: "container" }>, scope: Scope | null): void {
    const start = this.chunks.length;
    this.list(op.body, scope);
    for (let at = this.chunks.length - 1; at >= start; at--) {
      const content = (this.chunks[at] ?? "").replace(AFTER_CONTENT, "");
      if (PARAGRAPH_END.test(content)) return;
      if (content !== "") break;
    }
    this.chunks.push("<w:p/>");
  }
}

const ROW = /<w:tr[ />]/;
const PARAGRAPH_END = /(?:<\/w:p>|<w:p(?: [^<>]*)?\/>)$/;

/** What may stand behind the last paragraph of a cell: marks of ranges, ends of content controls, spaces. */
const AFTER_CONTENT =
  /(?:\s|<w:(?:bookmark|comment|perm|move)\w+(?: [^<>]*)?\/>|<\/w:sdt(?:Content)?>)+$/;
