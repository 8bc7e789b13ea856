/** The migration that adds the operator's settings for tenants, and the audit log. */
export const OPERATOR_TABLES = `
  CREATE TABLE tenant_account (
    name TEXT PRIMARY KEY,
    suspended_at INTEGER,
    erasing TEXT,                     -- who has begun to
    quotas TEXT NOT NULL              -- JSON
  ) STRICT, WITHOUT ROWID;

  -- Tenants whose jobs are not claimed.
  CREATE TABLE held_tenant (tenant TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    by_whom TEXT NOT NULL,
    action TEXT NOT NULL,
    tenant TEXT NOT NULL,
    counts TEXT NOT NULL              -- JSON
  ) STRICT;

  CREATE INDEX catalog_of_tenant ON catalog_item (tenant);
`;
