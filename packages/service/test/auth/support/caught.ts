import { inspect } from "node:util";
import { isQuireError, type QuireError } from "@quire/core";

/** Returns the error of a rejected promise. Fails if the promise resolves, or if the error is not a `QuireError`. */
export async function caught(work: () => unknown): Promise<QuireError> {
  let result: unknown;
  try {
    result = await work();
  } catch (error) {
    if (isQuireError(error)) return error;
    throw error;
  }
  throw new Error(`Nothing was thrown; the result is ${JSON.stringify(result)}.`);
}

/** Returns everything that a log could show of an error, including its causes and properties. */
export function shown(error: unknown): string {
  return inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
}
