import type { Database } from "./database.ts";

type UseColumn =
  | "waiting"
  | "jobs"
  | "job_bytes"
  | "files"
  | "file_bytes"
  | "webhooks"
  | "deliveries";

/** Returns the values of these columns for a tenant; without `tenant`, the maximum of each over all tenants. */
export function useOf(
  database: Database,
  columns: readonly UseColumn[],
  tenant: string | undefined,
): number[] {
  const row =
    tenant === undefined
      ? database.get(`SELECT ${columns.map((name) => `max(${name}) AS ${name}`)} FROM tenant_use`)
      : database.get(`SELECT ${columns} FROM tenant_use WHERE tenant = ?`, tenant);
  return columns.map((name) => Number(row?.[name] ?? 0));
}

/** Adds a file that a batch uses to its tenant's usage. Call it within a transaction. */
export function countPin(database: Database, batchNo: number, sha256: string, size: number): void {
  database.run(
    `INSERT INTO tenant_file SELECT tenant, ?, ?, 1 FROM batch WHERE no = ?
       ON CONFLICT (tenant, sha256) DO UPDATE SET pins = pins + 1`,
    sha256,
    size,
    batchNo,
  );
}

/** Undoes {@link countPin}. Call it within a transaction, before the batch is deleted. */
export function uncountPin(database: Database, batchNo: number, sha256: string): void {
  const of = "sha256 = ? AND tenant = (SELECT tenant FROM batch WHERE no = ?)";
  database.run(`UPDATE tenant_file SET pins = pins - 1 WHERE ${of}`, sha256, batchNo);
  database.run(`DELETE FROM tenant_file WHERE ${of} AND pins <= 0`, sha256, batchNo);
}
