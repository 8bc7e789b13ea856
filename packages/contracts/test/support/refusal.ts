import { isQuireError, type QuireError } from "@quire/contracts";

/** Returns the error that a promise rejects with. */
export async function refusal(promise: Promise<unknown>): Promise<QuireError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isQuireError(error)) throw new Error("The request was accepted.");
  return error;
}
