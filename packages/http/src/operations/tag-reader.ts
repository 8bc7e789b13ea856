import {
  abortedError,
  type Diagnostic,
  type Engine,
  isQuireError,
  type JsonSchema,
  QuireError,
  type TemplateTag,
} from "@quire/core/host";
import { type Kept, KeptValues } from "../kept-values.ts";
import { FairGate } from "../request/fair-gate.ts";

/** What is known of a version of a template. */
export interface TemplateFacts {
  readonly tags: readonly TemplateTag[];
  readonly schema: JsonSchema;
  /** Why it cannot be used; empty when it can. */
  readonly errors: readonly Diagnostic[];
}

/** How much a {@link TagReader} does and keeps. */
export interface TagReaderLimits {
  /** Versions of which something is known; others are read again when they are asked for. */
  readonly kept: number;
  /** The tags of all of them, roughly: a long one counts for several. */
  readonly tags: number;
  /** Readings at the same time. The others wait, tenants in turn; a tenant has at most half of the places. */
  readonly reading: number;
  /** Readings of one tenant that wait; four times as many of all. */
  readonly waiting: number;
  /** How long `facts` waits for a reading, in milliseconds. */
  readonly waitMs: number;
  /** How long a reading may take before it gives its place to others, in milliseconds. */
  readonly readMs: number;
}

/** What came of a reading. An error is what kept it from being done. */
type Outcome = { readonly facts: TemplateFacts } | { readonly error: unknown };

const LIMITS: TagReaderLimits = {
  kept: 5_000,
  tags: 50_000,
  reading: 16,
  waiting: 1_000,
  waitMs: 1_000,
  readMs: 120_000,
};
/** Hostile templates end here, too: that they do is what is wrong with them. */
const DECIDED = new Set(["invalid_template", "limit_exceeded", "timeout", "render_failed"]);

/**
 * Reads templates in the background, each version once. A version never changes, so nothing of it is stored: after
 * a restart it is read again.
 */
export class TagReader {
  readonly #engine: Engine;
  readonly #limits: TagReaderLimits;
  readonly #gate: FairGate;
  readonly #kept: KeptValues<Outcome>;
  /** Apart from those that are kept: what is being read is never let go. None of them rejects. */
  readonly #underWay = new Map<string, Promise<Outcome>>();

  /** The engine stays the caller's to close. */
  constructor(engine: Engine, limits: Partial<TagReaderLimits> = {}) {
    this.#engine = engine;
    this.#limits = { ...LIMITS, ...limits };
    const { reading, waiting, kept, tags } = this.#limits;
    this.#gate = new FairGate({
      places: reading,
      placesPerTenant: Math.ceil(reading / 2),
      waitingPerTenant: waiting,
      waiting: 4 * waiting,
    });
    this.#kept = new KeptValues(kept, tags);
  }

  /** Begins to read a version, unless that was begun, or too many wait: then it is read when it is asked for. */
  begin(tenant: string, fileId: string, versionId: string): void {
    const key = keyOf(tenant, fileId, versionId);
    if (this.#kept.get(key) === null) void this.#reading(key, tenant, fileId, versionId);
  }

  /**
   * Waits a second for a version that is being read, then gives null: ask again. Rejects `aborted` with the signal,
   * a 429 or 503 when too many wait, and what kept it from being read, once: then it is tried again.
   */
  async facts(
    tenant: string,
    fileId: string,
    versionId: string,
    signal: AbortSignal,
  ): Promise<TemplateFacts | null> {
    const key = keyOf(tenant, fileId, versionId);
    const outcome =
      this.#kept.get(key) ??
      (await soon(this.#reading(key, tenant, fileId, versionId), this.#limits.waitMs, signal));
    if (outcome === null) return null;
    if ("facts" in outcome) return outcome.facts;
    this.#kept.forget(key, outcome);
    throw outcome.error;
  }

  #reading(key: string, tenant: string, fileId: string, versionId: string): Promise<Outcome> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const reading = this.#gate
      .enter(tenant)
      .then(
        (leave) => this.#read(key, tenant, fileId, versionId).finally(leave),
        // No place in the line: nothing was tried, so nothing is kept of it.
        (error: unknown) => ({ error }),
      )
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }

  async #read(key: string, tenant: string, id: string, version: string): Promise<Outcome> {
    const signal = AbortSignal.timeout(this.#limits.readMs);
    const outcome = await this.#engine
      .inspectTemplate({ type: "file", id }, { tenant, version, signal })
      .then(({ tags, schema, errors }) => ({ facts: { tags, schema, errors } }), outcomeOf);
    this.#kept.keep(key, keptOf(outcome));
    return outcome;
  }
}

/** A mistake of the template is what there is to know of it; anything else may pass. */
function outcomeOf(error: unknown): Outcome {
  if (!isQuireError(error) || !DECIDED.has(error.code)) return { error };
  const { code, message, diagnostics, retryable } = error;
  if (retryable) {
    // Of a client's request nothing is too large: others are before it.
    return { error: new QuireError("unavailable", message, { retryable, cause: error }) };
  }
  const own: Diagnostic = { severity: "error", code, message };
  const errors = diagnostics.length > 0 ? diagnostics : [own];
  return { facts: { tags: [], schema: {}, errors } };
}

/** A tag with a long text counts for several. */
function keptOf(outcome: Outcome): Kept<Outcome> {
  if (!("facts" in outcome)) return { value: outcome, size: 1 };
  const { tags, errors } = outcome.facts;
  const ofTags = tags.reduce((sum, tag) => sum + 1 + (tag.tag_content.length >> 10), 0);
  return { value: outcome, size: ofTags + errors.length };
}

/** Null when it takes longer than that. Rejects `aborted` with the signal. */
function soon<T>(work: Promise<T>, waitMs: number, signal: AbortSignal): Promise<T | null> {
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

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
