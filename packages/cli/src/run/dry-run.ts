import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FileInfo,
  type FolderPage,
  foldName,
  isQuireError,
  QuireError,
  type Storage,
} from "@quire/core/host";
import { copyJobStore } from "@quire/jobs-sqlite";
import { count } from "../terminal/format.ts";
import { type Io, pathIn, writeLine } from "../terminal/io.ts";
import type { RunOutput } from "./output.ts";

/**
 * A run that writes nothing. It works with a copy of the journal, and with a storage that keeps only the names and
 * sizes of new documents. Call `close` at the end.
 */
export class DryRun {
  /** The output, in which new documents exist only for this run. */
  readonly output: RunOutput;
  /** The path of the copied journal. */
  readonly journalPath: string;
  readonly #folder: string;
  readonly #created: ReadonlyMap<string, FileInfo>;

  private constructor(output: RunOutput, folder: string) {
    const created = new Map<string, FileInfo>();
    this.output = { ...output, storage: overlay(output.storage, created), tidy: async () => {} };
    this.journalPath = join(folder, "journal.db");
    this.#folder = folder;
    this.#created = created;
  }

  /** Copies the journal, if it exists. Rejects `job_store_failed`, or with an error of the system. */
  static async open(io: Io, output: RunOutput, journalPath: string): Promise<DryRun> {
    const run = new DryRun(output, await mkdtemp(join(tmpdir(), "quire-dry-run-")));
    const path = pathIn(io, journalPath);
    try {
      const exists = await access(path).then(
        () => true,
        () => false,
      );
      if (exists) await copyJobStore(path, run.journalPath);
      return run;
    } catch (error) {
      await run.close();
      throw error;
    }
  }

  /** Prints the names and sizes of the documents that a run would make, sorted by name. */
  print(io: Io): void {
    const documents = [...this.#created.values()].sort((a, b) =>
      a.name.localeCompare(b.name, "en", { numeric: true }),
    );
    const sizes = documents.map(({ size }) => `${count(size)} bytes`);
    const width = Math.max(0, ...sizes.map(({ length }) => length));
    for (const [index, { name }] of documents.entries()) {
      writeLine(io.stdout, `${sizes[index]?.padStart(width)}  ${name}`);
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Returns a view of a storage that only records changes. New documents have no content and are not listed. A missing
 * folder is empty.
 */
function overlay(storage: Storage, created: Map<string, FileInfo>): Storage {
  const removed = new Set<string>();
  const find: Storage["find"] = async (folder, name, options) => {
    const known = created.get(foldName(name));
    if (known !== undefined) return known.name === name ? known : null;
    const found = await storage.find(folder, name, options).catch(nothingIfMissing);
    return found === null || removed.has(found.ref.id) ? null : found;
  };
  return {
    ...storage,
    find,
    read: (file, options) => storage.read(file, options),
    stat: (file, options) => storage.stat(file, options),
    list: async (folder, options) => {
      const page = await storage.list(folder, options).catch(nothingIfMissing);
      if (page === null) return NO_ENTRIES;
      return { ...page, entries: page.entries.filter(({ ref }) => !removed.has(ref.id)) };
    },
    create: async (folder, name, bytes, options) => {
      const size = bytes instanceof Uint8Array ? bytes.length : await sizeOf(bytes);
      if (created.has(foldName(name)) || (await find(folder, name, options)) !== null) {
        throw new QuireError("conflict", `The file name ${JSON.stringify(name)} is taken.`);
      }
      const file: FileInfo = { ref: { type: "file", id: name }, version: "", name, size };
      created.set(foldName(name), file);
      return file;
    },
    remove: async ({ id }) => {
      removed.add(id);
    },
    createFolder: async (_, name) => ({ type: "folder", id: name }),
    removeFolder: async () => {},
  };
}

const NO_ENTRIES: FolderPage = { entries: [], nextMarker: null };

async function sizeOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const { length } of pieces) size += length;
  return size;
}

function nothingIfMissing(error: unknown): null {
  if (isQuireError(error) && error.code === "not_found") return null;
  throw error;
}
