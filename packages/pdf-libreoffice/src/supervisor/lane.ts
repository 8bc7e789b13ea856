import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConverterSeal } from "@quire/core/host";
import { laneEnvironment } from "../office/environment.ts";
import { networkCommand } from "../office/launch.ts";
import { killGroup, lowerPriority } from "../office/process-group.ts";
import { leftoverSocket, pipePath } from "../office/sockets.ts";
import type { Bounds } from "../office/try-bounds.ts";
import {
  type ConvertRequest,
  type LaneReply,
  type LaneStart,
  LOST_EXIT_CODE,
} from "../process/messages.ts";
import { isGone } from "../process/proc.ts";
import { StallWatch } from "./stall-watch.ts";
import { sweep } from "./sweep.ts";

/** How a lane is started and how long its documents may take. */
export interface LaneOptions extends Omit<LaneStart, "pipe"> {
  readonly environment: Readonly<Record<string, string>>;
  readonly bounds: Bounds;
  readonly deadlineMs: number;
  readonly startLimitMs: number;
}

/**
 * Why a lane gave no answer. `deadline`: the document took too long; `stalled`: nothing was done any more;
 * `crashed`: it ended; `lost`: it was stopped or robbed of its folder from outside, of which the document is
 * innocent; `given up`: nobody wants the answer any more; `broken`: it did not come up.
 */
export type LaneEnd = "deadline" | "stalled" | "crashed" | "lost" | "given up" | "broken";

/** A lane gave no answer, and is gone. */
export class LaneFailure extends Error {
  readonly end: LaneEnd;

  /** `message`: how it ended, as the rest of a sentence. */
  constructor(end: LaneEnd, message: string, detail: string) {
    super(message, { cause: new Error(detail === "" ? "It printed nothing." : detail) });
    this.end = end;
  }
}

/** One process that converts, with everything it needs to itself. */
export interface Lane {
  readonly fonts: string | null;
  readonly version: string | null;
  /** What keeps documents in it. */
  readonly seal: ConverterSeal;
  /** Documents converted so far. */
  readonly converted: number;
  /** What its LibreOffice held after the last one, in MiB. */
  readonly residentMb: number;
  readonly alive: boolean;
  /**
   * One request at a time. Rejects {@link LaneFailure}, and then the lane is gone. The signal gives the
   * answer up: the lane may finish what it does, but not for long.
   */
  convert(
    request: ConvertRequest,
    signal: AbortSignal,
  ): Promise<Extract<LaneReply, { type: "done" }>>;
  /** Kills the process and what it started, and removes the folder. May be called again. */
  stop(): Promise<void>;
}

/** The lane's process comes from the folder beside this one: `.ts` in the sources, `.js` in dist. */
const ENTRY = new URL(`../process/lane-process${extname(import.meta.url)}`, import.meta.url);
const HEAP_LIMIT = "--max-old-space-size=2048";
/** How long an answer that nobody wants is waited for before the lane is killed. */
const GIVE_UP_MS = 2_000;
const STOP_LIMIT_MS = 5_000;
const STDERR_LENGTH = 2_000;
/** A WebAssembly whose threads wait for each other looks for news a thousand times a second: 3 to 11 were measured. */
const WASM_IDLE_TICKS = 16;

/**
 * Starts a lane in a folder that is not there yet. Rejects {@link LaneFailure} when it does not come up, and for
 * the signal.
 */
export async function startLane(options: LaneOptions, signal: AbortSignal): Promise<Lane> {
  await mkdir(join(options.folder, "home"), { recursive: true, mode: 0o700 });
  await mkdir(join(options.folder, "tmp"));
  const lane = new LaneSupervisor(options);
  await lane.ready(signal);
  return lane;
}

class LaneSupervisor implements Lane {
  readonly #options: LaneOptions;
  readonly #child: ChildProcess;
  /** Hard to guess: in the folder of these sockets, others could take the name. */
  readonly #pipe = `quire${randomBytes(8).toString("hex")}`;
  /** Resolves when the process has ended. Never rejects. */
  readonly #ended: Promise<void>;
  /** How it ended, as the rest of a sentence. */
  #end: string | undefined;
  /** Whether it said itself that it cannot go on. */
  #lost = false;
  /** Who is told of the end: the exchange that is under way. */
  #onEnd: (() => void) | undefined;
  #stderr = "";
  #stopped: Promise<void> | undefined;
  #officePid: number | null = null;
  fonts: string | null = null;
  version: string | null = null;
  #proven: Pick<ConverterSeal, "cleaned" | "hardened"> = { cleaned: false, hardened: false };
  converted = 0;
  residentMb = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    const { mode, folder, profile, soffice, limits, seal, enclosure, fontFolders } = options;
    const pipe = this.#pipe;
    const folders = { home: join(folder, "home"), temp: join(folder, "tmp") };
    const start: LaneStart = {
      mode,
      folder,
      pipe,
      profile,
      soffice,
      enclosure,
      limits,
      seal,
      fontFolders,
    };
    // A WebAssembly lives in the lane's own process.
    const [program, ...before] = mode === "wasm" ? networkCommand(seal) : [];
    this.#child = fork(fileURLToPath(ENTRY), [JSON.stringify(start)], {
      execPath: program ?? process.execPath,
      cwd: folder,
      detached: true, // the leader of a group of its own
      env: {
        ...laneEnvironment(folders, process.env, seal),
        ...options.environment,
      },
      execArgv: [...(program === undefined ? [] : [...before, process.execPath]), HEAP_LIMIT],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    // Requests and the rendering of other documents come before a long conversion.
    lowerPriority(this.#child.pid);
    this.#ended = this.#watch();
    this.#letHostEnd();
  }

