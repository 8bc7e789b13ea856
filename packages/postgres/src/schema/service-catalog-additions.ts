/**
 * The functions that add to the file catalog. Functions of the catalog lock in this order, so that no deadlocks arise:
 * the advisory lock, roots by tenant, items by number, places by key, leftovers by key, names by folder and name,
 * counters by key. Each statement of a function sees what other transactions have committed before it.
 *
 * Whoever adds a place looks for a leftover afterwards. Whoever records a leftover has looked for other places before.
 * If both happen at once, they do not see each other, and the leftover is recorded. Additions therefore share an
 * advisory lock, and a sweep takes it exclusively: then it sees all places, and spares leftovers that have one.
 */
export const CATALOG_ADDITIONS = `
  CREATE FUNCTION quire.lock_additions() RETURNS void LANGUAGE sql AS
    'SELECT pg_advisory_xact_lock_shared(1366649187)';
  CREATE FUNCTION quire.lock_sweep() RETURNS void LANGUAGE sql AS
    'SELECT pg_advisory_xact_lock(1366649187)';

  CREATE FUNCTION quire.is_leftover(of_type smallint, of_id text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN EXISTS (SELECT FROM quire.catalog_leftover
      WHERE type = of_type AND quire.storage_key(storage_id) = quire.storage_key(of_id));
  END $$;

  -- Adds to the counters of items and their folders.
  CREATE FUNCTION quire.catalog_count_items(items bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO quire.catalog_count AS known (folder_no, slot, entries)
      SELECT parent_no, quire.slot(), count(*) FROM quire.catalog_item
        WHERE no = ANY(items) GROUP BY parent_no ORDER BY parent_no
      ON CONFLICT (folder_no, slot) DO UPDATE SET entries = known.entries + EXCLUDED.entries;
    INSERT INTO quire.service_use AS known (tenant, slot, files, file_bytes)
      SELECT tenant, quire.slot(), count(*), coalesce(sum(size), 0)
        FROM quire.catalog_item AS item LEFT JOIN quire.catalog_version AS version ON version.no = item.version_no
        WHERE item.no = ANY(items) GROUP BY tenant ORDER BY tenant
      ON CONFLICT (tenant, slot) DO UPDATE
        SET files = known.files + EXCLUDED.files, file_bytes = known.file_bytes + EXCLUDED.file_bytes;
  END $$;

  CREATE TYPE quire.catalog_draft AS (
    n int, tenant text COLLATE "C", parent_id text, type smallint, id text, name text, folded text COLLATE "C",
    created_by text, storage_id text COLLATE "C", version_id text, storage_version text, size bigint, sha1 text, version_created_by text
  );

  -- Adds files and folders. Returns what came of each. Drafts are numbered from 1.
  CREATE FUNCTION quire.catalog_add(json_drafts json)
    RETURNS TABLE (n int, outcome text, entry quire.catalog_entry) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    drafts quire.catalog_draft[] :=
      ARRAY(SELECT draft FROM json_populate_recordset(NULL::quire.catalog_draft, json_drafts) AS draft);
    -- The number of each draft's item.
    numbers bigint[] := ARRAY(SELECT nextval('quire.catalog_no') FROM unnest(drafts));
    folders bigint[];
    now bigint;
  BEGIN
    PERFORM quire.lock_additions();
    -- The folders cannot be removed until the end.
    folders := ARRAY(SELECT no FROM quire.catalog_item WHERE type = 0
      AND id = ANY(ARRAY(SELECT parent_id FROM unnest(drafts))) ORDER BY no FOR KEY SHARE);
    now := quire.clock();
    INSERT INTO quire.catalog_place (type, storage_id, tenant, item_no)
      SELECT draft.type, draft.storage_id, draft.tenant, numbers[draft.n]
        FROM unnest(drafts) AS draft JOIN quire.catalog_item AS folder
          ON folder.id = draft.parent_id AND folder.tenant = draft.tenant AND folder.no = ANY(folders)
        ORDER BY draft.type, quire.storage_key(draft.storage_id), draft.tenant, draft.n
      ON CONFLICT DO NOTHING;
    DELETE FROM quire.catalog_place AS place WHERE item_no = ANY(numbers)
      AND EXISTS (SELECT FROM quire.catalog_leftover AS leftover WHERE leftover.type = place.type
        AND quire.storage_key(leftover.storage_id) = quire.storage_key(place.storage_id));
    INSERT INTO quire.catalog_item (no, id, tenant, parent_no, type, name, folded, created_at, created_by, modified_at,
        storage_id, versions, version_no)
      SELECT place.item_no, draft.id, draft.tenant, folder.no, draft.type, draft.name, draft.folded, now,
          draft.created_by, now, CASE draft.type WHEN 0 THEN draft.storage_id END, draft.type,
          CASE draft.type WHEN 1 THEN place.item_no END
        FROM unnest(drafts) AS draft
          JOIN quire.catalog_place AS place ON place.item_no = numbers[draft.n]
          JOIN quire.catalog_item AS folder ON folder.id = draft.parent_id
        ORDER BY folder.no, draft.folded, draft.n
      ON CONFLICT DO NOTHING;
    DELETE FROM quire.catalog_place AS place WHERE item_no = ANY(numbers)
      AND NOT EXISTS (SELECT FROM quire.catalog_item WHERE no = place.item_no);
    INSERT INTO quire.catalog_version (no, id, item_no, storage_id, storage_version, size, sha1, created_at, created_by)
      SELECT item.no, draft.version_id, item.no, draft.storage_id, draft.storage_version, draft.size, draft.sha1, now,
          draft.version_created_by
        FROM unnest(drafts) AS draft JOIN quire.catalog_item AS item ON item.no = numbers[draft.n]
        WHERE draft.type = 1;
    PERFORM quire.catalog_count_items(numbers);
    RETURN QUERY SELECT draft.n,
        CASE
          WHEN entry.no IS NOT NULL THEN 'done'
          WHEN folder.no IS NULL THEN 'no_folder'
          WHEN EXISTS (SELECT FROM quire.catalog_item AS holder
            WHERE holder.parent_no = folder.no AND holder.folded = draft.folded) THEN 'name_taken'
          WHEN quire.is_leftover(draft.type, draft.storage_id) THEN 'left_over'
          ELSE 'stood_for'
        END, entry
      FROM unnest(drafts) AS draft
        LEFT JOIN quire.catalog_entry AS entry ON entry.no = numbers[draft.n]
        LEFT JOIN quire.catalog_item AS folder
          ON folder.id = draft.parent_id AND folder.tenant = draft.tenant AND folder.no = ANY(folders);
  END $$;

  CREATE TYPE quire.catalog_change AS (
    n int, tenant text COLLATE "C", id text, version_id text, storage_id text COLLATE "C", storage_version text, size bigint, sha1 text,
    created_by text, still_versions int, still_modified_at bigint
  );

  CREATE FUNCTION quire.is_still(item quire.catalog_item, still_versions int, still_modified_at bigint)
    RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT still_versions IS NULL OR item.type = 0
      OR item.versions = still_versions AND item.modified_at = still_modified_at
  $$;

  -- Adds versions, at most one for each file. Returns what came of each. Changes are numbered from 1.
  CREATE FUNCTION quire.catalog_add_versions(json_changes json)
    RETURNS TABLE (n int, outcome text, entry quire.catalog_entry) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    changes quire.catalog_change[] :=
      ARRAY(SELECT change FROM json_populate_recordset(NULL::quire.catalog_change, json_changes) AS change);
    -- The number of each change's file: those of the tenant, those in the expected state, those with a new place, and
    -- those with the version.
    files bigint[];
    fit bigint[];
    placed bigint[];
    done bigint[];
    now bigint;
  BEGIN
    PERFORM quire.lock_additions();
    files := ARRAY(SELECT no FROM quire.catalog_item WHERE type = 1
      AND id = ANY(ARRAY(SELECT id FROM unnest(changes))) ORDER BY no FOR NO KEY UPDATE);
    now := quire.clock();
    fit := ARRAY(SELECT item.no FROM unnest(changes) AS change JOIN quire.catalog_item AS item
        ON item.id = change.id AND item.tenant = change.tenant AND item.no = ANY(files)
      WHERE quire.is_still(item, change.still_versions, change.still_modified_at));
    WITH added AS (
      INSERT INTO quire.catalog_place (type, storage_id, tenant, item_no)
        SELECT 1, change.storage_id, change.tenant, item.no
          FROM unnest(changes) AS change JOIN quire.catalog_item AS item ON item.id = change.id
          WHERE item.no = ANY(fit)
          ORDER BY quire.storage_key(change.storage_id), change.tenant, change.n
        ON CONFLICT DO NOTHING RETURNING item_no
    ) SELECT array_agg(item_no) INTO placed FROM added;
    -- The files whose place is their own, and not a leftover.
    done := ARRAY(SELECT item.no FROM unnest(changes) AS change
        JOIN quire.catalog_item AS item ON item.id = change.id
        JOIN quire.catalog_place AS place ON place.type = 1 AND place.tenant = change.tenant
          AND quire.storage_key(place.storage_id) = quire.storage_key(change.storage_id)
      WHERE item.no = ANY(fit) AND place.item_no = item.no AND NOT quire.is_leftover(1::smallint, change.storage_id));
    DELETE FROM quire.catalog_place AS place USING unnest(changes) AS change, quire.catalog_item AS item
      WHERE item.id = change.id AND item.no = ANY(placed) AND NOT item.no = ANY(done)
        AND place.item_no = item.no AND place.storage_id = change.storage_id;
    WITH added AS (
      INSERT INTO quire.catalog_version (id, item_no, storage_id, storage_version, size, sha1, created_at, created_by)
        SELECT change.version_id, item.no, change.storage_id, change.storage_version, change.size, change.sha1, now,
            change.created_by
          FROM unnest(changes) AS change JOIN quire.catalog_item AS item ON item.id = change.id
          WHERE item.no = ANY(done)
        RETURNING item_no, no
    )
    UPDATE quire.catalog_item SET version_no = added.no, versions = versions + 1, modified_at = now
      FROM added WHERE catalog_item.no = added.item_no;
    INSERT INTO quire.service_use AS known (tenant, slot, files, file_bytes)
      SELECT tenant, quire.slot(), count(*), sum(size) FROM quire.catalog_entry
        WHERE no = ANY(done) GROUP BY tenant ORDER BY tenant
      ON CONFLICT (tenant, slot) DO UPDATE
        SET files = known.files + EXCLUDED.files, file_bytes = known.file_bytes + EXCLUDED.file_bytes;
    RETURN QUERY SELECT change.n,
        CASE
          WHEN entry.no IS NULL THEN 'no_file'
          WHEN entry.no = ANY(done) THEN 'done'
          WHEN NOT entry.no = ANY(fit) THEN 'changed'
          WHEN quire.is_leftover(1::smallint, change.storage_id) THEN 'left_over'
          ELSE 'stood_for'
        END, entry
      FROM unnest(changes) AS change LEFT JOIN quire.catalog_entry AS entry
        ON entry.id = change.id AND entry.tenant = change.tenant AND entry.no = ANY(files);
  END $$;
`;
