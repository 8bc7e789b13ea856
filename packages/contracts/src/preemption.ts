import { QuireError } from "./errors.ts";

const MARKER: unique symbol = Symbol.for("quire.preempted");

/**
 * Creates the error of a preempted document: a renderer or converter stopped or skipped the document because it takes a
 * long time and others wait. This happens only to documents with the option `preemptible`. `afterMs` is how long the
 * document has run, in milliseconds. The error has the code `timeout` and is retryable. Recognize it with
 * {@link isPreempted}.
 */
export function preemptedError(afterMs: number): QuireError {
  const error = new QuireError(
    "timeout",
    `The document was stopped after ${(afterMs / 1000).toFixed(1)} s because other documents waited. Try it again without the option preemptible.`,
    { retryable: true },
  );
  return Object.assign(error, { [MARKER]: true });
}

/** Whether an error is a {@link preemptedError} from this or another installed copy of the package. */
export function isPreempted(error: unknown): boolean {
  return error instanceof Error && MARKER in error;
}
