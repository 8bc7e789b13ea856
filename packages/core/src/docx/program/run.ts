import { textXml } from "../values/text.ts";
import { type Budget, withinLimits } from "./budget.ts";
import { holds, type RenderData, resolve, type Scope, withArticle } from "./evaluate.ts";
import type { Findings } from "./findings.ts";
import type { Ending, Op, PartProgram } from "./ops.ts";
import { printTag, type TextOp } from "./print-tag.ts";

/**
 * Runs the program of one part over the data. What it finds is added to the findings. Throws
 * `limit_exceeded` when the budget is used up.
 */
export function runProgram(
  program: PartProgram,
  data: RenderData,
  findings: Findings,
  budget: Budget,
): string {
  return withinLimits(program.part, () => {
    const run = new Run(program.part, data, findings, budget);
    run.list(program.ops, null);
    return run.chunks.join("");
  });
}

/** What is known of the XML written so far. */
interface Written {
  readonly chunks: number;
  readonly shown: number;
  readonly rows: number;
  readonly endsInParagraph: boolean;
}

class Run {
  readonly chunks: string[] = [];
  readonly #part: string;
  readonly #data: RenderData;
  readonly #findings: Findings;
  readonly #budget: Budget;
  /** Grows with everything that shows on the page. */
  #shown = 0;
  /** Grows with the rows of tables. */
  #rows = 0;
  /** Whether the last thing written, but for what may follow it, is a paragraph. */
  #endsInParagraph = false;

  constructor(part: string, data: RenderData, findings: Findings, budget: Budget) {
    this.#part = part;
    this.#data = data;
    this.#findings = findings;
    this.#budget = budget;
  }

  list(ops: readonly Op[], scope: Scope | null): void {
    for (const op of ops) this.#step(op, scope);
  }

  #step(op: Op, scope: Scope | null): void {
    this.#budget.step(this.#part);
    switch (op.op) {
      case "static":
        this.#write(op.xml, op.ending);
        if (op.visible) this.#shown += 1;
        if (op.row) this.#rows += 1;
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
    this.#write(textXml(text), "other");
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
      this.#budget.step(this.#part);
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
    const before = this.#written();
    this.list(op.body, scope);
    if (this.#rows === before.rows) this.#takeBack(before);
  }

  #paragraph(op: Extract<Op, { op: "paragraph" }>, scope: Scope | null): void {
    const before = this.#written();
    this.list(op.body, scope);
    if (this.#shown > before.shown) return;
    this.#takeBack(before);
    if (op.marks !== "") this.#write(op.marks, "unchanged");
  }

  #container(op: Extract<Op, { op: "container" }>, scope: Scope | null): void {
    this.#endsInParagraph = false;
    this.list(op.body, scope);
    if (!this.#endsInParagraph) this.#write("<w:p/>", "paragraph");
  }

  #write(xml: string, ending: Ending): void {
    this.#budget.write(this.#part, xml.length);
    this.chunks.push(xml);
    if (ending !== "unchanged") this.#endsInParagraph = ending === "paragraph";
  }

  #written(): Written {
    return {
      chunks: this.chunks.length,
      shown: this.#shown,
      rows: this.#rows,
      endsInParagraph: this.#endsInParagraph,
    };
  }

  #takeBack(to: Written): void {
    this.chunks.length = to.chunks;
    this.#shown = to.shown;
    this.#rows = to.rows;
    this.#endsInParagraph = to.endsInParagraph;
  }
}
