import { CANCELLED, type Claim, type JobFailure, POISON } from "@quire/contracts";
import type { Row } from "../database/database.ts";
import { fromText } from "../database/text.ts";
import { ClaimedInputs } from "./inputs.ts";

/** Returns the claims in the rows of `quire.claim`. */
export function claimsOf(rows: readonly Row[]): Claim[] {
  const inputs = new ClaimedInputs();
  for (const { batch_no, entry, data } of rows) {
    if (data !== null) inputs.add(batch_no, entry, data);
  }
  return rows.filter(({ attempt }) => attempt !== null).map((row) => claimOf(row, inputs));
}

/** The failure of a job without data. Somebody must have changed the tables. */
const NO_DATA: JobFailure = {
  code: "job_store_failed",
  message: "The job store no longer has the data of the entry. Submit the entry again.",
  diagnostics: [],
  retryable: false,
  cause: null,
};

const ENDINGS: Readonly<Record<string, JobFailure>> = { cancelled: CANCELLED, poison: POISON };

function claimOf(row: Row, inputs: ClaimedInputs): Claim {
  const input = inputs.of(row.batch_no, row.entry);
  return {
    batchId: fromText(row.batch_id),
    tenant: fromText(row.tenant),
    entry: row.entry,
    attempt: row.attempt,
    failures: row.failures,
    fileName: fromText(row.file_name),
    input: input ?? { encoding: "json", bytes: new Uint8Array(), locale: null, timeZone: null },
    notes: row.notes === null ? [] : JSON.parse(row.notes),
    endWith: input === null ? NO_DATA : (ENDINGS[row.end_with] ?? null),
  };
}
