import type { Principal } from "./auth/principal.ts";
import type { Operation } from "./openapi/operation.ts";
import { type HeldBytes, unlimitedBytes } from "./request/held-bytes.ts";

/** Decides which requests are processed, and when. A service limits rates, memory and concurrent work here. */
export interface Admission {
  /** Called before the query and the body of a request are read. If it rejects, the request is rejected. */
  admit(who: Principal): Promise<AdmittedRequest>;
  /** Called before an error is sent, and may delay it. `who` is null if the sender was not identified. */
  rejected(who: Principal | null, error: unknown): Promise<void>;
}

/** One admitted request. */
export interface AdmittedRequest {
  /** The bytes that the request keeps in memory. They are released when it ends. */
  readonly holding: HeldBytes;
  /**
   * Waits until the request may be processed, and resolves with a function that ends the request's turn. `enter` is
   * called after the body has arrived and before it is parsed. Rejects if too many requests wait.
   */
  enter(operation: Pick<Operation, "isSlow" | "upload">): Promise<() => void>;
  /** Resolves when the service may report the problems of a request whose turn was refused. */
  reportTurn(): Promise<void>;
  /**
   * Returns the body to send for a JSON response with this text. Throws a `Problem` if there is not enough memory for
   * it.
   */
  sent(text: string): string | ReadableStream<Uint8Array>;
}

/** Admits every request at once. */
export const OPEN_ADMISSION: Admission = {
  admit: async () => ({
    holding: unlimitedBytes(),
    enter: async () => () => {},
    reportTurn: async () => {},
    sent: (text) => text,
  }),
  rejected: async () => {},
};
