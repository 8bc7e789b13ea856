/** A service as a separate server: files in a folder, everything else in one SQLite file. Ctrl-C ends it. */
import { mkdir } from "node:fs/promises";
import { sqliteStores } from "@quire/jobs-sqlite";
import { createService, startServer, staticTokens } from "@quire/service";
import { fsStorage } from "@quire/storage-fs";

await mkdir("files", { recursive: true });

const service = await createService({
  storage: fsStorage({ root: "files" }),
  stores: sqliteStores({ path: "quire.db" }),
  authenticate: staticTokens([{ token: "a-token-of-ann", user: "ann", enterprise: "acme" }]),
});
const server = await startServer(service.handler, { port: Number(process.env.PORT ?? 8080) });
console.log(`${server.url}/docs`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    service.handler.drain();
    await server.close();
    await service.close();
  });
}
