import type { Socket } from "node:net";
import { encodeFrame, type Frame, frameReader } from "../protocol/frames.ts";
import { GUARD } from "../protocol/messages.ts";
import type { EndReason, ProcessEnd } from "./pool-failures.ts";
import {
  killProcess,
  type StartedProcess,
  type StartOptions,
  startProcess,
} from "./start-process.ts";

/** Receives the events of a process. */
export interface LinkListener {
  onFrame(frame: Frame): void;
  /** Called after all frames of one chunk have been delivered. */
  onChunk(): void;
  /** Called when the process should be replaced. */
  onTired(): void;
  /** Called when the process has ended and all its frames have been delivered. */
  onEnd(end: ProcessEnd): void;
}

/** The connection to a process. A {@link LinkListener} receives its frames and is notified of its end. */
export interface ProcessLink {
  readonly pid: number | undefined;
  send(kind: number, id: number, head: object | null, body?: Uint8Array): void;
  /** Kills the process. `onEnd` gets this reason unless an earlier reason is known. */
  kill(reason: EndReason): void;
  /** Resolves when the process has ended. Never rejects. */
  readonly ended: Promise<void>;
}

const STDERR_LENGTH = 4_000;

/** Messages of V8 when the heap is full, or when an object is too large for any heap. */
const OUT_OF_MEMORY = /out of memory|Allocation failed|invalid (?:array|size|table) /i;

/** Starts a process and listens to it. If the process cannot be started, calls `onEnd` in the next tick. */
export function startLink(options: StartOptions, listener: LinkListener): ProcessLink {
  try {
    return link(startProcess(options), listener);
  } catch (error) {
    const how = `could not be started (${error instanceof Error ? error.message : "no reason given"})`;
    process.nextTick(() => listener.onEnd({ reason: "crash", how, printed: "" }));
    return { pid: undefined, ended: Promise.resolve(), kill() {}, send() {} };
  }
}

function link(started: StartedProcess, listener: LinkListener): ProcessLink {
  const { child, input } = started;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let printed = "";
  let reason: EndReason | null = null;
  let isOver = false;
  const kill = (why: EndReason): void => {
    reason ??= why;
    if (isOver) return;
    // A caller may be waiting for the process to end, so the host must keep running until the pipes are closed.
    child.ref();
    for (const pipe of child.stdio) (pipe as Socket | null)?.ref();
    killProcess(child);
  };
  const finish = (how: string): void => {
    if (isOver) return;
    isOver = true;
    listener.onEnd({ reason: reason ?? "crash", how, printed });
    resolve();
  };
  child.on("error", (error) => {
    if (child.pid === undefined) finish(`could not be started (${error.message})`);
  });
  child.once("exit", () => killProcess(child));
  child.once("close", (code, signal) => {
    finish(signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`);
  });
  if (child.pid !== undefined) {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (OUT_OF_MEMORY.test(printed)) reason ??= "memory";
      printed = printed.slice(-STDERR_LENGTH);
    });
    listen(started, listener, kill);
  }
  return {
    pid: child.pid,
    ended,
    kill,
    send(kind, id, head, body) {
      if (isOver || child.pid === undefined || !input.writable) return;
      const pieces = encodeFrame(kind, id, head === null ? "" : JSON.stringify(head), body);
      if (input.writableCorked === 0) {
        input.cork(); // writes all frames of this tick together
        process.nextTick(() => input.uncork());
      }
      for (const piece of pieces) input.write(piece);
    },
  };
}

function listen(
  { input, output, guard }: StartedProcess,
  listener: LinkListener,
  kill: (why: EndReason) => void,
): void {
  const read = frameReader((frame) => listener.onFrame(frame));
  output.on("data", (chunk) => {
    try {
      read(chunk);
      listener.onChunk();
    } catch {
      kill("crash"); // the process violates the protocol
    }
  });
  guard.on("data", (said: Buffer) => {
    if (said.includes(GUARD.overfull)) kill("memory");
    else if (said.includes(GUARD.tired)) listener.onTired();
  });
  // Errors are ignored here, because a process whose pipe fails also ends, and its end is reported.
  for (const pipe of [input, output, guard]) pipe.on("error", () => {});
}
