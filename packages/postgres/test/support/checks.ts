import type pg from "pg";

/** A batch in the database. */
export interface StoredBatch {
  readonly id: string;
  /** 2: the batch is finished. */
  readonly state: number;
  readonly idempotency_key: string | null;
  readonly completed: number;
  /** Number of its jobs that have an outcome. */
  readonly ended: number;
}

/** A batch that was accepted. */
export interface KnownBatch {
  readonly id: string;
  readonly jobs: number;
}

const FINISHED = 2;

/** Reads all batches that are visible. */
export async function readBatches(client: pg.Client): Promise<StoredBatch[]> {
  const { rows } = await client.query(
    `SELECT b.id, b.state, b.idempotency_key, b.completed, (SELECT count(*)::int FROM quire.outcome AS o
       WHERE o.batch_no = b.no AND o.status = 2) AS ended
     FROM quire.batch AS b WHERE state IN (1, 2)`,
  );
  return rows;
}

/** Returns accepted batches whose jobs have not all been completed, each once, and keys that several batches have. */
export function batchProblems(
  batches: readonly StoredBatch[],
  accepted: readonly KnownBatch[],
): string[] {
  const known = new Map(batches.map((batch) => [batch.id, batch]));
  const problems: string[] = [];
  for (const { id, jobs } of accepted) {
    const batch = known.get(id);
    const isRight = batch?.state === FINISHED && batch.completed === jobs && batch.ended === jobs;
    if (!isRight) problems.push(`batch ${id} of ${jobs} jobs: ${JSON.stringify(batch)}`);
  }
  const keys = batches.map(({ idempotency_key }) => idempotency_key);
  if (new Set(keys).size < keys.length) problems.push("two batches have one key");
  return problems;
}

/** Returns counters that do not agree with the rows, and work that nobody will do. */
export async function leftovers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT (SELECT sum(jobs) FROM quire.waiting)::int AS waiting, (SELECT count(*) FROM quire.work)::int AS work,
       (SELECT coalesce(sum(waiting), 0) FROM quire.job_use)::int AS use,
       (SELECT coalesce(sum(jobs), 0) FROM quire.job_use)::int - (SELECT coalesce(sum(accepted), 0)
         FROM quire.batch WHERE finished_at IS NOT NULL)::int AS jobs,
       (SELECT coalesce(sum(bytes), 0) FROM quire.job_use)::int
         - (SELECT coalesce(sum(bytes), 0) FROM quire.batch)::int AS bytes`,
  );
  return Object.entries(rows[0]).flatMap(([name, value]) =>
    value === 0 ? [] : [`${name} should be 0, but is ${value}`],
  );
}
