import { isQuireError } from "@quire/core/host";

/** Awaits a call and returns its result; null if it rejects with `not_found`. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isQuireError(error) && error.code === "not_found") return null;
    throw error;
  }
}
