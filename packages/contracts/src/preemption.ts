import { QuireError } from "./errors.ts";

const MARKER: unique symbol = Symbol.for("quire.preempted");

/**
 * The error of a document that a renderer or converter stopped because it took long while others waited for its place,
 * or that it did not begin. Only documents that are `preemptible` are stopped. `afterMs`: how long it ran, in
 * milliseconds. Its code is `timeout`, and it is retryable. Recognise it with {@link isPreempted}.
 */
export function preemptedError(afterMs: number): QuireError {
  const error = new QuireError(
    "timeout",
    `The document was stopped after ${(afterMs / 1000).toFixed(1)} s because other documents waited. Try it again without the option preemptible.`,
    { retryable: true },
  );
  return Object.assign(error, { [MARKER]: true });
}

/** Whether an error is a {@link preemptedError}, of this or of another installed copy of the package. */
export function isPreempted(error: unknown): boolean {
  return error instanceof Error && MARKER in error;
}
