import { abortedError, type Engine } from "@quire/core/host";
import { readTemplate, type TemplateFacts, type TemplateReader } from "@quire/http/parts";
import { LRUCache } from "lru-cache";
import { FairGate } from "../request/fair-gate.ts";

/** The limits of a {@link TagReader}. */
export interface TagReaderLimits {
  /** The maximum number of cached versions. Other versions are read again on request. */
  readonly cached: number;
  /** The approximate maximum number of cached tags of all versions together. A long tag counts as several tags. */
  readonly tags: number;
  /**
   * The maximum number of concurrent reads. One tenant may have half of them. Further reads wait, and tenants take
   * turns.
   */
  readonly reading: number;
  /** The maximum number of waiting reads per tenant. The limit for all tenants is four times this number. */
  readonly waiting: number;
  /** How long `facts` waits for a read, in milliseconds. */
  readonly waitMs: number;
  /** The maximum duration of a read, in milliseconds. */
  readonly readMs: number;
}

/** The result of a read. An error means that the version could not be read. */
type Outcome = { readonly facts: TemplateFacts } | { readonly error: unknown };

const LIMITS: TagReaderLimits = {
  cached: 5_000,
  tags: 50_000,
  reading: 16,
  waiting: 1_000,
  waitMs: 1_000,
  readMs: 120_000,
};

/**
 * Reads templates in the background, each version once. A version never changes, so results are only cached. After a
 * restart, templates are read again.
 */
export class TagReader implements TemplateReader {
  readonly #engine: Engine;
  readonly #limits: TagReaderLimits;
  readonly #gate: FairGate;
  readonly #cache: LRUCache<string, Outcome>;
  /** Reads in progress, separate from the cache because they must not be evicted. These promises never reject. */
  readonly #reading = new Map<string, Promise<Outcome>>();

  /** The caller closes the engine. */
  constructor(engine: Engine, limits: Partial<TagReaderLimits> = {}) {
    this.#engine = engine;
    this.#limits = { ...LIMITS, ...limits };
    const { reading, waiting, cached, tags } = this.#limits;
    this.#gate = new FairGate({
      places: reading,
      placesPerTenant: Math.ceil(reading / 2),
      waitingPerTenant: waiting,
      waiting: 4 * waiting,
    });
    // An outcome with too many tags fills the whole cache.
    const sizeCalculation = (outcome: Outcome): number => Math.min(tags, sizeOf(outcome));
    this.#cache = new LRUCache({ max: cached, maxSize: tags, sizeCalculation });
  }

  /** Starts reading a version unless it is cached or being read. Does nothing if too many reads are waiting. */
  begin(tenant: string, fileId: string, versionId: string): void {
    const key = keyOf(tenant, fileId, versionId);
    if (!this.#cache.has(key)) void this.#startReading(key, tenant, fileId, versionId);
  }

  /**
   * Waits up to `waitMs` for the result. Resolves with null if the read is still in progress; the caller may then try
   * again. Rejects `aborted` if the signal is aborted, with a 429 or 503 if too many reads are waiting, and with the
   * error of a failed read. Such an error is reported once; the next call tries again. If `versionId` is null, the
   * result is not cached.
   */
  async facts(
    tenant: string,
    fileId: string,
    versionId: string | null,
    signal: AbortSignal,
  ): Promise<TemplateFacts | null> {
    const key = keyOf(tenant, fileId, versionId);
    const outcome =
      this.#cache.get(key) ??
      (await withinTime(
        this.#startReading(key, tenant, fileId, versionId),
        this.#limits.waitMs,
        signal,
      ));
    if (outcome === null) return null;
    if ("facts" in outcome) return outcome.facts;
    if (this.#cache.peek(key) === outcome) this.#cache.delete(key);
    throw outcome.error;
  }

  #startReading(
    key: string,
    tenant: string,
    fileId: string,
    versionId: string | null,
  ): Promise<Outcome> {
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading = this.#gate
      .enter(tenant)
      .then(
        (leave) => this.#read(key, tenant, fileId, versionId).finally(leave),
        // The queue is full. Nothing was read, so nothing is cached.
        (error: unknown) => ({ error }),
      )
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(key: string, tenant: string, id: string, version: string | null): Promise<Outcome> {
    const signal = AbortSignal.timeout(this.#limits.readMs);
    const outcome = await readTemplate(this.#engine, { tenant, id, version }, signal).then(
      (facts) => ({ facts }),
      (error: unknown) => ({ error }),
    );
    if (version !== null) this.#cache.set(key, outcome);
    return outcome;
  }
}

/** Returns the number of tags and errors of an outcome, at least 1. A long tag counts as several tags. */
function sizeOf(outcome: Outcome): number {
  if (!("facts" in outcome)) return 1;
  const { tags, errors } = outcome.facts;
  const ofTags = tags.reduce((sum, tag) => sum + 1 + (tag.tag_content.length >> 10), 0);
  return Math.max(1, ofTags + errors.length);
}

/**
 * Resolves with the result of the work; null if it takes longer than `waitMs`. Rejects `aborted` if the signal is
 * aborted.
 */
function withinTime<T>(work: Promise<T>, waitMs: number, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const end = (result: T | null): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      resolve(result);
    };
    const abort = (): void => {
      clearTimeout(timer);
      reject(abortedError(signal));
    };
    const timer = setTimeout(end, waitMs, null);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    void work.then(end);
  });
}

function keyOf(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}
