import type { BatchRequest } from "./request.ts";

/**
 * Checks a batch request and gives it back in its parsed form; fields that the contract does not know
 * are left out. Rejects with `invalid_request` with **all** problems in `diagnostics`, each with a JSON
 * Pointer; when nothing but file names is wrong the code is `item_name_invalid`.
 */
export async function parseBatchRequest(input: unknown): Promise<BatchRequest> {
  return (await requestChecks()).checkBatchRequest(input);
}

/** What checks requests. */
export type RequestChecks = typeof import("./check-request.ts");

let loading: Promise<RequestChecks> | undefined;

/** Loaded with the first request, since who only renders needs no room for it. */
export function requestChecks(): Promise<RequestChecks> {
  // Asked for once: the loader takes its time also for what it has.
  loading ??= import("./check-request.ts");
  return loading;
}
