/** A harmless client that requests responses and documents. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../../benchmarks/service/running.ts";

/** What the client requests and waits for. */
export const WANTED = ["answer", "docx", "pdf"] as const;
export type Wanted = (typeof WANTED)[number];

/** Times in milliseconds. */
export type Times = Record<Wanted, number[]>;

const LONGEST_POLL_MS = 250;
/** Time limit for each request in milliseconds. It exceeds the time limit of one document. */
const LIMIT_MS = 180_000;

/** The parts of a response that the client reads. */
interface Answer {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly failures?: unknown;
  readonly entries?: readonly { readonly id: string }[];
}

/** Sends requests as a tenant that retries when the service asks for it. */
export class Bystander {
  readonly #url: string;
  readonly #tenant: Tenant;
  /** Responses that should not have occurred. */
  readonly complaints: string[] = [];

  constructor(url: string, tenant: Tenant) {
    this.#url = url;
    this.#tenant = tenant;
  }

  /** Sends one request of each kind, one after the other, and records its duration. */
  async wantAll(times: Times, all: readonly Wanted[]): Promise<void> {
    for (const wanted of all) times[wanted].push(await this.want(wanted));
  }

  /** Sends a request. Returns its duration in milliseconds. */
  async want(wanted: Wanted): Promise<number> {
    const began = performance.now();
    if (wanted === "answer") await this.#ask("GET", "/2.0/docgen_templates");
    else await this.document(wanted);
    return performance.now() - began;
  }

  /** Requests a document. Returns whether it was created. */
  async document(output: "docx" | "pdf", comesAgain = false): Promise<boolean> {
    const { template, folder } = this.#tenant;
    const request = {
      file: { type: "file", id: template },
      input_source: "api",
      destination_folder: { type: "folder", id: folder },
      output_type: output,
      document_generation_data: [
        { generated_file_name: randomUUID(), user_input: { customer: { name: randomUUID() } } },
      ],
    };
    const { id } = await this.#ask("POST", "/2.0/docgen_batches", request, comesAgain);
    if (typeof id !== "string") return false;
    const end = performance.now() + LIMIT_MS;
    let last = "unknown";
    for (let ms = 20; performance.now() < end; ms = Math.min(ms * 1.4, LONGEST_POLL_MS)) {
      await sleep(ms);
      const { status, failures } = await this.#ask(
        "GET",
        `/2.0/docgen_jobs/${id}-1`,
        undefined,
        comesAgain,
      );
      last = `${status} ${failures ? JSON.stringify(failures) : "".slice(0, 300)}`;
      if (status === "completed" || status === "completed_with_error") return true;
      if (status === "failed") break;
    }
    this.complaints.push(`a ${output} was not created: ${last.trim()}`);
    return false;
  }

  async #removeWebhooks(): Promise<void> {
    const { entries = [] } = await this.#ask("GET", "/2.0/webhooks?limit=100", undefined, true);
    for (const { id } of entries) await this.#ask("DELETE", `/2.0/webhooks/${id}`, undefined, true);
  }

  async #ask(method: string, path: string, body?: object, comesAgain = false): Promise<Answer> {
    for (;;) {
      const response = await fetch(this.#url + path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${this.#tenant.token}`,
          "service-version": "2025.0",
          "content-type": "application/json",
        },
        signal: AbortSignal.timeout(LIMIT_MS),
      }).catch((error: unknown) => String(error));
      if (typeof response === "string") {
        this.complaints.push(`${method} got no response: ${response}`);
        return {};
      }
      const text = await response.text();
      if (response.ok) return text === "" ? {} : (JSON.parse(text) as Answer);
      if (!comesAgain || (response.status !== 429 && response.status !== 503)) {
        this.complaints.push(`${method} got status ${response.status}: ${text.slice(0, 300)}`);
        return {};
      }
      // Too many events are waiting for receivers that do not exist. The tenant follows the advice in the error
      // message.
      if (text.includes("quota_deliveries")) await this.#removeWebhooks();
      else await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
    }
  }
}

/** Returns the median; NaN for an empty list. */
export function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
