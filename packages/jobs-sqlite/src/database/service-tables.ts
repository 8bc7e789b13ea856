/** The migration that adds the tables of a service, and the trace of a batch. */
export const SERVICE_TABLES = `
  ALTER TABLE batch ADD COLUMN trace TEXT;
  CREATE INDEX batch_waiting ON batch (created_at) WHERE state = 1 AND submitted > 0;

  -- The files and folders of all tenants. A root has no parent.
  CREATE TABLE catalog_item (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    parent_no INTEGER,
    type INTEGER NOT NULL,            -- 0: folder, 1: file
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT,
    modified_at INTEGER NOT NULL,
    storage_id TEXT,                  -- of a folder
    children INTEGER NOT NULL DEFAULT 0,
    versions INTEGER NOT NULL DEFAULT 0,
    version_no INTEGER                -- the current one
  ) STRICT;
  CREATE UNIQUE INDEX catalog_root ON catalog_item (tenant) WHERE parent_no IS NULL;
  CREATE UNIQUE INDEX catalog_name ON catalog_item (parent_no, folded) WHERE parent_no IS NOT NULL;
  CREATE INDEX catalog_order ON catalog_item (parent_no, type, folded) WHERE parent_no IS NOT NULL;

  CREATE TABLE catalog_version (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    item_no INTEGER NOT NULL,
    storage_id TEXT NOT NULL,
    storage_version TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha1 TEXT,
    created_at INTEGER NOT NULL,
    created_by TEXT
  ) STRICT;
  CREATE UNIQUE INDEX version_of_item ON catalog_version (item_no, id);
  CREATE INDEX version_order ON catalog_version (item_no, no);

  -- The files and folders of the storage to which items refer.
  CREATE TABLE catalog_place (
    type INTEGER NOT NULL,
    storage_id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    item_no INTEGER NOT NULL,
    PRIMARY KEY (type, storage_id, tenant)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX place_of_item ON catalog_place (item_no);

  -- Files and folders to remove from the storage, in the order in which they became leftovers.
  CREATE TABLE catalog_leftover (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    type INTEGER NOT NULL,
    storage_id TEXT NOT NULL,
    free_at INTEGER NOT NULL DEFAULT 0, -- whoever has it in hand has it until then
    UNIQUE (type, storage_id)
  ) STRICT;
  CREATE INDEX leftover_turn ON catalog_leftover (type, no);
  CREATE INDEX leftover_in_hand ON catalog_leftover (free_at) WHERE free_at > 0;

  -- A single row: the number of leftovers that have been discarded.
  CREATE TABLE catalog_sweep (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    discarded INTEGER NOT NULL
  ) STRICT;
  INSERT INTO catalog_sweep VALUES (1, 0);

  CREATE TABLE template (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    file_id TEXT NOT NULL,
    marked_by TEXT,
    marked_at INTEGER NOT NULL,
    UNIQUE (tenant, file_id)
  ) STRICT;
  CREATE INDEX template_order ON template (tenant, no);

  CREATE TABLE token (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL,
    enterprise TEXT NOT NULL,
    scopes TEXT NOT NULL,             -- JSON
    created_at INTEGER NOT NULL,
    expires_at INTEGER
  ) STRICT;

  CREATE TABLE webhook (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    address TEXT NOT NULL,
    triggers TEXT NOT NULL,           -- JSON
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX webhook_order ON webhook (tenant, no);
  CREATE INDEX webhook_of_target ON webhook (tenant, target_type, target_id);

  CREATE TABLE delivery (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    webhook_no INTEGER NOT NULL,
    body TEXT,                        -- null when it was settled for good
    give_up_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX delivery_due ON delivery (due_at) WHERE body IS NOT NULL;
  CREATE INDEX delivery_settled ON delivery (give_up_at) WHERE body IS NULL;
  CREATE INDEX delivery_of_webhook ON delivery (webhook_no);
`;
