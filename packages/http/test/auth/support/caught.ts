import { inspect } from "node:util";
import { isQuireError, type QuireError } from "@quire/core";

/** The error that work fails with; fails itself when it does not, or with one that is not Quire's. */
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

/** All that a log could show of an error, down through its causes and whatever hangs on them. */
export function shown(error: unknown): string {
  return inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
}
