import {
  assertLimit,
  type CatalogPage,
  type CatalogQuery,
  parseMarker,
  serviceStoreProblems,
  toMarker,
} from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";
import { entryOf } from "./catalog-rows.ts";

/** Returns a page of the entries of a folder. */
export async function listFolder(
  database: Database,
  tenant: string,
  folderId: string,
  query: CatalogQuery,
): Promise<CatalogPage> {
  const { limit, offset = 0, marker } = query;
  assertLimit(limit);
  const isOffset = Number.isSafeInteger(offset) && offset >= 0;
  if (!isOffset || (query.offset !== undefined && marker !== undefined)) {
    throw serviceStoreProblems.badOffset();
  }
  const [type = -1, folded = ""] = parseMarker(folderId, marker, ["number", "string"]);
  // The index alone finds the page, so that skipped entries are not read. Without entries, there is one row.
  const rows = await database.all(
    `SELECT folder.total, entry.* FROM
       (SELECT no AS folder_no, (SELECT coalesce(sum(entries), 0)::bigint FROM quire.catalog_count
          WHERE catalog_count.folder_no = item.no) AS total
        FROM quire.catalog_item AS item WHERE id = $1 AND tenant = $2 AND type = 0) AS folder
       LEFT JOIN LATERAL (SELECT no FROM quire.catalog_item
          WHERE parent_no = folder_no AND (type, folded) > ($3::smallint, $4)
          ORDER BY type, folded OFFSET $5 LIMIT $6) AS place ON true
       LEFT JOIN quire.catalog_entry AS entry ON entry.no = place.no
     ORDER BY entry.type, entry.folded`,
    [toText(folderId), toText(tenant), type, toText(String(folded)), offset, limit + 1],
  );
  if (rows.length === 0) throw serviceStoreProblems.noFolder(folderId);
  const entries = rows.filter(({ no }) => no !== null);
  const page = entries.slice(0, limit);
  const last = entries.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(entryOf),
    total: rows[0]?.total,
    nextMarker: last ? toMarker(folderId, [last.type, fromText(last.folded)]) : null,
  };
}
