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
import {
  BATCH_COLUMNS,
  BATCH_COUNTS,
  BATCH_TABLES,
  batchRecord,
  jobRecord,
  VISIBLE,
} from "./records.ts";
import { STATUS } from "./states.ts";

/** Number of batches that are searched in one step for the jobs of a template or a caller. */
const BATCHES_AT_ONCE = 100;

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
  const [fromBatch, fromEntry] = parseMarker("jobs", query.marker, ["number", "number"]);
  const items: JobRecord[] = [];
  const takes = pageRoom(query);
  let last = "";
  for await (const batches of batchesFrom(database, query, Number(fromBatch ?? 0))) {
    const after = batches[0]?.no === fromBatch ? Number(fromEntry ?? 0) : 0;
    const ids = new Map(batches.map(({ no, id }) => [no, fromText(id)]));
    for (const row of await jobsOf(database, [...ids.keys()], after, query, items.length)) {
      if (!takes(row.bytes)) return { items, nextMarker: last };
      items.push(jobRecord(ids.get(row.batch_no) ?? "", row));
      last = toMarker("jobs", [row.batch_no, row.entry]);
    }
  }
  return { items, nextMarker: null };
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

/**
 * Returns the jobs of batches, in their order and by entry: of the first batch, only those after an entry. At most for
 * the rest of the page and one more.
 */
function jobsOf(
  database: Database,
  batches: readonly number[],
  after: number,
  { status, limit }: JobQuery,
  listed: number,
): Promise<Row[]> {
  return database.all("SELECT * FROM quire.job_page($1::bigint[], $2, $3, $4)", [
    batches,
    after,
    status === undefined ? null : STATUS[status],
    limit + 1 - listed,
  ]);
}

/**
 * Yields the batches that match the query and have jobs of its state, newest first, from the batch with the number
 * `from` on unless it is 0, in groups.
 */
async function* batchesFrom(
  database: Database,
  query: JobQuery,
  from: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  if (query.batchId !== undefined) {
    const batch = await database.get(
      `SELECT no, id, tenant, caller, template_id FROM quire.batch AS b WHERE b.id = $1 AND ${VISIBLE}`,
      [toText(query.batchId)],
    );
    if (batch === undefined) throw jobStoreProblems.noBatch(query.batchId);
    const { tenant, caller, template } = query;
    const matches = (wanted: string | undefined, found: string | null): boolean =>
      wanted === undefined || wanted === fromText(found);
    const isMeant =
      matches(tenant, batch.tenant) &&
      matches(caller, batch.caller) &&
      matches(template, batch.template_id);
    if (isMeant) yield [batch];
    return;
  }
  for (let before = from === 0 ? null : from + 1; ; ) {
    const rows = await batchesBefore(database, query, before, BATCHES_AT_ONCE, "b.no, b.id");
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCHES_AT_ONCE) return;
    before = last.no;
  }
}

function batchesBefore(
  database: Database,
  { tenant, caller, template, status }: BatchQuery & Pick<JobQuery, "status">,
  before: number | string | null,
  limit: number,
  columns = BATCH_COLUMNS,
): Promise<Row[]> {
  const filters = { tenant, caller, template_id: template };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = given.map(([column], index) => ` AND b.${column} = $${index + 3}`).join("");
  const counted = status === undefined ? "" : ` AND ${BATCH_COUNTS[status]} > 0`;
  return database.all(
    `SELECT ${columns} FROM ${BATCH_TABLES}
     WHERE ${VISIBLE} AND b.no < coalesce($2::bigint, 9007199254740991)${where}${counted} ORDER BY b.no DESC LIMIT $1`,
    [limit, before, ...given.map(([, value]) => toText(String(value)))],
  );
}
