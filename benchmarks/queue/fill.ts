/** Fills the tables of the job store with rows like those that its functions write, only faster. */
import type pg from "pg";

/** The entries of the largest batch. The other jobs are in batches of {@link SMALL}. */
const LARGE = 1_000_000;
const SMALL = 100;
const TENANTS = 100;
const STEP = 1_000_000;

/** The numbers of the batches that {@link fill} adds. */
export interface Filled {
  /** A finished batch of {@link LARGE} jobs, or of a third of all, of which one in a hundred failed. */
  readonly large: string;
  readonly largeNo: number;
  readonly largeJobs: number;
}

/**
 * Adds finished batches until a schema has a number of jobs: a large batch, and small ones of many tenants, of which
 * each seventh has a failed job. A batch must have been accepted before, from which the others take their settings.
 */
export async function fill(client: pg.Client, schema: string, jobs: number): Promise<Filled> {
  const largeJobs = Math.min(LARGE, jobs / 3);
  const batches = Math.floor((jobs - largeJobs) / SMALL);
  await client.query(`SET search_path = ${schema}; SET synchronous_commit = off`);
  await client.query(`
    CREATE TEMPORARY TABLE new_batch AS
      SELECT *, CASE n % 7 WHEN 0 THEN jobs / 100 ELSE 0 END AS failed
      FROM (SELECT nextval('batch_no') AS no, 'batch ' || n AS id, 'tenant ' || n % ${TENANTS} AS tenant,
        CASE n WHEN 0 THEN ${largeJobs} ELSE ${SMALL} END AS jobs, n FROM generate_series(0, ${batches}) AS n) AS x;
    INSERT INTO batch (no, id, state, tenant, weight, caller, template_id, template_version, folder_no, output_type,
        needs_converter, on_conflict, with_events, settings, created_at, finished_at, accepted, bytes, completed, failed,
        ended, has_names)
      SELECT n.no, n.id, 2, n.tenant, 1, 'caller', b.template_id, b.template_version, b.folder_no, b.output_type, false,
        b.on_conflict, false, b.settings, b.created_at, b.created_at, n.jobs, n.jobs * 300, n.jobs - n.failed, n.failed, n.jobs, false
      FROM new_batch AS n, (SELECT * FROM batch ORDER BY no LIMIT 1) AS b`);
  for (let from = 0; from < jobs; from += STEP) await fillRows(client, from, largeJobs);
  const { rows } = await client.query("SELECT no FROM new_batch WHERE n = 0");
  await client.query("DROP TABLE new_batch");
  return { large: "batch 0", largeNo: Number(rows[0].no), largeJobs };
}

/** Adds up to `STEP` jobs after the first `from`. The jobs of the large batch come first. */
async function fillRows(client: pg.Client, from: number, largeJobs: number): Promise<void> {
  const rows = (columns: string) => `
    SELECT ${columns} FROM new_batch AS n CROSS JOIN LATERAL generate_series(1, n.jobs) AS e
    WHERE n.id = 'batch 0' AND e > ${from} AND e <= ${from + STEP}
    UNION ALL
    SELECT ${columns} FROM (SELECT * FROM new_batch WHERE id <> 'batch 0' ORDER BY no
      OFFSET ${Math.max(0, from - largeJobs) / SMALL}
      LIMIT ${Math.max(0, Math.min(STEP, from + STEP - largeJobs)) / SMALL}) AS n
      CROSS JOIN LATERAL generate_series(1, n.jobs) AS e`;
  const isFailed = "e % 100 = 0 AND n.failed > 0";
  const name = "n.id || ' ' || e || '.docx'";
  await client.query(`INSERT INTO job ${rows(`n.no, e, 0, ${name}, NULL, ${name}, 1000`)}`);
  const made = `'{"status":"completed","sha256":"${"ab".repeat(32)}","pages":null,"converter":null,"errors":[],"warnings":[],'
    || '"outputFile":{"ref":{"type":"file","id":"out/' || ${name} || '"},"version":"1","name":"' || ${name} || '","size":3}}'`;
  const failure = `'{"code":"internal","message":"","diagnostics":[],"retryable":false,"cause":null}'`;
  await client.query(
    `INSERT INTO outcome ${rows(`n.no, e, CASE WHEN ${isFailed} THEN 4 ELSE 2 END, 1,
    CASE WHEN NOT (${isFailed}) THEN ${made} END, CASE WHEN ${isFailed} THEN ${failure} END, NULL, 1, e`)}`,
  );
}
