import { type CatalogEntry, type CatalogKey, foldName } from "@quire/contracts";
import { Batcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { toText } from "../database/text.ts";
import { entryOf, TYPE } from "./catalog-rows.ts";

interface Lookup {
  readonly tenant: string;
  readonly key: CatalogKey;
}

/** Returns a row for each lookup, in order. LIMIT makes the server use the index for each entry. */
const FIND = `SELECT entry.* FROM
    unnest($1::text[], $2::text[], $3::text[], $4::smallint[]) WITH ORDINALITY
      AS wanted (tenant, id, folded, type, n)
    LEFT JOIN LATERAL (SELECT entry.* FROM quire.catalog_entry AS entry
      WHERE entry.tenant = wanted.tenant AND entry.no = CASE
        WHEN wanted.folded IS NOT NULL THEN
          (SELECT item.no FROM quire.catalog_item AS item
             JOIN quire.catalog_item AS folder ON folder.no = item.parent_no
           WHERE item.folded = wanted.folded AND folder.id = wanted.id AND folder.tenant = wanted.tenant)
        WHEN wanted.type IS NOT NULL THEN
          (SELECT item_no FROM quire.catalog_place AS place
           WHERE place.type = wanted.type AND storage_id = wanted.id AND place.tenant = wanted.tenant
             AND quire.storage_key(storage_id) = quire.storage_key(wanted.id))
        ELSE
          (SELECT no FROM quire.catalog_item AS item
           WHERE item.id = wanted.id AND item.tenant = wanted.tenant)
      END
      LIMIT 1) AS entry ON true
  ORDER BY n`;

/** Finds entries of a catalog. Concurrent lookups share a statement. */
export class CatalogFinds {
  readonly #lookups: Batcher<Lookup, CatalogEntry | null>;

  constructor(database: Database) {
    this.#lookups = new Batcher(async (lookups) => {
      const wanted = lookups.map(({ tenant, key }) => [toText(tenant), ...valuesOf(key)]);
      const columns = [0, 1, 2, 3].map((column) => wanted.map((values) => values[column]));
      const rows = await database.all(FIND, columns);
      return rows.map((row) => (row.no === null ? null : entryOf(row)));
    });
  }

  /** See `FileCatalog.find`. */
  find(tenant: string, key: CatalogKey): Promise<CatalogEntry | null> {
    return this.#lookups.add({ tenant, key });
  }
}

/** Returns the `id`, `folded` and `type` of a lookup. */
function valuesOf(key: CatalogKey): readonly unknown[] {
  if ("id" in key) return [toText(key.id), null, null];
  if ("storageId" in key) return [toText(key.storageId), null, TYPE[key.type]];
  return [toText(key.parentId), toText(foldName(key.name)), null];
}
