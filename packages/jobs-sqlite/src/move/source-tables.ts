import type { MovedTable } from "@quire/contracts";
import { BATCH, STATUS } from "../database/states.ts";

/** How the rows of a table are read, where they differ from the table in the file. */
interface SourceTable {
  /** Expressions for columns that the table does not have, or has in another form. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The condition for the rows that are moved. Default: all. */
  readonly where?: string;
  /** The columns that are not moved, with the reason. */
  readonly left?: Readonly<Record<string, string>>;
}

/** A waiting job that was never begun, and is not retried. */
const FRESH = `status = ${STATUS.submitted} AND attempts = 0 AND failures = 0 AND deaths = 0 AND ready_at = 0
  AND notes IS NULL`;

const waiting = (column: string, otherwise: string): string =>
  `CASE WHEN status = ${STATUS.submitted} THEN ${column} ELSE ${otherwise} END`;
const running = (column: string): string => `CASE WHEN state = ${BATCH.running} THEN ${column} END`;

/** The tables that differ from those in the file. For a job, `ready_at` is still by the machine's clock. */
export const SOURCE_TABLES: Readonly<Record<string, SourceTable>> = {
  file: {
    columns: {
      size: "coalesce(size, length(bytes))",
      // The name of a large file, which is outside of the database.
      bytes: "coalesce(place, bytes)",
    },
    left: { place: "the bytes of the file are moved instead" },
  },
  batch: {
    columns: {
      virtual_time: running("virtual_time"),
      next_entry: running(
        `(SELECT min(entry) FROM job INDEXED BY job_submitted WHERE batch_no = no AND ${FRESH})`,
      ),
      last_ended:
        "(SELECT max(ended) FROM job INDEXED BY job_ended WHERE batch_no = no AND ended IS NOT NULL)",
    },
    left: {
      pending: "no job is in progress",
      ready_at: "the first claim finds it again",
      worker_no: "no batch is being accepted",
    },
  },
  pin: {
    columns: { tenant: "(SELECT tenant FROM batch WHERE no = batch_no)" },
    where: "EXISTS (SELECT 1 FROM batch WHERE no = batch_no)",
  },
  job: {
    columns: {
      failures: waiting("failures", "0"),
      deaths: waiting("deaths", "0"),
      begun: waiting("begun", "0"),
      ready_at: waiting("nullif(ready_at, 0)", "NULL"),
      input_bytes: "0", // the source fills it in
    },
    left: { worker_no: "no job is in progress" },
  },
  name: {
    where: `EXISTS (SELECT 1 FROM batch WHERE no = batch_no AND state = ${BATCH.running})`,
  },
  event: { left: { worker_no: "no worker has it" } },
  tenant: { left: { batches: "counted from the running batches" } },
  queue: {
    columns: {
      virtual_time: "CASE WHEN EXISTS (SELECT 1 FROM tenant) THEN virtual_time ELSE 0 END",
    },
    left: {
      boot: "of this machine",
      clock: "of this machine",
      ended: "each batch continues after the last number of its jobs",
    },
  },
  tenant_use: {
    columns: {
      job_bytes:
        "job_bytes - coalesce((SELECT sum(bytes) FROM tenant_file AS f WHERE f.tenant = tenant_use.tenant), 0)",
    },
    where: `waiting <> 0 OR jobs <> 0 OR job_bytes <> 0 OR files <> 0 OR file_bytes <> 0 OR webhooks <> 0
      OR deliveries <> 0`,
  },
};

/** The tables of the file that are not moved, with the reason. */
export const LEFT_TABLES: Readonly<Record<string, string>> = {
  worker: "no process uses the file",
  tenant_file: "counted from the files of the batches",
};

/** Returns the query for the next rows. Its parameters are the key of the row before, unless it is the first query. */
export function rowsQuery({ name, columns, key }: MovedTable, isFirst: boolean): string {
  const source = SOURCE_TABLES[name] ?? {};
  const names = Object.keys(columns);
  const expressions = names.map((column) => {
    const expression = source.columns?.[column];
    return expression === undefined ? column : `${expression} AS ${column}`;
  });
  const keys = names.slice(0, key).map((column) => `${name}.${column}`);
  const after = isFirst ? "true" : `(${keys}) > (${keys.map(() => "?")})`;
  return `SELECT ${expressions} FROM ${name} WHERE (${source.where ?? "true"}) AND ${after} ORDER BY ${keys}`;
}

/** Returns the query for the number of rows. */
export function countQuery({ name }: MovedTable): string {
  return `SELECT count(*) AS n FROM ${name} WHERE ${SOURCE_TABLES[name]?.where ?? "true"}`;
}
