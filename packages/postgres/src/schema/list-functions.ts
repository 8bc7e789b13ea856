import { JOB_COLUMNS } from "../jobs/records.ts";
import { BATCH, KIND, STATUS } from "../jobs/states.ts";

/** Filters that an index serves, from the one with the fewest batches to the one with the most. */
const KEYS: readonly (readonly [condition: string, column: string | null, key: string])[] = [
  ["c IS NOT NULL", "caller", "b.caller = c"],
  ["f IS NOT NULL", "template_id", "b.template_id = f"],
  ["t IS NOT NULL", "tenant", "b.tenant = t"],
  ["true", null, "true"],
];

/** States that few batches have. Each has small indexes of the finished batches with such jobs. */
const RARE = { [STATUS.failed]: "failed", [STATUS.completed_with_error]: "completed_with_error" };

const INDEXES = Object.values(RARE)
  .flatMap((jobs) =>
    KEYS.map(([, column]) => {
      const name = column === null ? `batch_${jobs}` : `batch_${jobs}_of_${column}`;
      const columns = column === null ? "no DESC" : `${column}, no DESC`;
      return `CREATE INDEX ${name} ON quire.batch (${columns}) WHERE state = ${BATCH.finished} AND ${jobs} > 0;`;
    }),
  )
  .join("\n  ");

const LAST = "9007199254740991";

/** The number of jobs with the state `wanted` of a finished batch `b`, and of a running one `r`. */
const FINISHED_JOBS = `CASE wanted WHEN ${STATUS.completed} THEN b.completed
              WHEN ${STATUS.completed_with_error} THEN b.completed_with_error WHEN ${STATUS.failed} THEN b.failed ELSE 0 END`;
const RUNNING_JOBS = `CASE wanted WHEN ${STATUS.submitted} THEN r.submitted WHEN ${STATUS.pending} THEN r.pending
              WHEN ${STATUS.completed} THEN r.completed WHEN ${STATUS.completed_with_error} THEN r.completed_with_error
              ELSE r.failed END`;

const FILTERS = `(c IS NULL OR b.caller = c) AND (f IS NULL OR b.template_id = f) AND (t IS NULL OR b.tenant = t)`;

/** Up to `space` batches, from a query for more of them. */
const found = (
  query: string,
): string => `SELECT array_agg(no ORDER BY no DESC), array_agg(id ORDER BY no DESC) INTO nos, ids FROM (
          ${query} ORDER BY no DESC LIMIT space) AS found;`;

/** The batches of a key that have jobs of the state. Reads all of the key. */
const batches = (key: string): string =>
  found(`SELECT b.no, b.id FROM quire.batch AS b
          WHERE ${key} AND b.state IN (${BATCH.running}, ${BATCH.finished}) AND b.no <= last AND ${FILTERS}
            AND CASE WHEN wanted IS NULL THEN true WHEN b.state = ${BATCH.finished} THEN ${FINISHED_JOBS} > 0
              ELSE (SELECT ${RUNNING_JOBS} FROM quire.run AS r WHERE r.batch_no = b.no LIMIT 1) > 0 END`);

/** Batches that run and have jobs of the state. */
const RUNNING = `(SELECT b.no, b.id FROM quire.run AS r
            JOIN LATERAL (SELECT * FROM quire.batch WHERE no = r.batch_no LIMIT 1) AS b ON true
            WHERE r.batch_no <= last AND (t IS NULL OR r.tenant = t) AND ${RUNNING_JOBS} > 0
              AND b.state = ${BATCH.running} AND ${FILTERS} ORDER BY r.batch_no DESC LIMIT space)`;

/** The batches of a key that have jobs of a rare state: those that run, and those in its indexes. */
const rareBatches = (key: string, jobs: string): string =>
  found(`SELECT no, id FROM (
          (SELECT b.no, b.id FROM quire.batch AS b
            WHERE ${key} AND b.state = ${BATCH.finished} AND b.${jobs} > 0 AND b.no <= last AND ${FILTERS}
            ORDER BY b.no DESC LIMIT space)
          UNION ALL ${RUNNING}) AS both_kinds`);

/** Each way to find batches. */
const BATCHES: readonly (readonly [condition: string, batches: string])[] = [
  // By number, so that a plan for small tables does not look for the id in the order of the numbers.
  [
    "bid IS NOT NULL",
    batches(
      `b.no = (SELECT x.no FROM quire.batch AS x WHERE x.id = bid AND x.state < ${BATCH.deleting})`,
    ),
  ],
  [`wanted <= ${STATUS.pending}`, found(`SELECT no, id FROM ${RUNNING} AS running`)],
  ...KEYS.flatMap(([condition, , key]): [string, string][] => [
    ...Object.entries(RARE).map(([status, jobs]): [string, string] => [
      `wanted = ${status} AND ${condition}`,
      rareBatches(key, jobs),
    ]),
    [condition, batches(key)],
  ]),
];

/** Jobs of the batch `p.no` after the entry `p.first`. */
const OF_BATCH = "batch_no = p.no AND entry > p.first";

