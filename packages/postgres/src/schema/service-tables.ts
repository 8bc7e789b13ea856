import { CATALOG_ADDITIONS } from "./service-catalog-additions.ts";
import { CATALOG_FUNCTIONS } from "./service-catalog-functions.ts";
import { CATALOG_TABLES } from "./service-catalog-tables.ts";
import { WEBHOOK_FUNCTIONS } from "./service-webhook-functions.ts";

/** The counters of each tenant. */
const USE_TABLES = `
  -- Each counter is the sum of several rows, so that transactions of different connections rarely wait for each other.
  -- A transaction changes counters after everything else, and sorted by their keys, so that no deadlocks arise.
  CREATE FUNCTION quire.slot() RETURNS smallint LANGUAGE sql VOLATILE AS
    'SELECT (pg_backend_pid() % 8)::smallint';

  CREATE TABLE quire.service_use (
    tenant text COLLATE "C" NOT NULL,
    slot smallint NOT NULL,
    files bigint NOT NULL DEFAULT 0,
    file_bytes bigint NOT NULL DEFAULT 0,
    webhooks bigint NOT NULL DEFAULT 0,
    deliveries bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, slot)
  ) WITH (fillfactor = 50);
`;

const TOKEN_TABLES = `
  CREATE TABLE quire.token (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    hash text COLLATE "C" NOT NULL UNIQUE,
    "user" text NOT NULL,
    enterprise text COLLATE "C" NOT NULL,
    scopes text NOT NULL,             -- JSON
    created_at bigint NOT NULL,
    expires_at bigint
  );
  CREATE INDEX token_of_enterprise ON quire.token (enterprise);
`;

const TEMPLATE_TABLES = `
  CREATE TABLE quire.template (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text COLLATE "C" NOT NULL,
    file_id text COLLATE "C" NOT NULL,
    marked_by text,
    marked_at bigint NOT NULL,
    UNIQUE (tenant, file_id)
  );
  CREATE INDEX template_order ON quire.template (tenant, no);
`;

const TENANT_TABLES = `
  CREATE TABLE quire.tenant_account (
    name text COLLATE "C" PRIMARY KEY,
    suspended_at bigint,
    erasing text,                     -- who has begun to
    quotas text NOT NULL              -- JSON
  );

  CREATE TABLE quire.audit (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    by_whom text NOT NULL,
    action text NOT NULL,
    tenant text NOT NULL,
    counts text NOT NULL              -- JSON
  );
`;

const WEBHOOK_TABLES = `
  CREATE TABLE quire.webhook (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    tenant text COLLATE "C" NOT NULL,
    target_type text COLLATE "C" NOT NULL,
    target_id text COLLATE "C" NOT NULL,
    address text NOT NULL,
    triggers text NOT NULL,           -- JSON
    created_by text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX webhook_order ON quire.webhook (tenant, no);
  CREATE INDEX webhook_of_target ON quire.webhook (tenant, target_type, target_id);

  CREATE TABLE quire.delivery (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    webhook_no bigint NOT NULL,
    body text,                        -- null when it was settled for good
    give_up_at bigint NOT NULL,
    due_at bigint NOT NULL,
    attempts int NOT NULL DEFAULT 0
  );
  CREATE INDEX delivery_due ON quire.delivery (due_at, no) WHERE body IS NOT NULL;
  CREATE INDEX delivery_settled ON quire.delivery (give_up_at) WHERE body IS NULL;
  CREATE INDEX delivery_of_webhook ON quire.delivery (webhook_no);
`;

/** The tables and functions of the stores of a service. */
export const SERVICE_TABLES = [
  USE_TABLES,
  TOKEN_TABLES,
  TEMPLATE_TABLES,
  TENANT_TABLES,
  WEBHOOK_TABLES,
  WEBHOOK_FUNCTIONS,
  CATALOG_TABLES,
  CATALOG_ADDITIONS,
  CATALOG_FUNCTIONS,
].join("");
