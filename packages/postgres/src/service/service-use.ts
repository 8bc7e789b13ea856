import type { Database } from "../database/database.ts";
import { toText } from "../database/text.ts";

type UseColumn = "files" | "file_bytes" | "webhooks" | "deliveries";

/** Returns the values of these columns for a tenant; without `tenant`, the maximum of each over all tenants. */
export async function useOf(
  database: Database,
  columns: readonly UseColumn[],
  tenant: string | undefined,
): Promise<number[]> {
  const sums = columns.map((name) => `coalesce(sum(${name}), 0)::bigint AS ${name}`);
  const row =
    tenant === undefined
      ? await database.get(
          `SELECT ${columns.map((name) => `coalesce(max(${name}), 0)::bigint AS ${name}`)}
           FROM (SELECT ${sums} FROM quire.service_use GROUP BY tenant) AS each`,
        )
      : await database.get(`SELECT ${sums} FROM quire.service_use WHERE tenant = $1`, [
          toText(tenant),
        ]);
  return columns.map((name) => row?.[name] ?? 0);
}
