/** Someone who means no harm, and wants answers and documents. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../../benchmarks/service/running.ts";

/** What is waited for: an answer, a `.docx`, a `.pdf`. */
export const WANTED = ["answer", "docx", "pdf"] as const;
export type Wanted = (typeof WANTED)[number];

/** Times in milliseconds. */
export type Times = Record<Wanted, number[]>;

const LONGEST_POLL_MS = 250;
/** After so long it is not waited for any more; longer than one document may take. */
const LIMIT_MS = 180_000;

/** Asks as a tenant who comes again when the service says so. */
export class Bystander {
  readonly #url: string;
  readonly #tenant: Tenant;
  /** What should not have been answered. */
  readonly complaints: string[] = [];

  constructor(url: string, tenant: Tenant) {
    this.#url = url;
    this.#tenant = tenant;
  }

  /** One of each, one after the other. */
  async wantAll(times: Times, all: readonly Wanted[]): Promise<void> {
    for (const wanted of all) times[wanted].push(await this.want(wanted));
  }

  /** How long it took. */
  async want(wanted: Wanted): Promise<number> {
    const began = performance.now();
    if (wanted === "answer") await this.#ask("GET", "/2.0/docgen_templates");
    else await this.document(wanted);
    return performance.now() - began;
  }

  /** Has a document made; whether it is there in the end. */
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
    for (let ms = 20; performance.now() < end; ms = Math.min(ms * 1.4, LONGEST_POLL_MS)) {
      await sleep(ms);
      const { status } = await this.#ask("GET", `/2.0/docgen_jobs/${id}-1`, undefined, comesAgain);
      if (status === "completed" || status === "completed_with_error") return true;
      if (status === "failed") break;
    }
    this.complaints.push(`a ${output} was not made`);
    return false;
  }

  async #ask(
    method: string,
    path: string,
    body?: object,
    comesAgain = false,
  ): Promise<{ readonly id?: unknown; readonly status?: unknown }> {
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
        this.complaints.push(`${method} was not answered: ${response}`);
        return {};
      }
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as { id?: unknown };
      if (!comesAgain || (response.status !== 429 && response.status !== 503)) {
        this.complaints.push(
          `${method} was answered with ${response.status}: ${text.slice(0, 300)}`,
        );
        return {};
      }
      await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
    }
  }
}

/** The middle one; nothing of nothing. */
export function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
