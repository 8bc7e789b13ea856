import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { BatchPart, BatchRecord } from "@quire/core/host";
import { EntryRanges } from "../entries/entry-ranges.ts";
import { unreadable } from "../files/file-problems.ts";
import type { LoadedTemplate } from "../files/template.ts";
import type { Shard } from "../options/shard.ts";

/** The identity of a run. */
export interface RunKey {
  /**
   * The hash of the template, the data and all options. For a shard, its number, the number of shards and
   * {@link RecordedShard.of} follow, with slashes between them.
   */
  readonly run: string;
  /** The hash of the template and the options that affect documents, without the data. */
  readonly make: string;
  /** The entries of the data file that the run uses; null for all. */
  readonly chosen: EntryRanges | null;
  /** The shard that the run makes; null for a run that is not divided. */
  readonly shard: Shard | null;
}

/** What a run's documents depend on. */
export interface RunParts {
  readonly template: LoadedTemplate;
  readonly dataPath: string;
  /** Options that affect each document. */
  readonly making: object;
  /** All options, in an order that must not change: an earlier release may have started the run. */
  readonly all: object;
  /** All options, except paths, which may differ between the machines of shards. */
  readonly portable: object;
  /** The chosen entries; null for all. */
  readonly chosen: EntryRanges | null;
  /** The shard and its part of the chosen entries; null for all of them. */
  readonly share: { readonly shard: Shard; readonly part: BatchPart } | null;
}

/** Computes the key of a run. Reads the data file once. Rejects `not_found`. */
export async function runKey({
  template,
  dataPath,
  making,
  all,
  portable,
  chosen,
  share,
}: RunParts): Promise<RunKey> {
  const data = await hashOf(dataPath);
  const hashOfAll = (options: object): string =>
    hashed(template, chosen === null ? options : { ...options, entries: chosen.toString() }, data);
  const make = hashed(template, making, null);
  const run = hashOfAll(all);
  if (share === null) return { run, make, chosen, shard: null };
  const { shard, part } = share;
  const own = (chosen ?? EntryRanges.ALL).between(part.first, part.last);
  const divided = `${run}/${shard.index}/${shard.count}/${hashOfAll(portable)}`;
  return { run: divided, make, chosen: own, shard };
}

function hashed({ bytes, included }: LoadedTemplate, options: object, data: string | null): string {
  const key = createHash("sha256");
  const part = (content: string | Uint8Array): void => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    key.update(`${sha256}\n`);
  };
  part(bytes);
  for (const [name, content] of included) {
    part(name);
    part(content);
  }
  part(JSON.stringify(options));
  if (data !== null) key.update(data);
  return key.digest("hex");
}

/**
 * Returns the idempotency key of a batch: {@link RunKey.run}, the number of the batch in this run, `+` if it takes over
 * documents of earlier runs, {@link RunKey.make}, and the chosen entries unless it uses all. Earlier releases wrote
 * only the first two.
 */
export function batchKey({ run, make, chosen }: RunKey, number: string, reuses: boolean): string {
  return `${run}#${number}${reuses ? "+" : ""}~${make}${chosen === null ? "" : `@${chosen}`}`;
}

/** A shard of a run, as recorded in a journal. */
export interface RecordedShard extends Shard {
  /** Identifies the run of all shards: the hash of the template, the data and all options except paths. */
  readonly of: string;
}

/** Returns the shard of a batch; null for a run that is not divided. */
export function shardIn(batch: KeyedBatch): RecordedShard | null {
  const [, index, count, of] = runOf(batch)?.split("/") ?? [];
  return of === undefined ? null : { index: Number(index), count: Number(count), of };
}

/** Returns the run of a batch; null for a batch of another program. */
export function runOf({ idempotencyKey }: KeyedBatch): string | null {
  return idempotencyKey?.split("#")[0] ?? null;
}

/** Whether a batch belongs to a run. */
export function isRun(batch: KeyedBatch, { run }: RunKey): boolean {
  return runOf(batch) === run;
}

/** Returns the {@link RunKey.make} of a batch; null if it is not recorded. */
export function makeKeyOf({ idempotencyKey }: KeyedBatch): string | null {
  return idempotencyKey?.split("~")[1]?.split("@")[0] ?? null;
}

/** Returns the entries of the data file that a batch uses; null for all. */
export function chosenIn({ idempotencyKey }: KeyedBatch): EntryRanges | null {
  const text = idempotencyKey?.split("@")[1];
  return text === undefined ? null : EntryRanges.parse(text);
}

/** Returns a function that converts the number of an entry in a batch to its number in the data file. */
export function numbering(batch: KeyedBatch): (entry: number) => number {
  const chosen = chosenIn(batch);
  return (entry) => chosen?.numberAt(entry) ?? entry;
}

/** Whether a batch takes over documents of earlier runs. */
export function reuses({ idempotencyKey }: KeyedBatch): boolean {
  return idempotencyKey?.split("#")[1]?.split("~")[0]?.endsWith("+") ?? false;
}

type KeyedBatch = Pick<BatchRecord, "idempotencyKey">;

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (cause) {
    throw unreadable({ cwd: "." }, path, cause);
  }
  return hash.digest("hex");
}
