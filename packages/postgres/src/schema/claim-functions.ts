import { POISON_DEATHS, SUSPECT_DEATHS } from "@quire/contracts";
import { BATCH, KIND } from "../jobs/states.ts";

/** Maximum number of jobs that a tenant gets before the next tenant's turn. The tenant's batches share them. */
const TURN = 16;

/** Functions that give jobs to workers. */
export const CLAIM_FUNCTIONS = `
  -- A claimed job, or a chunk with the data of claimed jobs.
  CREATE TYPE quire.claimed AS (
    batch_no bigint, batch_id text, tenant text, entry int, attempt int, failures int, file_name text, notes text,
    end_with text, size int, data bytea
  );

  CREATE FUNCTION quire.chunks_of(b bigint, entries int[]) RETURNS SETOF quire.claimed LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN QUERY SELECT b, NULL::text, NULL::text, c.first_entry, NULL::int, NULL::int, NULL::text, NULL::text, NULL::text, NULL::int, c.data
    FROM quire.chunk AS c WHERE c.batch_no = b AND c.first_entry = ANY(ARRAY(
      SELECT (SELECT max(first_entry) FROM quire.chunk WHERE batch_no = b AND first_entry <= e) FROM unnest(entries) AS e));
  END $$;

  -- Gives waiting jobs of a batch, whose run the caller has locked, to a worker: jobs that were begun before, then jobs
  -- that were not. Takes no further job when those before have more than max_bytes bytes of data.
  CREATE FUNCTION quire.begin_jobs(
    w bigint, b bigint, most int, max_bytes float8, min_deaths int, end_deaths int, from_entry int, only_entry int
  ) RETURNS SETOF quire.claimed LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY WITH again AS (
      SELECT k.entry, k.attempts + 1 AS attempt, k.failures, k.notes, k.deaths, j.file_name, j.input_bytes
      FROM quire.work AS k
      JOIN LATERAL (SELECT * FROM quire.job WHERE batch_no = b AND entry = k.entry LIMIT 1) AS j ON true
      WHERE k.batch_no = b AND k.worker_no IS NULL AND k.ready_at <= clock_timestamp()
        AND k.deaths >= min_deaths AND k.deaths < end_deaths AND (only_entry IS NULL OR k.entry = only_entry)
      ORDER BY k.entry LIMIT most
    ), fresh AS (
      SELECT j.entry, 1, 0, NULL::text, 0, j.file_name, j.input_bytes FROM quire.job AS j
      WHERE from_entry IS NOT NULL AND j.batch_no = b AND j.entry >= from_entry AND j.kind = ${KIND.run}
      ORDER BY j.entry LIMIT most
    ), summed AS (
      SELECT *, coalesce(sum(input_bytes) OVER (ORDER BY entry ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
      FROM (SELECT * FROM again UNION ALL SELECT * FROM fresh) AS ready ORDER BY entry LIMIT most
    ), fitting AS (
      SELECT * FROM summed WHERE bytes_before <= max_bytes
    ), begun AS (
      INSERT INTO quire.work (batch_no, entry, worker_no, attempts) SELECT b, entry, w, 1 FROM fitting
        ON CONFLICT (batch_no, entry) DO UPDATE SET worker_no = w, attempts = work.attempts + 1, begun = false
    )
    SELECT b, x.id, x.tenant, f.entry, f.attempt, f.failures, f.file_name, f.notes,
      CASE WHEN f.deaths >= ${POISON_DEATHS} THEN 'poison' END, f.input_bytes, NULL::bytea
    FROM fitting AS f, quire.batch AS x WHERE x.no = b ORDER BY f.entry;
  END $$;

  -- Claims up to most jobs. Tenants take turns by weight, and so do the batches of a tenant.
  CREATE FUNCTION quire.claim(
    w bigint, most int, max_bytes float8, takes text, without_tenants text[], without_batches text[]
  ) RETURNS SETOF quire.claimed LANGUAGE plpgsql AS $$
  DECLARE
    may_wait boolean;
    room int := most;
    bytes float8 := max_bytes;
    tried bigint[];
    ready bigint[];
    charged jsonb := '{}';
    t text;
    b bigint;
    r quire.run;
    c quire.claimed;
    began int[];
    took int;
    each int;
  BEGIN
    -- Waits for a lock only while it has none.
    may_wait := quire.reap() = 0;
    PERFORM quire.assert_worker(w);
    SELECT coalesce(array_agg(x.no), '{}') INTO tried FROM unnest(without_batches) AS i
      JOIN LATERAL (SELECT no FROM quire.batch WHERE id = i AND state = ${BATCH.running} LIMIT 1) AS x ON true;

    FOR c IN SELECT * FROM quire.claim_to_end(w, room, bytes, without_tenants, tried) LOOP
      IF c.data IS NULL THEN room := room - 1; bytes := bytes - c.size; END IF;
      may_wait := false;
      RETURN NEXT c;
    END LOOP;

    WHILE room > 0 AND bytes >= 0 LOOP
      ready := NULL;
      FOR t IN SELECT name FROM quire.tenant AS n
          WHERE name <> ALL(without_tenants) AND NOT EXISTS (SELECT 1 FROM quire.held_tenant AS h WHERE h.tenant = n.name)
          ORDER BY virtual_time + coalesce((charged ->> name)::float8, 0), name LOOP
        SELECT array_agg(q.batch_no ORDER BY q.virtual_time, q.batch_no) INTO ready FROM (
          SELECT x.batch_no, x.virtual_time, min(x.virtual_time) OVER () AS least FROM (
            SELECT * FROM (
              (SELECT batch_no, virtual_time FROM quire.run
              WHERE takes <> 'pdf' AND tenant = t AND NOT needs_converter AND submitted > 0 AND NOT cancelled
                AND ready_at <= clock_timestamp() AND batch_no <> ALL(tried)
              ORDER BY virtual_time, batch_no LIMIT least(${TURN}, room))
              UNION ALL
              (SELECT batch_no, virtual_time FROM quire.run
              WHERE takes <> 'docx' AND tenant = t AND needs_converter AND submitted > 0 AND NOT cancelled
                AND ready_at <= clock_timestamp() AND batch_no <> ALL(tried)
              ORDER BY virtual_time, batch_no LIMIT least(${TURN}, room))) AS both_kinds
            ORDER BY virtual_time, batch_no LIMIT least(${TURN}, room)) AS x) AS q
          -- A batch that is a turn ahead waits for the others.
          WHERE q.virtual_time < q.least + ${TURN};
        EXIT WHEN ready IS NOT NULL;
      END LOOP;
      EXIT WHEN ready IS NULL;

      each := ceil(least(${TURN}, room)::float8 / array_length(ready, 1));
      FOREACH b IN ARRAY ready LOOP
        EXIT WHEN room <= 0 OR bytes < 0;
        IF may_wait THEN SELECT * INTO r FROM quire.run WHERE batch_no = b FOR UPDATE;
        ELSE SELECT * INTO r FROM quire.run WHERE batch_no = b FOR UPDATE SKIP LOCKED;
        END IF;
        IF NOT FOUND OR r.submitted = 0 OR r.cancelled OR r.ready_at > clock_timestamp() THEN
          tried := tried || b;
          CONTINUE;
        END IF;
        may_wait := false;
        began := '{}';
        FOR c IN SELECT * FROM quire.begin_jobs(w, b, least(each, room), bytes, 0, ${SUSPECT_DEATHS}, r.next_entry, NULL) LOOP
          RETURN NEXT c;
          began := began || c.entry;
          bytes := bytes - c.size;
        END LOOP;
        took := coalesce(array_length(began, 1), 0);
        IF took = 0 THEN
          -- Skipped until the first of its jobs is ready.
          UPDATE quire.run SET ready_at = coalesce((SELECT min(k.ready_at) FROM quire.work AS k
            WHERE k.batch_no = b AND k.worker_no IS NULL AND k.deaths < ${SUSPECT_DEATHS}), 'infinity') WHERE batch_no = b;
          tried := tried || b;
          CONTINUE;
        END IF;
        RETURN QUERY SELECT * FROM quire.chunks_of(b, began);
        room := room - took;
        UPDATE quire.run SET submitted = submitted - took, pending = pending + took,
          virtual_time = virtual_time + took, next_entry = greatest(next_entry, began[took] + 1) WHERE batch_no = b;
        PERFORM quire.record_events(b, r.with_events, 'job_started', began);
        charged := charged || jsonb_build_object(t, coalesce((charged ->> t)::float8, 0) + took / r.weight);
      END LOOP;
    END LOOP;

    FOR t IN SELECT key FROM jsonb_each(charged) ORDER BY key LOOP
      UPDATE quire.tenant SET turn_at = virtual_time, virtual_time = virtual_time + (charged ->> t)::float8 WHERE name = t;
    END LOOP;
    IF (quire.next_suspect(takes)).batch_no IS NOT NULL THEN
      c := NULL;
      c.end_with := 'suspects';
      RETURN NEXT c;
    ELSIF room > 0 THEN
      c := NULL;
      c.end_with := 'idle';
      c.size := quire.idle_ms();
      RETURN NEXT c;
    END IF;
  END $$;

  -- Milliseconds until work may become ready that nobody announces: a delay has passed, or a lease expires. At most
  -- 15 seconds.
  CREATE FUNCTION quire.idle_ms() RETURNS int LANGUAGE sql STABLE AS $$
    SELECT coalesce(extract(epoch FROM least(
        (SELECT min(ready_at) FROM quire.run
          WHERE ready_at > '-infinity' AND ready_at > clock_timestamp() AND submitted > 0),
        (SELECT min(expires_at) FROM quire.worker),
        clock_timestamp() + interval '15 seconds') - clock_timestamp()) * 1000, 0)::int $$;

  -- Claims jobs that must end without another attempt but may already have stored a document.
  CREATE FUNCTION quire.claim_to_end(w bigint, most int, max_bytes float8, without_tenants text[], without bigint[])
  RETURNS SETOF quire.claimed LANGUAGE plpgsql AS $$
  DECLARE
    r quire.run;
    k record;
    c quire.claimed;
    bytes float8 := max_bytes;
  BEGIN
    FOR k IN SELECT x.batch_no, x.entry FROM quire.work AS x
        JOIN LATERAL (SELECT cancelled, tenant FROM quire.run WHERE batch_no = x.batch_no LIMIT 1) AS y ON true
        WHERE x.worker_no IS NULL AND x.noted AND x.ready_at <= clock_timestamp()
          AND (y.cancelled OR x.deaths >= ${POISON_DEATHS})
          AND y.tenant <> ALL(without_tenants) AND x.batch_no <> ALL(without)
        ORDER BY 1, 2 LIMIT most LOOP
      EXIT WHEN bytes < 0;
      SELECT * INTO r FROM quire.run WHERE batch_no = k.batch_no FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      FOR c IN SELECT * FROM quire.begin_jobs(w, k.batch_no, 1, 'infinity', 0, 2147483647, NULL, k.entry) LOOP
        IF r.cancelled THEN c.end_with := 'cancelled'; END IF;
        bytes := bytes - c.size;
        RETURN NEXT c;
        RETURN QUERY SELECT * FROM quire.chunks_of(k.batch_no, ARRAY[k.entry]);
        UPDATE quire.run SET submitted = submitted - 1, pending = pending + 1 WHERE batch_no = k.batch_no;
        PERFORM quire.record_events(k.batch_no, r.with_events, 'job_started', ARRAY[k.entry]);
      END LOOP;
    END LOOP;
  END $$;

  CREATE FUNCTION quire.next_suspect(takes text) RETURNS quire.work LANGUAGE plpgsql STABLE AS $$
  DECLARE
    found_work quire.work;
  BEGIN
    SELECT k.* INTO found_work FROM quire.work AS k JOIN quire.run AS r USING (batch_no)
    WHERE k.worker_no IS NULL AND k.deaths >= ${SUSPECT_DEATHS} AND k.deaths < ${POISON_DEATHS}
      AND k.ready_at <= clock_timestamp() AND NOT r.cancelled AND (takes = 'all' OR r.needs_converter = (takes = 'pdf'))
      AND NOT EXISTS (SELECT 1 FROM quire.held_tenant AS h WHERE h.tenant = r.tenant)
    ORDER BY k.batch_no, k.entry LIMIT 1;
    RETURN found_work;
  END $$;

  -- Claims one suspect job, if there is one.
  CREATE FUNCTION quire.claim_suspect(w bigint, takes text) RETURNS SETOF quire.claimed LANGUAGE plpgsql AS $$
  DECLARE
    k quire.work;
    r quire.run;
    c quire.claimed;
  BEGIN
    PERFORM quire.reap();
    PERFORM quire.assert_worker(w);
    k := quire.next_suspect(takes);
    IF k.batch_no IS NULL THEN RETURN; END IF;
    SELECT * INTO r FROM quire.run WHERE batch_no = k.batch_no FOR UPDATE;
    IF r.cancelled THEN RETURN; END IF;
    FOR c IN SELECT * FROM quire.begin_jobs(w, k.batch_no, 1, 'infinity', ${SUSPECT_DEATHS}, ${POISON_DEATHS}, NULL, k.entry) LOOP
      RETURN NEXT c;
      RETURN QUERY SELECT * FROM quire.chunks_of(k.batch_no, ARRAY[k.entry]);
      UPDATE quire.run SET submitted = submitted - 1, pending = pending + 1 WHERE batch_no = k.batch_no;
      PERFORM quire.record_events(k.batch_no, r.with_events, 'job_started', ARRAY[k.entry]);
    END LOOP;
    c := NULL;
    c.end_with := 'suspects';
    RETURN NEXT c;
  END $$;
`;
