import { QuireError } from "@quire/contracts";

/** The error for a document after `close()`. */
export function closedError(maker: string): QuireError {
  return new QuireError(
    "unavailable",
    `The renderer is closed and accepts no more documents. Create a new one with ${maker}().`,
  );
}
