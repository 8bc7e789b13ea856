import { availableParallelism } from "node:os";
import { QuireError } from "@quire/contracts";

/**
 * Default number of documents in progress per core: enough to keep the renderer's processes busy while the storage
 * writes.
 */
const DOCUMENTS_PER_CORE = 32;
const MAX_DEFAULT = 256;

/**
 * Returns the maximum number of documents in progress at the same time. Throws `invalid_request` for an invalid number.
 */
export function parseConcurrency(given: number | undefined): number {
  const concurrency = given ?? Math.min(DOCUMENTS_PER_CORE * availableParallelism(), MAX_DEFAULT);
  if (Number.isInteger(concurrency) && concurrency >= 1) return concurrency;
  throw new QuireError(
    "invalid_request",
    `The option concurrency of createEngine() must be a positive integer, not ${concurrency}.`,
  );
}
