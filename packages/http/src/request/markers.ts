import { createHash } from "node:crypto";
import { invalid } from "../wire/problem.ts";

/** What a page is asked for. */
export interface PageRequest {
  readonly limit: number;
  /** The store's own marker. */
  readonly marker: string | undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const SCOPE_CHARACTERS = 11;

/**
 * The page that a query asks for. A marker belongs to its listing: `scope` names it, with whose it is and what it
 * is of, so that one of another listing is refused instead of giving some page.
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

/** The answer of a listing. */
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

/** What a 400 for a marker says; also for one that the store refuses. */
export function badMarker(): Error {
  return invalid([
    {
      path: "/marker",
      code: "wrong_value",
      message:
        "The marker is none of this listing. Give the next_marker of the page before, or leave it out to begin anew.",
    },
  ]);
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
