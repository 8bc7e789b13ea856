import { SHORTER_RECORDS } from "./long-records.ts";
import { OPERATOR_TABLES } from "./operator-tables.ts";
import { SERVICE_TABLES } from "./service-tables.ts";
import { TENANT_USE_TABLES } from "./tenant-use-tables.ts";

/**
 * The steps that create the schema. The file's `user_version` is the number of steps that were applied. A released step
 * never changes: changes to the schema are added as new steps. `MOVED_TABLES` in the contracts lists the tables that
 * move to stores of another kind; a test compares it with the schema.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- A single row with the values that do not belong to a batch.
  CREATE TABLE queue (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    boot TEXT NOT NULL,
    virtual_time REAL NOT NULL,
    ended INTEGER NOT NULL,
    waiting INTEGER NOT NULL
  ) STRICT;

  -- Tenants with running batches.
  CREATE TABLE tenant (
    name TEXT PRIMARY KEY,
    virtual_time REAL NOT NULL,
    batches INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tenant_turn ON tenant (virtual_time);

  CREATE TABLE batch (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state INTEGER NOT NULL,           -- see states.ts
    tenant TEXT NOT NULL,
    weight REAL NOT NULL,
    caller TEXT,
    idempotency_key TEXT,
    request_hash TEXT,
    template_id TEXT NOT NULL,
    template_version TEXT NOT NULL,
    folder_no INTEGER NOT NULL,
    output_type TEXT NOT NULL,
    needs_converter INTEGER NOT NULL,
    on_conflict TEXT NOT NULL,
    with_events INTEGER NOT NULL,
    settings TEXT NOT NULL,
    cancelled INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    submitted INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0,
    completed INTEGER NOT NULL DEFAULT 0,
    completed_with_error INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    virtual_time REAL NOT NULL DEFAULT 0,
    ready_at REAL NOT NULL DEFAULT 0, -- no job of it is ready before
    worker_no INTEGER                 -- who accepts it
  ) STRICT;
  CREATE UNIQUE INDEX batch_key ON batch (tenant, idempotency_key)
    WHERE idempotency_key IS NOT NULL AND state IN (1, 2);
  CREATE INDEX batch_turn ON batch (tenant, virtual_time)
    WHERE state = 1 AND submitted > 0 AND cancelled = 0;
  CREATE INDEX batch_of_tenant ON batch (tenant, no);
  CREATE INDEX batch_of_caller ON batch (caller, no);
  CREATE INDEX batch_of_template ON batch (template_id, no);
  CREATE INDEX batch_to_tidy ON batch (state, finished_at);

  CREATE TABLE job (
    batch_no INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    status INTEGER NOT NULL,          -- see states.ts
    is_bad INTEGER NOT NULL,          -- a bad entry, which has no data
    requested_name TEXT,
    wanted_name TEXT,                 -- null when it is the one that is reserved
    file_name TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0,
    ready_at REAL NOT NULL DEFAULT 0,
    worker_no INTEGER,
    notes TEXT,
    result TEXT,
    failure TEXT,
    ended_at INTEGER,
    ended INTEGER,                    -- its number among all that ended
    PRIMARY KEY (batch_no, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_submitted ON job (batch_no, entry) WHERE status = 0;
  -- 2 is SUSPECT_DEATHS: SQLite uses the index only for queries with the same condition.
  CREATE INDEX job_suspect ON job (batch_no, entry) WHERE status = 0 AND deaths >= 2;
  CREATE INDEX job_noted ON job (batch_no, entry) WHERE status = 0 AND notes IS NOT NULL;
  CREATE INDEX job_failed ON job (batch_no, entry) WHERE status = 4;
  CREATE INDEX job_of_worker ON job (worker_no) WHERE worker_no IS NOT NULL;
  CREATE INDEX job_ended ON job (batch_no, ended) WHERE ended IS NOT NULL;

  -- The compressed data of consecutive entries.
  CREATE TABLE chunk (
    batch_no INTEGER NOT NULL,
    first_entry INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (batch_no, first_entry)
  ) STRICT;

  CREATE TABLE folder (no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;

  -- File names that jobs have reserved, folded; those of batches that have ended are free.
  CREATE TABLE name (
    folder_no INTEGER NOT NULL,
    folded TEXT NOT NULL,
    batch_no INTEGER NOT NULL,
    PRIMARY KEY (folder_no, folded)
  ) STRICT, WITHOUT ROWID;

  -- The files that batches use. Identical files are stored once.
  CREATE TABLE file (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE pin (
    batch_no INTEGER NOT NULL,
    file_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (batch_no, file_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX pin_of_file ON pin (sha256);

  CREATE TABLE worker (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    boot TEXT NOT NULL,
    process TEXT NOT NULL,            -- see machine.ts
    expires_at REAL NOT NULL          -- ms of the machine's monotonic clock
  ) STRICT;

  -- Events that have not been delivered.
  CREATE TABLE event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    batch_no INTEGER NOT NULL,
    entry INTEGER,
    at INTEGER NOT NULL,
    worker_no INTEGER
  ) STRICT;
  CREATE INDEX event_of_batch ON event (batch_no);
  CREATE INDEX event_of_worker ON event (worker_no) WHERE worker_no IS NOT NULL;
  `,
  // The clock when it was last recorded. If the clock is lower now, the machine was restarted.
  "ALTER TABLE queue ADD COLUMN clock REAL NOT NULL DEFAULT 0",
  SERVICE_TABLES,
  SHORTER_RECORDS,
  TENANT_USE_TABLES,
  OPERATOR_TABLES,
  // A large file is stored outside the database: `bytes` is empty, and the file has `size` bytes.
  `ALTER TABLE file ADD COLUMN place TEXT;
  ALTER TABLE file ADD COLUMN size INTEGER;
  CREATE INDEX file_at ON file (place) WHERE place IS NOT NULL;`,
  // Whether the document of a suspect is being made.
  "ALTER TABLE job ADD COLUMN begun INTEGER NOT NULL DEFAULT 0",
  "CREATE INDEX job_with_error ON job (batch_no, entry) WHERE status = 3",
  // The oldest batch with a waiting job, by kind.
  `DROP INDEX batch_waiting;
  CREATE INDEX batch_waiting ON batch (needs_converter, created_at) WHERE state = 1 AND submitted > 0;`,
];
