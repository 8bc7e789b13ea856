import type { MovedTable, MovedType } from "@quire/contracts";
import { BATCH, KIND, STATUS } from "../jobs/states.ts";

/** How a moved table is written and read, where it differs from the table with its name. */
interface TargetTable {
  /** The statement that writes the rows `x`. */
  readonly insert?: (columns: string) => string;
  /** Expressions for the columns of the rows with the keys `k`. The table with its name is `t`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Replaces the join of `k` and `t`. */
  readonly from?: string;
  /** More joins. */
  readonly joins?: string;
  /** Counts the rows. */
  readonly count?: string;
}

/** No entry of a batch was never begun. */
const NONE_FRESH = 2147483647;
const FRESH = `status = ${STATUS.submitted} AND attempts = 0 AND failures = 0 AND deaths = 0 AND ready_at IS NULL
  AND notes IS NULL`;

const BATCH_SAME = `no, id, state, tenant, weight, caller, idempotency_key, request_hash, template_id, template_version,
  folder_no, output_type, needs_converter, on_conflict, with_events, settings, trace, cancelled, created_at, finished_at,
  bytes, completed, completed_with_error, failed`;

const TARGET_TABLES: Readonly<Record<string, TargetTable>> = {
  file: {
    columns: { size: "octet_length(t.bytes)" },
  },
  batch: {
    insert: () => `, running AS (
      INSERT INTO quire.run (batch_no, tenant, weight, needs_converter, with_events, created_at, cancelled, submitted,
          completed, completed_with_error, failed, ended, next_entry, virtual_time)
        SELECT no, tenant, weight, needs_converter, with_events, created_at, cancelled, submitted, completed,
          completed_with_error, failed, coalesce(last_ended, 0), coalesce(next_entry, ${NONE_FRESH}), virtual_time
        FROM x WHERE state = ${BATCH.running}
      )
      INSERT INTO quire.batch (${BATCH_SAME}, accepted, ended, has_names)
        SELECT ${BATCH_SAME}, submitted + completed + completed_with_error + failed, coalesce(last_ended, 0),
          state = ${BATCH.running} FROM x`,
    joins: "LEFT JOIN quire.run AS r ON r.batch_no = t.no",
    columns: {
      submitted: "coalesce(r.submitted, 0)",
      completed: "coalesce(r.completed, t.completed)",
      completed_with_error: "coalesce(r.completed_with_error, t.completed_with_error)",
      failed: "coalesce(r.failed, t.failed)",
      bytes: "t.bytes + coalesce(r.bytes, 0)",
      virtual_time: "r.virtual_time",
      next_entry: `nullif(r.next_entry, ${NONE_FRESH})`,
      last_ended: "nullif(coalesce(r.ended, t.ended), 0)",
    },
  },
  job: {
    // A job that was begun, and waits or has ended, is not claimed as a fresh one.
    insert: () => `, waiting AS (
      INSERT INTO quire.work (batch_no, entry, attempts, failures, deaths, begun, noted, ready_at, notes)
        SELECT batch_no, entry, attempts, failures, deaths, begun, notes IS NOT NULL,
          coalesce(to_timestamp(ready_at / 1000.0), '-infinity'), notes
        FROM x WHERE status = ${STATUS.submitted} AND NOT (${FRESH})
      ), ended AS (
      INSERT INTO quire.outcome (batch_no, entry, status, attempts, result, failure, notes, ended_at, ended)
        SELECT batch_no, entry, status, attempts, result, failure, notes, ended_at, ended
        FROM x WHERE status >= ${STATUS.completed}
      )
      INSERT INTO quire.job (batch_no, entry, kind, requested_name, wanted_name, file_name, input_bytes)
        SELECT batch_no, entry,
          CASE WHEN is_bad THEN ${KIND.invalid} WHEN ${FRESH} THEN ${KIND.run} ELSE ${KIND.ended} END,
          requested_name, wanted_name, file_name, input_bytes FROM x`,
    joins: `LEFT JOIN quire.work AS w ON w.batch_no = t.batch_no AND w.entry = t.entry
      LEFT JOIN quire.outcome AS o ON o.batch_no = t.batch_no AND o.entry = t.entry`,
    columns: {
      status: `coalesce(o.status,
        CASE WHEN w.entry IS NOT NULL OR t.kind = ${KIND.run} THEN ${STATUS.submitted} ELSE ${STATUS.pending} END)`,
      is_bad: `(t.kind = ${KIND.invalid})::int`,
      attempts: "coalesce(o.attempts, w.attempts, 0)",
      failures: "coalesce(w.failures, 0)",
      deaths: "coalesce(w.deaths, 0)",
      begun: "coalesce(w.begun, false)::int",
      ready_at: `CASE WHEN w.ready_at > '-infinity' THEN round(extract(epoch FROM w.ready_at) * 1000)::bigint END`,
      notes: "coalesce(o.notes, w.notes)",
      result: "o.result",
      failure: "o.failure",
      ended_at: "o.ended_at",
      ended: "o.ended",
    },
  },
  tenant: {
    insert: () => `INSERT INTO quire.tenant SELECT name, virtual_time, 0, clock_timestamp() FROM x`,
  },
  queue: {
    // A tenant that gets its next batch does not catch up on the turns before the latest one.
    insert: () => `, turns AS (UPDATE quire.tenant SET turn_at = x.virtual_time FROM x)
      UPDATE quire.waiting SET jobs = x.waiting FROM x WHERE slot = 0`,
    from: "",
    columns: {
      id: "k.id",
      virtual_time: "(SELECT coalesce(max(turn_at), 0) FROM quire.tenant)",
      waiting: "quire.waiting_jobs()",
    },
    count: "SELECT 1 AS n",
  },
  catalog_item: {
    insert: (columns) => `, counted AS (
      INSERT INTO quire.catalog_count SELECT no, 0, children FROM x WHERE children <> 0
      )
      INSERT INTO quire.catalog_item (${columns.replace('"children", ', "")})
        SELECT ${columns.replace('"children", ', "")} FROM x`,
    columns: {
      children: `(SELECT coalesce(sum(entries), 0)::bigint FROM quire.catalog_count AS c WHERE c.folder_no = t.no)`,
    },
  },
  catalog_place: {
    from: `JOIN quire.catalog_place AS t ON t.type = k.type AND t.tenant = k.tenant
      AND quire.storage_key(t.storage_id) = quire.storage_key(k.storage_id)`,
  },
  catalog_sweep: {
    insert: () =>
      "UPDATE quire.catalog_sweep AS t SET discarded = x.discarded FROM x WHERE t.id = x.id",
  },
  tenant_use: {
    insert: () => `, used AS (
      INSERT INTO quire.job_use SELECT tenant, 0, waiting, jobs, job_bytes FROM x
      )
      INSERT INTO quire.service_use SELECT tenant, 0, files, file_bytes, webhooks, deliveries FROM x`,
    from: `CROSS JOIN LATERAL (SELECT sum(waiting)::bigint AS waiting, sum(jobs)::bigint AS jobs,
        sum(bytes)::bigint AS job_bytes FROM quire.job_use AS u WHERE u.tenant = k.tenant) AS j
      CROSS JOIN LATERAL (SELECT sum(files)::bigint AS files, sum(file_bytes)::bigint AS file_bytes,
        sum(webhooks)::bigint AS webhooks, sum(deliveries)::bigint AS deliveries
        FROM quire.service_use AS u WHERE u.tenant = k.tenant) AS s`,
    columns: {
      tenant: "k.tenant",
      waiting: "j.waiting",
      jobs: "j.jobs",
      job_bytes: "j.job_bytes",
      files: "s.files",
      file_bytes: "s.file_bytes",
      webhooks: "s.webhooks",
      deliveries: "s.deliveries",
    },
    count: `SELECT count(*) AS n
      FROM (SELECT tenant FROM quire.job_use UNION SELECT tenant FROM quire.service_use) AS tenants`,
  },
};

