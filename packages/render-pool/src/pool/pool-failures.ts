import { preemptedError, QuireError } from "@quire/contracts";
import type { DocumentTask } from "../protocol/document-task.ts";

/** Why a process ended before it had finished its work. */
export type EndReason = "timeout" | "memory" | "crash" | "preempted";

/** The limits of a pool that appear in error messages. */
export interface PoolBounds {
  readonly documentTimeoutMs: number;
  readonly compileTimeoutMs: number;
  readonly preemptAfterMs: number;
  readonly heapLimitMb: number;
  readonly memoryLimitMb: number;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly reason: EndReason;
  /** A predicate for the process, for example "was killed by SIGKILL". */
  readonly how: string;
  /** The last part of what the process wrote to standard error. */
  readonly printed: string;
}

/** For each task: its object, its verb, the participle of the verb, and a remedy. */
const WORDS: Readonly<Record<DocumentTask, readonly [string, string, string, string]>> = {
  render: ["document", "render", "rendered", "Use less data or smaller images, split the document"],
  check: ["document", "check", "checked", "Use less data or smaller images, split the document"],
  inspect: ["template", "inspect", "inspected", "Make it simpler"],
  metadata: ["PDF", "change", "changed", "Make it smaller"],
  stamp: ["PDF", "stamp", "stamped", "Make it smaller"],
  find: ["PDF", "search", "searched", "Make it smaller"],
};

/** Returns the error for a task whose process ended. */
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
        `The ${what} took longer than ${bounds.documentTimeoutMs} ms to ${verb} and was stopped. ` +
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
    case "preempted":
      return preemptedError(bounds.preemptAfterMs);
    case "crash": {
      const message =
        `The ${what} could not be ${done}: its process ${end.how}, twice. If the machine ` +
        `is short of memory, add memory or use fewer processes; otherwise the ${what} triggers a bug in Quire.`;
      const diagnostics = [{ severity: "error", code: "poison", message }] as const;
      return new QuireError("render_failed", message, { cause, diagnostics });
    }
  }
}

/** Returns the error for all documents of a template whose compilation ended the process. */
export function templateFailure(end: ProcessEnd, bounds: PoolBounds): QuireError {
  const cause = causeOf(end);
  switch (end.reason) {
    case "timeout":
      return new QuireError(
        "timeout",
        `The template took longer than ${bounds.compileTimeoutMs} ms to compile and was stopped, so ` +
          "none of its documents can be rendered. Make it simpler, or raise compileTimeoutMs of renderPool().",
        { cause },
      );
    case "memory":
      return new QuireError(
        "limit_exceeded",
        `The template could not be compiled within the memory of its process (${memory(bounds)}), so none of ` +
          "its documents can be rendered. Make it smaller, or raise heapLimitMb and memoryLimitMb of renderPool().",
        { cause },
      );
    case "preempted":
      return preemptedError(bounds.preemptAfterMs);
    case "crash":
      return new QuireError(
        "render_failed",
        `The template could not be compiled: its process ${end.how}, twice. If the machine is ` +
          "short of memory, add memory or use fewer processes; otherwise the template triggers a bug in Quire.",
        { cause },
      );
  }
}

/** Returns the error for documents if no process became ready. */
export function startFailure({ how, printed }: Pick<ProcessEnd, "how" | "printed">): QuireError {
  return new QuireError(
    "unavailable",
    `The rendering process ${how} before it was ready. Reinstall @quire/core and its dependencies; the ` +
      "cause has the output of the process. If processes cannot be started here and all templates and data are " +
      "trusted, use renderInProcess().",
    { retryable: true, cause: causeOf({ printed }) },
  );
}

/** Returns the error for a document that does not fit into the queue. */
export function queueFull(maxWaiting: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The limit of ${maxWaiting} documents waiting to be rendered is reached. Submit this one again when some of them ` +
      "are done, or raise maxWaiting of renderPool().",
    { retryable: true },
  );
}

function memory({ heapLimitMb, memoryLimitMb }: PoolBounds): string {
  return `${heapLimitMb} MB of heap, ${memoryLimitMb} MB in total`;
}

function causeOf({ printed }: Pick<ProcessEnd, "printed">): Error {
  return new Error(printed === "" ? "The process printed nothing." : printed);
}

/** Whether the current work is the likely cause of the end of a process. */
export function isToBlame(
  { reason, wasFirst }: Pick<ProcessEnd, "reason"> & { readonly wasFirst: boolean },
  ends: number,
  maxEnds: number,
): boolean {
  return reason === "timeout" || ends >= maxEnds || (reason === "memory" && wasFirst);
}
