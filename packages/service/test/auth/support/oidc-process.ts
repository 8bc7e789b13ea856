import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A real OAuth server in a separate process. */
export interface OidcProcess extends AsyncDisposable {
  readonly issuer: string;
  /** A client for which tokens are issued. */
  readonly user: { readonly id: string; readonly secret: string };
  /** A client that may introspect tokens. */
  readonly gate: { readonly id: string; readonly secret: string };
  makeToken(scope: string): Promise<string>;
  revoke(token: string): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("oidc-server.mjs", import.meta.url));

export async function oidcProcess(): Promise<OidcProcess> {
  const user = { id: "user-7", secret: "the user's secret" };
  const gate = { id: "gate", secret: "secret: with %, +, =, & and ~\"'" };
  const child = spawn(process.execPath, [PROGRAM, user.secret, gate.secret], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended]);
  const issuer = String(first[0]);
  if (!issuer.startsWith("http://")) throw new Error("The OAuth server did not start.");
  const post = async (path: string, form: Record<string, string>): Promise<string> => {
    const { id: client_id, secret: client_secret } = user;
    const body = new URLSearchParams({ client_id, client_secret, ...form });
    const response = await fetch(`${issuer}${path}`, { method: "POST", body });
    const text = await response.text();
    if (!response.ok) throw new Error(`The OAuth server rejected the request: ${text}`);
    return text;
  };
  return {
    issuer,
    user,
    gate,
    makeToken: async (scope) => {
      const text = await post("/token", { grant_type: "client_credentials", scope });
      const answer: { access_token: string } = JSON.parse(text);
      return answer.access_token;
    },
    revoke: async (token) => {
      await post("/token/revocation", { token });
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
