import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LOOP_MODULE } from "../office/basic-loop.ts";
import {
  isKillReported,
  type LaunchLimits,
  limitedCommand,
  programBehind,
} from "../office/launch.ts";
import {
  type Exchange,
  type ExportJob,
  type Office,
  type OfficeEnd,
  OfficeEnded,
  OfficeFailure,
} from "../office/office.ts";
import { programIn, residentMb } from "../office/proc.ts";
import { profileArguments } from "../office/profile.ts";
import type { Enclosure } from "../office/readable.ts";
import type { Seal } from "../office/seal.ts";
import { leftoverSocket, pipeNameForRoot, pipePath } from "../office/sockets.ts";
import type { View } from "../office/view.ts";
import { heldFolder } from "./held-folder.ts";

const ARGUMENTS = [
  "--headless",
  "--invisible",
  "--norestore",
  "--nologo",
  "--nodefault",
  "--nolockcheck",
  "--nocrashreport",
  "--nofirststartwizard",
];

/** Exit codes with which LibreOffice asks for a restart, as it does on some new profiles. */
const START_AGAIN = new Set([79, 81]);
const MAX_STARTS = 3;
const LOG_LENGTH = 2000;
const MAX_ANSWER = 10_000;
const MAX_JOB = 2 ** 24 - 1;
/** The exit of a LibreOffice is known within this time after it closed the pipe, unless it does not exit. */
const EXIT_MS = 1_000;

/** Options for starting a warm LibreOffice. */
export interface WarmOfficeOptions {
  readonly soffice: string;
  /** The path of a prepared profile or, with a private folder, the path for a copy of the template. */
  readonly profile: string;
  readonly template: string;
  /** The working folder. */
  readonly folder: string;
  /** The name of the pipe. */
  readonly pipe: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
  /** The files that LibreOffice can see in addition to the folder; null for all files. */
  readonly enclosure: Enclosure | null;
}

/**
 * Starts a LibreOffice that keeps running. It runs the loop in its profile, connects to a socket of this process, and
 * ends when the socket is closed. Rejects with {@link OfficeFailure} if LibreOffice does not start. The supervisor
 * enforces the time limit.
 */
export async function startWarmOffice(options: WarmOfficeOptions): Promise<Office> {
  const path = pipePath(options.pipe);
  await rm(path, { force: true });
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve); // only this user has access, because of the lane's umask
  });
  for (let starts = 1; ; starts++) {
    // LibreOffice cannot always remove the socket itself before it asks for a restart.
    await rm(leftoverSocket(options.profile), { force: true });
    const office = new WarmOffice(server, spawnOffice(options));
    const code = await office.started;
    if (code === "ready") {
      server.close();
      await rm(path, { force: true });
      await office.settle(options);
      return office;
    }
    if (starts === MAX_STARTS || code === null || !START_AGAIN.has(code)) {
      server.close();
      throw new OfficeFailure(
        `did not start (it ${code === null ? "was killed by a signal" : `ended with exit code ${code}`})`,
        await office.log(),
      );
    }
  }
}

