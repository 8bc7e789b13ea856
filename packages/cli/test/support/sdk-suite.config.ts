import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Runs the official SDK's own Doc Gen tests against `quire serve`. Only the client of these tests is replaced: it uses
 * another base URL and a token.
 */
const SDK = fileURLToPath(new URL("../../../../node_modules/box-node-sdk/src/", import.meta.url));

const CLIENT = "auth: isBrowser() ? getCcgAuth() : getJwtAuth(),";
export default defineConfig({
  root: SDK,
  resolve: { alias: { "@": SDK } },
  plugins: [
    {
      name: "another client",
      enforce: "pre",
      transform(code, id) {
        if (!id.endsWith("/test/commons.ts")) return null;
        if (!code.includes(CLIENT)) throw new Error("The SDK makes its client in another way now.");
        return [
          'import { BoxDeveloperTokenAuth } from "@/box/developerTokenAuth";',
          'import { NetworkSession } from "@/networking/network";',
          'import { BaseUrls } from "@/networking/baseUrls";',
          code.replace(
            CLIENT,
            `auth: new BoxDeveloperTokenAuth({ token: process.env.QUIRE_TEST_TOKEN! }),
             networkSession: new NetworkSession({ baseUrls: new BaseUrls({
               baseUrl: process.env.QUIRE_TEST_URL!, uploadUrl: process.env.QUIRE_TEST_URL!,
             }) }),`,
          ),
        ].join("\n");
      },
    },
  ],
  test: {
    include: ["test/docgen.test.ts", "test/docgenTemplate.test.ts"],
    exclude: [],
    globals: true,
    pool: "forks",
    testTimeout: 60_000,
    server: { deps: { inline: [/box-node-sdk/] } },
  },
});
