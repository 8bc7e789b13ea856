import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { killAll, type Machine } from "./network.ts";

const PROGRAM = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const PORT = 8080;
/** As root, it would lower the priority of slow documents: on a busy machine, they would exceed their time limit. */
const UNPRIVILEGED = ["setpriv", "--bounding-set=-sys_nice"];
/** Time limit of a request to a health page, which waits up to three seconds for the database. */
const HEALTH_MS = 5000;
/** A process that does not start, for example because the database is away, is started again after this pause. */
const RESTART_MS = 500;
/** Longer than any fault. Orchestrators have no limit. */
const MAX_STARTS = 200;

/** What a process is for. */
export type Role = "serve" | "work";

/** What processes share. */
export interface QuireSettings {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Reports a violation. */
  readonly report: (violation: string) => void;
}

/**
 * A `quire serve --no-work` or `quire work` on a machine. As an orchestrator does, starts the process again when it
 * ends, but an end after it was ready counts as a violation.
 */
export class QuireProcess {
  readonly machine: Machine;
  readonly role: Role;
  readonly #settings: QuireSettings;
  #child: ChildProcess | null = null;
  #wanted = false;
  #starts = 0;

  constructor(machine: Machine, role: Role, settings: QuireSettings) {
    this.machine = machine;
    this.role = role;
    this.#settings = settings;
  }

  get url(): string {
    return `http://${this.machine.host}:${PORT}`;
  }

  /** The file with the output of all starts. */
  get log(): string {
    return join(this.#settings.folder, `${this.machine.name}.log`);
  }

  async start(): Promise<void> {
    this.#wanted = true;
    const home = join(this.#settings.folder, this.machine.name);
    await mkdir(home, { recursive: true });
    const args =
      this.role === "serve"
        ? ["serve", "--no-work", "--host", "0.0.0.0", "--port", String(PORT), "--rate", "0"]
        : ["work", "--only", "docx", "--health-host", "0.0.0.0", "--health-port", String(PORT)];
    const own = [...UNPRIVILEGED, process.execPath, PROGRAM, ...args];
    const [command = "", ...rest] = this.machine.command(own);
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: home, TMPDIR: home, NODE_OPTIONS: "", ...this.#settings.env };
    const child = spawn(command, rest, { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    const log = createWriteStream(this.log, { flags: "a" });
    let isReady = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => {
        log.write(text);
        isReady ||= /^ +settings/m.test(String(text));
      });
    }
    child.once("exit", (code) => {
      log.end();
      if (this.#child === child && this.#wanted) void this.#startAgain(isReady, code);
    });
  }

  /** Ends all processes at once, like a machine that loses its power. */
  async kill(): Promise<void> {
    this.#wanted = false;
    if (this.#child !== null) await killAll(this.#child);
  }

  /** Whether `/readyz` answers with 200. */
  async isReady(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(HEALTH_MS);
      return (await fetch(`${this.url}/readyz`, { signal })).status === 200;
    } catch {
      return false;
    }
  }

  /** Returns the reports of bugs in the log. */
  async bugs(): Promise<string[]> {
    const lines = (await readFile(this.log, "utf8")).split("\n");
    return lines.filter((line) => /this is a bug|"internal"|Uncaught|unhandled/i.test(line));
  }

  async #startAgain(wasReady: boolean, code: number | null): Promise<void> {
    const { name } = this.machine;
    if (wasReady) {
      const end = (await readFile(this.log, "utf8")).trim().split("\n").slice(-4).join(" | ");
      this.#settings.report(`${name} ended by itself with code ${code}: ${end}`);
    }
    this.#starts += 1;
    if (this.#starts > MAX_STARTS) return this.#settings.report(`${name} does not start`);
    await sleep(RESTART_MS);
    if (this.#wanted) await this.start();
  }
}
