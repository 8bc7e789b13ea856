import { QuireError } from "../errors.ts";

/** The error of a document that comes after the end. */
export function closedError(maker: string): QuireError {
  return new QuireError(
    "unavailable",
    `The renderer is closed and takes no more documents. Create another one with ${maker}().`,
  );
}
