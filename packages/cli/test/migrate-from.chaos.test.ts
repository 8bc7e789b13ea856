/** `quire migrate --from` with a bucket, and with many jobs, killed again and again. */

import { hash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import type { JobResult, JobStore, JobWorker, NewBatch, NewJob } from "@quire/contracts";
import { sqliteStores } from "@quire/jobs-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { makeEmptyPlace } from "../../postgres/test/support/place.ts";
import { keysIn } from "../../storage-s3/test/support/place.ts";
import { bucketPlace } from "./support/bucket-run.ts";
import { makePlace } from "./support/cli.ts";
import { moveService } from "./support/moved-service.ts";

const BATCHES = 10;
const JOBS = 10_000;
const KILLS = 5;

function batchNamed(id: string, index: number): NewBatch {
  return newBatch({ id, tenant: `tenant ${index % 3}`, idempotencyKey: id });
}

function* jobsOf(batchId: string): Generator<NewJob> {
  for (let entry = 1; entry <= JOBS; entry++) {
    const name = `${batchId} ${entry}`;
    const bytes = Buffer.from(
      JSON.stringify({ name, text: "Lorem ipsum dolor sit amet. ".repeat(8) }),
    );
    yield newJob(name, bytes);
  }
}

/** Ends up to `most` jobs. Returns how many. */
async function work(worker: JobWorker, most: number): Promise<number> {
  let done = 0;
  while (done < most) {
    const { jobs } = await worker.claim(64);
    if (jobs.length === 0) break;
    await Promise.all(
      jobs.map((claim) => {
        const { entry, fileName: name } = claim;
        const outputFile = {
          ref: { type: "file", id: `out/${name}` },
          version: "1",
          name,
          size: 1,
        } as const;
        const result: JobResult = {
          status: "completed",
          outputFile,
          sha256: hash("sha256", name),
          pages: null,
          converter: null,
          errors: [],
          warnings: [],
        };
        const failure = {
          code: "render_failed",
          message: "It failed.",
          diagnostics: [],
          retryable: false,
          cause: null,
        } as const;
        return worker.settle(
          claim,
          entry % 7 === 0 ? { type: "failed", failure } : { type: "completed", result },
        );
      }),
    );
    done += jobs.length;
  }
  return done;
}

/** Returns the number of jobs, and a hash over all of them. */
async function hashOf(store: JobStore): Promise<[number, string]> {
  let [count, sum] = [0, ""];
  for (const { id } of (await store.listBatches({ limit: 100 })).items) {
    for (let marker: string | null | undefined; marker !== null; ) {
      const page = { order: "entry", batchId: id, limit: 1000 } as const;
      const { items, nextMarker } = await store.listJobs(
        marker === undefined ? page : { ...page, marker },
      );
      count += items.length;
      sum = hash("sha256", sum + JSON.stringify(items));
      marker = nextMarker;
    }
  }
  return [count, sum];
}

test("a service moves, its files are copied to a bucket as any program does, and it finds them there", async () => {
  const { bucket, place } = await bucketPlace(0);
  await moveService(place, async () => {
    const root = place.path("data", "files");
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const Key = `production/${relative(root, path)}`;
      const Body = await readFile(path);
      await bucket.client.send(new PutObjectCommand({ Bucket: bucket.bucket, Key, Body }));
    }
    return `s3://${bucket.bucket}/production`;
  });
  expect(await keysIn(bucket, "production/tenants/local/out/")).toHaveLength(5);
});

test("a move of 100,000 jobs that is killed five times loses and doubles nothing, and all jobs end", async () => {
  const place = await makePlace();
  const database = await makeEmptyPlace();
  onTestFinished(() => database.destroy());
  await mkdir(place.path("data"));
  const path = place.path("data", "quire.db");
  const before = sqliteStores({ path });
  for (let index = 0; index < BATCHES; index++) {
    const id = `batch-${index}`;
    await before.jobs.createBatch(batchNamed(id, index), jobsOf(id), () => "hash", {
      isTaken: () => false,
    });
  }
  const options = { takes: "all", leaseMs: 60_000, keepFinishedMs: null } as const;
  const worker = await before.jobs.openWorker(options);
  await work(worker, (BATCHES * JOBS) / 3);
  await worker.close();
  const expected = await hashOf(before.jobs);
  expect(expected[0]).toBe(BATCHES * JOBS);
  await before.close();

  const args = ["migrate", "--from", "data", "--to", database.url, "--json"];
  for (let kills = 0; kills < KILLS; kills++) {
    const { process: child, ended } = place.start(args);
    // Starting Node takes some of this time, but a part of the rows is moved each time.
    await sleep(400 + 1600 * Math.random());
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
  }
  const { rows: begun } = await database.query("SELECT finished_at FROM quire.move");
  expect(begun).toEqual([{ finished_at: null }]);
  const { code, stdout, stderr } = await place.start(args).ended;
  expect([code, stderr.includes("quire:")]).toEqual([0, false]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const jobs = lines.find(({ name }) => name === "job");
  expect(jobs.rows).toBe(BATCHES * JOBS);

  const after = database.open();
  expect(await hashOf(after.jobs)).toEqual(expected);
  await rm(`${path}-moved`);
  const unchanged = sqliteStores({ path });
  expect(await hashOf(unchanged.jobs)).toEqual(expected);
  await unchanged.close();
  const last = await after.jobs.openWorker(options);
  await work(last, Number.POSITIVE_INFINITY);
  await last.close();
  const { items } = await after.jobs.listBatches({ limit: 100 });
  expect(items.map(({ status }) => status)).toEqual(Array(BATCHES).fill("finished"));
  const ended = items.reduce((sum, { counts }) => sum + counts.completed + counts.failed, 0);
  expect(ended).toBe(BATCHES * JOBS);
  expect((await database.query("SELECT quire.waiting_jobs()::int AS n")).rows).toEqual([{ n: 0 }]);
}, 600_000);
