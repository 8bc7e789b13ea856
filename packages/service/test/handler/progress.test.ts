import { memoryJobStore } from "@quire/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { everythingOf, open, serve } from "../support/server.ts";
import { LETTER, memoryStores, type TestService, TOKENS, testService } from "../support/service.ts";

interface ProgressEvent {
  readonly event: string;
  readonly data: { readonly id: string; readonly status: string };
}

function eventsOf(text: string): ProgressEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

/** Creates a batch whose documents the storage does not accept until `release` is called. */
async function heldBatch(service: TestService): Promise<{ batch: string; release: () => void }> {
  const file = await service.upload("letter.docx", LETTER);
  const folder = await service.folder("out");
  const gate = Promise.withResolvers<void>();
  const { storage } = service;
  const create = storage.create.bind(storage);
  storage.create = async (...of) => {
    await gate.promise;
    return create(...of);
  };
  onTestFinished(() => gate.resolve());
  const entry = { generated_file_name: "one", user_input: {} };
  const { status, body } = await service.ask("/2.0/docgen_batches", {
    body: {
      file: { id: file },
      input_source: "api",
      destination_folder: { id: folder },
      output_type: "docx",
      document_generation_data: [entry, entry, entry],
    },
  });
  expect(status).toBe(202);
  return { batch: body.id, release: gate.resolve };
}

describe("The stream of a batch's progress", () => {
  test("begins with the current state, reports each change, and ends with the batch", async () => {
    const service = await testService();
    const { batch, release } = await heldBatch(service);
    const response = await service.fetch(`/2.0/docgen_batches/${batch}/events`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-request-id")).toMatch(/./);
    setTimeout(release, 50);
    const events = eventsOf(await response.text());
    expect(events[0]).toMatchObject({ event: "progress", data: { id: batch, status: "running" } });
    expect(events.at(-1)).toMatchObject({ event: "finished", data: { status: "finished" } });
    expect(events.filter(({ event }) => event === "finished")).toHaveLength(1);
    const again = await service.fetch(`/2.0/docgen_batches/${batch}/events`);
    expect(eventsOf(await again.text()).map(({ event }) => event)).toEqual(["finished"]);
  });

  test("is rejected if a tenant has too many open, not for other tenants, and accepted after one was closed", async () => {
    const service = await testService({ limits: { streams: 2 } });
    const { batch, release } = await heldBatch(service);
    const path = `/2.0/docgen_batches/${batch}/events`;
    const [first, second] = [await service.fetch(path), await service.fetch(path, { who: "bob" })];
    const refused = await service.ask(path);
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await service.ask(path, { who: "eve" })).status).toBe(404);
    await first.body?.cancel();
    const third = await service.fetch(path);
    expect(third.status).toBe(200);
    release();
    await Promise.all([second.text(), third.text()]);
    for (let count = 0; count < 5; count += 1) await (await service.fetch(path)).text();
  });

  test("occupies no place for HEAD, which has no stream", async () => {
    const service = await testService({ limits: { streams: 1 } });
    const { batch, release } = await heldBatch(service);
    const path = `/2.0/docgen_batches/${batch}/events`;
    for (let count = 0; count < 3; count += 1) {
      const head = await service.fetch(path, { method: "HEAD" });
      expect([head.status, head.body]).toEqual([200, null]);
      expect(head.headers.get("content-type")).toBe("text/event-stream");
    }
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    release();
    await response.text();
  });

  test("frees its place when the client of a real server disconnects", async () => {
    const service = await testService({ limits: { streams: 1 } });
    const { batch, release } = await heldBatch(service);
    const path = `/2.0/docgen_batches/${batch}/events`;
    const { port } = await serve(service.service.handler);
    for (let count = 0; count < 3; count += 1) {
      const socket = open(port);
      const began = new Promise<void>((resolve) => {
        let told = "";
        socket.on("data", (chunk) => {
          told += chunk;
          if (told.includes("event: progress")) resolve();
        });
      });
      const lines = [
        "Host: x",
        "Service-Version: 2025.0",
        `Authorization: Bearer ${TOKENS.ann.token}`,
      ];
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      await began;
      expect((await service.ask(path)).status).toBe(429);
      const closed = everythingOf(socket);
      socket.destroy();
      await closed;
      await expect
        .poll(async () => {
          const next = await service.fetch(path);
          await next.body?.cancel();
          return next.status;
        })
        .toBe(200);
    }
    release();
  });

  test("ends and frees its place when the job store fails, without revealing the reason", async () => {
    const jobs = memoryJobStore();
    const service = await testService({
      limits: { streams: 1 },
      stores: { ...memoryStores(), jobs },
    });
    const { batch, release } = await heldBatch(service);
    const path = `/2.0/docgen_batches/${batch}/events`;
    const response = await service.fetch(path);
    const getBatch = jobs.getBatch.bind(jobs);
    jobs.getBatch = () => Promise.reject(new Error("secret.internal:5432 has gone"));
    const text = await response.text();
    expect(eventsOf(text).map(({ event }) => event)).toEqual(["progress"]);
    expect(text).not.toContain("secret");
    jobs.getBatch = getBatch;
    release();
    await (await service.fetch(path)).text();
  });
});

test("a stream ends when the service shuts down", async () => {
  const service = await testService();
  const { batch } = await heldBatch(service);
  const response = await service.fetch(`/2.0/docgen_batches/${batch}/events`);
  const whole = response.text();
  service.service.handler.drain();
  expect(eventsOf(await whole).map(({ event }) => event)).toEqual(["progress"]);
});
