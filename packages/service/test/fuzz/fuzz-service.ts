/** A service that receives random requests. */
import fc from "fast-check";
import { expect } from "vitest";
import {
  entries,
  expectError,
  HELLO,
  type TestService,
  testService,
  told,
  WEBHOOKS,
} from "../support/service.ts";
import { type FuzzRequest, fuzzRequest, toRequest } from "./requests.ts";

const AT_ONCE = 50;
/** Time in milliseconds after which a request counts as hanging. */
const HANGS_MS = 15_000;

/** Creates one item of each kind, because requests delete items. Returns the ids by placeholder. */
async function fixtures(service: TestService): Promise<ReadonlyMap<string, string>> {
  count += 1;
  const file = await service.upload(`hello ${count}.docx`, HELLO);
  const folder = await service.folder(`out ${count}`);
  await service.ask("/2.0/docgen_templates", { body: { file: { id: file } } });
  const batch = await service.batch(file, folder, entries("a", "b"));
  await service.finished(batch);
  const { body } = await service.ask(`/2.0/docgen_batch_jobs/${batch}?limit=1`);
  const [job] = body.entries;
  const hook = await service.ask("/2.0/webhooks", {
    body: {
      target: { type: "folder", id: folder },
      address: "https://hooks.invalid/",
      triggers: ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED"],
    },
  });
  const told = (await service.ask(`/2.0/files/${file}`)).body;
  return new Map([
    ["@file", file],
    ["@folder", folder],
    ["@batch", batch],
    ["@job", job.id],
    ["@webhook", hook.body.id],
    ["@version", told.file_version.id],
    ["@output", job.output_file.id],
    ["@etag", told.etag],
    ["@marker", body.next_marker],
  ]);
}
let count = 0;

/** Sends a request and checks that the response is allowed. Returns its status. */
async function send(
  service: TestService,
  fuzz: FuzzRequest,
  ids: ReadonlyMap<string, string>,
): Promise<number> {
  const request = toRequest(fuzz, ids);
  if (request === null) return 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It hangs: ${fuzz.method} ${fuzz.path}`)), HANGS_MS);
  });
  const response = await Promise.race([service.handle(request), late]);
  clearTimeout(timer);
  const { status } = response;
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    return status;
  }
  const answer = await told(response);
  expect([status, answer.body]).toEqual([expect.toBeOneOf(FORESEEN), answer.body]);
  if (status >= 400 && answer.body !== "") expectError(answer, status, answer.body.code);
  return status;
}

const FORESEEN = [200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 416];

/**
 * Sends random requests, some of them at the same time. Expects a response to each request, responses with all the
 * statuses in `seen`, and a service that still works afterwards.
 */
export async function fuzzService(requests: number, seen: readonly number[]): Promise<void> {
  const service = await testService({
    logger: { info() {}, warn() {}, error() {} },
    webhooks: WEBHOOKS,
    limits: { requestsPerMinute: Number.POSITIVE_INFINITY, streams: 10_000 },
  });
  const statuses = new Map<number, number>();
  const round = fc.array(fuzzRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(round, async (sent) => {
      const ids = await fixtures(service);
      const answered = await Promise.all(sent.map((request) => send(service, request, ids)));
      for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
    { numRuns: requests / AT_ONCE, endOnFailure: true },
  );
  // Each status must be frequent enough for the test to be meaningful.
  for (const status of seen) {
    expect([status, (statuses.get(status) ?? 0) > requests / 2000]).toEqual([status, true]);
  }
  expect(statuses.get(0) ?? 0).toBeLessThan(requests / 20);
  const ids = await fixtures(service);
  const made = await service.fetch(`/2.0/files/${ids.get("@output")}/content`);
  expect((await made.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  expect((await service.ask("/readyz")).status).toBe(200);
}
