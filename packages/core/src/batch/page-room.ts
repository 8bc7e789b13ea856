/**
 * Asked for each item of a page in turn, with its bytes: whether there is room for it. A page holds at most `limit`
 * items, and no more than `maxBytes` unless it is a single one, so that each page gets on.
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
