/** Nodes and workers over one database that are killed or stopped while they work, and a database that fails. */
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { BoxRetryStrategy } from "box-node-sdk/networking";
import { describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../postgres/test/support/postgres-server.ts";
import { until } from "./support/cli.ts";
import { type DatabaseService, makeDatabaseService, metric } from "./support/database-service.ts";
import { docx, linesOf } from "./support/docx.ts";
import { batchOf, letters, sdkClient } from "./support/serve.ts";

const TOKEN_ARGS = ["--no-work"];
/** Longer than a lease of 15 seconds on a busy machine. */
const TAKEOVER_SECONDS = 180;

/** Expects that each of the documents exists once, on the disk and in the catalog, with the right text. */
async function expectDocuments(
  { place }: DatabaseService,
  items: readonly { readonly name: string }[],
  names: readonly string[],
): Promise<void> {
  const wanted = names.map((name) => `${name}.docx`).sort();
  expect(items.map(({ name }) => name).sort()).toEqual(wanted);
  const [tenant = ""] = await readdir(place.path("files", "tenants"));
  const folder = place.path("files", "tenants", tenant, "out");
  expect((await readdir(folder)).sort()).toEqual(wanted);
  for (const name of wanted.slice(0, 20)) {
    expect(await linesOf(`${folder}/${name}`)).toEqual([`Dear Ann ${/\d+/.exec(name)?.[0]}`]);
  }
}

describe("Two nodes and two workers over one database", () => {
  test("make every accepted document once if a node and a worker are killed", async () => {
    const service = await makeDatabaseService();
    const [one, other] = [
      await service.node({ args: TOKEN_ARGS }),
      await service.node({ args: TOKEN_ARGS }),
    ];
    const killed = await service.worker("--only", "docx");
    await service.worker("--only", "docx");
    const file = await one.upload("letter.docx", docx(["Dear {{name}}"]));
    const folder = await one.folder("out");
    // The SDK repeats a request whose node died, with the same idempotency key, at the other node.
    const retryStrategy = new BoxRetryStrategy({ maxAttempts: 3, retryBaseInterval: 0.01 });
    const send = async (url: string, from: number): Promise<string> => {
      const { id } = await sdkClient(url, { retryStrategy }).docgen.createDocgenBatchV2025R0(
        {
          file: { type: "file", id: file },
          inputSource: "api",
          destinationFolder: { type: "folder", id: folder },
          outputType: "docx",
          documentGenerationData: letters(300, from).map((entry) => ({
            generatedFileName: entry.generated_file_name,
            userInput: { name: `Ann ${/\d+/.exec(entry.generated_file_name)?.[0]}` },
          })),
        },
        { headers: { boxVersion: "2025.0", extraHeaders: { "idempotency-key": String(from) } } },
      );
      return id;
    };
    const batches = [await send(other.url, 1)];
    const last = send(other.url, 301).catch(() => send(one.url, 301));
    await until("some documents are made", async () => (await one.items(folder)).length > 20, 60);
    await Promise.all([killed.kill(), other.kill()]);
    batches.push(await last);
    for (const batch of batches) {
      await until(
        "the batch has finished",
        async () => (await one.ask(`/2.0/docgen_batches/${batch}`)).body.status === "finished",
        TAKEOVER_SECONDS,
      );
      expect((await one.finished(batch)).counts).toMatchObject({ completed: 300, failed: 0 });
    }
    const names = letters(600).map((entry) => entry.generated_file_name);
    await expectDocuments(service, await one.items(folder), names);
  }, 400_000);

  test("a worker that gets SIGTERM gives its jobs back at once, and another worker makes the rest", async () => {
    const service = await makeDatabaseService();
    const node = await service.node({ args: TOKEN_ARGS });
    const worker = await service.worker("--only", "docx", "--grace", "0");
    const file = await node.upload("letter.docx", docx(["Dear {{name}}"]));
    const folder = await node.folder("out");
    const body = batchOf(file, folder, letters(2000));
    const { body: batch } = await node.ask("/2.0/docgen_batches", { body });
    await until("some documents are made", async () => (await node.items(folder)).length > 20, 60);
    const { code } = await worker.stop();
    expect(code).toBe(0);
    // The lease would hold its jobs for 15 seconds.
    expect(await metric(node.url, 'quire_jobs{state="pending"}')).toBe(0);
    expect(await metric(node.url, 'quire_jobs{state="submitted"}')).toBeGreaterThan(0);
    await service.worker("--only", "docx");
    await until(
      "the batch has finished",
      async () => (await node.ask(`/2.0/docgen_batches/${batch.id}`)).body.status === "finished",
      TAKEOVER_SECONDS,
    );
    expect((await node.finished(batch.id)).counts).toMatchObject({ completed: 2000, failed: 0 });
    const names = letters(2000).map((entry) => entry.generated_file_name);
    await expectDocuments(service, await node.items(folder), names);
  }, 400_000);
});

describe("A database that fails", () => {
  test("makes every process not ready, and nothing is lost when it runs again", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.destroy());
    const service = await makeDatabaseService({ url: server.url });
    const node = await service.node({ args: TOKEN_ARGS });
    const worker = await service.worker("--only", "docx");
    const file = await node.upload("letter.docx", docx(["Dear {{name}}"]));
    const folder = await node.folder("out");
    const body = batchOf(file, folder, letters(1000));
    const { body: batch } = await node.ask("/2.0/docgen_batches", { body });
    await until("some documents are made", async () => (await node.items(folder)).length > 20, 60);
    await server.kill();
    const ready = async (url: string) => (await fetch(`${url}/readyz`)).status;
    expect([await ready(node.url), await ready(worker.url)]).toEqual([503, 503]);
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
    const refused = await node.ask("/2.0/docgen_batches", { body });
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    await sleep(2000);
    await server.start();
    await until(
      "the batch has finished",
      async () => (await node.ask(`/2.0/docgen_batches/${batch.id}`)).body.status === "finished",
      TAKEOVER_SECONDS,
    );
    expect((await node.finished(batch.id)).counts).toMatchObject({ completed: 1000, failed: 0 });
    expect([await ready(node.url), await ready(worker.url)]).toEqual([200, 200]);
    const names = letters(1000).map((entry) => entry.generated_file_name);
    await expectDocuments(service, await node.items(folder), names);
    expect(node.stderr() + node.stdout()).not.toMatch(/this is a bug/);
  }, 400_000);
});
