import type { Claim, Outcome } from "@quire/contracts";
import { toText } from "../database/text.ts";
import { PUT_BACK, STATUS } from "./states.ts";

/** Identifies the job of a claim. */
export function keyOf({ claim }: { readonly claim: Claim }): string {
  return `${claim.batchId} ${claim.entry}`;
}

/** The columns of claims for the functions in the database. */
export function columnsOf(group: readonly { readonly claim: Claim }[]): unknown[] {
  return [
    group.map(({ claim }) => toText(claim.batchId)),
    group.map(({ claim }) => claim.entry),
    group.map(({ claim }) => claim.attempt),
  ];
}

/** The number of an outcome in the database. */
export function stateOf(outcome: Outcome): number {
  if (outcome.type === "completed") return STATUS[outcome.result.status];
  return outcome.type === "failed" ? STATUS.failed : PUT_BACK[outcome.type];
}

/** The result or the failure of an outcome as JSON; null if the job is put back. */
export function payloadOf(outcome: Outcome): string | null {
  if (outcome.type === "completed") return JSON.stringify(outcome.result);
  return outcome.type === "failed" ? JSON.stringify(outcome.failure) : null;
}
