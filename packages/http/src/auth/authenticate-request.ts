import type { Problem } from "../wire/problem.ts";
import type { Principal } from "./principal.ts";

/**
 * Returns the sender of a request, or the problem to send to the client, usually a 401. Must not read the body. Rejects
 * with a `QuireError` `unavailable` if the sender cannot be identified now (503). An error never grants access.
 */
export type AuthenticateRequest = (request: Request) => Promise<Principal | Problem>;
