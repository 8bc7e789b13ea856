import { ERROR_CODES, isQuireError, type JobStep } from "@quire/core/host";
import { WIRE_CODES } from "@quire/http/parts";

/** The label value for everything that is not among the known values. */
export const OTHER = "other";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const STEPS = ["job", "render", "convert", "store"] as const satisfies readonly JobStep["name"][];
/** The formats of documents. */
export const OUTPUT_TYPES = ["docx", "pdf"] as const satisfies readonly JobStep["outputType"][];
/** Error codes of attempts that count as given up and not as failed: the job was cancelled, or will run again later. */
const GIVEN_UP: ReadonlySet<string> = new Set(["aborted", "lease_lost"]);

/** The outcomes of attempts at jobs. */
export const ATTEMPT_OUTCOMES = ["completed", "failed", "given_up"] as const;

/** Returns the method in capitals, as in `Request`; `OTHER` for unusual methods. */
export const methodLabel = among(METHODS);
/** Returns the code of an error object, or `OTHER`. */
export const wireCodeLabel = among(WIRE_CODES);
/** Returns the name of a `JobStep`, or `OTHER`. */
export const stepLabel = among(STEPS);
/** Returns one of {@link OUTPUT_TYPES}, or `OTHER`. */
export const outputTypeLabel = among(OUTPUT_TYPES);
const errorCodeLabel = among(ERROR_CODES);

/** Returns the code of an error, and never its message, which may quote names. */
export function errorLabel(error: unknown): string {
  return isQuireError(error) ? errorCodeLabel(error.code) : OTHER;
}

/** Returns the outcome of an attempt. `code` is its error code; null for success. */
export function attemptOutcome(code: string | null): (typeof ATTEMPT_OUTCOMES)[number] {
  if (code === null) return "completed";
  return GIVEN_UP.has(code) ? "given_up" : "failed";
}

/** Returns the status of a response, from 100 to 599, or `OTHER`. */
export function statusLabel(status: number): string {
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : OTHER;
}

const MAX_ROUTES = 200;
const PATTERN = /^\/[\w./{}-]{0,99}$/;

/**
 * Returns a function that turns routes into label values. Routes are patterns, of which there are about fifty. In case
 * they are paths, only the first `MAX_ROUTES` are kept.
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

/** Returns a value of the list unchanged, and {@link OTHER} for everything else. */
function among(values: readonly string[]): (value: string) => string {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : OTHER);
}
