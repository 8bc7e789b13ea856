/** A service within an Express application, below /v1. Ends with Ctrl-C. */
import { mkdir } from "node:fs/promises";
import { sqliteStores } from "@quire/jobs-sqlite";
import { createService, nodeListener, staticTokens } from "@quire/service";
import { fsStorage } from "@quire/storage-fs";
import express from "express";

await mkdir("files", { recursive: true });

const service = await createService({
  storage: fsStorage({ root: "files" }),
  stores: sqliteStores({ path: "quire.db" }),
  authenticate: staticTokens([{ token: "a-token-of-ann", user: "ann", enterprise: "acme" }]),
  prefix: "/v1",
});

const app = express();
// Must come before any body parser, because the service streams uploads.
app.use("/v1", nodeListener(service.handler));
app.use(express.json());
app.get("/", (_request, response) => void response.send("An application"));

const server = app.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" && address?.port}/v1/docs`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    service.handler.drain();
    server.close(() => void service.close());
    server.closeIdleConnections();
  });
}
