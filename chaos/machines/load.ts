import { setTimeout as sleep } from "node:timers/promises";
import { BoxClient, BoxDeveloperTokenAuth } from "box-node-sdk";
import { BaseUrls, BoxRetryStrategy, NetworkSession } from "box-node-sdk/networking";
import { letter, nameOf } from "../program/batch-request.ts";

/** The token of the service. */
export const TOKEN = "a-token-of-the-machines";
/** How long a client waits for an answer. */
const ANSWER_MS = 20_000;
const SIZES = [1, 1, 1, 2, 3, 10, 40, 100];
/** Many documents come in large batches, too. */
const MANY = 100_000;
const SIZES_OF_MANY = [...SIZES, 400];
/** The share of accepted batches that the client sends again, as if it had not received the answer. */
const REPEATED = 0.3;
/** Jobs whose end is not known yet, at least, and as a share of all. If there are more, the clients wait. */
const OPEN = 400;
const OPEN_SHARE = 0.01;
const OUTPUT = "docx";

/** A batch that the service has accepted. */
export interface AcceptedBatch {
  readonly id: string;
  readonly key: string;
  /** The number of its first document; the names of documents contain their numbers. */
  readonly first: number;
  readonly jobs: number;
}

/** Where and what clients send. */
export interface LoadSettings {
  /** The services. A client that gets no good answer from one asks the next one. */
  readonly urls: readonly string[];
  readonly template: string;
  readonly folder: string;
  readonly jobs: number;
  readonly clients: number;
  readonly random: () => number;
  readonly report: (violation: string) => void;
  /** The number of jobs whose end is known. */
  readonly ended: () => number;
}

/** Clients that submit batches with the SDK, each batch until it is accepted. */
export class Load {
  readonly accepted: AcceptedBatch[] = [];
  readonly #settings: LoadSettings;
  readonly #services: readonly BoxClient[];
  #next = 1;
  /** The number of documents that were accepted. */
  #jobs = 0;
  /** The number of attempts that failed, by their reasons. */
  readonly failures = new Map<string, number>();

  constructor(settings: LoadSettings) {
    this.#settings = settings;
    this.#services = settings.urls.map(clientOf);
  }

  /** Submits all documents. */
  async run(): Promise<void> {
    const { clients } = this.#settings;
    await Promise.all(Array.from({ length: clients }, () => this.#client()));
  }

  async #client(): Promise<void> {
    const { jobs: wanted, random, ended } = this.#settings;
    const open = Math.max(OPEN, wanted * OPEN_SHARE);
    const sizes = wanted > MANY ? SIZES_OF_MANY : SIZES;
    for (;;) {
      while (this.#jobs - ended() > open) await sleep(100);
      const first = this.#next;
      const jobs = Math.min(sizes[Math.floor(random() * sizes.length)] ?? 1, wanted + 1 - first);
      if (jobs <= 0) return;
      this.#next += jobs;
      const key = `batch-${first}`;
      const id = await this.#submit(first, jobs, key);
      this.accepted.push({ id, key, first, jobs });
      this.#jobs += jobs;
      if (random() > REPEATED) continue;
      const again = await this.#submit(first, jobs, key);
      if (again !== id) this.#settings.report(`the key ${key} has two batches: ${id}, ${again}`);
    }
  }

  /** Sends a batch until it is accepted, each time to the next service. */
  async #submit(first: number, jobs: number, key: string): Promise<string> {
    const { template, folder, random } = this.#settings;
    const request = {
      file: { type: "file" as const, id: template },
      inputSource: "api",
      destinationFolder: { type: "folder" as const, id: folder },
      outputType: OUTPUT,
      documentGenerationData: Array.from({ length: jobs }, (_, index) => ({
        generatedFileName: nameOf(first + index),
        userInput: letter(first + index, 0),
      })),
    };
    for (let turn = Math.floor(random() * this.#services.length); ; turn++) {
      const service = this.#services[turn % this.#services.length];
      const extraHeaders = { "idempotency-key": key };
      try {
        const headers = { boxVersion: "2025.0" as const, extraHeaders };
        const batch = await service?.docgen.createDocgenBatchV2025R0(request, { headers });
        if (batch !== undefined) return batch.id;
      } catch (error) {
        this.#count(error);
        await sleep(200);
      }
    }
  }

  #count(error: unknown): void {
    const { responseInfo, message = "" } = error as {
      readonly responseInfo?: { readonly statusCode?: number; readonly code?: string };
      readonly message?: string;
    };
    const { statusCode, code } = responseInfo ?? {};
    const reason = statusCode ? `${statusCode} ${code}` : (message.split("\n")[0] ?? "");
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1);
    if (statusCode !== undefined && statusCode !== 503 && statusCode !== 429 && statusCode !== 0) {
      this.#settings.report(`a batch was answered with ${statusCode} ${code}: ${message}`);
    }
  }
}

function clientOf(url: string): BoxClient {
  return new BoxClient({
    auth: new BoxDeveloperTokenAuth({ token: TOKEN }),
    networkSession: new NetworkSession({
      baseUrls: new BaseUrls({ baseUrl: url, uploadUrl: url }),
      // The usual retries, with short pauses. After them, the client asks another service.
      retryStrategy: new BoxRetryStrategy({ maxAttempts: 3, retryBaseInterval: 0.05 }),
      timeoutConfig: { timeoutMs: ANSWER_MS },
    }),
  });
}
