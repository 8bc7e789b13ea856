import { jobStoreProblems } from "./job-store-problems.ts";

/** The position at which a page of a listing ends: non-negative integers and strings. */
export type PagePlace = readonly (number | string)[];

/**
 * Returns the URL-safe marker of a position. `listing` names the listing and its owner: a marker is only valid for that
 * listing, so a marker of another folder or tenant is rejected.
 */
export function toMarker(listing: string, place: PagePlace): string {
  return Buffer.from(JSON.stringify([listing, ...place])).toString("base64url");
}

/**
 * Returns the position of a marker that {@link toMarker} created for this listing, with parts of these types; empty if
 * `marker` is undefined. Throws `invalid_request` for any other string.
 */
export function parseMarker(
  listing: string,
  marker: string | undefined,
  types: readonly ("number" | "string")[],
): PagePlace {
  if (marker === undefined) return [];
  const [of, ...place] = partsOf(marker);
  const isPlace =
    of === listing &&
    place.length === types.length &&
    place.every((part, index) => typeof part === types[index] && isPart(part));
  if (!isPlace || toMarker(listing, place as PagePlace) !== marker) {
    throw jobStoreProblems.badMarker();
  }
  return place as PagePlace;
}

function isPart(part: unknown): boolean {
  return typeof part === "string" || (Number.isSafeInteger(part) && Number(part) >= 0);
}

function partsOf(marker: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(marker, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Throws `invalid_request` if the limit of a page is not a positive integer. */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw jobStoreProblems.badLimit();
}
