import { createHash, type Hash, randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, open, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTurns, QuireError } from "@quire/contracts";
import type { Database } from "../database/database.ts";

/**
 * Maximum size of a file in the database, in bytes. Larger files are stored outside, where reads and writes do not
 * block.
 */
const MAX_IN_DATABASE = 1_000_000;

/** Number of bytes that are hashed or written in one step. */
const PIECE = 1 << 20;

/** Age at which a file without a row is deleted. A younger file may belong to a batch that is being accepted. */
const LEFTOVER_MS = 3_600_000;

/** A file for a batch, which is not in the database yet. */
export interface NewFile {
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** The file's name in {@link LargeFiles}; null if no file was written. */
  readonly place: string | null;
}

/** Returns the folder with the large templates of a database. */
export function templatesFolder(databasePath: string): string {
  return `${databasePath}-templates`;
}

/** The folder with the large files, next to the database. Names are random: equal files never share a name. */
export class LargeFiles {
  readonly #database: Database;
  readonly #folder: string;

  constructor(database: Database) {
    this.#database = database;
    this.#folder = templatesFolder(database.path);
  }

  /**
   * Passes a file to `use`, which can add it to the database. A large file is first written durably, unless the
   * database already has it, and is deleted afterwards if no row refers to it.
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
      this.#removeUnnamed(place);
    }
  }

  #removeUnnamed(place: string): void {
    try {
      if (!this.#isNamed(place)) this.remove(place);
    } catch {
      // The database cannot be read. `sweep` deletes the file later if no row refers to it.
    }
  }

  /** Whether the file still exists. Another process may have deleted it as a leftover. */
  has(place: string): boolean {
    return existsSync(join(this.#folder, place));
  }

  /** Reads a file. Rejects `job_store_failed` if the file is missing or incomplete. */
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

  /** Deletes a file to which no row refers. If that fails, the file becomes a leftover. */
  remove(place: string): void {
    try {
      rmSync(join(this.#folder, place), { force: true });
    } catch {
      // `sweep` tries again.
    }
  }

  /** Deletes old files to which no row refers, for example because a process died before it wrote the row. */
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
      // This process or another may have just created the folder itself.
      for (const folder of [this.#folder, dirname(this.#folder)]) await syncFolder(folder);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "no reason given";
      throw new QuireError(
        "job_store_failed",
        `The job store cannot store a template of ${bytes.length} bytes as ${JSON.stringify(path)}: ${reason}.`,
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

/** Returns the SHA-256 in hex. Yields to other work while it hashes a large file. */
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

/** Syncs a folder, so that the names of its new files and folders are durable. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync folders
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
    `The job store cannot read the template ${JSON.stringify(path)}: ${reason}. Restore this file from your backup of the database, or submit the batch again.`,
    { cause },
  );
}
