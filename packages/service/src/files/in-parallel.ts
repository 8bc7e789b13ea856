/**
 * Calls the body for each item, with at most `limit` concurrent calls. If a call fails, waits until all started calls
 * have ended and rejects with the first error.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  body: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); !failed && next.done !== true; next = rest.next()) {
      try {
        await body(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: limit }, lane));
  for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
}
