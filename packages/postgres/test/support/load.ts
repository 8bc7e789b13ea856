import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { batchProblems, leftovers, readBatches, type StoredBatch } from "./checks.ts";
import type { LogLine } from "./load-process.ts";

const PROGRAM = fileURLToPath(new URL("./load-process.ts", import.meta.url));
const END_MS = 120_000;

/** Processes that accept batches and work on them, while faults are injected. */
export class Load {
  readonly #url: string;
  readonly #folder: string;
  readonly #processes = new Map<ChildProcess, string>();
  #seed = 0;

  private constructor(url: string, folder: string) {
    this.#url = url;
    this.#folder = folder;
  }

  static async start(
    url: string,
    { acceptors, workers }: { readonly acceptors: number; readonly workers: number },
  ): Promise<Load> {
    const load = new Load(url, await mkdtemp(join(tmpdir(), "quire-load-")));
    for (let index = 0; index < acceptors; index++) load.#spawn("accept");
    for (let index = 0; index < workers; index++) load.#spawn("work");
    return load;
  }

  #spawn(role: string): void {
    const args = [PROGRAM, role, this.#url, join(this.#folder, "log"), String(this.#seed++)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    this.#processes.set(child, role);
  }

  /** Kills a process of a role, and starts a new process. */
  async kill(role: "accept" | "work"): Promise<void> {
    const [child] = [...this.#processes].find(([, of]) => of === role) ?? [];
    if (child === undefined) return;
    await end(child, "SIGKILL");
    this.#processes.delete(child);
    this.#spawn(role);
  }

  /** Stops accepting, waits until all jobs have ended and all events were delivered, and returns what went wrong. */
  async finish(): Promise<{ readonly violations: string[]; readonly jobs: number }> {
    for (const [child, role] of this.#processes) if (role === "accept") await end(child, "SIGTERM");
    const client = new pg.Client(this.#url);
    await client.connect();
    const isOver = `SELECT (SELECT count(*) FROM quire.run) + (SELECT count(*) FROM quire.event) AS open`;
    for (const endAt = Date.now() + END_MS; Date.now() < endAt; await sleep(200)) {
      const { rows } = await client.query(isOver);
      if (Number(rows[0].open) === 0) break;
    }
    const text = await readFile(join(this.#folder, "log"), "utf8");
    const lines = text.split("\n").flatMap((line) => {
      // The last line of a killed process may be incomplete.
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        return [];
      }
    });
    const result = await check(client, lines);
    await client.end();
    return result;
  }

  /** Ends all processes, and removes the log. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((child) => end(child, "SIGKILL")));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** Compares the log with the database. */
async function check(
  client: pg.Client,
  lines: readonly LogLine[],
): Promise<{ readonly violations: string[]; readonly jobs: number }> {
  const batches = await readBatches(client);
  const accepted = lines.filter((line) => line.type === "accepted");
  const violations = [...batchProblems(batches, accepted)];
  const attempts = lines.filter((line) => line.type === "attempt");
  const begun = new Set(attempts.map(({ id, entry, attempt }) => `${id} ${entry} ${attempt}`));
  if (begun.size < attempts.length) violations.push("an attempt was begun twice");
  violations.push(...missingEvents(lines, batches), ...(await leftovers(client)));
  return { violations, jobs: batches.reduce((sum, { completed }) => sum + completed, 0) };
}

function missingEvents(lines: readonly LogLine[], batches: readonly StoredBatch[]): string[] {
  const told = new Map<string, Set<string>>();
  for (const line of lines) {
    if (line.type !== "event") continue;
    const of = told.get(line.id) ?? new Set();
    told.set(line.id, of.add(`${line.kind} ${line.entry}`));
  }
  return batches.flatMap(({ id, completed }) => {
    const of = [...(told.get(id) ?? [])];
    const ended = of.filter((each) => each.startsWith("job_succeeded")).length;
    const ends = of.filter((each) => each.startsWith("batch_")).length;
    return ended === completed && ends === 2
      ? []
      : [`batch ${id}: ${ended} of ${completed} events`];
  });
}
