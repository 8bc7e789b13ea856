import { CANCELLED, POISON, POISON_DEATHS, SUSPECT_DEATHS } from "@quire/contracts";
import { BATCH, STATUS } from "../jobs/states.ts";

const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;

/** Functions that others share. They expect that the caller has locked the run of the batch. */
export const JOB_FUNCTIONS = `
  -- The server's wall clock, in milliseconds since 1970. Within a condition, write (SELECT quire.clock()), which is
  -- evaluated once.
  CREATE FUNCTION quire.clock() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

  CREATE FUNCTION quire.poison() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT ${quoted(POISON)}::text $$;
  CREATE FUNCTION quire.cancelled() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT ${quoted(CANCELLED)}::text $$;

  CREATE FUNCTION quire.assert_worker(w bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- Whoever dismisses the worker waits for this transaction, and finds what it has claimed.
    PERFORM 1 FROM quire.worker WHERE no = w FOR KEY SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'The lease is lost.' USING ERRCODE = 'QU001'; END IF;
  END $$;

  -- Wakes idle workers. PostgreSQL sends one notification for each transaction.
  CREATE FUNCTION quire.announce() RETURNS void LANGUAGE sql AS $$ SELECT pg_notify('quire.work', '') $$;

  CREATE FUNCTION quire.record_events(b bigint, wanted boolean, kind text, entries int[]) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT wanted THEN RETURN; END IF;
    INSERT INTO quire.event (type, batch_no, entry, at) SELECT kind, b, e, quire.clock() FROM unnest(entries) AS e;
  END $$;

  -- Changes what a tenant uses.
  CREATE FUNCTION quire.count_use(t text, waiting_change bigint, jobs_change bigint, bytes_change bigint)
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO quire.job_use AS u VALUES (t, pg_backend_pid() % 16, waiting_change, jobs_change, bytes_change)
      ON CONFLICT (tenant, slot) DO UPDATE SET waiting = u.waiting + excluded.waiting,
        jobs = u.jobs + excluded.jobs, bytes = u.bytes + excluded.bytes;
    IF waiting_change <> 0 THEN
      UPDATE quire.waiting SET jobs = jobs + waiting_change WHERE slot = pg_backend_pid() % 32;
    END IF;
  END $$;

  -- Makes the jobs of a batch claimable. The batch then takes turns with the tenant's other batches.
  CREATE FUNCTION quire.activate(b bigint, submitted int, first int) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    t text;
    least_time float8;
  BEGIN
    SELECT tenant INTO t FROM quire.batch WHERE no = b;
    SELECT min(virtual_time) INTO least_time FROM (VALUES (false), (true)) AS kind(converts) CROSS JOIN LATERAL (
      SELECT r.virtual_time FROM quire.run AS r WHERE r.tenant = t AND r.needs_converter = kind.converts
        AND NOT r.cancelled AND r.submitted > 0 ORDER BY r.virtual_time LIMIT 1) AS first_runs;
    INSERT INTO quire.run (batch_no, tenant, weight, needs_converter, with_events, created_at, submitted, completed,
        completed_with_error, failed, ended, next_entry, virtual_time)
      SELECT x.no, x.tenant, x.weight, x.needs_converter, x.with_events, x.created_at, activate.submitted, x.completed,
        x.completed_with_error, x.failed, x.ended, first, coalesce(least_time, 0) FROM quire.batch AS x WHERE x.no = b;
    INSERT INTO quire.tenant VALUES (t, 0, 0, clock_timestamp()) ON CONFLICT DO NOTHING;
    UPDATE quire.tenant SET used_at = clock_timestamp()
      WHERE name = t AND used_at < clock_timestamp() - interval '10 minutes';
    -- A tenant that had nothing to do does not catch up on the turns that it missed.
    UPDATE quire.tenant SET virtual_time = greatest(virtual_time, (SELECT max(turn_at) FROM quire.tenant))
      WHERE name = t AND virtual_time < (SELECT max(turn_at) FROM quire.tenant)
        AND NOT EXISTS (SELECT 1 FROM quire.run AS r WHERE r.tenant = t AND r.batch_no <> b);
  END $$;

  -- Finishes a batch whose jobs have all ended. Returns whether it has.
  CREATE FUNCTION quire.finish_if_done(b bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    r quire.run;
  BEGIN
    SELECT * INTO r FROM quire.run WHERE batch_no = b;
    IF NOT FOUND OR r.submitted + r.pending > 0 THEN RETURN false; END IF;
    UPDATE quire.batch SET state = ${BATCH.finished}, finished_at = quire.clock(), completed = r.completed,
      completed_with_error = r.completed_with_error, failed = r.failed, ended = r.ended, bytes = bytes + r.bytes
      WHERE no = b;
    DELETE FROM quire.run WHERE batch_no = b;
    PERFORM quire.record_events(b, r.with_events, 'batch_finished', ARRAY[NULL]::int[]);
    RETURN true;
  END $$;

  -- Fails jobs of a batch that wait or that a worker has.
  CREATE FUNCTION quire.fail_jobs(b bigint, entries int[], was_pending boolean, why text) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    r quire.run;
    n int := coalesce(array_length(entries, 1), 0);
    size bigint := n::bigint * octet_length(why);
  BEGIN
    IF n = 0 THEN RETURN; END IF;
    SELECT * INTO r FROM quire.run WHERE batch_no = b;
    WITH gone AS (
      DELETE FROM quire.work WHERE batch_no = b AND entry = ANY(entries) RETURNING entry, attempts, notes
    )
    INSERT INTO quire.outcome (batch_no, entry, status, attempts, failure, notes, ended_at, ended)
      SELECT b, e, ${STATUS.failed}, coalesce(attempts, 0), why, notes, quire.clock(),
        r.ended + row_number() OVER (ORDER BY e)
      FROM unnest(entries) AS e LEFT JOIN gone ON gone.entry = e;
    UPDATE quire.run SET failed = failed + n, ended = ended + n, bytes = bytes + size,
      submitted = submitted - CASE WHEN was_pending THEN 0 ELSE n END,
      pending = pending - CASE WHEN was_pending THEN n ELSE 0 END WHERE batch_no = b;
    PERFORM quire.record_events(b, r.with_events, 'job_failed', ARRAY(SELECT e FROM unnest(entries) AS e ORDER BY e));
    PERFORM quire.count_use(r.tenant, -n, 0, size);
  END $$;

  -- Returns jobs in progress to the queue. In a cancelled batch, jobs without notes fail instead.
  CREATE FUNCTION quire.put_back(b bigint, entries int[], at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    e int;
    back int := 0;
  BEGIN
    IF (SELECT cancelled FROM quire.run WHERE batch_no = b) THEN
      PERFORM quire.fail_jobs(b, array_agg(entry), true, quire.cancelled())
        FROM quire.work WHERE batch_no = b AND entry = ANY(entries) AND notes IS NULL;
    END IF;
    -- One by one: with statistics of small tables, a statement for all of them would read the whole batch.
    FOREACH e IN ARRAY entries LOOP
      UPDATE quire.work SET worker_no = NULL, ready_at = at, noted = notes IS NOT NULL WHERE batch_no = b AND entry = e;
      IF FOUND THEN back := back + 1; END IF;
    END LOOP;
    UPDATE quire.run SET pending = pending - back, submitted = submitted + back, ready_at = least(ready_at, at)
      WHERE batch_no = b;
    IF back > 0 THEN PERFORM quire.announce(); END IF;
  END $$;

  -- Deletes a worker. Puts back or ends its jobs, and releases its events and the batches that it was accepting.
  CREATE FUNCTION quire.dismiss(w bigint, died boolean, only_expired boolean) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    b bigint;
    dead int[];
    rest int[];
  BEGIN
    DELETE FROM quire.worker WHERE no = w AND (NOT only_expired OR expires_at < clock_timestamp());
    IF NOT FOUND THEN RETURN false; END IF;
    FOR b IN SELECT DISTINCT batch_no FROM quire.work WHERE worker_no = w ORDER BY 1 LOOP
      PERFORM 1 FROM quire.run WHERE batch_no = b FOR UPDATE;
      IF died THEN
        UPDATE quire.work SET deaths = deaths + 1
          WHERE worker_no = w AND batch_no = b AND (deaths < ${SUSPECT_DEATHS} OR begun);
      END IF;
      -- A noted document may exist, so another worker must handle it.
      SELECT array_agg(entry) FILTER (WHERE deaths >= ${POISON_DEATHS} AND notes IS NULL),
             array_agg(entry) FILTER (WHERE deaths < ${POISON_DEATHS} OR notes IS NOT NULL)
        INTO dead, rest FROM quire.work WHERE worker_no = w AND batch_no = b;
      PERFORM quire.fail_jobs(b, dead, true, quire.poison());
      PERFORM quire.put_back(b, coalesce(rest, '{}'), '-infinity');
      PERFORM quire.finish_if_done(b);
    END LOOP;
    UPDATE quire.event SET worker_no = NULL WHERE worker_no = w;
    UPDATE quire.batch SET state = ${BATCH.deleting} WHERE state = ${BATCH.accepting} AND worker_no = w;
    RETURN true;
  END $$;

  -- Dismisses the workers whose lease has expired. Returns their number.
  CREATE FUNCTION quire.reap() RETURNS int LANGUAGE plpgsql AS $$
  DECLARE
    w bigint;
    n int := 0;
  BEGIN
    FOR w IN SELECT no FROM quire.worker WHERE expires_at < clock_timestamp() ORDER BY no LOOP
      IF quire.dismiss(w, true, true) THEN n := n + 1; END IF;
    END LOOP;
    RETURN n;
  END $$;
`;
