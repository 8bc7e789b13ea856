import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ConverterSeal, lowerPriority, setLongWork } from "@quire/contracts";
import { laneEnvironment } from "../office/environment.ts";
import { networkCommand } from "../office/launch.ts";
import { ownerMark } from "../office/owner.ts";
import { isGone, isKilledFromOutside, oomKills } from "../office/proc.ts";
import { killGroup } from "../office/process-group.ts";
import { leftoverSocket, pipePath } from "../office/sockets.ts";
import type { Bounds } from "../office/try-bounds.ts";
import { laneProgram } from "../process/lane-program.ts";
import {
  type ConvertRequest,
  type LaneMode,
  type LaneReply,
  type LaneStart,
  LOST_EXIT_CODE,
} from "../process/messages.ts";
import { type LaneEnd, LaneFailure } from "./lane-failure.ts";
import { StallWatch } from "./stall-watch.ts";
import { sweep } from "./sweep.ts";

/** How to start a lane, and its time limits. */
export interface LaneOptions extends Omit<LaneStart, "pipe"> {
  readonly environment: Readonly<Record<string, string>>;
  readonly bounds: Bounds;
  readonly startLimitMs: number;
}

/** One process that converts documents, with a private folder and LibreOffice. */
export interface Lane {
  readonly mode: LaneMode;
  readonly fonts: string | null;
  readonly version: string | null;
  /** The state of the seal around this lane. */
  readonly seal: ConverterSeal;
  /** Number of converted documents. */
  readonly converted: number;
  /** Memory of its LibreOffice after the last document, in MiB. */
  readonly residentMb: number;
  readonly alive: boolean;
  /**
   * Converts the documents of a request. Accepts one request at a time. Rejects with {@link LaneFailure} after stopping
   * the lane. When the signal is aborted, the lane has a short time to finish before it is stopped.
   */
  convert(
    request: ConvertRequest,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Extract<LaneReply, { type: "done" }>>;
  /** Lowers the priority of the lane's processes while it works on a long document, see {@link setLongWork}. */
  setLongWork(isLong: boolean): void;
  /** Kills the process and its children, and removes the folder. May be called more than once. */
  stop(): Promise<void>;
}

const HEAP_LIMIT = "--max-old-space-size=2048";
/** How long a lane may take to answer after its answer is no longer needed. After this time, the lane is killed. */
const GIVE_UP_MS = 2_000;
const STOP_LIMIT_MS = 5_000;
const STDERR_LENGTH = 2_000;
/**
 * WebAssembly threads that wait for each other still poll a thousand times a second. Between two checks of the
 * `StallWatch`, this takes 3 to 11 ticks of 10 ms (measured).
 */
const WASM_IDLE_TICKS = 16;

/**
 * Starts a lane in a new folder. Rejects with {@link LaneFailure} if the lane does not start or the signal is
 * aborted.
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
  /**
   * The name of the pipe. It identifies this process for the next start, which removes the pipe if this process is
   * killed. It is hard to guess, so that other users cannot take it in the folder of these sockets.
   */
  readonly #pipe = `quire${ownerMark()}x${randomBytes(8).toString("hex")}`;
  /** Resolves when the process has ended. Never rejects. */
  readonly #ended: Promise<void>;
  /** How the process ended, as the rest of a sentence. */
  #end: string | undefined;
  /** Whether the process reported that it cannot continue, or was killed from outside. */
  #lost = false;
  /** The number of processes that were killed for lack of memory before the request. */
  #killsBefore: number | null = null;
  /** Called when the process ends, to fail the pending exchange. */
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
    // LibreOffice as WebAssembly runs in the lane's process itself.
    const [program, ...before] = mode === "wasm" ? networkCommand(seal) : [];
    this.#child = fork(laneProgram(), [JSON.stringify(start)], {
      execPath: program ?? process.execPath,
      cwd: folder,
      detached: true, // leader of a new process group
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

  get mode(): LaneMode {
    return this.#options.mode;
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
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Extract<LaneReply, { type: "done" }>> {
    const reply = await this.#exchange(request, limitMs, signal);
    if (reply.type !== "done") {
      await this.stop();
      throw new LaneFailure("crashed", "sent an unexpected reply", "");
    }
    this.converted += request.documents.length;
    this.residentMb = reply.residentMb;
    return reply;
  }

  setLongWork(isLong: boolean): void {
    setLongWork([this.#child.pid, this.#officePid], isLong);
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
    await rm(folder, options).catch(() => {}); // any leftovers are in a private temporary folder
    for (const socket of [leftoverSocket(join(folder, "profile")), pipePath(this.#pipe)]) {
      await rm(socket, { force: true }).catch(() => {});
    }
  }

  /** Sends a request and waits for the answer. On any other outcome, stops the lane. */
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
    this.#killsBefore = oomKills();
    this.#child.once("message", resolve);
    if (signal.aborted) abort();
    crash();
    // The process may have ended before the corresponding event arrived. In that case, no document is to blame.
    if (request !== null && isGone(this.#child.pid ?? null)) fail("lost", "had ended");
    else if (request !== null) this.#child.send(request, () => {}); // if sending fails, the process ends
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
      // During the start, and when each document has a separate LibreOffice, the lane's process sleeps although
      // LibreOffice works, so it is not watched.
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
      // The event is also emitted for a message that could not be sent. The process then ends by itself.
      if (child.pid === undefined) end(`could not be started (${error.message})`);
    });
    child.once("exit", (code, killedBy) => {
      killGroup(child.pid); // a crash must not leave LibreOffice running
      const isKilled = killedBy === "SIGKILL" && isKilledFromOutside(this.#killsBefore);
      this.#lost = code === LOST_EXIT_CODE || isKilled;
      end(killedBy === null ? `ended with exit code ${code}` : `was killed by ${killedBy}`);
    });
    return promise;
  }

  /**
   * Lets the host end while this lane is idle. During a conversion, the timer of the deadline keeps the host running.
   */
  #letHostEnd(): void {
    const { stderr } = this.#child;
    this.#child.unref();
    this.#child.channel?.unref?.(); // Bun's channel has no such method, and does not keep the host running
    if (stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  }
}

async function endOrTimeout(ended: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, STOP_LIMIT_MS);
  await Promise.race([ended, promise]);
  clearTimeout(timer);
}