/** Joins the row of a table for each job. A condition that is false saves the read. */
const row = (table: string, alias: string, of: string, condition = "true"): string =>
  `LEFT JOIN LATERAL (SELECT * FROM quire.${table}
          WHERE batch_no = ${of}.batch_no AND entry = ${of}.entry AND ${condition} LIMIT 1) AS ${alias} ON true`;

const ended = (status: number): readonly [string, string, string, string] => [
  `wanted = ${status}`,
  "o",
  `SELECT * FROM quire.outcome WHERE ${OF_BATCH} AND status = ${status} ORDER BY entry LIMIT space`,
  `${row("job", "j", "o")} ${row("work", "k", "o", "false")}`,
];

/**
 * For each state: the alias of the rows that are read first, the statement that reads them for a batch, and the joins
 * of the other rows. Each uses an index.
 */
const JOBS: readonly (readonly [
  condition: string,
  alias: string,
  ofBatch: string,
  joins: string,
])[] = [
  [
    "wanted IS NULL",
    "j",
    `SELECT * FROM quire.job WHERE ${OF_BATCH} ORDER BY entry LIMIT space`,
    `${row("outcome", "o", "j")} ${row("work", "k", "j", "o.entry IS NULL")}`,
  ],
  // Jobs that were put back, and jobs that were never begun.
  [
    `wanted = ${STATUS.submitted}`,
    "x",
    `SELECT * FROM (
        (SELECT batch_no, entry FROM quire.work WHERE ${OF_BATCH} AND worker_no IS NULL ORDER BY entry LIMIT space)
        UNION ALL (SELECT batch_no, entry FROM quire.job WHERE ${OF_BATCH} AND kind = ${KIND.run}
          AND entry >= coalesce((SELECT next_entry FROM quire.run WHERE batch_no = p.no), 2147483647) ORDER BY entry LIMIT space)
      ) AS waiting ORDER BY entry LIMIT space`,
    `${row("job", "j", "x")} ${row("outcome", "o", "x", "false")} ${row("work", "k", "x")}`,
  ],
  // By worker, because a retry may let many jobs of the batch wait.
  [
    `wanted = ${STATUS.pending}`,
    "k",
    `SELECT w.* FROM quire.worker CROSS JOIN LATERAL (
        SELECT * FROM quire.work WHERE worker_no = worker.no OFFSET 0) AS w
      WHERE ${OF_BATCH} ORDER BY entry LIMIT space`,
    `${row("job", "j", "k")} ${row("outcome", "o", "k", "false")}`,
  ],
  ended(STATUS.completed),
  ended(STATUS.completed_with_error),
  ended(STATUS.failed),
];

/**
 * The list of jobs of one or many batches. Its plans are kept, so that a page costs only its rows. `quire.job_page` is
 * for nodes of the release before.
 */
export const LIST_FUNCTIONS = `
  ${INDEXES}

  -- Returns up to room jobs, of the newest batch first, and by entry: of the batch bid, the caller c, the template f and
  -- the tenant t; null means any. They begin after an entry of a batch, unless from_batch is 0.
  CREATE FUNCTION quire.list_jobs(
    bid text, c text, f text, t text, wanted smallint, from_batch bigint, from_entry int, room int
  ) RETURNS TABLE (batch_no bigint, batch_id text, entry int, requested_name text, file_name text, status smallint,
    attempts int, result text, failure text, ended_at bigint, ended bigint, bytes int)
  LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    space int := room;
    last bigint := CASE from_batch WHEN 0 THEN ${LAST} ELSE from_batch END;
    found_jobs int;
    nos bigint[];
    ids text[];
  BEGIN
    LOOP
      CASE
        ${BATCHES.map(([condition, found]) => `WHEN ${condition} THEN ${found}`).join("\n        ")}
      END CASE;
      EXIT WHEN nos IS NULL;
      CASE
        ${JOBS.map(
          ([condition, alias, ofBatch, joins]) => `WHEN ${condition} THEN RETURN QUERY
        SELECT ${alias}.batch_no, batch_id, ${JOB_COLUMNS}, coalesce(octet_length(coalesce(o.result, o.failure)), 0)
        FROM (SELECT p.place, p.id AS batch_id, e.* FROM (
            SELECT *, CASE no WHEN from_batch THEN from_entry ELSE 0 END AS first
            FROM unnest(nos, ids) WITH ORDINALITY AS u(no, id, place)) AS p
          CROSS JOIN LATERAL (${ofBatch}) AS e ORDER BY p.place, e.entry LIMIT space) AS ${alias}
        ${joins} ORDER BY ${alias}.place, ${alias}.entry;`,
        ).join("\n        ")}
      END CASE;
      GET DIAGNOSTICS found_jobs = ROW_COUNT;
      EXIT WHEN found_jobs >= space OR cardinality(nos) < space;
      space := space - found_jobs;
      last := nos[cardinality(nos)] - 1;
    END LOOP;
  END $$;
`;
