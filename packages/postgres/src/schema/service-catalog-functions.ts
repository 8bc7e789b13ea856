/** The other functions of the file catalog. For the order of the locks, see `service-catalog-additions.ts`. */
export const CATALOG_FUNCTIONS = `
  -- Returns the root of a tenant, which is created if there is none.
  CREATE FUNCTION quire.catalog_root(of_tenant text, new_id text, new_storage_id text)
    RETURNS TABLE (outcome text, entry quire.catalog_entry) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    number bigint := nextval('quire.catalog_no');
    problem text;
  BEGIN
    PERFORM quire.lock_additions();
    LOOP
      INSERT INTO quire.catalog_item (no, id, tenant, type, name, folded, created_at, modified_at, storage_id)
        SELECT number, new_id, of_tenant, 0, '', '', now, now, new_storage_id FROM quire.clock() AS now
        ON CONFLICT DO NOTHING;
      EXIT WHEN FOUND;
      RETURN QUERY SELECT 'done', entry FROM quire.catalog_entry AS entry
        WHERE tenant = of_tenant AND parent_no IS NULL;
      -- Otherwise, it has been erased in the meantime.
      IF FOUND THEN RETURN; END IF;
    END LOOP;
    INSERT INTO quire.catalog_place (type, storage_id, tenant, item_no)
      VALUES (0, new_storage_id, of_tenant, number) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN problem := 'stood_for';
    ELSIF quire.is_leftover(0::smallint, new_storage_id) THEN problem := 'left_over';
    END IF;
    IF problem IS NOT NULL THEN
      DELETE FROM quire.catalog_place WHERE item_no = number;
      DELETE FROM quire.catalog_item WHERE no = number;
    END IF;
    RETURN QUERY SELECT coalesce(problem, 'done'), entry
      FROM (SELECT) AS always LEFT JOIN quire.catalog_entry AS entry ON entry.no = number;
  END $$;

  CREATE FUNCTION quire.catalog_rename(of_tenant text, of_id text, new_name text, new_folded text,
    still_versions int, still_modified_at bigint)
    RETURNS TABLE (outcome text, entry quire.catalog_entry) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    item quire.catalog_item;
    reservation bigint;
    result text := 'done';
  BEGIN
    SELECT * INTO item FROM quire.catalog_item WHERE id = of_id AND tenant = of_tenant FOR NO KEY UPDATE;
    IF item.no IS NULL THEN result := 'no_entry';
    ELSIF item.parent_no IS NULL THEN result := 'is_root';
    ELSIF NOT quire.is_still(item, still_versions, still_modified_at) THEN result := 'changed';
    ELSE
      -- Another item takes the new name first. While this waits for others, the old name is not being given up, for
      -- which these others could wait.
      IF new_folded <> item.folded THEN
        INSERT INTO quire.catalog_item (no, id, tenant, parent_no, type, name, folded, created_at, modified_at)
          SELECT number, of_id || ' ' || number, of_tenant, item.parent_no, item.type, new_name, new_folded, 0, 0
            FROM nextval('quire.catalog_no') AS number
          ON CONFLICT DO NOTHING RETURNING no INTO reservation;
        IF reservation IS NULL THEN result := 'name_taken'; END IF;
        DELETE FROM quire.catalog_item WHERE no = reservation;
      END IF;
      IF result = 'done' THEN
        UPDATE quire.catalog_item
          SET name = new_name, folded = new_folded, modified_at = greatest(quire.clock(), modified_at + 1)
          WHERE no = item.no;
      END IF;
    END IF;
    RETURN QUERY SELECT result, entry
      FROM (SELECT) AS always LEFT JOIN quire.catalog_entry AS entry ON entry.no = item.no;
  END $$;

  -- Removes a file or a folder. Returns what came of it, and the name of the item.
  CREATE FUNCTION quire.catalog_remove(of_tenant text, of_id text, gone text, still_versions int,
    still_modified_at bigint, OUT outcome text, OUT name text) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    item quire.catalog_item;
    bytes bigint;
    count bigint;
  BEGIN
    -- Nobody adds anything to it while it is locked.
    SELECT * INTO item FROM quire.catalog_item WHERE id = of_id AND tenant = of_tenant FOR UPDATE;
    outcome := 'done';
    name := item.name;
    IF item.no IS NULL THEN RETURN; END IF;
    IF NOT quire.is_still(item, still_versions, still_modified_at) THEN outcome := 'changed'; RETURN; END IF;
    IF gone IS NOT NULL AND gone IS DISTINCT FROM
      (SELECT storage_id FROM quire.catalog_version WHERE no = item.version_no) THEN RETURN; END IF;
    IF item.parent_no IS NULL THEN outcome := 'is_root'; RETURN; END IF;
    IF EXISTS (SELECT FROM quire.catalog_item WHERE parent_no = item.no) THEN outcome := 'not_empty'; RETURN; END IF;

    -- If two tenants remove the last items of a place at the same time, the second one sees that it is the last one.
    PERFORM FROM quire.catalog_place AS own JOIN quire.catalog_place AS place
        ON place.type = own.type AND quire.storage_key(place.storage_id) = quire.storage_key(own.storage_id)
      WHERE own.item_no = item.no
      ORDER BY place.type, quire.storage_key(place.storage_id), place.tenant FOR UPDATE OF place;
    -- An existing leftover is locked, so that no sweep forgets it because of the place that is being removed.
    INSERT INTO quire.catalog_leftover (type, storage_id)
      SELECT own.type, own.storage_id FROM quire.catalog_place AS own
        WHERE item_no = item.no AND (type = 0 OR storage_id IS DISTINCT FROM gone)
          AND NOT EXISTS (SELECT FROM quire.catalog_place AS place WHERE place.type = own.type
            AND quire.storage_key(place.storage_id) = quire.storage_key(own.storage_id) AND place.item_no <> item.no)
        ORDER BY own.type, quire.storage_key(own.storage_id)
      ON CONFLICT (type, quire.storage_key(storage_id)) DO UPDATE SET storage_id = EXCLUDED.storage_id;
    DELETE FROM quire.catalog_place WHERE item_no = item.no;
    WITH versions AS (DELETE FROM quire.catalog_version WHERE item_no = item.no RETURNING size)
      SELECT count(*), coalesce(sum(size), 0) INTO count, bytes FROM versions;
    DELETE FROM quire.catalog_item WHERE no = item.no;
    DELETE FROM quire.catalog_count WHERE folder_no = item.no;
    INSERT INTO quire.catalog_count AS known (folder_no, slot, entries) VALUES (item.parent_no, quire.slot(), -1)
      ON CONFLICT (folder_no, slot) DO UPDATE SET entries = known.entries - 1;
    INSERT INTO quire.service_use AS known (tenant, slot, files, file_bytes)
      VALUES (of_tenant, quire.slot(), -greatest(count, 1), -bytes)
      ON CONFLICT (tenant, slot) DO UPDATE
        SET files = known.files + EXCLUDED.files, file_bytes = known.file_bytes + EXCLUDED.file_bytes;
  END $$;

  -- Removes some items of a tenant, in the order of their numbers, without leftovers. Folders have smaller numbers than
  -- their entries, so their counters need no update. Returns the last number, or null if there are no more items.
  CREATE FUNCTION quire.catalog_erase(of_tenant text, after bigint, size int, OUT last bigint, OUT files bigint)
    LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    numbers bigint[] := ARRAY(SELECT no FROM quire.catalog_item WHERE tenant = of_tenant AND no > after
      ORDER BY no LIMIT size FOR UPDATE);
    bytes bigint;
  BEGIN
    files := 0;
    IF cardinality(numbers) = 0 THEN RETURN; END IF;
    PERFORM FROM quire.catalog_place WHERE item_no = ANY(numbers)
      ORDER BY type, quire.storage_key(storage_id), tenant FOR UPDATE;
    DELETE FROM quire.catalog_place WHERE item_no = ANY(numbers);
    WITH versions AS (DELETE FROM quire.catalog_version WHERE item_no = ANY(numbers) RETURNING size)
      SELECT count(*), coalesce(sum(size), 0) INTO files, bytes FROM versions;
    WITH items AS (DELETE FROM quire.catalog_item WHERE no = ANY(numbers) RETURNING no, type, parent_no)
      SELECT max(no), files + count(*) FILTER (WHERE type = 0 AND parent_no IS NOT NULL) INTO last, files FROM items;
    DELETE FROM quire.catalog_count WHERE folder_no = ANY(numbers);
    INSERT INTO quire.service_use AS known (tenant, slot, files, file_bytes)
      VALUES (of_tenant, quire.slot(), -files, -bytes)
      ON CONFLICT (tenant, slot) DO UPDATE
        SET files = known.files + EXCLUDED.files, file_bytes = known.file_bytes + EXCLUDED.file_bytes;
  END $$;

  -- The numbers of the next files among the leftovers. After the last file, those of the next folders, unless another
  -- sweep has leftovers in hand that may be in them.
  CREATE FUNCTION quire.catalog_next_leftovers(after_folder bigint, after_file bigint, now bigint)
    RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
  DECLARE
    files bigint[] := ARRAY(SELECT no FROM quire.catalog_leftover
      WHERE type = 1 AND no > after_file AND free_at <= now ORDER BY no LIMIT 50);
  BEGIN
    IF cardinality(files) > 0 THEN RETURN files; END IF;
    IF EXISTS (SELECT FROM quire.catalog_leftover WHERE free_at > 0 AND free_at > now) THEN RETURN files; END IF;
    RETURN ARRAY(SELECT no FROM quire.catalog_leftover
      WHERE type = 0 AND no > after_folder AND free_at <= now ORDER BY no LIMIT 50);
  END $$;

  CREATE FUNCTION quire.lock_leftovers(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM quire.catalog_leftover WHERE no = ANY(numbers)
      ORDER BY type, quire.storage_key(storage_id) FOR UPDATE;
  END $$;

  -- Takes leftovers in hand. Forgets those that got a place while they were recorded.
  CREATE FUNCTION quire.catalog_take_leftovers(after_folder bigint, after_file bigint, hand_ms bigint)
    RETURNS SETOF quire.catalog_leftover LANGUAGE plpgsql AS $$
  DECLARE
    numbers bigint[];
    now bigint := quire.clock();
  BEGIN
    -- Usually there are no leftovers.
    IF cardinality(quire.catalog_next_leftovers(after_folder, after_file, now)) = 0 THEN RETURN; END IF;
    PERFORM quire.lock_sweep();
    LOOP
      numbers := quire.catalog_next_leftovers(after_folder, after_file, now);
      IF cardinality(numbers) = 0 THEN RETURN; END IF;
      PERFORM quire.lock_leftovers(numbers);
      UPDATE quire.catalog_leftover SET free_at = now + hand_ms WHERE no = ANY(numbers);
      DELETE FROM quire.catalog_leftover AS leftover WHERE no = ANY(numbers) AND EXISTS
        (SELECT FROM quire.catalog_place AS place WHERE place.type = leftover.type
          AND quire.storage_key(place.storage_id) = quire.storage_key(leftover.storage_id));
      RETURN QUERY SELECT * FROM quire.catalog_leftover WHERE no = ANY(numbers) ORDER BY no;
      IF FOUND THEN RETURN; END IF;
    END LOOP;
  END $$;

  -- Forgets discarded leftovers and releases the others, except those that another sweep has taken over.
  CREATE FUNCTION quire.catalog_give_back(discarded_numbers bigint[], other_numbers bigint[], taken_until bigint)
    RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE quire.catalog_sweep SET discarded = discarded + cardinality(discarded_numbers)
      WHERE id = 1 AND cardinality(discarded_numbers) > 0;
    PERFORM quire.lock_leftovers(discarded_numbers || other_numbers);
    DELETE FROM quire.catalog_leftover WHERE no = ANY(discarded_numbers) AND free_at = taken_until;
    UPDATE quire.catalog_leftover SET free_at = 0 WHERE no = ANY(other_numbers) AND free_at = taken_until;
  END $$;
`;
