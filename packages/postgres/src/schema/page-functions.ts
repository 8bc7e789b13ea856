import { JOB_COLUMNS, jobRows } from "../jobs/records.ts";
import { BATCH, KIND, STATUS } from "../jobs/states.ts";

const ended = (status: number): string =>
  `SELECT entry FROM quire.outcome WHERE batch_no = b AND entry > first AND status = ${status} ORDER BY entry LIMIT space`;

/**
 * For each state, the entries of a batch `b` after an entry `first` that have it, at most `space`. Each uses an index.
 * The state is `wanted`; null means any.
 */
const ENTRIES: readonly (readonly [condition: string, entries: string])[] = [
  [
    "wanted IS NULL",
    "SELECT entry FROM quire.job WHERE batch_no = b AND entry > first ORDER BY entry LIMIT space",
  ],
  // Jobs that were put back, and jobs that were never begun.
  [
    `wanted = ${STATUS.submitted}`,
    `SELECT entry FROM (
        (SELECT entry FROM quire.work WHERE batch_no = b AND entry > first AND worker_no IS NULL ORDER BY entry LIMIT space)
        UNION ALL (SELECT entry FROM quire.job WHERE batch_no = b AND kind = ${KIND.run} AND entry > first
          AND entry >= coalesce((SELECT next_entry FROM quire.run WHERE batch_no = b), 2147483647) ORDER BY entry LIMIT space)
      ) AS waiting ORDER BY entry LIMIT space`,
  ],
  // By worker, because a retry may let many jobs of the batch wait.
  [
    `wanted = ${STATUS.pending}`,
    `SELECT k.entry FROM quire.worker AS w CROSS JOIN LATERAL (
        SELECT batch_no, entry FROM quire.work WHERE worker_no = w.no OFFSET 0) AS k
      WHERE k.batch_no = b AND k.entry > first ORDER BY k.entry LIMIT space`,
  ],
  ...(["completed", "completed_with_error", "failed"] as const).map(
    (status) => [`wanted = ${STATUS[status]}`, ended(STATUS[status])] as const,
  ),
];

/** The columns of a page. */
const COLUMNS = `batch_no bigint, entry int, requested_name text, file_name text, status smallint, attempts int,
    result text, failure text, ended_at bigint, ended bigint, bytes int`;

/** The session has it off, because a hash join may read whole tables. Here, it joins only the rows of the page. */
const SETTINGS = "SET enable_hashjoin = on";

const BYTES = "coalesce(octet_length(coalesce(o.result, o.failure)), 0)";

/** The rows of the entries of a batch `b`. Each table is read once, which takes half the time of a join by entry. */
const ROWS_OF_ONE = `WITH ${["job", "outcome", "work"]
  .map((table) => {
    return `${table} AS MATERIALIZED (SELECT * FROM quire.${table} WHERE batch_no = b AND entry = ANY(entries))`;
  })
  .join(", ")}
        SELECT b, ${JOB_COLUMNS}, ${BYTES} FROM job AS j LEFT JOIN outcome AS o ON o.entry = j.entry
        LEFT JOIN work AS k ON k.entry = j.entry`;

/** Functions for pages of jobs. Their statements keep their plans, so that a page costs only its rows. */
export const PAGE_FUNCTIONS = `
  -- Returns up to room jobs with a state, in the order of the batches and by entry. Of the first batch, only the jobs
  -- after the entry.
  CREATE FUNCTION quire.job_page(batches bigint[], after int, wanted smallint, room int)
  RETURNS TABLE (${COLUMNS})
  LANGUAGE plpgsql STABLE ROWS 100 ${SETTINGS} AS $$
  #variable_conflict use_column
  DECLARE
    b bigint;
    first int := after;
    space int := room;
    entries int[];
    all_batches bigint[] := '{}';
    all_entries int[] := '{}';
  BEGIN
    FOREACH b IN ARRAY batches LOOP
      CASE
        ${ENTRIES.map(([condition, entries]) => `WHEN ${condition} THEN entries := ARRAY(${entries});`).join("\n        ")}
      END CASE;
      IF entries <> '{}' THEN
        all_batches := all_batches || array_fill(b, ARRAY[cardinality(entries)]);
        all_entries := all_entries || entries;
        space := space - cardinality(entries);
        EXIT WHEN space <= 0;
      END IF;
      first := 0;
    END LOOP;
    IF all_batches[1] = all_batches[cardinality(all_batches)] THEN
      b := all_batches[1];
      entries := all_entries;
      RETURN QUERY ${ROWS_OF_ONE} ORDER BY j.entry;
    ELSE
      RETURN QUERY SELECT p.batch_no, ${JOB_COLUMNS}, ${BYTES}
        FROM unnest(all_batches, all_entries) WITH ORDINALITY AS p(batch_no, entry, place)
        ${jobRows("p.batch_no", "p.entry")} ORDER BY p.place;
    END IF;
  END $$;

  -- Returns up to room jobs of a batch in the order in which they ended, after the job that ended with a number. A batch
  -- without such jobs has one row without an entry.
  CREATE FUNCTION quire.ended_page(bid text, after bigint, wanted smallint, room int)
  RETURNS TABLE (${COLUMNS}) LANGUAGE plpgsql STABLE ROWS 100 ${SETTINGS} AS $$
  #variable_conflict use_column
  DECLARE
    b bigint;
    entries int[];
  BEGIN
    SELECT x.no INTO b FROM quire.batch AS x WHERE x.id = bid AND x.state IN (${BATCH.running}, ${BATCH.finished});
    IF NOT FOUND THEN RETURN; END IF;
    entries := ARRAY(SELECT entry FROM quire.outcome WHERE batch_no = b AND ended > after
      AND (wanted IS NULL OR status = wanted) ORDER BY ended LIMIT room);
    RETURN QUERY ${ROWS_OF_ONE} ORDER BY o.ended;
    IF entries = '{}' THEN RETURN QUERY SELECT b, NULL::int, NULL, NULL, NULL::smallint, NULL::int, NULL, NULL, NULL::bigint,
      NULL::bigint, NULL::int; END IF;
  END $$;
`;
