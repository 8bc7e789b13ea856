import { createHash } from "node:crypto";
import { invalidAt } from "../wire/problem.ts";

/** The parameters of a page. */
export interface PageRequest {
  /** The maximum number of entries on a page, from 1 to 1000. Default: 100. */
  readonly limit: number;
  /** The store's marker; undefined for the first page. */
  readonly marker: string | undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const SCOPE_CHARACTERS = 11;

/**
 * Returns the page that a query requests. A marker is valid only for its own listing. `scope` identifies the listing,
 * its owner and its parent, so that a marker of another listing is rejected instead of returning an arbitrary page.
 */
export function pageRequest(
  { limit, marker }: { readonly limit?: string | undefined; readonly marker?: string | undefined },
  ...scope: readonly string[]
): PageRequest {
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : Math.min(MAX_LIMIT, Number(limit)),
    marker: marker === undefined || marker === "0" ? undefined : innerMarker(marker, scope),
  };
}

/** Returns the response to a listing request. */
export function pageAnswer<T>(
  { limit }: PageRequest,
  entries: readonly T[],
  nextMarker: string | null,
  ...scope: readonly string[]
) {
  return {
    entries,
    limit,
    next_marker: nextMarker === null ? null : `${scopeKey(scope)}.${nextMarker}`,
    prev_marker: null,
  };
}

/** Returns the 400 for a marker of another listing, and for a marker that the store rejects. */
export function badMarker(): Error {
  return invalidAt(
    "/marker",
    "wrong_value",
    "The marker does not belong to this listing. Send the next_marker of the previous page, or omit it to start over.",
  );
}

function innerMarker(marker: string, scope: readonly string[]): string {
  const inner = marker.slice(SCOPE_CHARACTERS + 1);
  if (inner === "" || marker !== `${scopeKey(scope)}.${inner}`) throw badMarker();
  return inner;
}

function scopeKey(scope: readonly string[]): string {
  const key = createHash("sha256").update(JSON.stringify(scope)).digest("base64url");
  return key.slice(0, SCOPE_CHARACTERS);
}
