/** Tests that a service that is killed while clients send batches makes every document of accepted batches once. */
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { BoxRetryStrategy } from "box-node-sdk/networking";
import { expect } from "vitest";
import { makePlace, until } from "./cli.ts";
import { docx, linesOf } from "./docx.ts";
import { type ServiceProcess, sdkClient, serveProcess, WORK_SECONDS } from "./serve.ts";

const CLIENTS = 4;
const ENTRIES = 3;

/** A batch that was accepted with 202. */
interface Promised {
  readonly id: string;
  readonly names: readonly string[];
  readonly keyed: boolean;
}

/**
 * Matches a document name: whether its batch has a key; the numbers of client, batch and entry; the suffix of a copy.
 */
const NAME = /^((?:keyed|free)-\d+-\d+-\d+)(?: \(\d+\))?\.docx$/;

/** Kills a service this many times while clients send batches, and expects that all accepted batches are done. */
export async function expectNothingLost(rounds: number): Promise<void> {
  const place = await makePlace();
  let service: ServiceProcess = await serveProcess(place, { args: ["--no-pdf", "--rate", "0"] });
  const { port } = service;
  const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
  const folder = await service.folder("out");
  const promised: Promised[] = [];
  let isOver = false;
  let sent = 0;

  // Like the SDK's own strategy, this repeats the same request if there is no response.
  const tireless = new BoxRetryStrategy({
    maxAttempts: 1000,
    maxRetriesOnException: 1000,
    retryBaseInterval: 0,
  });
  const retryStrategy = {
    shouldRetry: tireless.shouldRetry.bind(tireless),
    retryAfter: () => 0.02,
  };
  const client = sdkClient(service.url, { retryStrategy });
  const send = async (who: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const keyed = who % 2 === 0;
      const names = Array.from(
        { length: ENTRIES },
        (_, index) => `${keyed ? "keyed" : "free"}-${who}-${count}-${index}`,
      );
      sent += 1;
      const extraHeaders = { "idempotency-key": `${who}-${count}` };
      const { id } = await client.docgen.createDocgenBatchV2025R0(
        {
          file: { type: "file", id: file },
          inputSource: "api",
          destinationFolder: { type: "folder", id: folder },
          outputType: "docx",
          documentGenerationData: names.map((name) => ({
            generatedFileName: name,
            userInput: { name },
          })),
        },
        keyed ? { headers: { boxVersion: "2025.0", extraHeaders } } : {},
      );
      promised.push({ id, names, keyed });
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, who) => send(who)));

  for (let round = 0; round < rounds; round += 1) {
    const before = promised.length;
    await until(
      "some batches were accepted",
      () => promised.length > before + CLIENTS,
      WORK_SECONDS,
    );
    await sleep(Math.random() * 200);
    await service.kill();
    service = await serveProcess(place, { args: ["--no-pdf", "--rate", "0"], port });
  }
  isOver = true;
  await clients;
  expect(promised).toHaveLength(sent);

  // All accepted batches finish.
  for (const { id, names } of promised) {
    const { counts } = await service.finished(id);
    expect([id, counts]).toEqual([id, expect.objectContaining({ completed: names.length })]);
  }
  await until("all batches are done", async () => {
    const { body } = await service.ask("/2.0/docgen_jobs?limit=1000");
    return body.entries.every(({ status }: { status: string }) => status === "completed");
  });

  // The documents of the jobs, the files of the folder and the files on the disk are the same.
  const documents = new Map<string, string>();
  for (const { id, names } of promised) {
    const { body } = await service.ask(`/2.0/docgen_batch_jobs/${id}?limit=100`);
    const ids = body.entries.map((job: { output_file: { id: string } }) => job.output_file.id);
    expect(new Set(ids).size).toBe(names.length);
    for (const [index, name] of names.entries()) documents.set(ids[index], name);
  }
  const items = await service.items(folder);
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([...documents.keys()]));
  const copies = new Map<string, number>();
  for (const { id, name } of items) {
    const [, asked = name] = NAME.exec(name) ?? [];
    copies.set(asked, (copies.get(asked) ?? 0) + 1);
    expect(asked).toBe(documents.get(id) ?? asked);
  }
  for (const { names, keyed } of promised) {
    for (const name of names) {
      // If a request without a key was accepted but got no response, its retry creates a second batch.
      if (keyed) expect([name, copies.get(name)]).toEqual([name, 1]);
      else expect(copies.get(name)).toBeGreaterThanOrEqual(1);
    }
  }
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  const [tenant = ""] = await readdir(place.path("data", "files", "tenants"));
  const stored = await readdir(place.path("data", "files", "tenants", tenant, "out"));
  expect(stored.sort()).toEqual(items.map(({ name }) => name).sort());
  for (const name of stored) {
    const [, asked = ""] = NAME.exec(name) ?? [];
    const path = place.path("data", "files", "tenants", tenant, "out", name);
    expect(await linesOf(path)).toEqual([`Dear ${asked}`]);
  }
}
