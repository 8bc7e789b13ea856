/** The tables of the file catalog, and a view of its entries. */
export const CATALOG_TABLES = `
  -- Numbers items and versions. The first version of a file has the number of the file.
  CREATE SEQUENCE quire.catalog_no;

  -- The files and folders of all tenants. A root has no parent.
  CREATE TABLE quire.catalog_item (
    no bigint PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    tenant text COLLATE "C" NOT NULL,
    parent_no bigint,
    type smallint NOT NULL,           -- 0: folder, 1: file
    name text NOT NULL,
    folded text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    created_by text,
    modified_at bigint NOT NULL,
    storage_id text,                  -- of a folder
    versions int NOT NULL DEFAULT 0,
    version_no bigint                 -- the current one
  ) WITH (fillfactor = 90);
  CREATE UNIQUE INDEX catalog_root ON quire.catalog_item (tenant) WHERE parent_no IS NULL;
  CREATE UNIQUE INDEX catalog_name ON quire.catalog_item (parent_no, folded) WHERE parent_no IS NOT NULL;
  CREATE INDEX catalog_order ON quire.catalog_item (parent_no, type, folded) INCLUDE (no)
    WHERE parent_no IS NOT NULL;
  CREATE INDEX catalog_of_tenant ON quire.catalog_item (tenant, no);

  -- The number of entries of each folder: the sum over all slots.
  CREATE TABLE quire.catalog_count (
    folder_no bigint NOT NULL,
    slot smallint NOT NULL,
    entries bigint NOT NULL,
    PRIMARY KEY (folder_no, slot)
  ) WITH (fillfactor = 50);

  CREATE TABLE quire.catalog_version (
    no bigint PRIMARY KEY DEFAULT nextval('quire.catalog_no'),
    id text COLLATE "C" NOT NULL,
    item_no bigint NOT NULL,
    storage_id text NOT NULL,
    storage_version text NOT NULL,
    size bigint NOT NULL,
    sha1 text,
    created_at bigint NOT NULL,
    created_by text
  );
  CREATE UNIQUE INDEX version_of_item ON quire.catalog_version (item_no, id);
  CREATE INDEX version_order ON quire.catalog_version (item_no, no);

  -- The form of a storage id in indexes, which cannot contain long texts.
  CREATE FUNCTION quire.storage_key(storage_id text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    RETURN CASE WHEN octet_length(storage_id) <= 1024 THEN storage_id
      ELSE left(storage_id, 250) || encode(sha256(convert_to(storage_id, 'UTF8')), 'hex') END;
  END $$;

  -- The files and folders of the storage to which items refer.
  CREATE TABLE quire.catalog_place (
    type smallint NOT NULL,
    storage_id text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    item_no bigint NOT NULL
  );
  CREATE UNIQUE INDEX place_key ON quire.catalog_place (type, quire.storage_key(storage_id), tenant);
  CREATE INDEX place_of_item ON quire.catalog_place (item_no);

  -- Files and folders to remove from the storage, in the order in which they became leftovers.
  CREATE TABLE quire.catalog_leftover (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type smallint NOT NULL,
    storage_id text COLLATE "C" NOT NULL,
    free_at bigint NOT NULL DEFAULT 0 -- whoever has it in hand has it until then
  );
  CREATE UNIQUE INDEX leftover_key ON quire.catalog_leftover (type, quire.storage_key(storage_id));
  CREATE INDEX leftover_turn ON quire.catalog_leftover (type, no);
  CREATE INDEX leftover_in_hand ON quire.catalog_leftover (free_at) WHERE free_at > 0;

  -- A single row: the number of leftovers that have been discarded.
  CREATE TABLE quire.catalog_sweep (
    id int PRIMARY KEY CHECK (id = 1),
    discarded bigint NOT NULL
  );
  INSERT INTO quire.catalog_sweep VALUES (1, 0);

  CREATE VIEW quire.catalog_entry AS
    SELECT item.no, item.id, item.tenant, item.parent_no, parent.id AS parent_id, item.type, item.name,
      item.folded, item.created_at, item.created_by, item.modified_at, item.storage_id, item.versions,
      version.id AS version_id, version.storage_id AS version_storage_id, version.storage_version,
      version.size, version.sha1, version.created_at AS version_created_at,
      version.created_by AS version_created_by
    FROM quire.catalog_item AS item
      LEFT JOIN quire.catalog_item AS parent ON parent.no = item.parent_no
      LEFT JOIN quire.catalog_version AS version ON version.no = item.version_no;
`;
