import type { Target } from "./move-record.ts";

/** The sequences of the tables, and the columns that they number. */
const SEQUENCES: Readonly<Record<string, readonly string[]>> = {
  batch_no: ["batch.no"],
  folder_no_seq: ["folder.no"],
  event_sequence_seq: ["event.sequence"],
  audit_no_seq: ["audit.no"],
  token_no_seq: ["token.no"],
  template_no_seq: ["template.no"],
  webhook_no_seq: ["webhook.no"],
  delivery_no_seq: ["delivery.no"],
  catalog_no: ["catalog_item.no", "catalog_version.no"],
  catalog_leftover_no_seq: ["catalog_leftover.no"],
};

/** Lets new rows continue after the last number of each table: also after the numbers of rows that were deleted. */
export async function setNumbers(
  target: Target,
  lastNumbers: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [sequence, columns] of Object.entries(SEQUENCES)) {
    const highest = columns.map((column) => {
      const [table = "", name] = column.split(".");
      return `(SELECT max(${name}) FROM quire.${table}), ${lastNumbers.get(table) ?? 0}`;
    });
    await target.all(
      `SELECT setval('quire.${sequence}', greatest(n, 1), n > 0) FROM (SELECT greatest(0, ${highest.join(", ")}) AS n) AS last`,
    );
  }
}
