/**
 * `npm run bench:jobs` measures the cost of durable batches: how fast the durable job store accepts and claims jobs,
 * and how much time the engine takes compared with the sum of its parts (rendering, converting and writing, each alone
 * with the same concurrency). Each measurement is a separate process. With --quick, it uses few documents and one
 * round, and does not keep the results. With --s3, it repeats only the part on S3 and keeps the other results. That
 * part uses a server on this machine with all data in memory, so its batches are smaller.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { startRadosgw } from "../../packages/storage-s3/test/support/radosgw.ts";
import { machine, today } from "../measure/machine.ts";
import { type Spread, spreadOf } from "../measure/statistics.ts";
import { KEPT, PASSING, readResults, writeReport } from "../report/write-report.ts";
import type { PartTask } from "./parts.ts";
import type { JobsBatch, JobsResults } from "./results.ts";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));

const isQuick = process.argv.includes("--quick");
const rounds = isQuick ? 1 : 3;
const docxDocuments = isQuick ? 500 : 10_000;
const pdfDocuments = isQuick ? 60 : 1000;
const jobs = isQuick ? 5000 : 100_000;
const S3_PART = 1 / 5;

const DOCX_PARTS = ["render", "write"] as const;
const PDF_PARTS = ["render", "convert", "write"] as const;

interface Measured {
  readonly wallMs: number;
  readonly peakMb: number;
}

type Bucket = PartTask["bucket"];
type Keys = Readonly<Record<string, string>>;

async function run(task: Omit<PartTask, "folder">, env: Keys = {}): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "quire-bench-jobs-"));
  try {
    await mkdir(join(folder, "out"));
    await cp(join(EXAMPLES, "templates/invoice.docx"), join(folder, "template.docx"));
    await cp(join(EXAMPLES, "data/invoices.json"), join(folder, "data.json"));
    const args = ["--no-warnings", CHILD, JSON.stringify({ ...task, folder })];
    const options = { env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as Measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the engine's time with the sum of its parts, round by round. */
async function measureBatch(output: "docx" | "pdf", bucket: Bucket, env: Keys): Promise<JobsBatch> {
  const part = bucket === null ? 1 : S3_PART;
  const documents = (output === "docx" ? docxDocuments : pdfDocuments) * part;
  const base = { documents, output, bucket, durable: true };
  const names = output === "docx" ? DOCX_PARTS : PDF_PARTS;
  const parts: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const engine: number[] = [];
  const engineInMemory: number[] = [];
  const sums: number[] = [];
  let peakMb = 0;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (const part of names) {
      const { wallMs } = await run({ ...base, part }, env);
      parts[part]?.push(wallMs);
      sum += wallMs;
    }
    const durable = await run({ ...base, part: "engine" }, env);
    const memory = await run({ ...base, part: "engine", durable: false }, env);
    sums.push(sum);
    engine.push(durable.wallMs);
    engineInMemory.push(memory.wallMs);
    peakMb = Math.max(peakMb, durable.peakMb);
  }
  const ratios = (all: readonly number[]): Spread =>
    spreadOf(all.map((ms, round) => ms / (sums[round] ?? 0)));
  const batch: JobsBatch = {
    documents,
    output,
    to: bucket === null ? "files" : "S3",
    parts: Object.fromEntries(names.map((name) => [name, spreadOf(parts[name] ?? [])])),
    engine: spreadOf(engine),
    engineInMemory: spreadOf(engineInMemory),
    ratio: ratios(engine),
    ratioInMemory: ratios(engineInMemory),
    peakMb,
  };
  console.log(batch);
  return batch;
}

async function rate(part: "accept" | "drain"): Promise<Spread> {
  const task = { part, documents: jobs, output: "docx", bucket: null, durable: true } as const;
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    rates.push((jobs / (await run(task)).wallMs) * 1000);
  }
  console.log(part, spreadOf(rates));
  return spreadOf(rates);
}

const kept = await readResults(KEPT);
const onlyS3 = process.argv.includes("--s3") && kept.jobs !== null;
const places = isQuick ? PASSING : KEPT;
const { store, batches } = onlyS3 ? kept.jobs : await measureFiles();

async function measureFiles(): Promise<Pick<JobsResults, "store" | "batches">> {
  const store = { jobs, accepted: await rate("accept"), drained: await rate("drain") };
  const batches = [await measureBatch("docx", null, {}), await measureBatch("pdf", null, {})];
  await write({ store, batches });
  return { store, batches };
}

async function write(measured: Pick<JobsResults, "store" | "batches">): Promise<void> {
  const results = { date: today(), machine: machine(), rounds, ...measured };
  await writeReport({ ...kept, jobs: results }, places);
}

const server = await startRadosgw();
try {
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const env = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  const name = `bench-${randomUUID()}`;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  const bucket = { name, endpoint };
  const inBucket = [
    await measureBatch("docx", bucket, env),
    await measureBatch("pdf", bucket, env),
  ];
  await write({ store, batches: [...batches.filter(({ to }) => to === "files"), ...inBucket] });
} finally {
  await server.stop();
}
