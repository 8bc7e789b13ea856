import type { Diagnostic } from "../../errors.ts";
import { argumentOf, hasModifier, modify } from "../values/modifiers.ts";
import { kindOf, printValue } from "../values/print.ts";
import { holdsForbidden, textXml } from "../values/text.ts";
import {
  evaluate,
  holds,
  IncomparableError,
  type RenderData,
  type Resolved,
  resolve,
  type Scope,
} from "./evaluate.ts";
import type { Op, PartProgram, TagOrigin } from "./ops.ts";

/** At most this many problems are kept for one document: a wrong list can make a million. */
const MAX_DIAGNOSTICS = 100;

/** Collects what is worth telling about one document; each tag tells the same thing once. */
export class Findings {
  readonly list: Diagnostic[] = [];
  readonly #told = new Set<string>();

  add(
    origin: TagOrigin,
    finding: Pick<Diagnostic, "severity" | "code" | "message" | "hint" | "pointer">,
  ): void {
    const key = `${origin.part} ${origin.paragraph} ${origin.text} ${finding.message}`;
    if (this.#told.has(key) || this.list.length >= MAX_DIAGNOSTICS) return;
    this.#told.add(key);
    const { part, paragraph, text: tag } = origin;
    this.list.push({ ...finding, template: { part, tag, paragraph } });
  }
}

/** Runs the program of one part over the data. What it finds is added to the findings. */
export function runProgram(program: PartProgram, data: RenderData, findings: Findings): string {
  const run = new Run(data, findings);
  run.list(program.ops, null);
  return run.chunks.join("");
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
        this.list(op.body, scope);
        if (!this.#endsInParagraph()) this.chunks.push("<w:p/>");
        break;
      case "table":
        this.#table(op, scope);
        break;
      case "paragraph":
        this.#paragraph(op, scope);
    }
  }

  #text(op: Extract<Op, { op: "text" }>, scope: Scope | null): void {
    const { origin, expression, modifiers } = op;
    const { value, pointer } = this.#value(op, scope);
    const text =
      value === undefined
        ? this.#missing(op, pointer)
        : this.#print(origin, value, modifiers, pointer);
    if (text === null) return;
    // Only a path can name a place in a loop; a text that stands in the tag itself is not repeated.
    const place = expression.kind === "path" ? scope : null;
    const kept = value === undefined && !hasFallback(modifiers);
    this.#write(origin, kept ? text : modify(text, modifiers, place), pointer);
  }

  #value({ expression, origin }: Extract<Op, { op: "text" }>, scope: Scope | null): Resolved {
    if (expression.kind === "path") return resolve(expression, scope, this.#data);
    return { value: this.#guarded(origin, () => evaluate(expression, scope, this.#data)), pointer: "" };
  }

  #write(origin: TagOrigin, text: string, pointer: string): void {
    if (text === "") return;
    if (holdsForbidden(text)) {
      this.#findings.add(origin, {
        severity: "warning",
        code: "forbidden_character",
        message: `The value for the tag ${origin.text} holds characters that a Word document cannot hold; they were replaced by U+FFFD.`,
        pointer,
      });
    }
    this.chunks.push(textXml(text));
    this.#shown += 1;
  }

  #print(
    origin: TagOrigin,
    value: unknown,
    modifiers: Extract<Op, { op: "text" }>["modifiers"],
    pointer: string,
  ): string | null {
    const separator = argumentOf(modifiers, "delimiter");
    const printed = printValue(value, separator === undefined ? undefined : String(separator));
    if (printed.problem === undefined) return printed.text;
    this.#findings.add(origin, {
      severity: "error",
      code: "invalid_value",
      message: `The value for the tag ${origin.text} ${printed.problem}.`,
      pointer,
    });
    return null;
  }

  /** What a tag without a value prints: its default, nothing, or itself. */
  #missing({ origin, expression, modifiers }: Extract<Op, { op: "text" }>, pointer: string): string {
    const fallback = argumentOf(modifiers, "default");
    if (fallback !== undefined) return String(fallback);
    if (hasModifier(modifiers, "optional")) return "";
    const name = expression.kind === "path" ? expression.source : origin.text;
    this.#notProvided(origin, name, pointer);
    return origin.text;
  }

  #notProvided(origin: TagOrigin, name: string, pointer: string): void {
    this.#findings.add(origin, {
      severity: "error",
      code: "missing_value",
      message: `The tag '${name}' was not provided in the input data.`,
      hint: `Add it to the data, or write :: optional or :: default("…") in the tag.`,
      pointer,
    });
  }

  #repeat(op: Extract<Op, { op: "repeat" }>, scope: Scope | null): void {
    const { value, pointer } = resolve(op.collection, scope, this.#data);
    if (value === undefined) {
      if (!op.optional) this.#notProvided(op.origin, op.collection.source, pointer);
      return;
    }
    if (!Array.isArray(value)) {
      this.#findings.add(op.origin, {
        severity: "error",
        code: "invalid_value",
        message: `The tag ${op.origin.text} repeats '${op.collection.source}', which is a ${kindOf(value)} and not a list.`,
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
        this.#guarded(origin, () => holds(condition, scope, this.#data)) === true;
      if (chosen) {
        this.list(body, scope);
        return;
      }
    }
  }

  #guarded<T>(origin: TagOrigin, compute: () => T): T | undefined {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof IncomparableError)) throw error;
      this.#findings.add(origin, {
        severity: "error",
        code: "invalid_value",
        message: `The tag ${origin.text} cannot be computed: ${error.message}.`,
      });
      return undefined;
    }
  }

  #table(op: Extract<Op, { op: "table" }>, scope: Scope | null): void {
    const start = this.chunks.length;
    this.list(op.head, scope);
    const rows = this.chunks.length;
    this.list(op.rows, scope);
    if (this.chunks.length === rows) this.chunks.length = start;
    else this.chunks.push("</w:tbl>");
  }

  #paragraph(op: Extract<Op, { op: "paragraph" }>, scope: Scope | null): void {
    const start = this.chunks.length;
    const shown = this.#shown;
    this.list(op.body, scope);
    if (this.#shown === shown) this.chunks.length = start;
  }

  #endsInParagraph(): boolean {
    const last = this.chunks.at(-1) ?? "";
    return last.endsWith("</w:p>") || /<w:p(?: [^<>]*)?\/>$/.test(last);
  }
}

function hasFallback(modifiers: Extract<Op, { op: "text" }>["modifiers"]): boolean {
  return hasModifier(modifiers, "default") || hasModifier(modifiers, "optional");
}
