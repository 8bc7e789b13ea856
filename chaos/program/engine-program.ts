/**
 * A minimal service: an engine with a durable job store. It submits a batch with an idempotency key, waits until the
 * batch has ended, and exits with 0. If it is started again, it continues. The checker detects the effects of any
 * fault.
 */
import { readlink } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import {
  createEngine,
  type Engine,
  isQuireError,
  renderInProcess,
  renderPool,
  type Storage,
} from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { fsStorage } from "@quire/storage-fs";
import { batchRequest } from "./batch-request.ts";
import type { ProgramLine, ProgramOptions } from "./options.ts";

const options = JSON.parse(process.argv[2] ?? "") as ProgramOptions;
let isStopping = false;

try {
  const converter = await makeConverter();
  say({ type: "ready", filesThread: await filesThread() });
  if (options.waitForGo) await oneLine();
  const engine = createEngine({
    storage: storage(),
    jobs: sqliteJobStore({ path: options.journal }),
    renderer: options.renderer === "pool" ? renderPool() : renderInProcess(),
    concurrency: options.concurrency,
    leaseMs: options.leaseMs,
    maxPauseMs: options.maxPauseMs,
    onPause: ({ failure: { message } }, state) => say({ type: "outage", state, message }),
    keepFinishedMs: null,
    ...(converter && { converter }),
  });
  await serve(engine);
} catch (error) {
  tellError(error);
}

async function serve(engine: Engine): Promise<void> {
  process.on("SIGTERM", () => {
    say({ type: "signal" });
    // A second signal requests an immediate stop.
    const graceMs = isStopping ? 0 : options.graceMs;
    isStopping = true;
    void close(engine, graceMs);
  });
  try {
    await work(engine);
  } catch (error) {
    if (!isStopping) tellError(error);
  }
  await close(engine, options.graceMs);
  say({ type: "closed" });
}

async function work(engine: Engine): Promise<void> {
  const batch = await engine.createBatch(batchRequest(options), { idempotencyKey: options.key });
  say({ type: "accepted", batchId: batch.id });
  for (let left = options.retries; ; left--) {
    const { counts } = await untilFinished(engine, batch.id);
    say({ type: "finished", counts });
    if (counts.failed === 0 || left <= 0) return;
    await engine.retryFailed(batch.id);
  }
}

async function untilFinished(engine: Engine, batchId: string) {
  for await (const job of engine.jobs(batchId)) {
    if (!options.tellJobs) continue;
    const { entry, status, sha256 } = job;
    const name = job.outputFile?.name ?? null;
    const failure = job.failure && `${job.failure.code}: ${job.failure.message}`;
    say({ type: "job", entry, status, name, sha256, failure });
  }
  return engine.getBatch(batchId);
}

async function close(engine: Engine, graceMs: number | null): Promise<void> {
  try {
    await engine.close(graceMs === null ? {} : { graceMs });
  } catch (error) {
    tellError(error);
  }
}

/**
 * Asks the file system thread for its id, which also starts the thread. In Node 22, the thread cannot be found by its
 * name.
 */
async function filesThread(): Promise<number | null> {
  if (process.platform !== "linux") return null;
  return Number(basename(await readlink("/proc/thread-self")));
}

/** Creates the converter. Loads LibreOffice's adapter only if it is needed. */
async function makeConverter() {
  if (options.outputType === "docx") return null;
  const { libreOffice } = await import("@quire/pdf-libreoffice");
  return libreOffice();
}

function storage(): Storage {
  const files = fsStorage({ root: options.root });
  return options.pauseAfter === null ? files : pausing(files, options.pauseAfter);
}

/**
 * Blocks documents after a certain number until a signal, so that a disk fault can be caused before they are created.
 */
function pausing(files: Storage, pauseAfter: number): Storage {
  const create = files.create.bind(files);
  let begun = 0;
  let go: Promise<void> | null = null;
  return Object.assign(files, {
    async create(...args: Parameters<Storage["create"]>) {
      begun += 1;
      if (begun > pauseAfter) {
        if (go === null) say({ type: "paused" });
        go ??= oneLine();
        await go;
      }
      return create(...args);
    },
  });
}

async function oneLine(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  for await (const _ of lines) break;
  lines.close();
  process.stdin.destroy();
}

function say(line: ProgramLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function tellError(error: unknown): void {
  process.exitCode = 1;
  const code = isQuireError(error) ? error.code : "unknown";
  say({ type: "error", code, message: error instanceof Error ? error.message : String(error) });
}
