/**
 * The tables of the job store. The large ones are only inserted into: `job` (the request), `chunk` (its data) and
 * `outcome` (its result). They are partitioned by the batch's number, so that old batches are deleted by dropping
 * partitions. The tables that change all the time are small: `run` has a row for each unfinished batch, and `work` one
 * for each job that was begun and has not ended.
 *
 * Transactions lock rows in the order worker, run (by number), work, tenant (by name), counters. So they do not
 * deadlock.
 */
export const JOB_TABLES = `
  CREATE TABLE quire.folder (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE
  );

  CREATE TABLE quire.worker (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    expires_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);

  CREATE SEQUENCE quire.batch_no;
  CREATE TABLE quire.batch (
    no bigint PRIMARY KEY DEFAULT nextval('quire.batch_no'),
    id text COLLATE "C" NOT NULL,
    state smallint NOT NULL,             -- see states.ts
    tenant text COLLATE "C" NOT NULL,
    weight float8 NOT NULL,
    caller text COLLATE "C",
    idempotency_key text COLLATE "C",
    request_hash text,
    template_id text COLLATE "C" NOT NULL,
    template_version text NOT NULL,
    folder_no bigint NOT NULL,
    output_type text NOT NULL,
    needs_converter boolean NOT NULL,
    on_conflict text NOT NULL,
    with_events boolean NOT NULL,
    settings text NOT NULL,
    trace text,
    cancelled boolean NOT NULL DEFAULT false,
    created_at bigint NOT NULL,
    finished_at bigint,
    accepted int NOT NULL DEFAULT 0,     -- the number of its jobs that are written
    bytes bigint NOT NULL DEFAULT 0,     -- of data, results and failures; while it runs, those of run are added
    completed int NOT NULL DEFAULT 0,    -- while it runs, the counts are those of run
    completed_with_error int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    ended bigint NOT NULL DEFAULT 0,
    worker_no bigint,                    -- the worker that accepts it
    has_names boolean NOT NULL DEFAULT true
  );
  CREATE UNIQUE INDEX batch_id ON quire.batch (id) WHERE state < 3;
  CREATE UNIQUE INDEX batch_key ON quire.batch (tenant, idempotency_key)
    WHERE idempotency_key IS NOT NULL AND state < 3;
  CREATE INDEX batch_of_tenant ON quire.batch (tenant, no DESC);
  CREATE INDEX batch_of_caller ON quire.batch (caller, no DESC) WHERE state IN (1, 2);
  CREATE INDEX batch_of_template ON quire.batch (template_id, no DESC) WHERE state IN (1, 2);
  CREATE INDEX batch_finished ON quire.batch (finished_at) WHERE state = 2;
  CREATE INDEX batch_with_names ON quire.batch (no) WHERE state = 2 AND has_names;
  -- By partition. Its condition is not the one of batch_id, so that PostgreSQL does not look for an id here.
  CREATE INDEX batch_kept ON quire.batch ((no / 10000000)) WHERE state <= 2;
  CREATE INDEX batch_to_tidy ON quire.batch (state, no) WHERE state IN (0, 3);

  CREATE TABLE quire.run (
    batch_no bigint PRIMARY KEY,
    tenant text COLLATE "C" NOT NULL,
    weight float8 NOT NULL,
    needs_converter boolean NOT NULL,
    with_events boolean NOT NULL,
    created_at bigint NOT NULL,
    cancelled boolean NOT NULL DEFAULT false,
    submitted int NOT NULL,
    pending int NOT NULL DEFAULT 0,
    completed int NOT NULL,
    completed_with_error int NOT NULL,
    failed int NOT NULL,
    ended bigint NOT NULL,               -- the number of the job that ended last
    bytes bigint NOT NULL DEFAULT 0,     -- of results and failures
    next_entry int NOT NULL,             -- the first entry that was never begun
    virtual_time float8 NOT NULL,
    ready_at timestamptz NOT NULL DEFAULT '-infinity'
  ) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  -- The turn of the batches of a tenant. A claim moves a batch; notes and ends of jobs do not.
  CREATE INDEX run_turn ON quire.run (tenant, needs_converter, virtual_time, batch_no);
  CREATE INDEX run_of_kind ON quire.run (needs_converter, batch_no);
  CREATE INDEX run_cancelled ON quire.run (batch_no) WHERE cancelled;
  CREATE INDEX run_delayed ON quire.run (ready_at) WHERE ready_at > '-infinity';

  CREATE TABLE quire.tenant (
    name text COLLATE "C" PRIMARY KEY,
    virtual_time float8 NOT NULL,
    turn_at float8 NOT NULL,             -- the virtual time at its last turn
    used_at timestamptz NOT NULL         -- at most ten minutes old when it has a batch that was just accepted
  ) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  CREATE TABLE quire.held_tenant (tenant text COLLATE "C" PRIMARY KEY);

  CREATE TABLE quire.job (
    batch_no bigint NOT NULL,
    entry int NOT NULL,
    kind smallint NOT NULL,              -- see states.ts
    requested_name text,
    wanted_name text,                    -- null if it equals file_name
    file_name text,
    input_bytes int NOT NULL,
    PRIMARY KEY (batch_no, entry)
  ) PARTITION BY RANGE (batch_no);

  CREATE TABLE quire.chunk (
    batch_no bigint NOT NULL,
    first_entry int NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (batch_no, first_entry)
  ) PARTITION BY RANGE (batch_no);

  -- The data is compressed already.
  ALTER TABLE quire.chunk ALTER COLUMN data SET STORAGE EXTERNAL;

  -- Jobs that were begun and have not ended, and jobs that are retried.
  CREATE TABLE quire.work (
    batch_no bigint NOT NULL,
    entry int NOT NULL,
    worker_no bigint,                    -- null while it waits
    attempts int NOT NULL,
    failures int NOT NULL DEFAULT 0,
    deaths int NOT NULL DEFAULT 0,
    begun boolean NOT NULL DEFAULT false,
    noted boolean NOT NULL DEFAULT false, -- of a waiting job: whether it has notes
    ready_at timestamptz NOT NULL DEFAULT '-infinity',
    notes text,
    PRIMARY KEY (batch_no, entry)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  CREATE INDEX work_of_worker ON quire.work (worker_no) WHERE worker_no IS NOT NULL;
  CREATE INDEX work_waiting ON quire.work (batch_no, entry) WHERE worker_no IS NULL;
  CREATE INDEX work_suspect ON quire.work (batch_no, entry) WHERE worker_no IS NULL AND deaths >= 2;
  CREATE INDEX work_noted ON quire.work (batch_no, entry) WHERE worker_no IS NULL AND noted;

  CREATE TABLE quire.outcome (
    batch_no bigint NOT NULL,
    entry int NOT NULL,
    status smallint NOT NULL,
    attempts int NOT NULL,
    result text,
    failure text,
    notes text,                          -- of a failed job, for a retry
    ended_at bigint NOT NULL,
    ended bigint NOT NULL,
    PRIMARY KEY (batch_no, entry)
  ) PARTITION BY RANGE (batch_no);
  CREATE INDEX outcome_ended ON quire.outcome (batch_no, ended);
  CREATE INDEX outcome_failed ON quire.outcome (batch_no, entry) WHERE status = 4;
  CREATE INDEX outcome_with_error ON quire.outcome (batch_no, entry) WHERE status = 3;

  -- The partitions of job, chunk and outcome: the batches from no * 10,000,000 on.
  CREATE TABLE quire.partition (no bigint PRIMARY KEY, made_at timestamptz NOT NULL);

  -- The names that unfinished batches have reserved.
  CREATE TABLE quire.name (
    folder_no bigint NOT NULL,
    folded text COLLATE "C" NOT NULL,
    batch_no bigint NOT NULL,
    PRIMARY KEY (folder_no, folded)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX name_of_batch ON quire.name (batch_no);

  CREATE TABLE quire.file (
    sha256 text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL,
    used_at timestamptz NOT NULL         -- at most ten minutes old when it was just pinned
  );
  ALTER TABLE quire.file ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE TABLE quire.pin (
    batch_no bigint NOT NULL,
    file_id text COLLATE "C" NOT NULL,
    sha256 text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    PRIMARY KEY (batch_no, file_id)
  );
  CREATE INDEX pin_of_tenant ON quire.pin (tenant, sha256);
  CREATE INDEX pin_of_file ON quire.pin (sha256);

  CREATE TABLE quire.event (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type text NOT NULL,
    batch_no bigint NOT NULL,
    entry int,
    at bigint NOT NULL,
    worker_no bigint
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  CREATE INDEX event_free ON quire.event (sequence) WHERE worker_no IS NULL;
  CREATE INDEX event_of_worker ON quire.event (worker_no) WHERE worker_no IS NOT NULL;
  CREATE INDEX event_in_hand ON quire.event (batch_no, worker_no) WHERE worker_no IS NOT NULL;
  CREATE INDEX event_of_batch ON quire.event (batch_no);

  -- Counters. Each connection changes the row of its slot, so that transactions do not wait for each other.
  CREATE TABLE quire.waiting (slot int PRIMARY KEY, jobs bigint NOT NULL)
    WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  INSERT INTO quire.waiting SELECT slot, 0 FROM generate_series(0, 31) AS slot;
  CREATE TABLE quire.job_use (
    tenant text COLLATE "C",
    slot int,
    waiting bigint NOT NULL,
    jobs bigint NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (tenant, slot)
  ) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
`;
