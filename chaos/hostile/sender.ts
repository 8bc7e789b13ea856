/**
 * A program that acts as one tenant and sends hostile documents and requests, several at the same time, for a certain
 * time. Usage: `node sender.ts '<JSON of SenderTask>'`. Prints the results as JSON.
 */
import { setPriority } from "node:os";
import { seededRandom } from "../../benchmarks/word/random.ts";
import { type Answers, type HostileClient, hostileClient } from "./client.ts";
import { DOCUMENTS, entriesOf, type HostileDocument } from "./documents.ts";
import { type HostileRequest, REQUESTS } from "./requests.ts";

/** What to send, and how. */
export interface SenderTask {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly seconds: number;
  /** Number of requests in parallel. */
  readonly lanes: number;
  readonly seed: number;
  /** Only documents and requests whose name contains this are sent. */
  readonly only?: string | undefined;
}

/** The results of a run. */
export interface Sent {
  /** How often each document or request was sent. */
  readonly sent: Readonly<Record<string, number>>;
  readonly answers: Answers;
}

/** All hostile documents and requests. */
export const HOSTILE: readonly HostileRequest[] = [...REQUESTS, ...DOCUMENTS.map(requestOf)];

function requestOf(document: HostileDocument): HostileRequest {
  const { name, template, extension = "docx", output = "docx", more } = document;
  let bytes: Uint8Array | undefined;
  return {
    name,
    async send(client: HostileClient) {
      bytes ??= template();
      const file = await client.upload(extension, bytes);
      if (file === null) return;
      await client.ask("POST", "/2.0/docgen_templates", { file: { type: "file", id: file } });
      const batch = await client.batch(file, entriesOf(document), { output_type: output, ...more });
      await client.watch(batch);
      await client.ask("GET", `/2.0/docgen_batch_jobs/${batch}?limit=1000`);
    },
  };
}

async function send(task: SenderTask): Promise<Sent> {
  const { lanes, seconds, seed, only = "" } = task;
  const answers: Answers = {};
  const sent: Record<string, number> = {};
  const client = hostileClient(task, answers);
  const random = seededRandom(seed);
  const end = performance.now() + seconds * 1000;
  let left: HostileRequest[] = [];
  const next = (): HostileRequest => {
    if (left.length === 0) left = HOSTILE.filter(({ name }) => name.includes(only));
    const [one] = left.splice(random.below(left.length), 1);
    if (one === undefined)
      throw new Error(`No hostile document or request has ${only} in its name.`);
    return one;
  };
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const one = next();
      sent[one.name] = (sent[one.name] ?? 0) + 1;
      const before = performance.now();
      await one.send(client);
      console.error(
        `${new Date().toISOString().slice(14, 23)} ${one.name}: ${Math.round(performance.now() - before)} ms`,
      );
    }
  };
  await Promise.race([
    Promise.all(Array.from({ length: lanes }, lane)),
    // Requests that are still running at the end are not awaited.
    new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  ]);
  return { sent, answers };
}

if (process.argv[1] === import.meta.filename) {
  // This process gets a lower priority, because in reality these requests come from other machines.
  setPriority(10);
  const task = JSON.parse(process.argv[2] ?? "") as SenderTask;
  process.stdout.write(JSON.stringify(await send(task)), () => process.exit());
}
