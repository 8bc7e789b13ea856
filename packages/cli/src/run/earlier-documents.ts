import { stat } from "node:fs/promises";
import { join } from "node:path";
import { deserialize } from "node:v8";
import {
  type BatchRecord,
  type EarlierResult,
  isQuireError,
  type JobInput,
  type JobStore,
  type Storage,
  withExtension,
} from "@quire/core/host";
import { documentState } from "./documents.ts";
import { batchesOf, jobsOf, namesIn } from "./journal.ts";
import { makeKeyOf } from "./key.ts";
import type { RunOutput } from "./output.ts";

/**
 * What happens to documents that earlier runs of the journal made.
 * - `overwrite`: a document is kept if its entry, the template and the options are still the same. Otherwise, the new
 *   one replaces it, unless somebody has changed it since.
 * - `missing`: every document that exists is kept.
 */
export type ReusePolicy = "overwrite" | "missing";

/** Where a document of an earlier run is recorded. */
interface Earlier {
  readonly batch: BatchRecord;
  readonly entry: number;
}

/** A longer value is not the name of a file. */
const MAX_FILE_NAME = 1024;

/** The documents that earlier runs of a journal made in the same folder. Of equal names, only the last is known. */
export class EarlierDocuments {
  readonly #journal: JobStore;
  readonly #output: RunOutput;
  /** For each requested file name, the entries of the last run that made such documents, in order. */
  readonly #byRequest = new Map<string, Earlier[]>();
  readonly #byName = new Map<string, Earlier>();
  /** The names in the folder. */
  readonly #existing: ReadonlySet<string>;

  private constructor(journal: JobStore, output: RunOutput, existing: ReadonlySet<string>) {
    this.#journal = journal;
    this.#output = output;
    this.#existing = existing;
  }

  /** Reads the journal and lists the folder. `except`: the id of a batch that is not an earlier one. */
  static async read(
    journal: JobStore,
    output: RunOutput,
    except: string | null,
  ): Promise<EarlierDocuments> {
    const found = new EarlierDocuments(journal, output, await namesIn(output));
    for await (const batch of batchesOf(journal)) {
      if (batch.caller === output.path && batch.id !== except) await found.#add(batch);
    }
    return found;
  }

  /** Batches come newest first. */
  async #add(batch: BatchRecord): Promise<void> {
    for await (const { entry, requestedName, result } of jobsOf(this.#journal, batch.id)) {
      if (result === null) continue;
      const earlier = { batch, entry };
      const { name } = result.outputFile;
      if (!this.#byName.has(name)) this.#byName.set(name, earlier);
      const request = withExtension(requestedName ?? name, batch.outputType);
      const entries = this.#byRequest.get(request);
      if (entries === undefined) this.#byRequest.set(request, [earlier]);
      else if (entries[0]?.batch === batch) entries.push(earlier);
    }
  }

  /** Decides for each entry of a new batch. `make`: the key of its template and options. */
  resultOf(policy: ReusePolicy, make: string, dataFolder: string): EarlierResult {
    const files = new FileTimes(dataFolder);
    return async ({ fileName, input }) => {
      const earlier = this.#byRequest.get(fileName)?.shift();
      if (earlier === undefined) return null;
      const { batch, entry } = earlier;
      const found = await this.#journal.getJob(batch.id, entry);
      const result = found?.job.result ?? null;
      if (found === null || result === null) return null;
      if (policy === "overwrite") {
        const isSame = makeKeyOf(batch) === make && isSameInput(found.input, input);
        if (!isSame || (await files.isNewer(input, batch.createdAt))) return null;
      }
      return this.#existing.has(result.outputFile.name) ? result : null;
    };
  }

  /** The names of existing documents for which the new batch had no entry, after it was accepted. At most `limit`. */
  async withoutEntry(limit: number): Promise<string[]> {
    const names: string[] = [];
    for (const [, entries] of this.#byRequest) {
      for (const { batch, entry } of entries) {
        const found = await this.#journal.getJob(batch.id, entry);
        const result = found?.job.result ?? null;
        if (result === null || !this.#existing.has(result.outputFile.name)) continue;
        names.push(result.outputFile.name);
        if (names.length === limit) return names;
      }
    }
    return names;
  }

  /**
   * A storage in which the names of these documents are free. A new document replaces one of these unless somebody has
   * changed it.
   */
  replaceable(storage: Storage): Storage {
    return {
      ...storage,
      list: async (...args) => {
        const page = await storage.list(...args);
        return { ...page, entries: page.entries.filter(({ name }) => !this.#byName.has(name)) };
      },
      create: async (folder, name, bytes, options) => {
        try {
          return await storage.create(folder, name, bytes, options);
        } catch (error) {
          if (!isQuireError(error) || error.code !== "conflict") throw error;
          if (!(await this.#remove(name))) throw error;
          return storage.create(folder, name, bytes, options);
        }
      },
    };
  }

  /** Removes a document if it is unchanged. Returns whether it was removed. */
  async #remove(name: string): Promise<boolean> {
    const earlier = this.#byName.get(name);
    if (earlier === undefined) return false;
    const found = await this.#journal.getJob(earlier.batch.id, earlier.entry);
    const sha256 = found?.job.result?.sha256;
    if (sha256 === undefined) return false;
    if ((await documentState(this.#output, name, sha256)) !== "unchanged") return false;
    const { storage, folder } = this.#output;
    const file = await storage.find(folder, name);
    if (file !== null) await storage.remove(file.ref);
    return true;
  }
}

function isSameInput(one: JobInput | null, other: JobInput): boolean {
  return (
    one !== null &&
    one.encoding === other.encoding &&
    one.locale === other.locale &&
    one.timeZone === other.timeZone &&
    Buffer.from(one.bytes).equals(other.bytes)
  );
}

/** When the files that entries name, such as pictures, were changed. */
class FileTimes {
  readonly #folder: string;
  /** 0 for a value that is not the name of a file. */
  readonly #known = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a file that the data names was changed after a time, in milliseconds since 1970. */
  async isNewer(input: JobInput, since: number): Promise<boolean> {
    const data: unknown =
      input.encoding === "json"
        ? JSON.parse(Buffer.from(input.bytes).toString("utf8"))
        : deserialize(input.bytes);
    for (const text of textsIn(data)) {
      if (mayBeFile(text) && (await this.#changedAt(text)) > since) return true;
    }
    return false;
  }

  async #changedAt(name: string): Promise<number> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = await stat(join(this.#folder, name)).catch(() => null);
    const changed = found === null ? 0 : Math.max(found.mtimeMs, found.ctimeMs);
    this.#known.set(name, changed);
    return changed;
  }
}

function mayBeFile(text: string): boolean {
  return text.length <= MAX_FILE_NAME && /^[^\n\0]*\.\w+$/.test(text);
}

function* textsIn(data: unknown): Generator<string> {
  const waiting = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") yield value;
    if (typeof value !== "object" || value === null) continue;
    for (const each of Object.values(value)) waiting.push(each);
  }
}
