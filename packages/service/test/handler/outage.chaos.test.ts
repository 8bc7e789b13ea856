import { memoryStorage, QuireError } from "@quire/core";
import { expect, test } from "vitest";
import { createTelemetry } from "../../src/index.ts";
import { batchBody, entries, expectError, HELLO, testService } from "../support/service.ts";

test("a service whose storage fails refuses new batches with a reason, and continues by itself", async () => {
  const storage = memoryStorage();
  const create = storage.create.bind(storage);
  let isFull = false;
  storage.create = async (...args) => {
    if (!isFull) return create(...args);
    throw new QuireError("storage_failed", "The disk sda1 is full.", { retryable: true });
  };
  const logged: string[] = [];
  const log = (_: object, message: string): void => void logged.push(message);
  const telemetry = createTelemetry({ defaultMetrics: false });
  const service = await testService({
    storage,
    telemetry,
    logger: { info: log, warn: log, error: log },
  });
  const paused = async (): Promise<string | undefined> =>
    /quire_paused_batches\{code="storage_failed"\} (\d)/.exec(
      (await telemetry.metrics()).text,
    )?.[1];
  const file = await service.upload("a.docx", HELLO);
  const folder = await service.folder("out");
  const ready = async (): Promise<number> => (await service.ask("/readyz")).status;
  expect([await ready(), await paused()]).toEqual([200, "0"]);

  isFull = true;
  const batch = await service.batch(file, folder, entries("a", "b", "c"));
  await expect.poll(ready, { timeout: 20_000 }).toBe(503);
  expect(await paused()).toBe("1");
  const body = batchBody(file, folder, entries("d"));
  const refused = await service.ask("/2.0/docgen_batches", { body });
  expectError(refused, 503, "unavailable");
  expect(refused.body.message).toMatch(/the storage does not work.*Try again later/);
  expect(refused.body.message).not.toContain("sda1");

  isFull = false;
  await expect.poll(ready, { timeout: 20_000 }).toBe(200);
  await service.finished(batch);
  const { body: jobs } = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
  expect(jobs.entries.map(({ status }: { status: string }) => status)).toEqual([
    "completed",
    "completed",
    "completed",
  ]);
  expect(await paused()).toBe("0");
  expect(logged.filter((message) => message.includes("paused"))).toEqual([
    "A batch is paused, because the storage or the converter does not work.",
    "A paused batch continues or has ended.",
  ]);
}, 60_000);
