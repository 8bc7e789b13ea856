/**
 * Returns a function that reports whether the next item, with its size in bytes, fits on the page. A page holds at most
 * `limit` items and `maxBytes` bytes; the first item always fits, so that every page makes progress.
 */
export function pageRoom({
  limit,
  maxBytes = Number.POSITIVE_INFINITY,
}: {
  readonly limit: number;
  readonly maxBytes?: number | undefined;
}): (bytes: number) => boolean {
  let items = 0;
  let sum = 0;
  return (bytes) => {
    if (items === limit || (items > 0 && sum + bytes > maxBytes)) return false;
    items += 1;
    sum += bytes;
    return true;
  };
}
