// A real OAuth server in a separate process: its web framework compiles code from strings, which tests do not allow.
// Prints its issuer when it is listening, and ends with its parent.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [userSecret = "", gateSecret = ""] = process.argv.slice(2);

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "user-7",
        client_secret: userSecret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: "gate",
        client_secret: gateSecret,
        grant_types: [],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
    },
    scopes: ["root_readonly", "root_readwrite", "manage_webhook", "something_else"],
    extraTokenClaims: () => ({ tenant: "acme" }),
  });
  server.on("request", provider.callback());
  process.stdout.write(`${issuer}\n`);
});
process.stdin.on("end", () => process.exit()).resume();
