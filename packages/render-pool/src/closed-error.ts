import { QuireError } from "@quire/contracts";

/** Returns the error for a document that is passed to a renderer after `close()`. */
export function closedError(maker: string): QuireError {
  return new QuireError(
    "unavailable",
    `The renderer is closed and accepts no more documents. Create a new one with ${maker}().`,
  );
}
