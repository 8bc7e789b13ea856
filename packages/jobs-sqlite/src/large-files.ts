import { createHash, type Hash, randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createTurns, QuireError } from "@quire/core/host";
import type { Database } from "./database.ts";

/** Files of more bytes are kept beside the database: SQLite would write and read them while nothing else runs. */
const MAX_IN_DATABASE = 1_000_000;

/** How many bytes are hashed or written at once. */
const PIECE = 1 << 20;

/** A file that no row names is deleted when it is this old. A younger one may be part of a batch that is being accepted. */
const LEFTOVER_MS = 3_600_000;

/** A file for a batch, before it is kept. */
export interface NewFile {
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** The name of the file that was written for it in {@link LargeFiles}; null when none was. */
  readonly place: string | null;
}

/** The folder of large files beside the database. Their names are random: equal files never share one. */
export class LargeFiles {
  readonly #database: Database;
  readonly #folder: string;

  constructor(database: Database) {
    this.#database = database;
    this.#folder = `${database.path}-templates`;
  }

  /**
   * Passes a file that can be kept to `use`. A large one is durable before, unless the database has it already; it is
   * deleted afterwards if no row names it.
   */
  async with<T>(bytes: Uint8Array, use: (file: NewFile) => Promise<T>): Promise<T> {
    const sha256 = await hashInTurns(bytes);
    if (bytes.length <= MAX_IN_DATABASE || this.#isKnown(sha256)) {
      return use({ sha256, bytes, place: null });
    }
    const place = randomUUID();
    try {
      await this.#write(place, bytes);
      return await use({ sha256, bytes, place });
    } finally {
      if (!this.#isNamed(place)) this.remove(place);
    }
  }

  /** Whether the file is still there. Somebody else may have deleted it as a leftover. */
  has(place: string): boolean {
    return existsSync(join(this.#folder, place));
  }

  /** Rejects `job_store_failed` when the file is not there, or not whole. */
  async read(place: string, size: number): Promise<Uint8Array> {
    const path = join(this.#folder, place);
    let bytes: Uint8Array;
    try {
      bytes = await readFile(path);
    } catch (error) {
      throw unreadable(path, error instanceof Error ? error.message : "no reason given", error);
    }
    if (bytes.length === size) return bytes;
    throw unreadable(path, `it has ${bytes.length} bytes instead of ${size}`);
  }

  /** Deletes a file that no row names any more. What cannot be deleted now is a leftover. */
  remove(place: string): void {
    try {
      rmSync(join(this.#folder, place), { force: true });
    } catch {
      // `sweep` tries again.
    }
  }

  /** Deletes what processes left behind that died between the file and the row. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      const changedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (Date.now() - changedAt < LEFTOVER_MS || this.#isNamed(name)) continue;
      this.remove(name);
    }
  }

  async #write(place: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#folder, place);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const file = await open(path, "wx", 0o600);
      try {
        for (let at = 0; at < bytes.length; at += PIECE) {
          await file.writeFile(bytes.subarray(at, at + PIECE));
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(this.#folder);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "no reason given";
      throw new QuireError(
        "job_store_failed",
        `The job store cannot keep a template of ${bytes.length} bytes as ${JSON.stringify(path)}: ${reason}.`,
        { retryable: true, cause: error },
      );
    }
  }

  #isKnown(sha256: string): boolean {
    return this.#database.get("SELECT 1 FROM file WHERE sha256 = ?", sha256) !== undefined;
  }

  #isNamed(place: string): boolean {
    return this.#database.get("SELECT 1 FROM file WHERE place = ?", place) !== undefined;
  }
}

/** The hash in hex. Others have their turns while a large file is hashed. */
async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const hash: Hash = createHash("sha256");
  if (bytes.length <= MAX_IN_DATABASE) return hash.update(bytes).digest("hex");
  const turns = createTurns();
  await turns.begin();
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (turns.isOver) await turns.begin();
    hash.update(bytes.subarray(at, at + PIECE));
  }
  return hash.digest("hex");
}

/** Makes the name of a new file durable. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // which has no such call
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unreadable(path: string, reason: string, cause?: unknown): QuireError {
  return new QuireError(
    "job_store_failed",
    `The job store cannot read the template ${JSON.stringify(path)}: ${reason}. Restore this file from the backup of the database, or submit the batch again.`,
    { cause },
  );
}
