import { QuireError } from "@quire/contracts";

/**
 * Returns a function that returns whether a page number, from 1, is in a range such as `1-3,5,8-`. Throws
 * `invalid_request` for an invalid range.
 */
export function pageRange(range: string): (page: number) => boolean {
  const parts = range.split(",").map((part): readonly [number, number] => {
    const [, first = "", dash, last = ""] =
      /^\s*(\d{1,9})\s*(-\s*(\d{1,9})?\s*)?$/.exec(part) ?? [];
    const from = Number(first);
    const to = dash === undefined ? from : last === "" ? Number.POSITIVE_INFINITY : Number(last);
    if (from >= 1 && to >= from) return [from, to];
    throw new QuireError(
      "invalid_request",
      `The page range ${JSON.stringify(range)} is not valid. Write it as in "1-3,5,8-".`,
    );
  });
  return (page) => parts.some(([from, to]) => page >= from && page <= to);
}
