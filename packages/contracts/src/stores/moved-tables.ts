import type { MovedTable, MovedType } from "../ports/stores-source.ts";

const integer = "integer";
const real = "real";
const flag = "flag";
const text = "text";
const plain = "plain";
const bytes = "bytes";

function table(
  name: string,
  key: number,
  columns: Readonly<Record<string, MovedType>>,
): MovedTable {
  return { name, columns, key };
}

/**
 * The tables that move from one kind of stores to another, in the order in which they are written: a row comes after the
 * rows to which it refers. Only waiting and ended jobs and visible batches are moved. Not moved are values that can be
 * computed from these rows, and rows of processes.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  table("folder", 1, { no: integer, id: text }),
  table("file", 1, { sha256: text, size: integer, bytes }),
  table("batch", 1, {
    no: integer,
    id: text,
    state: integer,
    tenant: text,
    weight: real,
    caller: text,
    idempotency_key: text,
    request_hash: plain,
    template_id: text,
    template_version: text,
    folder_no: integer,
    output_type: plain,
    needs_converter: flag,
    on_conflict: plain,
    with_events: flag,
    settings: plain,
    trace: plain,
    cancelled: flag,
    created_at: integer,
    finished_at: integer,
    submitted: integer,
    completed: integer,
    completed_with_error: integer,
    failed: integer,
    bytes: integer,
    /** Of a running batch. */
    virtual_time: real,
    /** The first job that was never begun; of a running batch with such a job. */
    next_entry: integer,
    /** The highest number of its ended jobs. */
    last_ended: integer,
  }),
  table("pin", 2, { batch_no: integer, file_id: text, sha256: text, tenant: text }),
  table("chunk", 2, { batch_no: integer, first_entry: integer, data: bytes }),
  table("job", 2, {
    batch_no: integer,
    entry: integer,
    status: integer,
    is_bad: flag,
    requested_name: text,
    wanted_name: text,
    file_name: text,
    attempts: integer,
    /** The next four are of a waiting job. */
    failures: integer,
    deaths: integer,
    begun: flag,
    /** The wall clock; null: now. */
    ready_at: integer,
    notes: plain,
    result: plain,
    failure: plain,
    ended_at: integer,
    ended: integer,
    /** The size of the data of its entry. */
    input_bytes: integer,
  }),
  /** The names of running batches: the others are free. */
  table("name", 2, { folder_no: integer, folded: text, batch_no: integer }),
  table("event", 1, {
    sequence: integer,
    type: plain,
    batch_no: integer,
    entry: integer,
    at: integer,
  }),
  /** The turns of the tenants with running batches. */
  table("tenant", 1, { name: text, virtual_time: real }),
  /** One row. Its virtual time is 0 without tenants. */
  table("queue", 1, { id: integer, virtual_time: real, waiting: integer }),
  table("held_tenant", 1, { tenant: text }),
  table("tenant_account", 1, { name: text, suspended_at: integer, erasing: text, quotas: plain }),
  table("audit", 1, {
    no: integer,
    at: integer,
    by_whom: text,
    action: text,
    tenant: text,
    counts: plain,
  }),
  table("token", 1, {
    no: integer,
    id: text,
    hash: text,
    user: text,
    enterprise: text,
    scopes: plain,
    created_at: integer,
    expires_at: integer,
  }),
  table("catalog_item", 1, {
    no: integer,
    id: text,
    tenant: text,
    parent_no: integer,
    type: integer,
    name: text,
    folded: text,
    created_at: integer,
    created_by: text,
    modified_at: integer,
    storage_id: text,
    children: integer,
    versions: integer,
    version_no: integer,
  }),
  table("catalog_version", 1, {
    no: integer,
    id: text,
    item_no: integer,
    storage_id: text,
    storage_version: text,
    size: integer,
    sha1: text,
    created_at: integer,
    created_by: text,
  }),
  table("catalog_place", 3, { type: integer, storage_id: text, tenant: text, item_no: integer }),
  table("catalog_leftover", 1, { no: integer, type: integer, storage_id: text, free_at: integer }),
  table("catalog_sweep", 1, { id: integer, discarded: integer }),
  table("template", 1, {
    no: integer,
    tenant: text,
    file_id: text,
    marked_by: text,
    marked_at: integer,
  }),
  table("webhook", 1, {
    no: integer,
    id: text,
    tenant: text,
    target_type: text,
    target_id: text,
    address: text,
    triggers: plain,
    created_by: text,
    created_at: integer,
  }),
  table("delivery", 1, {
    no: integer,
    id: text,
    webhook_no: integer,
    body: text,
    give_up_at: integer,
    due_at: integer,
    attempts: integer,
  }),
  /** What each tenant uses. The size of the jobs is without the files of their batches. */
  table("tenant_use", 1, {
    tenant: text,
    waiting: integer,
    jobs: integer,
    job_bytes: integer,
    files: integer,
    file_bytes: integer,
    webhooks: integer,
    deliveries: integer,
  }),
];
