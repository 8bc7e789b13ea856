import {
  assertLimit,
  type BatchQuery,
  type BatchRecord,
  type JobQuery,
  type JobRecord,
  jobStoreProblems,
  pageRoom,
  parseMarker,
  type RecordPage,
  toMarker,
} from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";
import { BATCH_COLUMNS, BATCH_TABLES, batchRecord, jobRecord, VISIBLE } from "./records.ts";
import { STATUS } from "./states.ts";

/** Returns the row of a visible batch. */
export function batchRow(database: Database, batchId: string): Promise<Row | undefined> {
  const sql = `SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES} WHERE b.id = $1 AND ${VISIBLE}`;
  return database.get(sql, [toText(batchId)]);
}

/** Returns the row of a visible batch. Rejects `not_found` if it does not exist. */
export async function findBatch(database: Database, batchId: string): Promise<Row> {
  const row = await batchRow(database, batchId);
  if (row === undefined) throw jobStoreProblems.noBatch(batchId);
  return row;
}

/** Returns a page of batches, newest first. */
export async function listBatches(
  database: Database,
  query: BatchQuery,
): Promise<RecordPage<BatchRecord>> {
  assertLimit(query.limit);
  const [before] = parseMarker("batches", query.marker, ["number"]);
  const rows = await batchesBefore(database, query, before ?? null, query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const nextMarker = rows.length > query.limit && last ? toMarker("batches", [last.no]) : null;
  return { items: page.map(batchRecord), nextMarker };
}

/** Returns a page of jobs: of one batch by entry, or of several batches, newest first. */
export async function listJobs(
  database: Database,
  query: JobQuery,
): Promise<RecordPage<JobRecord>> {
  assertLimit(query.limit);
  if (query.order === "ended") return listEnded(database, query);
  const { batchId, caller, template, tenant, status, limit, marker } = query;
  const [fromBatch = 0, fromEntry = 0] = parseMarker("jobs", marker, ["number", "number"]);
  const filters = [batchId, caller, template, tenant].map((value) => toText(value ?? null));
  // One more than the page, which shows that there is a next page.
  const rows = await database.all("SELECT * FROM quire.list_jobs($1, $2, $3, $4, $5, $6, $7, $8)", [
    ...filters,
    status === undefined ? null : STATUS[status],
    fromBatch,
    fromEntry,
    limit + 1,
  ]);
  if (rows.length === 0 && batchId !== undefined) await findBatch(database, batchId);
  const takes = pageRoom(query);
  const page: Row[] = [];
  for (const row of rows)
    if (takes(row.bytes)) page.push(row);
    else break;
  const last = page.at(-1);
  return {
    items: page.map((row) => jobRecord(fromText(row.batch_id), row)),
    nextMarker:
      last && page.length < rows.length ? toMarker("jobs", [last.batch_no, last.entry]) : null,
  };
}

async function listEnded(database: Database, query: JobQuery): Promise<RecordPage<JobRecord>> {
  const batchId = query.batchId ?? "";
  const [after = 0] = parseMarker("ended jobs", query.marker, ["number"]);
  // A batch without such jobs has one row without an entry.
  const rows = await database.all("SELECT * FROM quire.ended_page($1, $2, $3, $4)", [
    toText(batchId),
    after,
    query.status === undefined ? null : STATUS[query.status],
    query.limit,
  ]);
  if (rows.length === 0) throw jobStoreProblems.noBatch(batchId);
  const takes = pageRoom(query);
  const page: Row[] = [];
  for (const row of rows)
    if (row.entry !== null && takes(row.bytes)) page.push(row);
    else break;
  return {
    items: page.map((row) => jobRecord(batchId, row)),
    nextMarker: toMarker("ended jobs", [page.at(-1)?.ended ?? after]),
  };
}

function batchesBefore(
  database: Database,
  { tenant, caller, template }: BatchQuery,
  before: number | string | null,
  limit: number,
): Promise<Row[]> {
  const filters = { tenant, caller, template_id: template };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = given.map(([column], index) => ` AND b.${column} = $${index + 3}`).join("");
  return database.all(
    `SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES}
     WHERE ${VISIBLE} AND b.no < coalesce($2::bigint, 9007199254740991)${where} ORDER BY b.no DESC LIMIT $1`,
    [limit, before, ...given.map(([, value]) => toText(String(value)))],
  );
}
