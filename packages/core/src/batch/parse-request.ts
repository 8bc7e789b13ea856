import type { BatchRequest } from "./request.ts";

/**
 * Checks a batch request and returns it in its parsed form, without unknown fields. Rejects with `invalid_request` with
 * **all** problems in `diagnostics`, each with a JSON Pointer; if only file names are invalid, the code is
 * `item_name_invalid`.
 */
export async function parseBatchRequest(input: unknown): Promise<BatchRequest> {
  return (await requestChecks()).checkBatchRequest(input);
}

/** The module that checks requests. */
export type RequestChecks = typeof import("./check-request.ts");

let loading: Promise<RequestChecks> | undefined;

/** Loads the module with the first request: processes that only render never load it, which saves memory. */
export function requestChecks(): Promise<RequestChecks> {
  // Cached, because a dynamic import is slow even for a loaded module.
  loading ??= import("./check-request.ts");
  return loading;
}
