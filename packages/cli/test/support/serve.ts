/** `quire serve` in this process or in a child, and a client for tests. */
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { BoxClient, BoxDeveloperTokenAuth } from "box-node-sdk";
import {
  BaseUrls,
  BoxRetryStrategy,
  NetworkSession,
  type RetryStrategy,
} from "box-node-sdk/networking";
import { onTestFinished } from "vitest";
import { type Ended, type Place, type Started, until } from "./cli.ts";

export const TOKEN = "a-token-of-the-tests";
/** The time limit for batches: LibreOffice may have to start on a busy machine. */
export const WORK_SECONDS = 90;

/** The options of a request. A body is sent as JSON. */
export interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends no token. Default {@link TOKEN}. */
  readonly token?: string | null;
}

/** A response. The body is parsed JSON, or a string if it is not JSON. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  // Tests check the shape of the response themselves.
  // biome-ignore lint/suspicious/noExplicitAny: a response may be anything
  readonly body: any;
}

/** A running service. */
export interface Service {
  /** The URL for clients, with the prefix. */
  readonly url: string;
  readonly port: number;
  readonly ended: Promise<Ended>;
  /** Returns standard error. */
  stderr(): string;
  /** Returns standard output. */
  stdout(): string;
  ask(path: string, ask?: Ask): Promise<Told>;
  /** Returns all items in a folder. */
  items(folder: string, token?: string): Promise<{ readonly id: string; readonly name: string }[]>;
  /** Creates a folder in the root, and returns its id. */
  folder(name: string, token?: string): Promise<string>;
  /** Uploads a file, and returns its id. */
  upload(name: string, bytes: Uint8Array, options?: UploadOptions): Promise<string>;
  /** Resolves with the batch when it is finished. */
  finished(batchId: string, token?: string): Promise<Told["body"]>;
  /** Stops the service with a signal. */
  stop(): Promise<Ended>;
}

/** A service in a child process. */
export interface ServiceProcess extends Service {
  readonly process: Started["process"];
  /** Kills the process with SIGKILL. */
  kill(): Promise<Ended>;
}

/** The options of an upload. */
export interface UploadOptions {
  readonly parent?: string;
  readonly token?: string;
}

/** Options for starting a service. */
export interface ServeOptions {
  readonly args?: readonly string[];
  /** Added to the environment of the test folder and to the token. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: any free port. */
  readonly port?: number;
  /** When to stop a service in this process. Default: after the test. */
  readonly atEnd?: (clean: () => Promise<void>) => void;
}

/** Starts a service in this process, with the folder `data`, and waits until it listens. It ends with the test. */
export async function serve(place: Place, options: ServeOptions = {}): Promise<Service> {
  const { args, env } = commandOf(options);
  const { signals, ended, ...streams } = place.begin(args, { env });
  let isStopped = false;
  const stop = (): Promise<Ended> => {
    // A second signal would end the process.
    if (!isStopped) signals.emit("SIGTERM");
    isStopped = true;
    return ended;
  };
  (options.atEnd ?? onTestFinished)(async () => void (await stop()));
  return listening(streams, { ended, stop });
}

/** Starts a service in a child process. It ends with the test. */
export async function serveProcess(
  place: Place,
  options: ServeOptions = {},
): Promise<ServiceProcess> {
  const { args, env } = commandOf(options);
  const { process: child, ended } = place.start(args, { env });
  const end = (signal: "SIGTERM" | "SIGKILL"): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  const service = await listening(child, { ended, stop: () => end("SIGTERM") });
  return { ...service, process: child, kill: () => end("SIGKILL") };
}

/** A worker in a child process. */
export interface WorkerProcess {
  /** The URL of its health pages. */
  readonly url: string;
  readonly ended: Promise<Ended>;
  readonly process: Started["process"];
  /** Stops the worker with a signal. */
  stop(): Promise<Ended>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<Ended>;
}

