import { BATCH, PUT_BACK, STATUS } from "../jobs/states.ts";

/** Functions of the first step that cost the server less in this form. */
export const REPLACED_FUNCTIONS = `
  -- For some of its statements, PostgreSQL would estimate that a plan for the given values is better, and make one for
  -- each batch of each claim, which takes longer than to run it.
  ALTER FUNCTION quire.claim SET plan_cache_mode = force_generic_plan;

  -- Ends attempts of a worker. Returns the place in the arrays of each attempt that is the worker's. IS NOT DISTINCT FROM
  -- keeps PostgreSQL from reading all jobs of the worker for each batch.
  CREATE OR REPLACE FUNCTION quire.settle(
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
    puts_back boolean := (SELECT bool_or(s > ${STATUS.failed}) FROM unnest(states) AS s);
    tenants text[] := '{}';
    ends int[] := '{}';
    sizes bigint[] := '{}';
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
        WHERE k.batch_no = b AND k.entry = ANY(ARRAY(SELECT entry FROM given)) AND k.worker_no IS NOT DISTINCT FROM w
          AND k.entry = i.entry AND k.attempts = i.attempt
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
      IF n > 0 THEN
        tenants := tenants || r.tenant;
        ends := ends || n;
        sizes := sizes || size;
      END IF;
      IF puts_back THEN
        FOR k IN SELECT * FROM unnest(entries, attempts, states, delays, batches)
            WITH ORDINALITY AS i(entry, attempt, state, delay, batch_id, place)
            WHERE i.batch_id = bid AND i.state > ${STATUS.failed} ORDER BY i.place LOOP
          UPDATE quire.work SET failures = failures + CASE WHEN k.state = ${PUT_BACK.again} THEN 1 ELSE 0 END
            WHERE batch_no = b AND entry = k.entry AND worker_no IS NOT DISTINCT FROM w AND attempts = k.attempt;
          CONTINUE WHEN NOT FOUND;
          PERFORM quire.put_back(b, ARRAY[k.entry],
            CASE WHEN k.delay > 0 THEN clock_timestamp() + k.delay * interval '1 ms' ELSE '-infinity' END);
          mine := mine || k.place::int;
        END LOOP;
      END IF;
      CONTINUE WHEN mine = '{}';
      done := (puts_back OR r.submitted + r.pending = n) AND quire.finish_if_done(b);
      RETURN QUERY SELECT m, done FROM unnest(mine) AS m;
    END LOOP;
    -- Once for each tenant. The counters come last in the order of locks.
    PERFORM quire.count_use(x.tenant, x.n, 0, x.size) FROM (
      SELECT u.tenant, -sum(u.n) AS n, sum(u.size)::bigint AS size FROM unnest(tenants, ends, sizes) AS u(tenant, n, size)
      GROUP BY u.tenant ORDER BY u.tenant) AS x;
  END $$;

  -- Adds notes to jobs of a worker. Returns the places of those that are the worker's. One by one: with statistics of
  -- small tables, a statement for all of them would read all jobs of the worker for each.
  CREATE OR REPLACE FUNCTION quire.note(w bigint, batches text[], entries int[], attempts int[], added text[])
  RETURNS SETOF int LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    i record;
  BEGIN
    FOR i IN SELECT x.no, g.* FROM unnest(batches, entries, attempts, added)
          WITH ORDINALITY AS g(batch_id, entry, attempt, note, place)
        JOIN LATERAL (SELECT no, state FROM quire.batch WHERE id = g.batch_id AND state < ${BATCH.deleting} LIMIT 1) AS x
          ON x.state = ${BATCH.running}
        ORDER BY x.no, g.entry LOOP
      UPDATE quire.work
        SET notes = left(coalesce(notes, '[]'), -1) || CASE WHEN notes IS NULL THEN '' ELSE ',' END || i.note || ']'
        WHERE batch_no = i.no AND entry = i.entry AND worker_no IS NOT DISTINCT FROM w AND attempts = i.attempt;
      IF FOUND THEN RETURN NEXT i.place::int; END IF;
    END LOOP;
  END $$;
`;
