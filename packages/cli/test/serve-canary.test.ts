/** Tests that a service discloses data only to callers who may see it. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebhooksManager } from "box-node-sdk/managers";
import { describe, expect, test } from "vitest";
import { makePlace, until } from "./support/cli.ts";
import { docx } from "./support/docx.ts";
import {
  atEnd,
  batchOf,
  requestOf,
  type Service,
  serve,
  uploadForm,
  WORK_SECONDS,
} from "./support/serve.ts";

const KEY = "a-key-that-signs-webhooks";
const SECOND_KEY = "another-key-that-signs-them";
const ALL_TRIGGERS = [
  "DOCGEN_DOCUMENT_GENERATION_STARTED",
  "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
  "DOCGEN_DOCUMENT_GENERATION_FAILED",
] as const;

/** A received delivery. */
interface Delivery {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Receives deliveries on this machine, and counts connections. */
async function receiver(): Promise<{
  readonly address: string;
  readonly deliveries: Delivery[];
  connections(): number;
}> {
  const deliveries: Delivery[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    deliveries.push({ body: await text(request), headers: request.headers });
    response.writeHead(200).end();
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/hook`, deliveries, connections: () => connections };
}

function subscribe(service: Service, address: string, folder: string) {
  return service.ask("/2.0/webhooks", {
    body: { target: { id: folder, type: "folder" }, address, triggers: ALL_TRIGGERS },
  });
}

describe("Webhooks", () => {
  test("report the start and the end of each job once, signed as the SDK checks it", async () => {
    const place = await makePlace();
    const { address, deliveries } = await receiver();
    const service = await serve(place, {
      args: ["--no-pdf", "--webhook-allow", "127.0.0.1"],
      env: { QUIRE_WEBHOOK_KEY: KEY, QUIRE_WEBHOOK_KEY_2: SECOND_KEY },
    });
    expect(service.stderr()).toMatch(/^ +webhooks +signed/m);
    const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
    const folder = await service.folder("out");
    expect((await subscribe(service, address, folder)).status).toBe(201);
    const entries = ["one", "two", "three"].map((name) => ({
      generated_file_name: name,
      user_input: name === "two" ? {} : { name },
    }));
    const { body: begun } = await service.ask("/2.0/docgen_batches", {
      body: batchOf(file, folder, entries),
    });
    await service.finished(begun.id);
    await until("all are told", () => deliveries.length >= 6, WORK_SECONDS);
    const { body: jobs } = await service.ask(`/2.0/docgen_batch_jobs/${begun.id}`);
    const told = deliveries.map(({ body }) => JSON.parse(body));
    for (const { id, status } of jobs.entries) {
      const ofJob = told.filter(({ source }) => source.id === id);
      expect(ofJob.map(({ trigger }) => trigger).sort()).toEqual([
        "DOCGEN_DOCUMENT_GENERATION_STARTED",
        "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
      ]);
      const end = ofJob.find(({ trigger }) => trigger.endsWith("SUCCEEDED"));
      expect(end.source.status).toBe(status);
    }
    for (const { body, headers } of deliveries) {
      const plain = headers as Record<string, string>;
      expect(await WebhooksManager.validateMessage(body, plain, KEY)).toBe(true);
      expect(
        await WebhooksManager.validateMessage(body, plain, "", { secondaryKey: SECOND_KEY }),
      ).toBe(true);
      expect(await WebhooksManager.validateMessage(`${body} `, plain, KEY)).toBe(false);
    }
    const { stdout, stderr } = await service.stop();
    for (const key of [KEY, SECOND_KEY]) expect(stdout + stderr).not.toContain(key);
    expect(stdout + stderr).not.toContain("/hook");
  }, 120_000);

  test("connect only to allowed hosts on this machine, even if others were allowed before", async () => {
    const place = await makePlace();
    const { address, connections } = await receiver();
    const env = { QUIRE_WEBHOOK_KEY: KEY };
    const args = ["--no-pdf"];
    const before = await serve(place, { args: [...args, "--webhook-allow", "127.0.0.1"], env });
    const file = await before.upload("letter.docx", docx(["Dear {{name}}"]));
    const folder = await before.folder("out");
    expect((await subscribe(before, address, folder)).status).toBe(201);
    await before.stop();
    const service = await serve(place, { args, env });
    for (const wrong of [
      address,
      address.replace("127.0.0.1", "localhost"),
      "https://127.0.0.1/",
    ]) {
      const { status, body } = await subscribe(service, wrong, folder);
      expect([status, body.message]).toEqual([
        400,
        expect.stringContaining("allowed webhook hosts"),
      ]);
    }
    const { body: begun } = await service.ask("/2.0/docgen_batches", {
      body: batchOf(file, folder, [{ generated_file_name: "one", user_input: { name: "Ann" } }]),
    });
    await service.finished(begun.id);
    await until(
      "the delivery was tried",
      () => /webhook was not delivered/i.test(service.stdout()),
      WORK_SECONDS,
    );
    expect(connections()).toBe(0);
    await service.stop();
    const without = await serve(place, { args });
    expect((await subscribe(without, address, folder)).status).toBeGreaterThanOrEqual(400);
  }, 120_000);
});

test("No value of the data, no content and no name of a file is in logs, metrics, webhooks or errors", async () => {
  const place = await makePlace();
  const canary = "Kanarienvogel";
  const { address, deliveries } = await receiver();
  const service = await serve(place, {
    args: ["--webhook-allow", "127.0.0.1"],
    env: { QUIRE_WEBHOOK_KEY: KEY },
  });
  const answers: string[] = [];
  /** Expects an error, and collects the response. No response may contain the canary. */
  const expectError = async (path: string, ask: Parameters<Service["ask"]>[1], status: number) => {
    const answer = await service.ask(path, ask);
    expect([path, answer.status]).toEqual([path, status]);
    answers.push(`${path} ${JSON.stringify(answer.body)}`);
  };
  const good = await service.upload(
    `${canary}.docx`,
    docx([`${canary} {{name}} {{#list}}{{x}}{{/list}}`]),
  );
  const pdf = await service.upload(`${canary}-pdf.docx`, docx([`${canary} {{name}}`]));
  const bad = await service.upload(`${canary}-bad.docx`, docx([`${canary} {{#if}} {{/}} {{name`]));
  const none = await service.upload(`${canary}-none.docx`, new TextEncoder().encode(canary));
  const folder = await service.folder(`${canary}-out`);
  expect((await subscribe(service, address, folder)).status).toBe(201);
  const entry = (index: number, input: object) => ({
    generated_file_name: `${canary}-${index}`,
    user_input: input,
  });
  const entries = [
    entry(1, { name: canary, list: [{ x: canary }] }),
    entry(2, { name: { [canary]: canary }, list: canary }),
    entry(3, { name: [canary], list: { x: canary }, more: canary }),
    entry(4, { more: canary }),
  ];
  const batches: string[] = [];
  for (const [file, type] of [
    [good, "docx"],
    [pdf, "pdf"],
    [bad, "docx"],
    [none, "docx"],
  ] as const) {
    const { status, body } = await service.ask("/2.0/docgen_batches", {
      body: batchOf(file, folder, entries, type),
    });
    expect(status).toBe(202);
    batches.push(body.id);
  }
  let jobCount = 0;
  const failures: unknown[] = [];
  for (const batch of batches) {
    await service.finished(batch);
    const { body } = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
    for (const job of body.entries) {
      failures.push(job.failures);
      jobCount += 1;
    }
  }
  await until("all are told", () => deliveries.length >= 2 * jobCount, WORK_SECONDS);

  const body = { ...batchOf(good, folder, entries), output_type: canary };
  await expectError("/2.0/docgen_batches", { body }, 400);
  await expectError("/2.0/docgen_batches", { body: { [canary]: canary } }, 400);
  await expectError(
    "/2.0/docgen_batches",
    { body: batchOf(good, folder, [entry(1, [canary])]) },
    400,
  );
  await expectError("/2.0/docgen_templates", { body: { file: { id: folder, type: canary } } }, 400);
  await expectError("/2.0/folders/0", { token: `${canary}-token` }, 401);
  await expectError(
    "/2.0/webhooks",
    { body: { address: `http://${canary}/`, triggers: [canary] } },
    400,
  );
  const half = await fetch(`${service.url}/2.0/docgen_batches`, {
    ...requestOf({ method: "POST", headers: { "content-type": "application/json" } }),
    body: `{"file": "${canary}", ${canary}`,
  });
  expect(half.status).toBe(400);
  answers.push(await half.text());
  // The conflict message repeats the name to the caller who sent it, so this response is not searched.
  const again = await fetch(`${service.url}/2.0/files/content`, {
    method: "POST",
    headers: { authorization: requestOf().headers?.["authorization" as never] ?? "" },
    body: uploadForm(`${canary}.docx`, new Uint8Array([1]), "0"),
  });
  expect(again.status).toBe(409);
  await service.ask(`/2.0/files/${canary}`);
  await service.ask(`/${canary}?${canary}=${canary}`);
  await service.ask(`/2.0/docgen_jobs?marker=${canary}`);
  const { body: metrics } = await service.ask("/metrics");
  const { stdout, stderr } = await service.stop();

  expect(stdout).toContain('"route"');
  // Make sure that the outputs to search are not empty, for valid and invalid templates.
  expect(failures.filter((each) => each !== null).length).toBeGreaterThan(8);
  const shown: Record<string, string> = {
    stdout,
    stderr,
    metrics,
    errors: answers.join("\n"),
    webhooks: deliveries.map((delivery) => delivery.body).join("\n"),
    failures: JSON.stringify(failures, null, 1),
  };
  for (const [where, all] of Object.entries(shown)) {
    const lines = all.split("\n").filter((line) => line.includes(canary));
    expect([where, lines.slice(0, 5)]).toEqual([where, []]);
  }
}, 240_000);
