import type { StaticTexts } from "../deflate/template-code.ts";
import type { Op } from "../program/ops.ts";
import type { PartProgram } from "../program/programs.ts";
import { hasModifier } from "../values/modifiers.ts";
import { LineBuilder, type LineNames } from "./line.ts";
import { Statics } from "./statics.ts";

/** A program that is ready to run. */
export interface LoweredProgram extends PartProgram {
  /** The static text that the program may write. */
  readonly statics: StaticTexts;
  /** Whether an op may read or change earlier output, so that all output is kept until it is complete. */
  readonly buffers: boolean;
}

/**
 * Makes a program ready to run: adjacent ops that depend only on values become lines, which are written in one step,
 * and static text gets the numbers that its compression needs.
 */
export function lower({ part, optional, ops }: PartProgram): LoweredProgram {
  const lowering = new Lowering();
  const lowered = lowering.list(ops, 0, NO_BLOCKS);
  return {
    part,
    optional,
    ops: lowered,
    statics: lowering.statics.finish(),
    buffers: dependsOnOutput(ops),
  };
}

/** Whether any tag depends on earlier output, or changes it. */
function dependsOnOutput(ops: readonly Op[]): boolean {
  return ops.some((op) => {
    if (op.op === "choose") return op.branches.some(({ body }) => dependsOnOutput(body));
    if (op.op === "text") {
      const { mode, modifiers } = op;
      const delimits =
        hasModifier(modifiers, "delimiter") || hasModifier(modifiers, "lastdelimiter");
      return delimits || (mode !== "run" && mode !== "plain" && mode !== "attribute");
    }
    return "body" in op && dependsOnOutput(op.body);
  });
}

const NO_BLOCKS: LineNames = { item: null, aliases: new Set() };

/** Returns the meaning of names in the body of a block. */
function namesIn(op: Extract<Op, { op: "repeat" | "section" }>, { aliases }: LineNames): LineNames {
  return op.op === "repeat"
    ? { item: op.alias, aliases: new Set([...aliases, op.alias]) }
    : { item: null, aliases };
}

class Lowering {
  readonly statics = new Statics();

  list(ops: readonly Op[], block: number, names: LineNames): Op[] {
    const lowered: Op[] = [];
    let line = new LineBuilder();
    const end = (): void => {
      if (!line.isEmpty) lowered.push(line.finish(this.statics, block, names));
      line = new LineBuilder();
    };
    for (const op of ops) {
      if (line.add(op)) continue;
      end();
      // An op that did not fit into the previous line may begin a new one.
      if (!line.add(op)) lowered.push(this.#inner(op, block, names));
    }
    end();
    return lowered;
  }

  #inner(op: Op, block: number, names: LineNames): Op {
    const body = (ops: readonly Op[]): Op[] =>
      this.list(ops, this.statics.block(block, false), names);
    switch (op.op) {
      case "text":
      case "shrink":
        // The text of a box is changed and written as a value, so its static text has no numbers.
        this.statics.value(block);
        return op;
      case "repeat":
      case "section":
        return {
          ...op,
          body: this.list(op.body, this.statics.block(block, true), namesIn(op, names)),
        };
      case "choose":
        return {
          ...op,
          branches: op.branches.map((branch) => ({ ...branch, body: body(branch.body) })),
        };
      case "paragraph":
        return { ...op, marks: body(op.marks), body: body(op.body) };
      case "reference":
        return { ...op, body: body(op.body), otherwise: body(op.otherwise) };
      case "once":
      case "table":
      case "row":
      case "coveringRow":
      case "grid":
      case "cellWidth":
      case "cell":
      case "control":
        return { ...op, body: body(op.body) };
      case "container":
      case "flow":
        // The body of such an op is always written, so the body belongs to the same block.
        return { ...op, body: this.list(op.body, block, names) };
      default:
        return op;
    }
  }
}
