/**
 * A program: one tenant that sends hostile documents and requests, a few at the same time, until its time is up.
 * `node sender.ts '<JSON of SenderTask>'`; prints what came of it as JSON.
 */
import { setPriority } from "node:os";
import { seededRandom } from "../../benchmarks/word/random.ts";
import { type Answers, type HostileClient, hostileClient } from "./client.ts";
import { DOCUMENTS, entriesOf, type HostileDocument } from "./documents.ts";
import { type HostileRequest, REQUESTS } from "./requests.ts";

/** What is to be sent. */
export interface SenderTask {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly seconds: number;
  /** How many things are sent at the same time. */
  readonly lanes: number;
  readonly seed: number;
  /** Those alone whose name contains it. */
  readonly only?: string | undefined;
}

/** What came of it. */
export interface Sent {
  /** How often each thing was sent. */
  readonly sent: Readonly<Record<string, number>>;
  readonly answers: Answers;
}

/** Everything hostile that there is. */
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
    if (one === undefined) throw new Error(`Nothing hostile has ${only} in its name.`);
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
    // What is under way at the end is not waited for.
    new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  ]);
  return { sent, answers };
}

if (process.argv[1] === import.meta.filename) {
  // It comes from other machines where it is real.
  setPriority(10);
  const task = JSON.parse(process.argv[2] ?? "") as SenderTask;
  process.stdout.write(JSON.stringify(await send(task)), () => process.exit());
}
