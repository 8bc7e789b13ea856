import type { Principal } from "./auth/principal.ts";
import type { Operation } from "./openapi/operation.ts";
import { type HeldBytes, unlimitedBytes } from "./request/held-bytes.ts";

/** Decides which requests are processed, and when. This is where a service limits rates, memory and concurrent work. */
export interface Admission {
  /** Called before the query and the body of a request are read. A rejection is the response to the request. */
  admit(who: Principal): Promise<AdmittedRequest>;
  /** Called before an error is sent; may delay it. `who` is null if the sender was not identified. */
  rejected(who: Principal | null, error: unknown): Promise<void>;
}

/** One admitted request. */
export interface AdmittedRequest {
  /** The bytes that the request keeps in memory. They are released when the request ends. */
  readonly holding: HeldBytes;
  /**
   * Waits until the request may be processed. Resolves with a function that must be called when processing ends.
   * `enter` is called after the body has arrived and before it is parsed. Rejects if too many requests are waiting.
   */
  enter(operation: Pick<Operation, "isSlow" | "upload">): Promise<() => void>;
  /** Resolves when the service may report the problems of a request that `enter` has rejected. */
  reportTurn(): Promise<void>;
  /** Returns the body of a JSON response with this text. Throws a `Problem` if there is not enough memory for it. */
  sent(text: string): string | ReadableStream<Uint8Array>;
}

/** Admits every request immediately. */
export const OPEN_ADMISSION: Admission = {
  admit: async () => ({
    holding: unlimitedBytes(),
    enter: async () => () => {},
    reportTurn: async () => {},
    sent: (text) => text,
  }),
  rejected: async () => {},
};
