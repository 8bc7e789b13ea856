/** Data of `quire serve`, which is killed when there are jobs in every state. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { foldLog } from "./fold-log.ts";
import { letter } from "./letter.ts";
import { MAIN } from "./run.ts";

/** The responses of this release, which later releases must repeat. */
export interface ServiceState {
  /** A token of ann with all scopes. */
  readonly token: string;
  /** Another token of ann, which only allows reading. */
  readonly readToken: string;
  /** A file with two versions that is marked as a template. */
  readonly file: { readonly id: string; readonly versions: readonly string[] };
  readonly folder: string;
  readonly webhook: { readonly address: string; readonly triggers: readonly string[] };
  /** The batches by idempotency key. */
  readonly batches: Readonly<Record<"finished" | "faulty" | "cancelled" | "waiting", ServiceBatch>>;
}

/** A batch and its request. */
export interface ServiceBatch {
  readonly id: string;
  readonly request: object;
  /** The status of each job when the service was killed, by the index of its entry. */
  readonly statuses: readonly string[];
}

type Ask = (
  path: string,
  options?: { readonly body?: object | FormData; readonly key?: string },
  // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything
) => Promise<any>;

/** Creates the folder with the service's `data` and `state.json`. */
export async function makeServiceData(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const create = (...more: string[]): string => {
    const args = ["token", "create", "--data", "data", "--user", "ann", "--enterprise", "acme"];
    const output = execFileSync(process.execPath, [MAIN, ...args, ...more], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim();
  };
  const token = create();
  const readToken = create("--scopes", "root_readonly");
  const { child, port } = await serve(folder);
  try {
    const state = await fill(askWith(token, port));
    await writeFile(
      join(folder, "state.json"),
      `${JSON.stringify({ token, readToken, ...state }, null, 2)}\n`,
    );
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
  foldLog(join(folder, "data", "quire.db"));
}

/** Starts `quire serve` with a key that signs webhooks. No server listens at the address of the webhooks. */
async function serve(cwd: string) {
  const args = [
    "serve",
    "--data",
    "data",
    "--port",
    "0",
    "--concurrency",
    "4",
    "--webhook-allow",
    "127.0.0.1",
  ];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { ...process.env, QUIRE_WEBHOOK_KEY: "a-key-of-the-release-data" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  for await (const chunk of child.stderr.setEncoding("utf8")) {
    stderr += chunk;
    const port = /^ +listens on +http:\S+:(\d+)$/m.exec(stderr)?.[1];
    if (port !== undefined && /^ +settings/m.test(stderr)) {
      return { child, port: Number(port) };
    }
  }
  throw new Error(`The service did not start: ${stderr}`);
}

function askWith(token: string, port: number): Ask {
  return async (path, { body, key } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/2.0${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "service-version": "2025.0",
        ...(body === undefined || body instanceof FormData
          ? {}
          : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
}

async function fill(ask: Ask): Promise<Omit<ServiceState, "token" | "readToken">> {
  const upload = (path: string, attributes: object, text: string) => {
    const form = new FormData();
    form.append("attributes", JSON.stringify(attributes));
    form.append("file", new Blob([new Uint8Array(letter(text))]), "letter.docx");
    return ask(path, { body: form });
  };
  const first = await upload(
    "/files/content",
    { name: "letter.docx", parent: { id: "0" } },
    "Old {{name}}",
  );
  const { id: file } = first.entries[0];
  await upload(`/files/${file}/content`, { name: "letter.docx" }, "Dear {{name}}");
  await ask("/docgen_templates", { body: { file: { id: file, type: "file" } } });
  const { id: folder } = await ask("/folders", { body: { name: "out", parent: { id: "0" } } });
  const webhook = {
    address: "http://127.0.0.1:9/hook",
    triggers: ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED", "DOCGEN_DOCUMENT_GENERATION_FAILED"],
  };
  await ask("/webhooks", { body: { target: { id: folder, type: "folder" }, ...webhook } });

  const request = (name: string, outputType: "docx" | "pdf", data: readonly object[]) => ({
    file: { type: "file", id: file },
    input_source: "api",
    destination_folder: { type: "folder", id: folder },
    output_type: outputType,
    document_generation_data: data.map((user_input, index) => ({
      generated_file_name: `${name}-${index + 1}`,
      user_input,
    })),
  });
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `Ann ${index + 1}` }));
  const submit = async (key: string, body: object): Promise<Omit<ServiceBatch, "statuses">> => {
    const { id } = await ask("/docgen_batches", { body, key });
    return { id, request: body };
  };
  const finished = await submit("finished", request("finished", "docx", names(2)));
  const faulty = await submit("faulty", request("faulty", "docx", [{}, { name: { wrong: true } }]));
  await Promise.all([finished, faulty].map(({ id }) => untilFinished(ask, id)));
  // LibreOffice takes a second to start, so these jobs are still waiting or running when the service is killed.
  const waiting = await submit("waiting", request("waiting", "pdf", names(24)));
  const cancelled = await submit("cancelled", request("cancelled", "pdf", names(4)));
  await ask(`/docgen_batches/${cancelled.id}/cancel`, { body: {} });

  const withStatuses = async (batch: Omit<ServiceBatch, "statuses">): Promise<ServiceBatch> => {
    const { entries } = await ask(`/docgen_batch_jobs/${batch.id}?limit=1000`);
    return { ...batch, statuses: entries.map(({ status }: { status: string }) => status) };
  };
  return {
    file: { id: file, versions: await versionsOf(ask, file) },
    folder,
    webhook,
    batches: {
      finished: await withStatuses(finished),
      faulty: await withStatuses(faulty),
      cancelled: await withStatuses(cancelled),
      waiting: await withStatuses(waiting),
    },
  };
}

async function versionsOf(ask: Ask, file: string): Promise<string[]> {
  const { entries } = await ask(`/files/${file}/versions`);
  return entries.map(({ id }: { id: string }) => id);
}

async function untilFinished(ask: Ask, id: string): Promise<void> {
  while ((await ask(`/docgen_batches/${id}`)).status !== "finished") await setTimeout(50);
}
