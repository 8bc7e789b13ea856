/** A hostile client with a token. It counts all responses and does not treat any of them as an error. */
import { setTimeout as sleep } from "node:timers/promises";

/** Number of responses by status; `broken` counts requests without a response. */
export type Answers = Record<string, number>;

/** A response; `status` is 0 if there is no response. */
export interface Answer {
  readonly status: number;
  readonly json: { readonly [key: string]: unknown };
}

/** Sends requests as a tenant. `upload` and `batch` resolve with the new id; null if the request was not accepted. */
export interface HostileClient {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  /** Returns a new, unique name. */
  name(extension: string): string;
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  upload(extension: string, bytes: Uint8Array): Promise<string | null>;
  /** Submits a batch of documents of one template. `more` is added to the request. */
  batch(file: string, entries: readonly Entry[], more?: object): Promise<string | null>;
  /** Waits until a batch has ended, but no longer than an attacker would wait. */
  watch(batch: string | null): Promise<void>;
}

/** An entry of a batch. */
export interface Entry {
  readonly name?: string;
  readonly data: unknown;
}

const PATIENCE_MS = 20_000;
const ANSWER_MS = 60_000;

/** Creates a client that counts its responses in `answers`. */
export function hostileClient(
  { url, token, folder }: Pick<HostileClient, "url" | "token" | "folder">,
  answers: Answers,
): HostileClient {
  let names = 0;
  const client: HostileClient = {
    url,
    token,
    folder,
    name: (extension) => `h${process.pid}-${++names}.${extension}`,
    async ask(method, path, body, headers = {}) {
      const isRaw =
        typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
      const sent = isRaw ? body : body === undefined ? null : JSON.stringify(body);
      const type = body instanceof FormData ? {} : { "content-type": "application/json" };
      try {
        const response = await fetch(url + path, {
          method,
          body: sent as NonNullable<RequestInit["body"]> | null,
          headers: {
            authorization: `Bearer ${token}`,
            "service-version": "2025.0",
            ...(sent === null ? {} : type),
            ...headers,
          },
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        const text = await response.text();
        answers[response.status] = (answers[response.status] ?? 0) + 1;
        if (response.status === 429) await sleep(1000);
        return { status: response.status, json: parsed(text) };
      } catch {
        answers.broken = (answers.broken ?? 0) + 1;
        return { status: 0, json: {} };
      }
    },
    async upload(extension, bytes) {
      const name = client.name(extension);
      const form = new FormData();
      form.append("attributes", JSON.stringify({ name, parent: { id: "0" } }));
      form.append("file", new Blob([Uint8Array.from(bytes)]), name);
      const { json } = await client.ask("POST", "/2.0/files/content", form);
      const entries = json.entries as readonly { readonly id: string }[] | undefined;
      return entries?.[0]?.id ?? null;
    },
    async batch(file, entries, more = {}) {
      const { json } = await client.ask("POST", "/2.0/docgen_batches", {
        file: { type: "file", id: file },
        input_source: "api",
        destination_folder: { type: "folder", id: folder },
        output_type: "docx",
        ...more,
        document_generation_data: entries.map(({ name, data }) => ({
          generated_file_name: name ?? client.name("out"),
          user_input: data,
        })),
      });
      return typeof json.id === "string" ? json.id : null;
    },
    async watch(batch) {
      const end = performance.now() + PATIENCE_MS;
      while (batch !== null && performance.now() < end) {
        const { json } = await client.ask("GET", `/2.0/docgen_batches/${batch}`);
        if (json.status === "finished") return;
        await sleep(1000);
      }
    },
  };
  return client;
}

function parsed(text: string): Answer["json"] {
  try {
    return JSON.parse(text) as Answer["json"];
  } catch {
    return {};
  }
}
