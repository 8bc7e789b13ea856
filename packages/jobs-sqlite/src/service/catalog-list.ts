import {
  assertLimit,
  type CatalogPage,
  type CatalogQuery,
  parseMarker,
  serviceStoreProblems,
  toMarker,
} from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { entryOf, folderById, SELECT_ENTRIES } from "./catalog-rows.ts";

/** The last entry before a page: its type, and its folded name within the type. */
type Place = readonly [number, string];

const BEGINNING: Place = [-1, ""];

/** Returns a page of the entries of a folder. */
export function listFolder(
  database: Database,
  tenant: string,
  folderId: string,
  query: CatalogQuery,
): CatalogPage {
  const { limit, offset, marker } = query;
  assertLimit(limit);
  const isOffset = Number.isSafeInteger(offset ?? 0) && (offset ?? 0) >= 0;
  if (!isOffset || (offset !== undefined && marker !== undefined)) {
    throw serviceStoreProblems.badOffset();
  }
  const folder = folderById(database, tenant, folderId);
  const [type, folded] = parseMarker(folderId, marker, ["number", "string"]);
  const folderNo = Number(folder.no);
  const total = Number(folder.children);
  const after: Place | null =
    type === undefined ? placeAt(database, folderNo, offset ?? 0) : [Number(type), String(folded)];
  if (after === null) return { items: [], total, nextMarker: null };
  const rows = database.all(
    `${SELECT_ENTRIES} WHERE item.parent_no = ? AND (item.type, item.folded) > (?, ?)
     ORDER BY item.type, item.folded LIMIT ?`,
    folderNo,
    ...after,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(entryOf),
    total,
    nextMarker: last ? toMarker(folderId, [Number(last.type), String(last.folded)]) : null,
  };
}

/** Finds the entry before an offset, with the index alone; null if the folder has fewer entries. */
function placeAt(database: Database, folderNo: number, offset: number): Place | null {
  if (offset === 0) return BEGINNING;
  const row = database.get(
    `SELECT type, folded FROM catalog_item INDEXED BY catalog_order WHERE parent_no = ?
     ORDER BY type, folded LIMIT 1 OFFSET ?`,
    folderNo,
    offset - 1,
  );
  return row === undefined ? null : [Number(row.type), String(row.folded)];
}
