import { isQuireError } from "@quire/core/host";

/** The result of a call; null if it rejects `not_found`. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isQuireError(error) && error.code === "not_found") return null;
    throw error;
  }
}
