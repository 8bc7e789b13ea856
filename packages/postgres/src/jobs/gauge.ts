import type { JobGauge, JobUse } from "@quire/contracts";
import { Batcher } from "../database/batcher.ts";
import type { Database, Row } from "../database/database.ts";
import { toText } from "../database/text.ts";

const oldest = (kind: string): string =>
  `(SELECT created_at FROM quire.run WHERE ${kind} AND submitted > 0 ORDER BY batch_no LIMIT 1)`;

/**
 * The size of the files that a tenant's batches use. Most batches use the same few templates, so their files are found
 * one after the other in the index, without a scan of all batches.
 */
const BYTES_OF_FILES = `(WITH RECURSIVE used AS (
    (SELECT sha256 FROM quire.pin WHERE tenant = u.tenant ORDER BY sha256 LIMIT 1)
    UNION ALL
    SELECT (SELECT p.sha256 FROM quire.pin AS p WHERE p.tenant = u.tenant AND p.sha256 > used.sha256
      ORDER BY p.sha256 LIMIT 1)
    FROM used WHERE used.sha256 IS NOT NULL)
  SELECT coalesce(sum(octet_length(f.bytes)), 0) FROM used JOIN quire.file AS f USING (sha256))`;

const USE = `SELECT u.tenant, coalesce(sum(waiting), 0) AS waiting, coalesce(sum(jobs), 0) AS jobs,
    coalesce(sum(bytes), 0) + ${BYTES_OF_FILES} AS bytes
  FROM quire.job_use AS u`;

/** Returns the use of each of these tenants, in order. */
async function usesOf(database: Database, tenants: readonly string[]): Promise<JobUse[]> {
  const sql = `${USE} WHERE u.tenant = ANY($1::text[]) GROUP BY u.tenant`;
  const rows = await database.all(sql, [[...new Set(tenants)]]);
  const byTenant = new Map(rows.map((row) => [row.tenant, row]));
  return tenants.map((tenant) => useIn(byTenant.get(tenant)));
}

/** Returns the highest use of any tenant, each number for itself. */
async function mostUsed(database: Database): Promise<JobUse> {
  const sql = `SELECT max(waiting) AS waiting, max(jobs) AS jobs, max(bytes) AS bytes
    FROM (${USE} GROUP BY u.tenant) AS tenants`;
  return useIn(await database.get(sql));
}

function useIn(row: Row | undefined): JobUse {
  const { waiting, jobs, bytes } = row ?? {};
  return { waiting: Number(waiting ?? 0), jobs: Number(jobs ?? 0), bytes: Number(bytes ?? 0) };
}

/** Statistics of a job store. */
export function jobGauge(database: Database, maxWaiting: number): JobGauge {
  // The use is asked for each document. Concurrent questions share a statement.
  const uses = new Batcher((tenants: readonly string[]) => usesOf(database, tenants));
  return {
    depth: async () => {
      const row = await database.get(
        `SELECT current_setting('transaction_read_only')::boolean AS is_read_only, quire.waiting_jobs() AS waiting,
           (SELECT count(*) FROM quire.work WHERE worker_no IS NOT NULL) AS pending,
           ${oldest("NOT needs_converter")} AS oldest_docx, ${oldest("needs_converter")} AS oldest_pdf`,
      );
      database.assertWritable({ isReadOnly: row?.is_read_only });
      const pending = Number(row?.pending);
      return {
        submitted: Math.max(0, Number(row?.waiting) - pending),
        pending,
        oldestAt: { docx: row?.oldest_docx ?? null, pdf: row?.oldest_pdf ?? null },
        capacity: maxWaiting,
      };
    },
    use: async (tenant) => (tenant === undefined ? mostUsed(database) : uses.add(toText(tenant))),
  };
}
