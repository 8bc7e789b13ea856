import { BATCH_COLUMNS, BATCH_TABLES, JOB_COLUMNS, jobRows } from "../jobs/records.ts";
import { BATCH, PUT_BACK, STATUS } from "../jobs/states.ts";

/** Functions that end attempts and deliver events. */
export const SETTLE_FUNCTIONS = `
  -- Ends attempts of a worker. Returns the place in the arrays of each attempt that is the worker's.
  CREATE FUNCTION quire.settle(
    w bigint, batches text[], entries int[], attempts int[], states smallint[], payloads text[], delays float8[]
  ) RETURNS TABLE (place int, finished boolean) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    b bigint;
    bid text;
    r quire.run;
    mine int[];
    k record;
    done boolean;
    size bigint;
    n int;
  BEGIN
    -- Each batch once, in the order of their numbers.
    FOR b, bid IN SELECT x.no, i.id FROM (SELECT DISTINCT id FROM unnest(batches) AS id) AS i JOIN LATERAL (
        SELECT no, state FROM quire.batch WHERE id = i.id AND state < ${BATCH.deleting} LIMIT 1) AS x ON x.state = ${BATCH.running}
        ORDER BY x.no LOOP
      SELECT * INTO r FROM quire.run WHERE batch_no = b FOR UPDATE;
      CONTINUE WHEN NOT FOUND;
      WITH given AS (
        SELECT * FROM unnest(entries, attempts, states, payloads, batches)
          WITH ORDINALITY AS i(entry, attempt, state, payload, batch_id, place)
        WHERE i.batch_id = bid AND i.state <= ${STATUS.failed}
      ), gone AS (
        DELETE FROM quire.work AS k USING given AS i
        WHERE k.batch_no = b AND k.entry = i.entry AND k.worker_no = w AND k.attempts = i.attempt
        RETURNING i.place, k.entry, k.attempts, i.state, i.payload, k.notes
      ), ended AS (
        INSERT INTO quire.outcome (batch_no, entry, status, attempts, result, failure, notes, ended_at, ended)
        SELECT b, g.entry, g.state, g.attempts, CASE WHEN g.state < ${STATUS.failed} THEN g.payload END,
          CASE WHEN g.state = ${STATUS.failed} THEN g.payload END, CASE WHEN g.state = ${STATUS.failed} THEN g.notes END,
          quire.clock(), r.ended + row_number() OVER (ORDER BY g.place) FROM gone AS g
      ), told AS (
        INSERT INTO quire.event (type, batch_no, entry, at)
        SELECT CASE WHEN g.state = ${STATUS.failed} THEN 'job_failed' ELSE 'job_succeeded' END, b, g.entry, quire.clock()
        FROM gone AS g WHERE r.with_events ORDER BY g.place
      ), counted AS (
        UPDATE quire.run SET pending = pending - s.n, completed = completed + s.c,
          completed_with_error = completed_with_error + s.e, failed = failed + s.f, ended = ended + s.n, bytes = bytes + s.size
        FROM (SELECT count(*) AS n, count(*) FILTER (WHERE state = ${STATUS.completed}) AS c,
            count(*) FILTER (WHERE state = ${STATUS.completed_with_error}) AS e,
            count(*) FILTER (WHERE state = ${STATUS.failed}) AS f, sum(octet_length(payload)) AS size FROM gone) AS s
        WHERE batch_no = b AND s.n > 0
      )
      SELECT coalesce(array_agg(g.place::int), '{}'), count(*), sum(octet_length(g.payload))
        INTO mine, n, size FROM gone AS g;
      IF n > 0 THEN PERFORM quire.count_use(r.tenant, -n, 0, size); END IF;
      FOR k IN SELECT * FROM unnest(entries, attempts, states, delays, batches)
          WITH ORDINALITY AS i(entry, attempt, state, delay, batch_id, place)
          WHERE i.batch_id = bid AND i.state > ${STATUS.failed} ORDER BY i.place LOOP
        UPDATE quire.work SET failures = failures + CASE WHEN k.state = ${PUT_BACK.again} THEN 1 ELSE 0 END
          WHERE batch_no = b AND entry = k.entry AND worker_no = w AND attempts = k.attempt;
        CONTINUE WHEN NOT FOUND;
        PERFORM quire.put_back(b, ARRAY[k.entry],
          CASE WHEN k.delay > 0 THEN clock_timestamp() + k.delay * interval '1 ms' ELSE '-infinity' END);
        mine := mine || k.place::int;
      END LOOP;
      CONTINUE WHEN mine = '{}';
      done := quire.finish_if_done(b);
      RETURN QUERY SELECT m, done FROM unnest(mine) AS m;
    END LOOP;
  END $$;

  -- Adds notes to jobs of a worker. Returns the places of those that are the worker's.
  CREATE FUNCTION quire.note(w bigint, batches text[], entries int[], attempts int[], added text[]) RETURNS SETOF int
  LANGUAGE plpgsql AS $$
  #variable_conflict use_variable
  BEGIN
    RETURN QUERY UPDATE quire.work AS k
      SET notes = left(coalesce(k.notes, '[]'), -1) || CASE WHEN k.notes IS NULL THEN '' ELSE ',' END || i.note || ']'
    FROM unnest(batches, entries, attempts, added) WITH ORDINALITY AS i(batch_id, entry, attempt, note, place)
      JOIN LATERAL (SELECT no, state FROM quire.batch WHERE id = i.batch_id AND state < ${BATCH.deleting} LIMIT 1) AS x
        ON x.state = ${BATCH.running}
    WHERE k.batch_no = x.no AND k.entry = i.entry AND k.worker_no = w AND k.attempts = i.attempt
    RETURNING i.place::int;
  END $$;

  CREATE FUNCTION quire.set_begun(w bigint, bid text, e int, attempt int, is_begun boolean) RETURNS boolean
  LANGUAGE sql AS $$
    WITH marked AS (
      UPDATE quire.work AS k SET begun = is_begun FROM quire.batch AS x
      WHERE x.id = bid AND x.state = ${BATCH.running} AND k.batch_no = x.no AND k.entry = e AND k.worker_no = w
        AND k.attempts = attempt RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM marked) $$;

  -- Gives a job of a worker another name. Returns null if the job is not the worker's, and false if the name is taken.
  CREATE FUNCTION quire.rename_job(w bigint, bid text, e int, attempt int, name text, folded text) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    x quire.batch;
  BEGIN
    SELECT * INTO x FROM quire.batch WHERE id = bid AND state = ${BATCH.running};
    PERFORM 1 FROM quire.work AS k WHERE k.batch_no = x.no AND k.entry = e AND k.worker_no = w AND k.attempts = attempt
      FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF quire.take_names(x.folder_no, x.no, ARRAY[folded]) <> '{}' THEN RETURN false; END IF;
    UPDATE quire.job AS j SET wanted_name = coalesce(j.wanted_name, j.file_name), file_name = name
      WHERE j.batch_no = x.no AND j.entry = e;
    RETURN true;
  END $$;

  -- Takes events for a worker, with the rows of their batches and jobs. The statement that calls it may have begun before
  -- they were committed, so the function reads them itself.
  CREATE FUNCTION quire.take_events(w bigint, most int)
  RETURNS TABLE (sequence bigint, type text, entry int, at bigint, batch json, job json) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    taken bigint[];
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM quire.event WHERE worker_no IS NULL) THEN RETURN; END IF;
    PERFORM quire.assert_worker(w);
    -- One worker after the other, and each takes only batches of which no other one has events: they stay in order.
    PERFORM pg_advisory_xact_lock(1366651250, hashtext('quire.event'));
    WITH free AS (
      SELECT e.sequence FROM quire.event AS e JOIN quire.batch AS x ON x.no = e.batch_no
      WHERE e.worker_no IS NULL AND x.state IN (${BATCH.running}, ${BATCH.finished})
        AND NOT EXISTS (SELECT 1 FROM quire.event AS o WHERE o.batch_no = e.batch_no AND o.worker_no <> w)
      ORDER BY e.sequence LIMIT most
    ), marked AS (
      UPDATE quire.event AS e SET worker_no = w FROM free WHERE e.sequence = free.sequence RETURNING e.sequence
    )
    SELECT array_agg(sequence) INTO taken FROM marked;
    RETURN QUERY SELECT e.sequence, e.type, e.entry, e.at, row_to_json(x), row_to_json(y)
      FROM quire.event AS e
      JOIN LATERAL (SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES} WHERE b.no = e.batch_no LIMIT 1) AS x ON true
      LEFT JOIN LATERAL (SELECT ${JOB_COLUMNS} FROM (SELECT 1) AS one ${jobRows("e.batch_no", "e.entry")}) AS y ON true
      WHERE e.sequence = ANY(taken) ORDER BY e.sequence;
  END $$;
`;