  get seal(): ConverterSeal {
    return { ...this.#proven, ...this.#options.bounds };
  }

  get alive(): boolean {
    return this.#end === undefined && this.#stopped === undefined && this.#child.connected;
  }

  async ready(signal: AbortSignal): Promise<void> {
    const reply = await this.#exchange(null, this.#options.startLimitMs, signal);
    if (reply.type === "ready") {
      this.#officePid = reply.officePid;
      this.fonts = reply.fonts;
      this.version = reply.version;
      this.#proven = reply.seal;
      return;
    }
    await this.stop();
    const [problem, detail] =
      reply.type === "broken"
        ? [reply.problem, reply.detail]
        : ["did not report that it is ready", ""];
    throw new LaneFailure("broken", problem, detail);
  }

  async convert(
    request: ConvertRequest,
    signal: AbortSignal,
  ): Promise<Extract<LaneReply, { type: "done" }>> {
    const reply = await this.#exchange(request, this.#options.deadlineMs, signal);
    if (reply.type !== "done") {
      await this.stop();
      throw new LaneFailure("crashed", "sent an unexpected reply", "");
    }
    this.converted += request.documents.length;
    this.residentMb = reply.residentMb;
    return reply;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { folder } = this.#options;
    if (this.#end === undefined) killGroup(this.#child.pid);
    await endOrTimeout(this.#ended);
    await sweep(folder);
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
    await rm(folder, options).catch(() => {}); // what is left is a private folder in temp
    for (const socket of [leftoverSocket(join(folder, "profile")), pipePath(this.#pipe)]) {
      await rm(socket, { force: true }).catch(() => {});
    }
  }

  /** Sends a request and waits for the answer. Whatever ends the waiting otherwise ends the lane as well. */
  async #exchange(
    request: ConvertRequest | null,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<LaneReply> {
    const { promise, resolve, reject } = Promise.withResolvers<LaneReply>();
    const fail = (end: LaneEnd, how: string): void =>
      reject(new LaneFailure(end, how, this.#stderr));
    const crash = () => {
      if (this.#end !== undefined) fail(this.#lost ? "lost" : "crashed", this.#end);
    };
    let giveUp: NodeJS.Timeout | undefined;
    const abort = () => {
      const waitMs = request === null ? 0 : GIVE_UP_MS;
      giveUp ??= setTimeout(() => fail("given up", "was abandoned"), waitMs);
    };
    const timer = setTimeout(() => fail("deadline", `took longer than ${limitMs} ms`), limitMs);
    const stall = this.#watchForStall(fail);
    signal.addEventListener("abort", abort);
    this.#onEnd = crash;
    this.#child.once("message", resolve);
    if (signal.aborted) abort();
    crash();
    // No document is to blame for a process that ended before it was sent, though that was not told yet.
    if (request !== null && isGone(this.#child.pid ?? null)) fail("lost", "had ended");
    else if (request !== null) this.#child.send(request, () => {}); // a failure shows as the end of the process
    try {
      return await promise;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      clearTimeout(giveUp);
      stall.end();
      signal.removeEventListener("abort", abort);
      this.#onEnd = undefined;
      this.#child.off("message", resolve);
    }
  }

  #watchForStall(fail: (end: LaneEnd, how: string) => void): StallWatch {
    const isWasm = this.#options.mode === "wasm";
    const pids = () => {
      if (isWasm) return [this.#child.pid];
      // While it starts, and where each document has a LibreOffice of its own, this process alone sleeps.
      return this.#officePid === null ? [] : [this.#child.pid, this.#officePid];
    };
    return new StallWatch(
      pids,
      (stopped) => fail(stopped ? "lost" : "stalled", stopped ? "was stopped" : "made no progress"),
      isWasm ? WASM_IDLE_TICKS : 0,
    );
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
      this.#lost = code === LOST_EXIT_CODE;
      end(killedBy === null ? `ended with exit code ${code}` : `was killed by ${killedBy}`);
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
