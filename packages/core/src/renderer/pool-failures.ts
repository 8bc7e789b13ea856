import { QuireError } from "../errors.ts";
import type { DocumentTask } from "./document-task.ts";

/** Why a process ended that was not asked to. */
export type EndReason = "timeout" | "memory" | "crash";

/** The bounds of a pool, as far as messages name them. */
export interface PoolBounds {
  readonly documentTimeoutMs: number;
  readonly compileTimeoutMs: number;
  readonly heapLimitMb: number;
  readonly memoryLimitMb: number;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly reason: EndReason;
  /** The rest of a sentence: it "was ended by SIGKILL". */
  readonly how: string;
  /** The end of what it printed. */
  readonly printed: string;
}

/** What was done to what, and what makes it easier. */
const WORDS: Readonly<Record<DocumentTask, readonly [string, string, string, string]>> = {
  render: ["document", "render", "rendered", "Give it less data or smaller images, split it up"],
  check: ["document", "check", "checked", "Give it less data or smaller images, split it up"],
  inspect: ["template", "inspect", "inspected", "Make it simpler"],
  metadata: ["PDF", "change", "changed", "Make it smaller"],
  stamp: ["PDF", "stamp", "stamped", "Make it smaller"],
  find: ["PDF", "search", "searched", "Make it smaller"],
};

/** The error of a document that its process did not survive, or of a check or inspection likewise. */
export function documentFailure(
  end: ProcessEnd,
  bounds: PoolBounds,
  task: DocumentTask,
): QuireError {
  const cause = causeOf(end);
  const [what, verb, done, remedy] = WORDS[task];
  switch (end.reason) {
    case "timeout":
      return new QuireError(
        "timeout",
        `The ${what} took longer than ${bounds.documentTimeoutMs} ms to ${verb} and was given up. ` +
          `${remedy}, or raise documentTimeoutMs of renderPool().`,
        { cause },
      );
    case "memory":
      return new QuireError(
        "limit_exceeded",
        `The ${what} could not be ${done} within the memory of its process (${memory(bounds)}). ` +
          `${remedy}, or raise heapLimitMb and memoryLimitMb of renderPool().`,
        { cause },
      );
    case "crash": {
      const message =
        `The ${what} could not be ${done}: the process that did it ${end.how}, twice. If the machine ` +
        `is short of memory, give it more or use fewer processes; otherwise the ${what} meets a bug in Quire.`;
      const diagnostics = [{ severity: "error", code: "poison", message }] as const;
      return new QuireError("render_failed", message, { cause, diagnostics });
    }
  }
}

/** The error of every document of a template that a process did not survive compiling. */
export function templateFailure(end: ProcessEnd, bounds: PoolBounds): QuireError {
  const cause = causeOf(end);
  switch (end.reason) {
    case "timeout":
      return new QuireError(
        "timeout",
        `The template took longer than ${bounds.compileTimeoutMs} ms to compile and was given up, so that ` +
          "none of its documents can be rendered. Make it simpler, or raise compileTimeoutMs of renderPool().",
        { cause },
      );
    case "memory":
      return new QuireError(
        "limit_exceeded",
        `The template could not be compiled within the memory of its process (${memory(bounds)}), so that none of ` +
          "its documents can be rendered. Make it smaller, or raise heapLimitMb and memoryLimitMb of renderPool().",
        { cause },
      );
    case "crash":
      return new QuireError(
        "render_failed",
        `The template could not be compiled: the process that compiled it ${end.how}, twice. If the machine is ` +
          "short of memory, give it more or use fewer processes; otherwise the template meets a bug in Quire.",
        { cause },
      );
  }
}

/** The error of documents for which no process came up. */
export function startFailure({ how, printed }: Pick<ProcessEnd, "how" | "printed">): QuireError {
  return new QuireError(
    "unavailable",
    `The process that renders documents ${how} before it was ready. Do not bundle @quire/core, and install ` +
      "its dependencies anew; what the process printed is in the cause. Where no processes can be started " +
      "and everything is trusted, use renderInProcess().",
    { retryable: true, cause: causeOf({ printed }) },
  );
}

/** The error of a document for which there is no room. */
export function queueFull(maxWaiting: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `More than ${maxWaiting} documents wait to be rendered. Give this one again when some of them are done, ` +
      "or raise maxWaiting of renderPool().",
    { retryable: true },
  );
}

function memory({ heapLimitMb, memoryLimitMb }: PoolBounds): string {
  return `${heapLimitMb} MB of heap, ${memoryLimitMb} MB in all`;
}

function causeOf({ printed }: Pick<ProcessEnd, "printed">): Error {
  return new Error(printed === "" ? "The process printed nothing." : printed);
}

/** Whether the work of a process is to blame for its end. */
export function isToBlame(
  { reason, wasFirst }: Pick<ProcessEnd, "reason"> & { readonly wasFirst: boolean },
  ends: number,
  maxEnds: number,
): boolean {
  return reason === "timeout" || ends >= maxEnds || (reason === "memory" && wasFirst);
}
