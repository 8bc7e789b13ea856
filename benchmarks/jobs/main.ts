/**
 * `npm run bench:jobs`: what it costs that batches are kept. How fast the durable job store accepts and gives out
 * jobs, and what the engine takes beside the sum of its parts (rendering, converting and writing, each alone with as
 * much at once). Every figure is the median of its rounds, the parts of a round one after the other, each in a process
 * of its own. With --quick few documents and one round. The S3 part runs against a server on this machine.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { startRadosgw } from "../../packages/storage-s3/test/support/radosgw.ts";
import type { PartTask } from "./parts.ts";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const RESULTS = fileURLToPath(new URL("../results/jobs.json", import.meta.url));

const isQuick = process.argv.includes("--quick");
const rounds = isQuick ? 1 : 3;
const docxDocuments = isQuick ? 500 : 10_000;
const pdfDocuments = isQuick ? 60 : 1000;
const jobs = isQuick ? 5000 : 100_000;

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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The engine against the sum of its parts, round by round. */
async function overhead(output: "docx" | "pdf", bucket: Bucket, env: Keys): Promise<object> {
  const documents = output === "docx" ? docxDocuments : pdfDocuments;
  const base = { documents, output, bucket, durable: true };
  const parts =
    output === "docx" ? (["render", "write"] as const) : (["render", "convert", "write"] as const);
  const taken: Record<string, number[]> = {};
  const note = (name: string, ms: number): void => {
    taken[name] = [...(taken[name] ?? []), ms];
  };
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (const part of parts) {
      const { wallMs } = await run({ ...base, part }, env);
      note(part, wallMs);
      sum += wallMs;
    }
    const durable = await run({ ...base, part: "engine" }, env);
    const memory = await run({ ...base, part: "engine", durable: false }, env);
    note("engine", durable.wallMs);
    note("engine in memory", memory.wallMs);
    note("overhead", durable.wallMs / sum - 1);
    note("overhead in memory", memory.wallMs / sum - 1);
  }
  const medians = Object.entries(taken).map(([name, values]) => [name, median(values)]);
  const result = { documents, ...Object.fromEntries(medians) };
  console.log(output, bucket === null ? "to files" : "to S3", result);
  return result;
}

async function rate(part: "accept" | "drain"): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { wallMs } = await run({
      part,
      documents: jobs,
      output: "docx",
      bucket: null,
      durable: true,
    });
    rates.push((jobs / wallMs) * 1000);
  }
  console.log(part, `${Math.round(median(rates))} jobs a second`);
  return median(rates);
}

const accept = await rate("accept");
const drain = await rate("drain");
const files = {
  docx: await overhead("docx", null, {}),
  pdf: await overhead("pdf", null, {}),
};
const server = await startRadosgw();
try {
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const env = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  const name = `bench-${randomUUID()}`;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  const bucket = { name, endpoint };
  const s3 = { docx: await overhead("docx", bucket, env), pdf: await overhead("pdf", bucket, env) };
  const results = { jobs, rounds, accept, drain, files, s3 };
  if (!isQuick) await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await server.stop();
}
