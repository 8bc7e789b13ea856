import { BATCH, KIND } from "../jobs/states.ts";

/** Functions that delete expired data. */
export const TIDY_FUNCTIONS = `
  -- Marks batches for deletion: those that finished too long ago, and drafts whose worker has ended. A batch with events
  -- is kept for max_event_wait longer. Returns whether there may be more.
  CREATE FUNCTION quire.expire_batches(keep_ms float8, max_event_wait float8, most int) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    numbers bigint[];
  BEGIN
    UPDATE quire.batch SET state = ${BATCH.deleting}
      WHERE state = ${BATCH.accepting} AND worker_no NOT IN (SELECT no FROM quire.worker);
    numbers := ARRAY(SELECT no FROM quire.batch AS b
      WHERE state = ${BATCH.finished} AND finished_at <= (SELECT quire.clock()) - keep_ms
        AND (finished_at <= (SELECT quire.clock()) - keep_ms - max_event_wait
          OR NOT EXISTS (SELECT 1 FROM quire.event AS e WHERE e.batch_no = b.no))
      ORDER BY finished_at LIMIT most FOR UPDATE SKIP LOCKED);
    UPDATE quire.batch SET state = ${BATCH.deleting} WHERE no = ANY(numbers);
    RETURN cardinality(numbers) = most;
  END $$;

  -- Frees names of batches that have finished: of many small batches, or some of a large one. Returns whether there may
  -- be more.
  CREATE FUNCTION quire.free_names(most int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    numbers bigint[];
    large bigint;
    n int;
  BEGIN
    SELECT array_agg(no) FILTER (WHERE accepted <= most / 10), min(no) FILTER (WHERE accepted > most / 10)
      INTO numbers, large FROM (
        SELECT no, accepted FROM quire.batch WHERE state = ${BATCH.finished} AND has_names
          ORDER BY no LIMIT most / 10 FOR UPDATE SKIP LOCKED) AS some_batches;
    DELETE FROM quire.name WHERE batch_no = ANY(numbers);
    UPDATE quire.batch SET has_names = false WHERE no = ANY(numbers);
    DELETE FROM quire.name WHERE ctid = ANY(ARRAY(SELECT ctid FROM quire.name WHERE batch_no = large LIMIT most));
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n < most THEN UPDATE quire.batch SET has_names = false WHERE no = large; END IF;
    RETURN large IS NOT NULL OR coalesce(array_length(numbers, 1), 0) = most / 10;
  END $$;

  -- Deletes part of a batch that is no longer visible: its data first, the batch itself last. Returns whether it is gone.
  CREATE FUNCTION quire.delete_some(b bigint, most int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    x quire.batch;
    n int;
  BEGIN
    SELECT * INTO x FROM quire.batch WHERE no = b AND state = ${BATCH.deleting} FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN true; END IF;
    DELETE FROM quire.chunk WHERE batch_no = b AND first_entry IN (
      SELECT first_entry FROM quire.chunk WHERE batch_no = b ORDER BY first_entry LIMIT most / 10);
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n = most / 10 THEN RETURN false; END IF;
    DELETE FROM quire.outcome WHERE batch_no = b AND entry IN (
      SELECT entry FROM quire.outcome WHERE batch_no = b ORDER BY entry LIMIT most);
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n = most THEN RETURN false; END IF;
    DELETE FROM quire.job WHERE batch_no = b AND entry IN (
      SELECT entry FROM quire.job WHERE batch_no = b ORDER BY entry LIMIT most);
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n = most THEN RETURN false; END IF;
    DELETE FROM quire.name WHERE ctid = ANY(ARRAY(SELECT ctid FROM quire.name WHERE batch_no = b LIMIT most));
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n = most THEN RETURN false; END IF;
    DELETE FROM quire.event WHERE sequence IN (SELECT sequence FROM quire.event WHERE batch_no = b LIMIT most);
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n = most THEN RETURN false; END IF;
    DELETE FROM quire.pin WHERE batch_no = b;
    DELETE FROM quire.batch WHERE no = b;
    PERFORM quire.count_use(x.tenant, 0, CASE WHEN x.finished_at IS NULL THEN 0 ELSE -x.accepted END, -x.bytes);
    RETURN true;
  END $$;

  -- Deletes files without pins, and tenants and counters without batches.
  CREATE FUNCTION quire.sweep() RETURNS void LANGUAGE sql AS $$
    DELETE FROM quire.file AS f WHERE f.used_at < clock_timestamp() - interval '1 hour'
      AND NOT EXISTS (SELECT 1 FROM quire.pin AS p WHERE p.sha256 = f.sha256);
    DELETE FROM quire.tenant AS t WHERE t.used_at < clock_timestamp() - interval '1 hour'
      AND NOT EXISTS (SELECT 1 FROM quire.run AS r WHERE r.tenant = t.name);
    DELETE FROM quire.job_use AS u WHERE u.waiting = 0 AND u.jobs = 0 AND u.bytes = 0 $$;

  -- Deletes batches of the partition that is in use, or of a tenant that is erased, for as long as they are small. The
  -- batches of other partitions wait until their partition is dropped. Returns whether there may be more.
  CREATE FUNCTION quire.delete_batches(erased text, most int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    b bigint;
  BEGIN
    FOR i IN 1 .. most / 10 LOOP
      IF erased IS NULL THEN
        SELECT no INTO b FROM quire.batch WHERE state = ${BATCH.deleting}
          AND no >= (SELECT last_value / 10000000 FROM quire.batch_no) * 10000000 ORDER BY no LIMIT 1 FOR UPDATE SKIP LOCKED;
      ELSE
        SELECT no INTO b FROM quire.batch WHERE tenant = erased AND state = ${BATCH.deleting} ORDER BY no LIMIT 1;
      END IF;
      IF b IS NULL THEN RETURN false; END IF;
      EXIT WHEN NOT quire.delete_some(b, most);
    END LOOP;
    RETURN true;
  END $$;

  -- A cancelled batch with jobs that wait.
  CREATE FUNCTION quire.next_cancelled() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT r.batch_no FROM quire.run AS r WHERE r.cancelled AND r.submitted > 0 AND coalesce(
      (SELECT true FROM quire.work WHERE batch_no = r.batch_no AND worker_no IS NULL AND notes IS NULL LIMIT 1),
      (SELECT true FROM quire.job WHERE batch_no = r.batch_no AND entry >= r.next_entry AND kind = ${KIND.run} LIMIT 1),
      false) LIMIT 1 $$;

  -- Fails some waiting jobs of a tenant, also those with notes: its documents are erased, too. Returns whether there may
  -- be more.
  CREATE FUNCTION quire.end_some(t text, most int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    r quire.run;
    entries int[];
    last int;
  BEGIN
    SELECT * INTO r FROM quire.run WHERE tenant = t AND submitted > 0 ORDER BY batch_no LIMIT 1 FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE quire.run SET cancelled = true WHERE batch_no = r.batch_no;
    UPDATE quire.batch SET cancelled = true WHERE no = r.batch_no;
    SELECT array_agg(entry) INTO entries FROM (
      SELECT entry FROM quire.work WHERE batch_no = r.batch_no AND worker_no IS NULL ORDER BY entry LIMIT most) AS waiting;
    IF entries IS NULL THEN
      SELECT array_agg(entry), max(entry) INTO entries, last FROM (
        SELECT entry FROM quire.job WHERE batch_no = r.batch_no AND entry >= r.next_entry AND kind = ${KIND.run}
          ORDER BY entry LIMIT most) AS fresh;
      UPDATE quire.run SET next_entry = coalesce(last + 1, 2147483647) WHERE batch_no = r.batch_no;
    END IF;
    PERFORM quire.fail_jobs(r.batch_no, entries, false, quire.cancelled());
    PERFORM quire.finish_if_done(r.batch_no);
    RETURN true;
  END $$;
`;
