import type { JobStep } from "@quire/core/host";
import { ERROR_CODES, isQuireError } from "@quire/core/host";
import { WIRE_CODES } from "../wire/problem.ts";

/** What stands for all values that a label is not to have. */
export const OTHER = "other";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const STEPS = ["job", "render", "convert", "store"] as const satisfies readonly JobStep["name"][];
/** What documents are made as. */
export const OUTPUT_TYPES = ["docx", "pdf"] as const satisfies readonly JobStep["outputType"][];
/** Given up, not failed: it is done again, or nobody wants it. */
const GIVEN_UP: ReadonlySet<string> = new Set(["aborted", "lease_lost"]);

/** How attempts at jobs end. */
export const ATTEMPT_OUTCOMES = ["completed", "failed", "given_up"] as const;

/** In capitals, as `Request` has the usual ones; all that is not usual is one. */
export const methodLabel = among(METHODS);
/** Of an error object. */
export const wireCodeLabel = among(WIRE_CODES);
/** Of a `JobStep`. */
export const stepLabel = among(STEPS);
/** One of {@link OUTPUT_TYPES}. */
export const outputTypeLabel = among(OUTPUT_TYPES);
const errorCodeLabel = among(ERROR_CODES);

/** The code of what was thrown; never its message, which may quote names. */
export function errorLabel(error: unknown): string {
  return isQuireError(error) ? errorCodeLabel(error.code) : OTHER;
}

/** `code`: of what the attempt was rejected with; null: it was not. */
export function attemptOutcome(code: string | null): (typeof ATTEMPT_OUTCOMES)[number] {
  if (code === null) return "completed";
  return GIVEN_UP.has(code) ? "given_up" : "failed";
}

/** Of a response: 100 to 599. */
export function statusLabel(status: number): string {
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : OTHER;
}

const MAX_ROUTES = 200;
const PATTERN = /^\/[\w./{}-]{0,99}$/;

/**
 * Routes as a label. They are patterns, of which there are some fifty; should paths come instead, the first ones are
 * all that is kept.
 */
export function routeLabels(): (route: string) => string {
  const known = new Set<string>();
  return (route) => {
    if (known.has(route)) return route;
    if (known.size >= MAX_ROUTES || !PATTERN.test(route)) return OTHER;
    known.add(route);
    return route;
  };
}

/** Gives a value that is one of these as it is, and {@link OTHER} for everything else. */
function among(values: readonly string[]): (value: string) => string {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : OTHER);
}
