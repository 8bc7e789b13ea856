import { QuireError } from "../errors.ts";

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

/** The error of a document that its process did not survive. */
export function documentFailure(end: ProcessEnd, bounds: PoolBounds): QuireError {
  const cause = causeOf(end);
  switch (end.reason) {
    case "timeout":
      return new QuireError(
        "timeout",
        `The document took longer than ${bounds.documentTimeoutMs} ms to render and was given up. ` +
          "Give it less data, split it up, or raise documentTimeoutMs of renderPool().",
        { cause },
      );
    case "memory":
      return new QuireError(
        "limit_exceeded",
        `The document could not be rendered within the memory of its process (${memory(bounds)}). Give it ` +
          "less data or smaller images, split it up, or raise heapLimitMb and memoryLimitMb of renderPool().",
        { cause },
      );
    case "crash": {
      const message =
        `The document could not be rendered: the process that rendered it ${end.how}, twice. If the machine ` +
        "is short of memory, give it more or use fewer processes; otherwise the document meets a bug in Quire.";
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
