import {
  checkOptions,
  type FileCatalog,
  type JobStore,
  type TemplateStore,
  type TenantStore,
  type TokenStore,
  type WebhookStore,
} from "@quire/contracts";
import { Database } from "./database/database.ts";
import { checkSchema } from "./database/schema-name.ts";
import { postgresJobStore } from "./jobs/postgres-job-store.ts";
import { SCHEMA_STEPS } from "./schema/migrations.ts";
import { postgresFileCatalog } from "./service/postgres-file-catalog.ts";
import { postgresTemplateStore } from "./service/postgres-template-store.ts";
import { postgresTenantStore } from "./service/postgres-tenant-store.ts";
import { postgresTokenStore } from "./service/postgres-token-store.ts";
import { postgresWebhookStore } from "./service/postgres-webhook-store.ts";

/** Options of {@link postgresStores}. */
export interface PostgresStoresOptions {
  /**
   * `postgres://user:password@host:5432/database`. A server on another machine must use TLS with a certificate that
   * this machine trusts. `sslrootcert=FILE` in the query names the certificate of another authority, and
   * `sslmode=disable` turns TLS off.
   */
  readonly url: string;
  /** The same database without PgBouncer, which must run in transaction mode. Default: `url`. */
  readonly directUrl?: string;
  /** The schema. It is created if it does not exist. Default `quire`. */
  readonly schema?: string;
  /** Maximum number of connections, besides the one for leases. Default 8. */
  readonly connections?: number;
  /** About this number of jobs can wait or be in progress, over all batches. Default 50,000,000. */
  readonly maxWaiting?: number;
  /**
   * Whether the first use creates the tables, or updates the tables of an older release. Default true. With false, run
   * `quire migrate` before, as a user that may create tables.
   */
  readonly migrate?: boolean;
  /**
   * Accepts a server that can lose accepted batches: with `synchronous_commit` off, or with asynchronous standbys only.
   * Default false.
   */
  readonly allowDataLoss?: boolean;
}

/** All stores of a service, in one database. */
export interface PostgresStores {
  /** Closing this store closes all stores. The engine that uses it closes it. */
  readonly jobs: JobStore;
  /** The files and folders of all tenants. `close` closes it. */
  readonly files: FileCatalog;
  /** Which of these files are templates. `close` closes it. */
  readonly templates: TemplateStore;
  /** The access tokens that the service has issued, as hashes. `close` closes it. */
  readonly tokens: TokenStore;
  /** Webhooks, and the deliveries that wait. `close` closes it. */
  readonly webhooks: WebhookStore;
  /** The operator's settings for tenants, and the audit log. `close` closes it. */
  readonly tenants: TenantStore;

  /** Closes all stores. Closing twice is not an error. */
  close(): Promise<void>;
}

/**
 * Creates the stores of a service in a PostgreSQL database, for any number of processes on any number of machines. The
 * first use connects. Throws `invalid_request` for invalid options. After closing, every method of every store rejects
 * with `job_store_failed`.
 */
export function postgresStores(options: PostgresStoresOptions): PostgresStores {
  checkOptions("postgresStores()", options, {
    url: true,
    directUrl: true,
    schema: true,
    connections: true,
    maxWaiting: true,
    migrate: true,
    allowDataLoss: true,
  });
  const { url, directUrl = url, schema = "quire", connections = 8 } = options;
  const { maxWaiting = 50_000_000, migrate = true, allowDataLoss = false } = options;
  const place = { url, directUrl, schema: checkSchema(schema) };
  const database = new Database(place, {
    connections,
    steps: SCHEMA_STEPS,
    migrate,
    allowDataLoss,
  });
  const jobs = postgresJobStore(database, maxWaiting);
  return {
    jobs,
    files: postgresFileCatalog(database),
    templates: postgresTemplateStore(database),
    tokens: postgresTokenStore(database),
    webhooks: postgresWebhookStore(database),
    tenants: postgresTenantStore(database),
    close: () => jobs.close(),
  };
}
