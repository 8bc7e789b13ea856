import { statSync } from "node:fs";
import { join } from "node:path";
import { deserialize } from "node:v8";
import {
  type BatchRecord,
  type EarlierResult,
  isQuireError,
  type JobInput,
  type JobStore,
  parseExactly,
  type Storage,
  withExtension,
} from "@quire/core/host";
import { removeIfUnchanged } from "./documents.ts";
import { namesIn } from "./journal.ts";
import { batchesOf, jobsOf } from "./journal-pages.ts";
import { makeKeyOf } from "./key.ts";
import type { RunOutput } from "./output.ts";

/**
 * What happens to documents that earlier runs of the journal made.
 * - `overwrite`: a document is kept if its entry, the template and the options are still the same. Otherwise, the new
 *   one replaces it, unless somebody has changed it since.
 * - `missing`: every document that exists is kept.
 */
export type ReusePolicy = "overwrite" | "missing";

/** The job that made a document. */
interface Earlier {
  readonly batch: BatchRecord;
  readonly entry: number;
}

/** A longer value is not the name of a file. */
const MAX_FILE_NAME = 1024;

/**
 * The documents that earlier runs of a journal made in the same folder. Of several documents with the same name, only
 * the newest is known. Jobs that took over a document do not count, because their data, template and options may differ
 * from those of the document.
 */
export class EarlierDocuments {
  readonly #journal: JobStore;
  readonly #output: RunOutput;
  /** The newest job for each requested file name. Jobs of a batch that request the same name are numbered. */
  readonly #byRequest = new Map<string, Earlier>();
  readonly #byName = new Map<string, Earlier>();
  /** The keys of `#byRequest` that the new batch has. */
  readonly #requested = new Set<string>();
  /** The names in the folder. */
  readonly #existing: ReadonlySet<string>;

  private constructor(journal: JobStore, output: RunOutput, existing: ReadonlySet<string>) {
    this.#journal = journal;
    this.#output = output;
    this.#existing = existing;
  }

  /**
   * Reads the journal and lists the folder. `except` is the id of this run's batch; null if the run has no batch yet.
   */
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

  /** Adds the documents of a batch. Must be called for the newest batch first. */
  async #add(batch: BatchRecord): Promise<void> {
    const numbered = numberer();
    for await (const { entry, requestedName, result, attempts } of jobsOf(
      this.#journal,
      batch.id,
    )) {
      if (requestedName === null) continue;
      const request = numbered(withExtension(requestedName, batch.outputType));
      if (result === null || attempts === 0) continue;
      const earlier = { batch, entry };
      const { name } = result.outputFile;
      if (!this.#byName.has(name)) this.#byName.set(name, earlier);
      if (!this.#byRequest.has(request)) this.#byRequest.set(request, earlier);
    }
  }

  /** Decides which entries of a new batch keep their document. `make` is the key of its template and options. */
  resultOf(policy: ReusePolicy, make: string, dataFolder: string): EarlierResult {
    const files = new FileTimes(dataFolder);
    const numbered = numberer();
    return async ({ fileName, input }) => {
      const request = numbered(fileName);
      const earlier = this.#byRequest.get(request);
      if (earlier === undefined) return null;
      this.#requested.add(request);
      const { batch, entry } = earlier;
      const found = await this.#journal.getJob(batch.id, entry);
      const result = found?.job.result ?? null;
      if (found === null || result === null) return null;
      if (policy === "overwrite") {
        const isSame = makeKeyOf(batch) === make && isSameInput(found.input, input);
        if (!isSame || files.isNewer(input, batch.createdAt)) return null;
      }
      return this.#existing.has(result.outputFile.name) ? result : null;
    };
  }

  /**
   * Returns the names, at most `limit`, of existing documents without an entry in the new batch. Call this after the
   * batch was accepted.
   */
  async withoutEntry(limit: number): Promise<string[]> {
    const names: string[] = [];
    for (const [request, { batch, entry }] of this.#byRequest) {
      if (this.#requested.has(request)) continue;
      const found = await this.#journal.getJob(batch.id, entry);
      const result = found?.job.result ?? null;
      if (result === null || !this.#existing.has(result.outputFile.name)) continue;
      names.push(result.outputFile.name);
      if (names.length === limit) break;
    }
    return names;
  }

  /**
   * Returns a view of a storage in which the names of these documents are free. A new document replaces the earlier one
   * with the same name, unless somebody has changed that document.
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
    return sha256 !== undefined && (await removeIfUnchanged(this.#output, name, sha256));
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

/** Returns a key for each use of a name in a batch. */
function numberer(): (name: string) => string {
  const uses = new Map<string, number>();
  return (name) => {
    const number = (uses.get(name) ?? 0) + 1;
    uses.set(name, number);
    return `${number} ${name}`;
  };
}

/** Finds out when the files that entries name, such as pictures, were changed. */
class FileTimes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a file that the data may name was changed after a time, in milliseconds since 1970. */
  isNewer(input: JobInput, since: number): boolean {
    const data: unknown =
      input.encoding === "json"
        ? parseExactly(Buffer.from(input.bytes).toString("utf8"))
        : deserialize(input.bytes);
    for (const text of textsIn(data)) {
      if (this.#changedAt(text) > since) return true;
    }
    return false;
  }

  /**
   * Returns the time of the last change; 0 for text that is not a file name. Called for every text, so it must be fast.
   */
  #changedAt(text: string): number {
    if (text.length > MAX_FILE_NAME || text.includes("\0")) return 0;
    try {
      const found = statSync(join(this.#folder, text), { throwIfNoEntry: false });
      return found?.isFile() ? Math.max(found.mtimeMs, found.ctimeMs) : 0;
    } catch {
      return 0; // for example, a part of a path is too long
    }
  }
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