const ARRAYS: Readonly<Record<MovedType, string>> = {
  integer: "bigint[]",
  real: "float8[]",
  flag: "boolean[]",
  text: "text[]",
  plain: "text[]",
  bytes: "bytea[]",
};

const quoted = (columns: readonly string[]): string[] => columns.map((column) => `"${column}"`);

/** Returns the statement that writes rows. Its parameters are an array for each column. */
export function insertStatement({ name, columns }: MovedTable): string {
  const all = quoted(Object.keys(columns)).join(", ");
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${ARRAYS[type]}`);
  const insert = TARGET_TABLES[name]?.insert?.(all) ?? genericInsert(name, all);
  return `WITH x AS MATERIALIZED (SELECT * FROM unnest(${arrays.join(", ")}) AS x(${all})) ${insert}`;
}

function genericInsert(name: string, columns: string): string {
  return `INSERT INTO quire.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM x`;
}

/**
 * Returns the query for the rows with certain keys, in their order. Its parameters are an array for each column of the
 * key. Instead of bytes, it returns their SHA-256 in hex.
 */
export function readStatement({ name, columns, key }: MovedTable): string {
  const target = TARGET_TABLES[name] ?? {};
  const all = Object.entries(columns);
  const keys = all.slice(0, key);
  const names = quoted(keys.map(([column]) => column));
  const arrays = keys.map(([, type], index) => `$${index + 1}::${ARRAYS[type]}`);
  const join = `JOIN quire.${name} AS t ON ${names.map((column) => `t.${column} = k.${column}`).join(" AND ")}`;
  const expressions = all.map(([column, type]) => {
    const expression = target.columns?.[column] ?? expressionOf(column, type);
    return `${expression} AS "${column}"`;
  });
  return `SELECT ${expressions.join(", ")}
    FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS k(${names.join(", ")}, place)
    ${target.from ?? join} ${target.joins ?? ""} ORDER BY k.place`;
}

function expressionOf(column: string, type: MovedType): string {
  const value = `t."${column}"`;
  if (type === "flag") return `${value}::int`;
  return type === "bytes" ? `encode(sha256(${value}), 'hex')` : value;
}

/** Returns the query for the number of rows, as `n`. */
export function countStatement({ name }: MovedTable): string {
  return TARGET_TABLES[name]?.count ?? `SELECT count(*) AS n FROM quire.${name}`;
}
