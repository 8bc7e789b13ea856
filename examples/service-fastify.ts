/** A service within a Fastify application, below /v1. Ends with Ctrl-C. */
import { mkdir } from "node:fs/promises";
import { sqliteStores } from "@quire/jobs-sqlite";
import { createService, nodeListener, staticTokens } from "@quire/service";
import { fsStorage } from "@quire/storage-fs";
import { fastify } from "fastify";

await mkdir("files", { recursive: true });

const service = await createService({
  storage: fsStorage({ root: "files" }),
  stores: sqliteStores({ path: "quire.db" }),
  authenticate: staticTokens([{ token: "a-token-of-ann", user: "ann", enterprise: "acme" }]),
  prefix: "/v1",
});

const app = fastify();
app.get("/", async () => "An application");
const listener = nodeListener(service.handler);
await app.register(async (scope) => {
  // Fastify must not read bodies, because the service streams uploads.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  scope.all("/v1/*", async (request, reply) => {
    reply.hijack();
    await listener(request.raw, reply.raw);
  });
});

app.addHook("onClose", () => service.close());
await app.listen({ port: Number(process.env.PORT ?? 8080), host: "127.0.0.1" });
console.log(`${app.listeningOrigin}/v1/docs`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    service.handler.drain();
    void app.close();
  });
}
