import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { abortedError, type ConvertedDocument, QuireError } from "@quire/core";
import { laneEnvironment } from "./environment.ts";
import type { ConvertRequest, LaneReply } from "./lane-messages.ts";
import { killGroup } from "./process-group.ts";
import { isLaneIntact, laneFolders, leftoverSocket } from "./profile.ts";

/** How a lane is started and how long its documents may take. */
export interface LaneOptions {
  readonly soffice: string;
  /** Where the lane's private folder is made. */
  readonly tempDir: string;
  readonly deadlineMs: number;
  readonly memoryLimitMb: number;
}

/** One process that converts one document at a time, with everything it needs to itself. */
export interface Lane {
  convert(document: Uint8Array, signal: AbortSignal | undefined): Promise<ConvertedDocument>;
  /** Whether the next document may go in. */
  isUsable(): Promise<boolean>;
  /** Kills the process and what it started, and removes the folder. May be called again. */
  stop(): Promise<void>;
}

/** The lane's process comes from the file beside this one: `.ts` in the sources, `.js` in dist. */
const ENTRY = new URL(`./lane-process${extname(import.meta.url)}`, import.meta.url);
const HEAP_LIMIT = "--max-old-space-size=1024";
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const STDERR_LENGTH = 2_000;

/** Starts a lane. Rejects `unavailable` when it does not come up, `aborted` for the signal. */
export async function startLane(
  options: LaneOptions,
  signal: AbortSignal | undefined,
): Promise<Lane> {
  const folder = await makeFolder(options.tempDir);
  const lane = new LaneSupervisor(folder, options);
  await lane.ready(signal);
  return lane;
}

async function makeFolder(tempDir: string): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(tempDir, "quire-lane-")));
  } catch (cause) {
    throw new QuireError(
      "unavailable",
      `No folder for LibreOffice could be made in ${tempDir}. Make that folder writable, or pass ` +
        "another one as tempDir.",
      { cause },
    );
  }
}

class LaneSupervisor implements Lane {
  readonly #folder: string;
  readonly #options: LaneOptions;
  readonly #child: ChildProcess;
  /** Resolves when the process has ended. Never rejects. */
  readonly #ended: Promise<void>;
  /** How it ended, as the rest of a sentence. */
  #end: string | undefined;
  /** Who is told of the end: the exchange that is under way. */
  #onEnd: (() => void) | undefined;
  #stderr = "";
  #stopped: Promise<void> | undefined;

  constructor(folder: string, options: LaneOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#child = fork(
      fileURLToPath(ENTRY),
      [folder, options.soffice, String(options.memoryLimitMb)],
      {
        cwd: folder,
        detached: true, // the leader of a group of its own
        env: laneEnvironment(laneFolders(folder)),
        execArgv: [HEAP_LIMIT],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      },
    );
    this.#ended = this.#watch();
    this.#letHostEnd();
  }

  async ready(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#nextReply(START_LIMIT_MS, signal);
    } catch (error) {
      if (signal?.aborted) throw abortedError(signal);
      throw new QuireError(
        "unavailable",
        "The process that runs LibreOffice did not start. Its own words are in the cause.",
        { cause: error, retryable: true },
      );
    }
  }

  async convert(document: Uint8Array, signal: AbortSignal | undefined): Promise<ConvertedDocument> {
    const { deadlineMs } = this.#options;
    const request: ConvertRequest = { document };
    const answer = this.#nextReply(deadlineMs, signal);
    this.#child.send(request, () => {}); // a failure to send shows as the end of the process
    const reply = await answer;
    if (reply.type === "converted") {
      const { buffer, byteOffset, byteLength } = reply.bytes;
      return {
        bytes: new Uint8Array(buffer, byteOffset, byteLength),
        pages: reply.pages,
        warnings: [],
      };
    }
    throw failure(reply);
  }

  async isUsable(): Promise<boolean> {
    return this.#end === undefined && this.#child.connected && (await isLaneIntact(this.#folder));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    if (this.#end === undefined) killGroup(this.#child.pid);
    await endOrTimeout(this.#ended);
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
    await rm(this.#folder, options).catch(() => {}); // what is left is a private folder in temp
    await rm(leftoverSocket(this.#folder), { force: true }).catch(() => {});
  }

  /** The next message of the process. Whatever ends the waiting otherwise ends the lane as well. */
  async #nextReply(limitMs: number, signal: AbortSignal | undefined): Promise<LaneReply> {
    const { promise, resolve, reject } = Promise.withResolvers<LaneReply>();
    const abort = () => {
      if (signal?.aborted) reject(abortedError(signal));
    };
    const crash = () => {
      if (this.#end !== undefined) reject(crashed(this.#end, this.#stderr));
    };
    const timer = setTimeout(() => reject(tooSlow(limitMs)), limitMs);
    signal?.addEventListener("abort", abort);
    this.#onEnd = crash;
    this.#child.once("message", resolve);
    abort();
    crash();
    try {
      return await promise;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#onEnd = undefined;
      this.#child.off("message", resolve);
    }
  }

  #watch(): Promise<void> {
    const child = this.#child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_LENGTH);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (how: string) => {
      this.#end ??= how;
      this.#onEnd?.();
      resolve();
    };
    child.on("error", (error) => {
      // Also emitted for a message that could not be sent; the process then ends by itself.
      if (child.pid === undefined) end(`could not be started (${error.message})`);
    });
    child.once("exit", (code, killedBy) => {
      killGroup(child.pid); // a crash must not leave its LibreOffice running
      end(killedBy === null ? `ended with exit code ${code}` : `was ended by ${killedBy}`);
    });
    return promise;
  }

  /** A lane does not keep its host running; the deadline's timer does while a document is in it. */
  #letHostEnd(): void {
    const { stderr } = this.#child;
    this.#child.unref();
    this.#child.channel?.unref();
    if (stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  }
}

async function endOrTimeout(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_LIMIT_MS);
  });
  await Promise.race([ended, timeout]);
  clearTimeout(timer);
}

function failure(reply: LaneReply): QuireError {
  const [problem, detail] =
    reply.type === "failed" ? [reply.problem, reply.detail] : ["gave no answer", ""];
  return new QuireError(
    "conversion_failed",
    `The document could not be converted: LibreOffice ${problem}. Open the .docx in Word or ` +
      "LibreOffice to see whether it is sound; what LibreOffice printed is in the cause.",
    { cause: new Error(detail === "" ? "LibreOffice printed nothing." : detail) },
  );
}

function tooSlow(limitMs: number): QuireError {
  return new QuireError(
    "timeout",
    `The conversion took longer than ${limitMs} ms and was ended. Make the document smaller or ` +
      "less deeply nested, or raise deadlineMs.",
    { retryable: true },
  );
}

function crashed(how: string, stderr: string): QuireError {
  return new QuireError(
    "conversion_failed",
    `The document could not be converted: the process that converts it ${how}. The next document ` +
      "gets a new process; try this one again, or give the machine more memory.",
    { retryable: true, cause: new Error(stderr === "" ? "It printed nothing." : stderr) },
  );
}
