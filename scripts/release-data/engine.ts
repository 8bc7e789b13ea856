/** An engine with a durable job store. It is killed when there are jobs in every state. */
import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type BatchRequest, createEngine, QuireError, type Storage } from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { fsStorage } from "@quire/storage-fs";
import { letter } from "./letter.ts";

const CHILD = "--engine";

/** Creates the folder with `quire.db`, the log of that database, and the `files` of the engine. */
export async function makeEngineData(folder: string): Promise<void> {
  await mkdir(join(folder, "files", "out"), { recursive: true });
  await writeFile(join(folder, "files", "letter.docx"), letter("Dear {{name}}"));
  const { signal, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), CHILD, folder],
    { encoding: "utf8", timeout: 60_000 },
  );
  if (signal !== "SIGKILL") throw new Error(`The engine was not killed as expected: ${stderr}`);
  // The index of the log is not needed by a process that opens the file first.
  await rm(join(folder, "quire.db-shm"));
}

if (process.argv[2] === CHILD) await dieInTheMiddle(process.argv[3] ?? "");

/**
 * Finishes one batch, starts `stopped`, accepts `waiting` and cancels `cancelled`. In `stopped`, two documents are
 * completed, one of them with a missing value. One job has failed, one is waiting for its second attempt, one has
 * written its document but is not settled, one has not written its document, and the others have not started.
 */
async function dieInTheMiddle(folder: string): Promise<void> {
  let events = 0;
  const hanging = Promise.withResolvers<void>();
  const engine = createEngine({
    storage: hangingStorage(fsStorage({ root: join(folder, "files") }), hanging.resolve),
    jobs: sqliteJobStore({ path: join(folder, "quire.db") }),
    concurrency: 2,
    keepFinishedMs: null,
    onEvent: () => {
      events += 1;
      return events > 3 ? new Promise(() => {}) : undefined;
    },
  });
  const submit = (key: string, count: number, tenant: string) =>
    engine.createBatch(requestOf(key, count), { idempotencyKey: key, tenant, caller: "release" });
  const { id } = await submit("finished", 2, "one");
  for await (const _ of engine.jobs(id));
  await submit("stopped", 10, "one");
  await hanging.promise;
  await submit("waiting", 3, "two");
  const cancelled = await submit("cancelled", 2, "two");
  await engine.cancelBatch(cancelled.id);
  await setTimeout(1000);
  process.kill(process.pid, "SIGKILL");
}

function requestOf(key: string, count: number): BatchRequest {
  return {
    file: { type: "file", id: "letter.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: Array.from({ length: count }, (_, index) => ({
      generated_file_name: `${key}-${index + 1}`,
      user_input: dataOf(key, index + 1),
    })),
  };
}

function dataOf(key: string, entry: number): Record<string, unknown> {
  if (key === "stopped" && entry === 2) return {};
  if (key === "stopped" && entry === 3) return { name: { wrong: true } };
  return { name: `Ann ${entry}` };
}

/**
 * Returns a storage whose `create` fails for one name, never responds for two others, and reports when it was called
 * for both of these.
 */
function hangingStorage(inner: Storage, reached: () => void): Storage {
  const never = new Promise<never>(() => {});
  let hanging = 0;
  const hang = (): Promise<never> => {
    hanging += 1;
    if (hanging === 2) reached();
    return never;
  };
  return {
    read: (...args) => inner.read(...args),
    stat: (...args) => inner.stat(...args),
    find: (...args) => inner.find(...args),
    list: (...args) => inner.list(...args),
    remove: (...args) => inner.remove(...args),
    createFolder: (...args) => inner.createFolder(...args),
    removeFolder: (...args) => inner.removeFolder(...args),
    async create(folder, name, ...args) {
      if (name === "stopped-4.docx") {
        throw new QuireError("storage_failed", "The disk is temporarily unavailable.", {
          retryable: true,
        });
      }
      if (name === "stopped-6.docx") return hang();
      const created = await inner.create(folder, name, ...args);
      return name === "stopped-5.docx" ? hang() : created;
    },
  };
}