function spawnOffice(options: WarmOfficeOptions): ChildProcess {
  const { folder, pipe, enclosure } = options;
  const socket = { path: pipePath(pipe), name: pipeNameForRoot(pipe) };
  const command = limitedCommand(
    [
      programBehind(options.soffice),
      ...ARGUMENTS,
      ...profileArguments(options.profile),
      `macro:///Standard.${LOOP_MODULE}.Serve("pipe,name=${pipe}")`,
    ],
    options.limits,
    options.seal,
    enclosure === null ? null : { ...enclosure, folder, socket, ownFolder: ownFolder(options) },
  );
  const [program = "", ...args] = command;
  return spawn(program, args, {
    cwd: folder,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Returns the settings of the private folder; null if the system does not support one. */
function ownFolder({ enclosure, template, limits }: WarmOfficeOptions): View["ownFolder"] {
  return enclosure?.by === "namespace" ? { profile: template, roomMb: limits.fileMb } : null;
}

class WarmOffice implements Office {
  readonly #process: ChildProcess;
  #socket: Socket | undefined;
  #answer = "";
  #log = "";
  #waiting: { resolve(line: string): void; reject(error: Error): void } | undefined;
  #isOver = false;
  readonly #over = Promise.withResolvers<OfficeEnd>();
  /** Resolves with `ready`, or with the exit code if the process ended first; null if a signal ended it. */
  readonly started: Promise<number | "ready" | null>;
  version: string | null = null;
  outputs: Exchange | null = null;
  pid: number | null = null;

  constructor(server: Server, child: ChildProcess) {
    this.#process = child;
    const { promise, resolve } = Promise.withResolvers<number | "ready" | null>();
    this.started = promise;
    const ready = (line: string): void => {
      this.version = /^READY (\S+)/.exec(line)?.[1] ?? null;
      resolve("ready");
    };
    this.#waiting = { resolve: ready, reject: () => {} };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#log = (this.#log + text).slice(-LOG_LENGTH);
      });
    }
    server.removeAllListeners("connection").on("connection", (socket) => this.#connect(socket));
    child.once("error", (error) => this.#end(error.message, "ended"));
    child.once("exit", resolve);
    // At this event, the output is complete.
    child.once("close", (code, signal) => {
      const how = code === null ? `was killed by ${signal}` : `ended with exit code ${code}`;
      const isKilled = signal === "SIGKILL" || isKillReported(code, this.#log);
      this.#end(`it ${how}`, isKilled ? "killed" : "ended");
    });
    child.once("error", () => resolve(null));
  }

  /** Finds the process and its private folder. Called after the start. */
  async settle(options: WarmOfficeOptions): Promise<void> {
    const { pid = null } = this.#process;
    this.pid = await programIn(pid);
    if (ownFolder(options) === null) return;
    const folder = join(options.folder, "tmp");
    this.outputs = { folder, seen: heldFolder(`/proc/${this.pid}/root${folder}`) };
  }

  get ended(): Promise<OfficeEnd> {
    return this.#over.promise;
  }

  residentMb(): Promise<number> {
    return residentMb(this.pid);
  }

  async log(): Promise<string> {
    return this.#log;
  }

  async convert(job: ExportJob): Promise<void> {
    const text = Buffer.from(fieldsOf(job).map(asField).join("\t"));
    if (text.length > MAX_JOB) throw new OfficeFailure("was given options that are too long", "");
    const head = Buffer.alloc(4);
    head.writeUIntBE(text.length, 0, 3);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#waiting = { resolve, reject };
    if (this.#isOver || this.#socket === undefined) this.#end("it is no longer running", "ended");
    else this.#socket.write(Buffer.concat([head, text]));
    const line = await promise;
    if (line !== "OK") throw new OfficeFailure("rejected it", line.replace(/^ERR /, ""));
  }

  #connect(socket: Socket): void {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("error", () => {}); // the close event follows
    socket.on("close", () => {
      setTimeout(() => this.#end("it closed the pipe", "ended"), EXIT_MS).unref();
    });
    socket.on("data", (text: string) => {
      this.#answer = (this.#answer + text).slice(0, MAX_ANSWER);
      const end = this.#answer.indexOf("\n");
      if (end < 0) return;
      const line = this.#answer.slice(0, end);
      this.#answer = "";
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.resolve(line);
    });
  }

  #end(why: string, how: OfficeEnd): void {
    this.#isOver = true;
    this.#over.resolve(how);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const detail = `${why}\n${this.#log}`.trim();
    waiting?.reject(new OfficeEnded("ended during the conversion", detail, how));
  }
}

function fieldsOf(job: ExportJob): string[] {
  const set = (text: string | null): string => (text === null ? "" : `+${text}`);
  return [
    pathToFileURL(job.input).href,
    pathToFileURL(job.output).href,
    job.updateIndexes ? "1" : "0",
    set(job.title),
    set(job.author),
    set(job.subject),
    set(job.keywords),
    ...job.options.flat(),
  ];
}

/**
 * Removes control characters, because tabs separate the fields and the other control characters have no meaning in a
 * field.
 */
function asField(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed here
  return text.replace(/[\u0000-\u001f\u007f]/g, " ");
}
