import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@quire/contracts";
import {
  type BatchRequest,
  createEngine,
  type Engine,
  type EngineOptions,
  type Job,
  memoryStorage,
  renderInProcess,
} from "@quire/core";
import type { TestContext } from "vitest";
import { docx } from "../../../cli/test/support/docx.ts";
import { sqliteJobStore } from "../../src/index.ts";

export const OUT = { type: "folder", id: "out" } as const;

/** A storage with a template, and a job store for any number of engines. */
export interface Place {
  readonly path: string;
  readonly storage: Storage;
  engine(options?: Partial<EngineOptions>): Engine;
}

/** Creates a storage with a template, and a function that creates engines on one job store. */
export async function place({ onTestFinished }: TestContext): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "quire-engine-"));
  const path = join(folder, "jobs.db");
  const storage = memoryStorage({
    folders: ["out"],
    files: { "letter.docx": docx(["Dear {{name}}"]) },
  });
  const engines: Engine[] = [];
  onTestFinished(async () => {
    for (const engine of engines) await engine.close({ graceMs: 0 });
    await rm(folder, { recursive: true, force: true });
  });
  return {
    path,
    storage,
    engine(options = {}) {
      const jobs = sqliteJobStore({ path });
      const engine = createEngine({ storage, jobs, renderer: renderInProcess(), ...options });
      engines.push(engine);
      return engine;
    },
  };
}

/** Returns a batch request for the letter. */
export function request(names: readonly string[], more: Partial<BatchRequest> = {}): BatchRequest {
  return {
    file: { type: "file", id: "letter.docx" },
    input_source: "api",
    destination_folder: OUT,
    output_type: "docx",
    document_generation_data: names.map((name) => ({
      generated_file_name: name,
      user_input: { name },
    })),
    ...more,
  };
}

/** Returns all jobs of a batch, in the order of its entries. */
export async function all(jobs: AsyncIterable<Job>): Promise<Job[]> {
  const list: Job[] = [];
  for await (const job of jobs) list.push(job);
  return list.sort((a, b) => a.entry - b.entry);
}

/** Returns the names in the folder `out`. */
export async function names(storage: Storage): Promise<string[]> {
  return (await storage.list(OUT)).entries.map(({ name }) => name);
}
