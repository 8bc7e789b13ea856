import { BATCH_COLUMNS, BATCH_TABLES } from "../jobs/records.ts";
import { BATCH, KIND, STATUS } from "../jobs/states.ts";

/** Functions that accept batches. */
export const ACCEPT_FUNCTIONS = `
  -- Takes names in a folder for a batch. Returns the names that other batches have.
  CREATE FUNCTION quire.take_names(folder bigint, b bigint, wanted text[]) RETURNS text[] LANGUAGE plpgsql AS $$
  DECLARE
    missing text[];
  BEGIN
    BEGIN
      -- Mostly, no name is taken. ON CONFLICT would double the time.
      INSERT INTO quire.name SELECT folder, n, b FROM unnest(wanted) AS n ORDER BY n;
      RETURN '{}';
    EXCEPTION WHEN unique_violation THEN
    END;
    WITH taken AS (
      -- In one order, so that two transactions do not wait for each other.
      INSERT INTO quire.name SELECT folder, n, b FROM unnest(wanted) AS n ORDER BY n ON CONFLICT DO NOTHING
        RETURNING folded
    )
    SELECT array_agg(n) INTO missing FROM unnest(wanted) AS n WHERE n NOT IN (SELECT folded FROM taken);
    IF missing IS NULL THEN RETURN '{}'; END IF;
    -- One statement locks the rows, and the next one looks at them: only that one sees a batch that was committed while
    -- the first one waited.
    PERFORM 1 FROM quire.name WHERE folder_no = folder AND folded = ANY(missing) ORDER BY folded FOR UPDATE;
    WITH freed AS (
      UPDATE quire.name SET batch_no = b WHERE folder_no = folder AND folded = ANY(missing)
        AND NOT quire.is_name_held(batch_no) RETURNING folded
    )
    SELECT array_agg(n) INTO missing FROM unnest(missing) AS n WHERE n NOT IN (SELECT folded FROM freed);
    RETURN coalesce(missing, '{}');
  END $$;

  -- Whether a batch keeps its names: until it ends, or, if it was cancelled, until none of its jobs is in progress.
  CREATE FUNCTION quire.is_name_held(b bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM quire.batch AS x LEFT JOIN quire.run AS r ON r.batch_no = x.no
      WHERE x.no = b AND x.state IN (${BATCH.accepting}, ${BATCH.running})
        AND NOT (x.cancelled AND coalesce(r.pending, 0) = 0)) $$;

  -- Keeps a file for a batch. Returns false if the content is unknown and was not given.
  CREATE FUNCTION quire.pin_file(b bigint, t text, id text, sha text, content bytea) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    used timestamptz;
  BEGIN
    -- A file without pins is deleted when it has not been used for an hour, so this transaction keeps it.
    SELECT used_at INTO used FROM quire.file WHERE sha256 = sha;
    IF FOUND AND used < clock_timestamp() - interval '10 minutes' THEN
      UPDATE quire.file SET used_at = clock_timestamp() WHERE sha256 = sha;
    END IF;
    IF NOT FOUND THEN
      IF content IS NULL THEN RETURN false; END IF;
      INSERT INTO quire.file VALUES (sha, content, clock_timestamp())
        ON CONFLICT (sha256) DO UPDATE SET used_at = excluded.used_at;
    END IF;
    INSERT INTO quire.pin VALUES (b, id, sha, t) ON CONFLICT DO NOTHING;
    RETURN true;
  END $$;

  -- The number of waiting jobs, over all tenants.
  CREATE FUNCTION quire.waiting_jobs() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (SELECT sum(jobs)::bigint FROM quire.waiting);
  END $$;

  CREATE FUNCTION quire.assert_room(needed bigint, room bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- Acceptances wait for each other only if there may not be room for all of them.
    IF quire.waiting_jobs() + needed <= room / 2 THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(1366651249, hashtext('quire.waiting'));
    IF quire.waiting_jobs() + needed > room THEN
      RAISE EXCEPTION 'The store is full.' USING ERRCODE = 'QU004';
    END IF;
  END $$;

  -- Adds the row of a batch. Returns null if another batch with the same key is being accepted or was accepted.
  CREATE FUNCTION quire.add_batch(head json, owner bigint, sha text, content bytea) RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    folder bigint;
    b bigint;
  BEGIN
    SELECT no INTO folder FROM quire.folder WHERE id = head ->> 'folder';
    IF NOT FOUND THEN
      INSERT INTO quire.folder (id) VALUES (head ->> 'folder')
        ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING no INTO folder;
    END IF;
    INSERT INTO quire.batch (id, state, tenant, weight, caller, idempotency_key, template_id, template_version,
        folder_no, output_type, needs_converter, on_conflict, with_events, settings, trace, created_at, worker_no)
      VALUES (head ->> 'id', ${BATCH.accepting}, head ->> 'tenant', (head ->> 'weight')::float8, head ->> 'caller',
        head ->> 'key', head ->> 'template', head ->> 'version', folder, head ->> 'outputType',
        (head ->> 'needsConverter')::boolean, head ->> 'onConflict', (head ->> 'withEvents')::boolean,
        head ->> 'settings', head ->> 'trace', quire.clock(), owner)
      ON CONFLICT (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL AND state < 3 DO NOTHING
      RETURNING no INTO b;
    IF b IS NOT NULL AND NOT quire.pin_file(b, head ->> 'tenant', head ->> 'template', sha, content) THEN
      RAISE EXCEPTION 'The content of the template is unknown.' USING ERRCODE = 'QU003';
    END IF;
    RETURN b;
  END $$;

  -- Not in SQL, because PostgreSQL would plan the query again in each call.
  CREATE FUNCTION quire.batch_record(no bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (SELECT row_to_json(x)
      FROM (SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES} WHERE b.no = batch_record.no) AS x);
  END $$;

  -- Makes this transaction wait until everything before it is as durable as a commit. After a crash, a server shows
  -- transactions that its synchronous standby does not have yet. They have not been acknowledged, and a failover would
  -- undo them.
  CREATE FUNCTION quire.await_commits() RETURNS void LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_logical_emit_message(true, 'quire', ''); END $$;

  -- Writes a slice of a batch: the first one if b is null. The last one makes the batch visible. Returns the number of
  -- the batch, which is null if the same batch is being accepted elsewhere, and its record. known_hash: the hash of the
  -- request if a batch with this key exists.
  CREATE FUNCTION quire.accept(
    INOUT b bigint, head json, owner bigint, is_last boolean, sha text, content bytea, written int, room bigint,
    entries int[], kinds smallint[], requested text[], wanted text[], names text[], folded text[], sizes int[],
    ended_entries int[], ended_states smallint[], results text[], failures text[],
    chunk_entries int[], chunk_data bytea[],
    OUT known_hash text, OUT record json
  ) LANGUAGE plpgsql AS $$
  DECLARE
    x quire.batch;
    taken text[];
    size bigint;
    added int := array_length(entries, 1);
    done int := coalesce(array_length(ended_entries, 1), 0);
  BEGIN
    IF b IS NULL AND head ->> 'key' IS NOT NULL THEN
      SELECT no, request_hash INTO b, known_hash FROM quire.batch WHERE tenant = head ->> 'tenant'
        AND idempotency_key = head ->> 'key' AND state IN (${BATCH.running}, ${BATCH.finished});
      IF FOUND THEN
        PERFORM quire.await_commits();
        record := quire.batch_record(b);
        RETURN;
      END IF;
    END IF;
    -- The last slice makes the other ones durable, too.
    IF NOT is_last THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
    IF b IS NULL THEN
      b := quire.add_batch(head, owner, sha, content);
      IF b IS NULL THEN RETURN; END IF;
    END IF;
    SELECT * INTO x FROM quire.batch WHERE no = b FOR UPDATE;
    -- The lease of the owner has expired, or a crash of the server has undone slices.
    IF x.state IS DISTINCT FROM ${BATCH.accepting} OR x.accepted <> written THEN
      RAISE EXCEPTION 'The batch was given up.' USING ERRCODE = 'QU001';
    END IF;
    PERFORM quire.assert_room(written + added, room);
    taken := quire.take_names(x.folder_no, b, folded);
    IF taken <> '{}' THEN
      RAISE EXCEPTION 'Names are taken.' USING ERRCODE = 'QU002', DETAIL = array_to_json(taken)::text;
    END IF;
    INSERT INTO quire.chunk SELECT b, * FROM unnest(chunk_entries, chunk_data);
    INSERT INTO quire.job SELECT b, * FROM unnest(entries, kinds, requested, wanted, names, sizes);
    INSERT INTO quire.outcome (batch_no, entry, status, attempts, result, failure, ended_at, ended)
      SELECT b, e.entry, e.state, 0, e.result, e.failure, quire.clock(), x.ended + e.place
      FROM unnest(ended_entries, ended_states, results, failures)
        WITH ORDINALITY AS e(entry, state, result, failure, place);
    size := coalesce((SELECT sum(octet_length(d)) FROM unnest(chunk_data) AS d), 0)
      + coalesce((SELECT sum(octet_length(p)) FROM unnest(results || failures) AS p), 0);
    UPDATE quire.batch SET accepted = accepted + added, bytes = bytes + size, ended = ended + done,
      completed = completed + (SELECT count(*) FROM unnest(ended_states) AS s WHERE s = ${STATUS.completed}),
      completed_with_error = completed_with_error
        + (SELECT count(*) FROM unnest(ended_states) AS s WHERE s = ${STATUS.completed_with_error}),
      failed = failed + (SELECT count(*) FROM unnest(ended_states) AS s WHERE s = ${STATUS.failed})
      WHERE no = b RETURNING * INTO x;
    IF is_last THEN
      PERFORM quire.show_batch(x, head ->> 'hash');
      PERFORM quire.count_use(x.tenant, x.accepted - x.ended, x.accepted, size);
      record := quire.batch_record(b);
    ELSE
      PERFORM quire.count_use(x.tenant, 0, 0, size);
    END IF;
  END $$;

  CREATE FUNCTION quire.show_batch(x quire.batch, hash text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE quire.batch SET state = ${BATCH.running}, request_hash = hash, worker_no = NULL WHERE no = x.no;
    PERFORM quire.activate(x.no, (x.accepted - x.ended)::int, 1);
    PERFORM quire.record_events(x.no, x.with_events, 'batch_accepted', ARRAY[NULL]::int[]);
    IF x.ended > 0 AND x.with_events THEN
      INSERT INTO quire.event (type, batch_no, entry, at)
        SELECT CASE status WHEN ${STATUS.failed} THEN 'job_failed' ELSE 'job_succeeded' END, batch_no, entry, ended_at
        FROM quire.outcome WHERE batch_no = x.no ORDER BY entry;
    END IF;
    IF NOT quire.finish_if_done(x.no) THEN PERFORM quire.announce(); END IF;
  END $$;

  -- Fails some waiting jobs of a cancelled batch. Returns whether there may be more.
  CREATE FUNCTION quire.fail_cancelled(b bigint, most int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    r quire.run;
    entries int[];
    last int;
  BEGIN
    SELECT * INTO r FROM quire.run WHERE batch_no = b FOR UPDATE;
    IF NOT FOUND OR NOT r.cancelled THEN RETURN false; END IF;
    SELECT array_agg(entry) INTO entries FROM (
      SELECT entry FROM quire.work WHERE batch_no = b AND worker_no IS NULL AND notes IS NULL ORDER BY entry LIMIT most
    ) AS waiting;
    IF entries IS NULL THEN
      SELECT array_agg(entry), max(entry) INTO entries, last FROM (
        SELECT entry FROM quire.job WHERE batch_no = b AND entry >= r.next_entry AND kind = ${KIND.run}
          ORDER BY entry LIMIT most
      ) AS fresh;
      UPDATE quire.run SET next_entry = coalesce(last + 1, 2147483647) WHERE batch_no = b;
    END IF;
    PERFORM quire.fail_jobs(b, entries, false, quire.cancelled());
    RETURN NOT quire.finish_if_done(b) AND entries IS NOT NULL;
  END $$;
`;
