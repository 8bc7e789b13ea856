/**
 * Approximate limit for rendered documents that wait for the converter and the storage, in bytes. One tenant can use
 * half of it.
 */
export const MAX_RENDERED_BYTES = 128_000_000;

/** The length of the lease on jobs, unless the options set another. */
export const LEASE_MS = 15_000;

/** How long finished batches are kept by default, in a durable job store and in memory. */
export const KEEP_DURABLE_MS = 30 * 24 * 3600 * 1000;
export const KEEP_MEMORY_MS = 3600 * 1000;
