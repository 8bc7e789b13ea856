// Like a user's first program, uses every entry point, with values and types.
import assert from "node:assert/strict";
import * as conformance from "@quire/conformance";
import {
  type Converter,
  compileTemplate,
  createEngine,
  type Diagnostic,
  ERROR_CODES,
  isQuireError,
  type JobStore,
  QuireError,
  type Storage,
} from "@quire/core";
import { createEngine as createHostEngine } from "@quire/core/host";
import { createHttpHandler, unauthorized } from "@quire/http";
import { openApi } from "@quire/http/parts";
import { sqliteJobStore, sqliteStores } from "@quire/jobs-sqlite";
import { openDocx } from "@quire/ooxml";
import { libreOffice } from "@quire/pdf-libreoffice";
import { postgresStores } from "@quire/postgres";
import { createService, startServer, staticTokens } from "@quire/service";
import { fsStorage } from "@quire/storage-fs";
import { s3Storage } from "@quire/storage-s3";

const storage: Storage = fsStorage({ root: "." });
const bucket: Storage = s3Storage({
  bucket: "letters",
  endpoint: "http://127.0.0.1:9",
  attempts: 1,
});
const converter: Converter = libreOffice();
const jobs: JobStore = sqliteJobStore({ path: "jobs.db" });
const worker = await jobs.openWorker({ takes: "docx", leaseMs: 60_000, keepFinishedMs: null });
assert.deepEqual(await worker.claim(1), { jobs: [], suspects: false });
await jobs.close();
const error: unknown = await storage.read({ type: "file", id: "no-such-file" }).catch((e) => e);
assert(isQuireError(error) && error instanceof QuireError);
assert.equal(error.code, "not_found");
const escaped: unknown = await bucket.read({ type: "file", id: "../x" }).catch((e) => e);
assert(isQuireError(escaped) && escaped.code === "forbidden");
const diagnostics: readonly Diagnostic[] = error.diagnostics;
assert(Array.isArray(diagnostics) && ERROR_CODES.length > 0);
assert.equal(createHostEngine, createEngine);
assert.equal(typeof openDocx, "function");
assert.equal(typeof compileTemplate, "function");
assert(Object.values(conformance).some((suite) => typeof suite === "function"));
await converter.close();
const token = { token: "a-token-of-ours", user: "ann", enterprise: "acme" };
const service = await createService({
  storage,
  stores: sqliteStores({ path: "service.db" }),
  authenticate: staticTokens([token]),
});
const server = await startServer(service.handler, { port: 0 });
const { status } = await fetch(server.url + "/2.0/folders/0/items", {
  headers: { authorization: "Bearer " + token.token },
});
assert.equal(status, 200);
await server.close();
const handler = createHttpHandler(service.engine, {
  authenticate: async ({ headers }) => unauthorized(headers),
});
assert.equal(typeof postgresStores, "function");
const refused = await handler(new Request("http://quire.test/2.0/docgen_jobs"));
assert.equal(refused.status, 401);
assert.equal(typeof openApi, "function");
await service.close();
