/**
 * Functions that add and drop partitions. They run with the rights of the owner of the tables, because the user of a
 * service may have no right to create tables.
 */
export const PARTITION_FUNCTIONS = `
  -- Adds the partition with a number, unless it exists. Only one transaction at a time does this.
  CREATE FUNCTION quire.add_partition(p bigint) RETURNS void LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog AS $$
  DECLARE
    t text;
  BEGIN
    IF EXISTS (SELECT 1 FROM quire.partition WHERE no = p) THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(1366651248, hashtext('quire.partition'));
    IF EXISTS (SELECT 1 FROM quire.partition WHERE no = p) THEN RETURN; END IF;
    FOREACH t IN ARRAY ARRAY['job', 'chunk', 'outcome'] LOOP
      EXECUTE format('CREATE TABLE quire.%I (LIKE quire.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
        t || '_' || p, t);
      EXECUTE format('ALTER TABLE quire.%I ATTACH PARTITION quire.%I FOR VALUES FROM (%s) TO (%s)',
        t, t || '_' || p, p * 10000000, (p + 1) * 10000000);
    END LOOP;
    INSERT INTO quire.partition VALUES (p, clock_timestamp());
  END $$;

  -- Keeps two partitions ahead. New batches go to the next one when the current one is old or large.
  CREATE FUNCTION quire.roll_partitions(max_age interval, max_bytes bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    p bigint;
    current quire.partition;
  BEGIN
    SELECT last_value / 10000000 INTO p FROM quire.batch_no;
    PERFORM quire.add_partition(p), quire.add_partition(p + 1), quire.add_partition(p + 2);
    SELECT * INTO current FROM quire.partition WHERE no = p;
    IF clock_timestamp() - current.made_at < max_age
      AND pg_total_relation_size(format('quire.%I', 'job_' || p)) < max_bytes THEN RETURN;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM quire.batch WHERE no >= p * 10000000) THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(1366651248, hashtext('quire.partition'));
    IF (SELECT last_value / 10000000 FROM quire.batch_no) > p THEN RETURN; END IF;
    UPDATE quire.partition SET made_at = clock_timestamp() WHERE no = p + 1;
    PERFORM setval('quire.batch_no', (p + 1) * 10000000);
  END $$;

  -- Drops a partition of which every batch is to be deleted. Returns whether there was one.
  CREATE FUNCTION quire.drop_partition() RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog AS $$
  DECLARE
    p bigint;
    t text;
  BEGIN
    SELECT x.no INTO p FROM quire.partition AS x
      WHERE x.no < (SELECT last_value / 10000000 FROM quire.batch_no)
        -- The next one was begun an hour ago: no transaction with a number of this partition is still under way.
        AND EXISTS (SELECT 1 FROM quire.partition AS y
          WHERE y.no = x.no + 1 AND y.made_at < clock_timestamp() - interval '1 hour')
        AND NOT EXISTS (SELECT 1 FROM quire.batch AS b WHERE b.no / 10000000 = x.no AND b.state <= 2)
      ORDER BY x.no LIMIT 1;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM set_config('lock_timeout', '2s', true);
    BEGIN
      FOREACH t IN ARRAY ARRAY['job', 'chunk', 'outcome'] LOOP
        EXECUTE format('DROP TABLE IF EXISTS quire.%I', t || '_' || p);
      END LOOP;
    EXCEPTION WHEN lock_not_available THEN
      -- A long statement reads the tables. The next call tries again.
      RETURN false;
    END;
    DELETE FROM quire.name USING quire.batch AS b
      WHERE name.batch_no = b.no AND b.no >= p * 10000000 AND b.no < (p + 1) * 10000000;
    DELETE FROM quire.event WHERE batch_no >= p * 10000000 AND batch_no < (p + 1) * 10000000;
    DELETE FROM quire.pin WHERE batch_no >= p * 10000000 AND batch_no < (p + 1) * 10000000;
    PERFORM quire.count_use(x.tenant, 0, x.jobs::bigint, x.bytes::bigint) FROM (
      SELECT tenant, -sum(CASE WHEN finished_at IS NULL THEN 0 ELSE accepted END) AS jobs, -sum(bytes) AS bytes
      FROM quire.batch WHERE no >= p * 10000000 AND no < (p + 1) * 10000000 GROUP BY tenant ORDER BY tenant) AS x;
    DELETE FROM quire.batch WHERE no >= p * 10000000 AND no < (p + 1) * 10000000;
    DELETE FROM quire.partition WHERE no = p;
    RETURN true;
  END $$;
`;
