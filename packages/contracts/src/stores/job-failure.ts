import { boundedDiagnostics, MAX_DIAGNOSTIC_BYTES } from "../bounded-diagnostics.ts";
import { cutSentence, cutText } from "../cut-text.ts";
import { isQuireError, QuireError } from "../errors.ts";
import type { JobFailure } from "../ports/job-records.ts";

/** Maximum depth of nested causes in the text. */
const MAX_CAUSES = 3;
/** Maximum length of the text of a cause, in characters. */
const MAX_CAUSE_LENGTH = 4_000;

/**
 * Converts an error to its stored form, with problems of at most `maxBytes` bytes of JSON. An error that is not a
 * `QuireError` is a bug and is stored with the code `internal`.
 */
export function toFailure(error: unknown, maxBytes = MAX_DIAGNOSTIC_BYTES): JobFailure {
  const known = isQuireError(error)
    ? error
    : new QuireError("internal", "The document could not be made because of a bug in Quire.", {
        cause: error,
      });
  const { code, retryable } = known;
  const cause = inWords(known.cause, MAX_CAUSES);
  return {
    code,
    // Shortened again: the error may come from another copy of the package.
    message: cutSentence(known.message),
    diagnostics: boundedDiagnostics(known.diagnostics, maxBytes),
    retryable,
    cause: cause && cutText(cause, MAX_CAUSE_LENGTH),
  };
}

/** Converts a stored failure back to an error. Its cause is an error with the stored text. */
export function fromFailure({ cause, ...failure }: JobFailure): QuireError {
  const { code, message, diagnostics, retryable } = failure;
  return new QuireError(code, message, {
    diagnostics,
    retryable,
    ...(cause === null ? {} : { cause: new Error(cause) }),
  });
}

/** Returns the text of a cause. The cause may be any value that the caller's code threw, and reading it may throw. */
function inWords(cause: unknown, depth: number): string | null {
  try {
    return words(cause, depth);
  } catch {
    return "It could not be converted to text.";
  }
}

function words(cause: unknown, depth: number): string | null {
  if (cause === undefined || cause === null || depth === 0) return null;
  if (!(cause instanceof Error)) return String(cause);
  const below = inWords(cause.cause, depth - 1);
  if (isQuireError(cause) && below !== null) return below;
  const own = cause.message === "" ? cause.name : cause.message;
  return below === null ? own : `${own} (${below})`;
}
