import { closeSync, fdatasync, openSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { jobStoreProblems, QuireError } from "@quire/contracts";
import { addShortening } from "./long-records.ts";
import { BOOT } from "./machine.ts";
import { MIGRATIONS } from "./migrations.ts";
import { assertNotMoved } from "./moved-mark.ts";
import { isBusy, isFatal, syncFailure, toQuireError } from "./sqlite-errors.ts";

// Not imported, because an older Node lacks this module and would fail before Quire reports that the Node version is
// too old.
const sqlite = process.getBuiltinModule("node:sqlite");

/** Marks a SQLite file as a Quire job store: "Quir". */
const APPLICATION_ID = 0x51756972;
const BUSY_TIMEOUT_MS = 5000;
/** Short commands close the file within this time. Services keep it open. */
const EXCLUSIVE_TIMEOUT_MS = 1000;

const syncFile = promisify(fdatasync);

/** A row of a query. Its columns depend on the query. */
export type Row = Record<string, null | number | string | Uint8Array>;

/**
 * A handle to the file. Queries and commits block the event loop, but `sync` does not: it waits for the disk in a
 * thread. A commit is immediately visible to all handles, but is durable only after a sync.
 */
export class Database {
  readonly path: string;
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #failure: QuireError | null = null;
  #inTransaction = false;
  /** The functions to call after the next sync. */
  #afterSync: (() => void)[] = [];
  /** File descriptor of SQLite's write-ahead log, which contains all commits that are not yet in the file itself. */
  #log: number | null = null;
  #syncs = 0;
  #closed = false;

  /**
   * Opens the file, creates it if it does not exist, and migrates its schema. `exclusive`: nothing else can open the file
   * until it is closed. Throws `conflict` for a file that was moved, unless `exclusive`, and `invalid_request` for an
   * empty file if `exclusive`.
   */
  constructor(path: string, { exclusive = false } = {}) {
    this.path = path;
    if (!exclusive) assertNotMoved(path);
    const patienceMs = exclusive ? EXCLUSIVE_TIMEOUT_MS : BUSY_TIMEOUT_MS;
    try {
      // Only the owner may read the file, because it contains the data of all entries. SQLite's other files get the
      // same mode.
      closeSync(openSync(path, "a", 0o600));
      this.#sqlite = new sqlite.DatabaseSync(path);
      this.#sqlite.exec(`PRAGMA busy_timeout = ${patienceMs}`);
      if (exclusive) this.#sqlite.exec("PRAGMA locking_mode = EXCLUSIVE");
    } catch (error) {
      throw toQuireError(error, path);
    }
    try {
      whileBusy(patienceMs, () => this.#prepare(exclusive));
    } catch (error) {
      this.#sqlite.close();
      throw toQuireError(error, path);
    }
  }

  #prepare(exclusive: boolean): void {
    this.#assertOurs(exclusive);
    this.#sqlite.exec("PRAGMA journal_mode = WAL");
    // SQLite syncs before and after it copies the log into the file. This class syncs the log after commits.
    this.#sqlite.exec("PRAGMA synchronous = NORMAL");
    this.#sqlite.exec("PRAGMA temp_store = MEMORY");
    this.#sqlite.exec("PRAGMA journal_size_limit = 16777216");
    this.#migrate();
  }

  /** Returns all rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#run(sql, (statement) => statement.all(...values) as Row[]);
  }

  /** Passes the rows of a query to `take`, until `take` returns false. `take` must not query the database. */
  each(sql: string, values: readonly SQLInputValue[], take: (row: Row) => boolean): void {
    this.#run(sql, (statement) => {
      for (const row of statement.iterate(...values)) if (!take(row as Row)) return;
    });
  }

  /** Returns the first row of a query, or undefined. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#run(sql, (statement) => statement.get(...values) as Row | undefined);
  }

  /** Runs a statement. Returns the number of rows that it has changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#run(sql, (statement) => Number(statement.run(...values).changes));
  }

  /**
   * Runs the body as one write, which is durable after the next {@link sync}. If the body throws, nothing is changed.
   * Does not wait if another process is writing: throws an error that {@link isBusy} recognizes, before it calls the
   * body.
   */
  commit<T>(body: () => T): T {
    this.#assertUsable();
    const acts = this.#afterSync.length;
    try {
      this.#begin();
      this.#inTransaction = true;
      const result = body();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      this.#afterSync.length = acts;
      throw this.#failed(error);
    } finally {
      this.#inTransaction = false;
    }
  }

  #begin(): void {
    try {
      this.#sqlite.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE");
    } finally {
      this.#sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Makes all earlier commits durable. After an error, the handle cannot be used, because commits may be lost. */
  async sync(): Promise<void> {
    this.#assertUsable();
    const acts = this.#afterSync.splice(0);
    this.#syncs++;
    try {
      await syncFile(this.#openLog());
    } catch (error) {
      throw this.#syncFailed(error);
    } finally {
      this.#syncs--;
      if (this.#closed) this.#closeLog();
    }
    for (const act of acts) act();
  }

  /** Calls `act` once the caller's transaction is durable. Does not call it after a rollback. */
  afterSync(act: () => void): void {
    this.#afterSync.push(act);
  }

  /** Runs the body within the caller's transaction. If the body throws, only its own changes are undone. */
  part<T>(body: () => T): T {
    this.#sqlite.exec("SAVEPOINT part");
    const acts = this.#afterSync.length;
    try {
      const result = body();
      this.#sqlite.exec("RELEASE part");
      return result;
    } catch (error) {
      this.#afterSync.length = acts;
      try {
        this.#sqlite.exec("ROLLBACK TO part; RELEASE part");
      } catch {
        // A rollback of the whole transaction has also undone this part. The first error matters.
      }
      throw error;
    }
  }

  /** Closes the handle; closing twice is not an error. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#sqlite.close();
    this.#closeLog();
  }

  /**
   * Opens the log, which SQLite keeps while a handle is open. SQLite does not lock the log, so closing this descriptor
   * does not release locks.
   */
  #openLog(): number {
    if (this.#log !== null) return this.#log;
    const list = this.#sqlite.prepare("PRAGMA database_list").get();
    // This path contains no symbolic links. The log is next to the file to which the links lead.
    this.#log = openSync(`${String(list?.file)}-wal`, "r+");
    return this.#log;
  }

  #closeLog(): void {
    if (this.#log === null || this.#syncs > 0) return;
    closeSync(this.#log);
    this.#log = null;
  }

  #syncFailed(error: unknown): QuireError {
    this.#failure = syncFailure(error, this.path);
    return this.#failure;
  }

  #run<T>(sql: string, body: (statement: StatementSync) => T): T {
    this.#assertUsable();
    try {
      const statement = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
      return body(statement);
    } catch (error) {
      // Within a transaction, SQLite may already have rolled back; `commit` handles that.
      if (this.#inTransaction) throw error;
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): QuireError {
    try {
      if (this.#inTransaction) this.#sqlite.exec("ROLLBACK");
    } catch {
      // The first error matters.
    }
    const failure = toQuireError(error, this.path);
    if (isFatal(error)) this.#failure = failure;
    return failure;
  }

  #assertUsable(): void {
    if (this.#closed) throw jobStoreProblems.closed();
    if (this.#failure !== null) throw this.#failure;
  }

  #assertOurs(exclusive: boolean): void {
    const { isEmpty, version, isOurs } = this.#identify();
    if (isEmpty && exclusive) {
      throw new QuireError(
        "invalid_request",
        `The file ${JSON.stringify(this.path)} is empty, so it is not a job store. If it was one, restore it from a backup.`,
      );
    }
    if (!isOurs && !isEmpty) {
      throw new QuireError(
        "invalid_request",
        `The file ${JSON.stringify(this.path)} is a SQLite file, but not a Quire job store. Use another path.`,
      );
    }
    if (version > MIGRATIONS.length) {
      throw new QuireError(
        "invalid_request",
        `The job store ${JSON.stringify(this.path)} was created by a newer version of Quire. Use that version, or another file.`,
      );
    }
  }

  /** Identifies the file. Reads in one transaction, because another process may be creating the file. */
  #identify(): { readonly isEmpty: boolean; readonly version: number; readonly isOurs: boolean } {
    this.#sqlite.exec("BEGIN");
    try {
      const isEmpty = this.#sqlite.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
      const isOurs = this.#number("application_id") === APPLICATION_ID;
      return { isEmpty, isOurs, version: this.#number("user_version") };
    } finally {
      this.#sqlite.exec("ROLLBACK");
    }
  }

  #number(pragma: string): number {
    return Number(Object.values(this.#sqlite.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  }

  /** Migrates the schema. If several processes try this at the same time, only the first one changes the file. */
  #migrate(): void {
    if (this.#number("user_version") === MIGRATIONS.length) return;
    addShortening(this.#sqlite);
    this.#sqlite.exec("BEGIN IMMEDIATE");
    try {
      for (const [index, sql] of MIGRATIONS.entries()) {
        if (index >= this.#number("user_version")) this.#sqlite.exec(sql);
      }
      this.#sqlite.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      this.#sqlite.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
      this.#sqlite.prepare("INSERT OR IGNORE INTO queue VALUES (1, ?, 0, 0, 0, 0)").run(BOOT);
      this.#sqlite.exec("COMMIT");
    } catch (error) {
      try {
        this.#sqlite.exec("ROLLBACK");
      } catch {
        // On a full disk, SQLite has already rolled back. The first error matters.
      }
      throw error;
    }
  }
}

/** Retries the body while the file is busy: changing the journal mode ignores the busy timeout. */
function whileBusy(patienceMs: number, body: () => void): void {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      body();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
