import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BatchRequest, createEngine, memoryStorage, renderInProcess } from "@quire/core";
import { batchRequest, OUT, TEMPLATE } from "../program/batch-request.ts";
import type { ProgramOptions } from "../program/options.ts";
import { endMarked } from "./processes.ts";

/** The file of the template. */
export const TEMPLATE_FILE = new URL("../../examples/templates/letter.docx", import.meta.url);

/** Separate folders for one scenario. Everything that the scenario leaves behind is in them. */
export interface Place extends AsyncDisposable {
  /**
   * The parent of the scenario's folders. It appears in the command line or the environment of all of its processes.
   */
  readonly path: string;
  /** The options for the program. */
  readonly options: ProgramOptions;
  /** The folder of the documents. */
  readonly out: string;
  /** The folder for the program's temporary files. */
  readonly temp: string;
  readonly journal: string;
  /** The SHA-256 of each document in a run without faults, by name; null for PDFs. */
  readonly expected: ReadonlyMap<string, string> | null;
}

const DEFAULTS = {
  entries: 6,
  concurrency: 2,
  leaseMs: 15_000,
  outputType: "docx",
  renderer: "inProcess",
  graceMs: null,
  maxPauseMs: 0,
  waitForGo: false,
  pauseAfter: null,
  tellJobs: true,
  retries: 0,
  ballastBytes: 0,
} as const satisfies Partial<ProgramOptions>;

/** Creates the folders of a scenario. Disposing them removes their content and ends the processes of the scenario. */
export async function makePlace(changes: Partial<ProgramOptions> = {}): Promise<Place> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "quire-chaos-")));
  const root = join(path, "files");
  const [out, temp, state] = [join(root, OUT), join(path, "temp"), join(path, "state")];
  for (const folder of [out, temp, state]) await mkdir(folder, { recursive: true });
  await copyFile(TEMPLATE_FILE, join(root, TEMPLATE));
  const journal = join(state, "jobs.sqlite");
  const options = { ...DEFAULTS, key: randomUUID(), journal, root, ...changes };
  const expected = options.outputType === "docx" ? await documentsOf(options) : null;
  return {
    path,
    options,
    out,
    temp,
    journal,
    expected,
    async [Symbol.asyncDispose]() {
      await endMarked(path);
      await rm(path, { recursive: true, force: true });
    },
  };
}

const known = new Map<string, Promise<ReadonlyMap<string, string>>>();

/** Returns the documents of a run without faults. */
function documentsOf(options: ProgramOptions): Promise<ReadonlyMap<string, string>> {
  const key = `${options.entries} ${options.ballastBytes}`;
  const documents = known.get(key) ?? documentsWithoutFaults(batchRequest(options));
  known.set(key, documents);
  return documents;
}

/** Maximum number of entries in a batch: the documents of a batch are held in memory. */
const ENTRIES_AT_ONCE = 10_000;

/**
 * Returns the SHA-256 of each document of a batch by its name, from a run without faults: in this process, with
 * different concurrency and without a journal.
 */
export async function documentsWithoutFaults(
  request: BatchRequest,
): Promise<ReadonlyMap<string, string>> {
  const entries = request.document_generation_data;
  const documents = new Map<string, string>();
  for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE) {
    const storage = memoryStorage({
      files: { [TEMPLATE]: await readFile(TEMPLATE_FILE) },
      folders: [OUT],
    });
    await using engine = createEngine({ storage, renderer: renderInProcess(), concurrency: 1 });
    const batch = await engine.createBatch({
      ...request,
      document_generation_data: entries.slice(start, start + ENTRIES_AT_ONCE),
    });
    for await (const { outputFile, sha256 } of engine.jobs(batch.id)) {
      if (outputFile === null || sha256 === null) throw new Error("The template is invalid.");
      documents.set(outputFile.name, sha256);
    }
  }
  return documents;
}