/** Starts `quire work` in a child process, for the folder `data`, and waits until it works. It ends with the test. */
export async function workProcess(
  place: Place,
  { args = [], env = {} }: Pick<ServeOptions, "args" | "env"> = {},
): Promise<WorkerProcess> {
  const all = ["work", "--data", "data", "--health-port", "0", ...args];
  const { process: child, ended } = place.start(all, { env });
  let stderr = "";
  child.stderr.on("data", (text: string) => {
    stderr += text;
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until("the worker works", () => isOver || /^ +settings/m.test(stderr), WORK_SECONDS);
  const url = /^ +health +(http:\S+)\/readyz$/m.exec(stderr)?.[1];
  if (url === undefined) throw new Error(`The worker did not come up: ${stderr}`);
  const end = (signal: "SIGTERM" | "SIGKILL"): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { url, ended, process: child, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

function commandOf({ args = [], env = {}, port = 0 }: ServeOptions) {
  return {
    args: ["serve", "--data", "data", "--port", String(port), ...args],
    env: { QUIRE_TOKEN: TOKEN, ...env },
  };
}

async function listening(
  streams: { readonly stdout: Readable; readonly stderr: Readable },
  life: Pick<Service, "ended" | "stop">,
): Promise<Service> {
  let [stderr, stdout] = ["", ""];
  let isOver = false;
  streams.stderr.on("data", (text: string) => {
    stderr += text;
  });
  streams.stdout.on("data", (text: string) => {
    stdout += text;
  });
  void life.ended.then(() => {
    isOver = true;
  });
  await until("the service listens", () => isOver || /^ +settings/m.test(stderr), WORK_SECONDS);
  const listens = /^ +listens on +(http:\S+:(\d+))$/m.exec(stderr);
  if (listens === null) throw new Error(`The service did not come up: ${stderr}`);
  const prefix = /^ +API +https?:\/\/[^/]+(\/\S+)?\/2\.0$/m.exec(stderr)?.[1] ?? "";
  return {
    ...life,
    ...talk(`${listens[1]}${prefix}`, Number(listens[2])),
    stderr: () => stderr,
    stdout: () => stdout,
  };
}

function talk(url: string, port: number): Omit<Service, "ended" | "stop" | "stderr" | "stdout"> {
  const ask: Service["ask"] = async (path, options) =>
    told(await fetch(`${url}${path}`, requestOf(options)));
  return {
    url,
    port,
    ask,
    async items(folder, token = TOKEN) {
      const items = [];
      for (let total = 1; items.length < total; ) {
        const page = `limit=1000&offset=${items.length}`;
        const { status, body } = await ask(`/2.0/folders/${folder}/items?${page}`, { token });
        if (status !== 200) throw new Error(`The listing failed: ${JSON.stringify(body)}`);
        items.push(...body.entries);
        total = body.total_count;
      }
      return items;
    },
    async folder(name, token = TOKEN) {
      const { status, body } = await ask("/2.0/folders", {
        body: { name, parent: { id: "0" } },
        token,
      });
      if (status !== 201) throw new Error(`The folder was answered with ${status}.`);
      return body.id;
    },
    async upload(name, bytes, { parent = "0", token = TOKEN } = {}) {
      const answer = await fetch(`${url}/2.0/files/content`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: uploadForm(name, bytes, parent),
      });
      const { status, body } = await told(answer);
      if (status !== 201) throw new Error(`The upload was answered with ${status}.`);
      return body.entries[0].id;
    },
    async finished(batchId, token = TOKEN) {
      let batch: Told["body"];
      await until(
        "the batch has finished",
        async () => {
          ({ body: batch } = await ask(`/2.0/docgen_batches/${batchId}`, { token }));
          return batch.status === "finished";
        },
        WORK_SECONDS,
      );
      return batch;
    },
  };
}

/** Creates the options of a request for `fetch`. */
export function requestOf({ method, body, headers = {}, token = TOKEN }: Ask = {}): RequestInit {
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      "service-version": "2025.0",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Creates the body of an upload. */
export function uploadForm(name: string, bytes: Uint8Array, parent: string): FormData {
  const form = new FormData();
  form.append("attributes", JSON.stringify({ name, parent: { id: parent } }));
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  return form;
}

async function told(response: Response): Promise<Told> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type") === "application/json";
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

/** Creates the body of a batch request. */
export function batchOf(
  file: string,
  folder: string,
  entries: readonly object[],
  outputType: "docx" | "pdf" = "docx",
) {
  return {
    file: { type: "file", id: file },
    input_source: "api",
    destination_folder: { type: "folder", id: folder },
    output_type: outputType,
    document_generation_data: entries,
  };
}

/** Creates entries with the names `letter-1`, `letter-2` and so on. */
export function letters(count: number, from = 1): { generated_file_name: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    generated_file_name: `letter-${from + index}`,
    user_input: { name: `Ann ${from + index}` },
  }));
}

/** Creates a client with the official SDK. By default, it uses the SDK's retries without the long pauses. */
export function sdkClient(
  url: string,
  {
    token = TOKEN,
    retryStrategy = new BoxRetryStrategy({ retryBaseInterval: 0.01 }),
  }: { readonly token?: string; readonly retryStrategy?: RetryStrategy } = {},
): BoxClient {
  return new BoxClient({
    auth: new BoxDeveloperTokenAuth({ token }),
    networkSession: new NetworkSession({
      baseUrls: new BaseUrls({ baseUrl: url, uploadUrl: url }),
      retryStrategy,
    }),
  });
}

/** Reads a template from `examples`. */
export function exampleTemplate(name: string): Promise<Uint8Array> {
  return readFile(new URL(`../../../../examples/templates/${name}`, import.meta.url));
}

/** Reads a JSON data file from `examples`. */
export async function exampleData(name: string): Promise<Record<string, unknown>> {
  const url = new URL(`../../../../examples/data/${name}`, import.meta.url);
  return JSON.parse(await readFile(url, "utf8")) as Record<string, unknown>;
}

/** Runs a function after the test, even if the test failed. */
export function atEnd(close: () => void | Promise<void>): void {
  onTestFinished(close);
}
