import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import pg from "pg";
import {
  batchProblems,
  leftovers,
  readBatches,
} from "../../packages/postgres/test/support/checks.ts";
import { batchRequest } from "../program/batch-request.ts";
import { documentsWithoutFaults } from "../support/place.ts";
import type { AcceptedBatch } from "./load.ts";
import type { Receiver } from "./receiver.ts";
import { ask, type Service } from "./service.ts";

/** How long everything that was accepted may take to end once all faults are over. */
const END_MS = 300_000;
const PAGE = 1000;
const READERS = 16;
/** The connections of a process: eight in the pool, and one for leases. */
const MAX_CONNECTIONS = 9;

/** What there is to check at the end. */
export interface End {
  readonly accepted: readonly AcceptedBatch[];
  readonly jobs: number;
  readonly database: string;
  /** Number of processes that use it. */
  readonly processes: number;
  readonly bucket: { readonly client: S3Client; readonly name: string };
  readonly service: Service;
  readonly receiver: Receiver;
}

/** Waits until all jobs have ended and all events were delivered. Returns the numbers of those that remain after the limit. */
export async function untilDone(database: string): Promise<string[]> {
  const open = `SELECT (SELECT coalesce(sum(submitted + pending), 0) FROM quire.run)::int AS jobs,
    (SELECT count(*)::int FROM quire.event) AS events,
    (SELECT count(*)::int FROM quire.delivery WHERE body IS NOT NULL) AS deliveries`;
  let left: Record<string, number> = {};
  for (const end = performance.now() + END_MS; performance.now() < end; await sleep(500)) {
    left = await withDatabase(database, async (client) => (await client.query(open)).rows[0]);
    if (Object.values(left).every((count) => count === 0)) return [];
  }
  return [`after ${END_MS / 1000} s without faults, there are still ${JSON.stringify(left)}`];
}

/** Checks that everything accepted was made once, and nothing else. */
export async function checkEnd(end: End): Promise<string[]> {
  const inDatabase = await withDatabase(end.database, async (client) => [
    ...batchProblems(await readBatches(client), end.accepted),
    ...(await leftovers(client)),
    ...(await unknownBatches(client, end.accepted)),
    ...(await tooManyConnections(client, end.processes)),
  ]);
  const expected = await documentsWithoutFaults(
    batchRequest({ entries: end.jobs, outputType: "docx", ballastBytes: 0 }),
  );
  const jobs = await jobsOf(end);
  return [
    ...inDatabase,
    ...jobs.problems,
    ...eventProblems(end.receiver, jobs.ids),
    ...(await listingProblems(end, expected, jobs.files)),
    ...(await bucketProblems(end, expected)),
  ];
}

/** Returns batches that exist although no client has their id. */
async function unknownBatches(
  client: pg.Client,
  accepted: readonly AcceptedBatch[],
): Promise<string[]> {
  const known = new Set(accepted.map(({ id }) => id));
  return (await readBatches(client))
    .filter(({ id }) => !known.has(id))
    .map(({ id, idempotency_key: key }) => `nobody knows the batch ${id} with the key ${key}`);
}

/** A process that connects again must close its old connections. */
async function tooManyConnections(client: pg.Client, processes: number): Promise<string[]> {
  const sql =
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'quire'";
  const { count } = (await client.query(sql)).rows[0];
  return count > processes * MAX_CONNECTIONS ? [`the database has ${count} connections`] : [];
}

/** Reads all jobs over HTTP. */
async function jobsOf({ service, accepted }: End) {
  const problems: string[] = [];
  const [ids, files] = [new Set<string>(), new Set<string>()];
  await inParallel(accepted, async ({ id, jobs }) => {
    let [marker, count] = ["", 0];
    do {
      const page = await ask(service, `/2.0/docgen_batch_jobs/${id}?limit=${PAGE}${marker}`);
      for (const job of page.entries) {
        if (job.status !== "completed") {
          problems.push(`the job ${job.id} is ${job.status}: ${JSON.stringify(job.failures)}`);
        } else if (files.has(job.output_file.id)) {
          problems.push(`two jobs have the file ${job.output_file.id}`);
        } else files.add(job.output_file.id);
        ids.add(job.id);
        count += 1;
      }
      marker = page.next_marker ? `&marker=${encodeURIComponent(page.next_marker)}` : "";
    } while (marker !== "");
    if (count !== jobs) problems.push(`the batch ${id} lists ${count} jobs instead of ${jobs}`);
  });
  return { problems, ids, files };
}

async function inParallel<T>(
  values: Iterable<T>,
  body: (value: T) => Promise<void>,
): Promise<void> {
  // All readers share one iterator.
  const iterator = values[Symbol.iterator]();
  const read = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      await body(next.value);
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
}

/** Each job has one event about its end, which may have arrived several times. */
function eventProblems({ events }: Receiver, jobs: ReadonlySet<string>): string[] {
  const told = new Map<string, number>();
  const problems: string[] = [];
  for (const { trigger, jobId } of events.values()) {
    told.set(jobId, (told.get(jobId) ?? 0) + 1);
    if (!trigger.endsWith("_SUCCEEDED")) problems.push(`the job ${jobId} has the event ${trigger}`);
    if (!jobs.has(jobId)) problems.push(`an event is about the unknown job ${jobId}`);
  }
  for (const id of jobs) {
    const count = told.get(id) ?? 0;
    if (count !== 1) problems.push(`the job ${id} has ${count} events about its end`);
  }
  return problems;
}

/** The folder lists each document once, and each belongs to a job. */
async function listingProblems(
  { service }: End,
  expected: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): Promise<string[]> {
  const names = new Map<string, string>();
  const problems: string[] = [];
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const path = `/2.0/folders/${service.folder}/items?limit=${PAGE}&offset=${offset}`;
    const page = await ask(service, path);
    total = page.total_count;
    for (const { name, id } of page.entries) {
      if (names.has(name)) problems.push(`the folder lists ${name} twice`);
      if (!expected.has(name)) problems.push(`the folder lists the unknown document ${name}`);
      if (!files.has(id)) problems.push(`no job has the document ${name}`);
      names.set(name, id);
    }
  }
  for (const name of expected.keys()) {
    if (!names.has(name)) problems.push(`the folder does not list ${name}`);
  }
  return problems;
}

/** The bucket has each document once, with the bytes of a run without faults. */
async function bucketProblems(
  { bucket: { client, name: Bucket } }: End,
  expected: ReadonlyMap<string, string>,
): Promise<string[]> {
  const problems: string[] = [];
  const found = new Set<string>();
  const keys: string[] = [];
  for (let token: string | undefined; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: "tenants/", ContinuationToken: token }),
    );
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
    token = page.NextContinuationToken;
    if (token === undefined) break;
  }
  // Uploads are in a hidden folder.
  const documents = keys.filter((key) => key.includes("/out/") && !key.endsWith("/"));
  await inParallel(documents, async (key) => {
    const name = key.slice(key.lastIndexOf("/") + 1);
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (found.has(name) || !expected.has(name)) problems.push(`${key} belongs to no job`);
    else if (sha256 !== expected.get(name)) {
      problems.push(`${key} (${bytes.length} bytes) differs from the file of a run without faults`);
    }
    found.add(name);
  });
  for (const name of expected.keys()) {
    if (!found.has(name)) problems.push(`the bucket does not have ${name}`);
  }
  return problems;
}

async function withDatabase<T>(url: string, body: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}
