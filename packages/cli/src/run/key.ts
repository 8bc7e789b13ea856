import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { BatchRecord } from "@quire/core/host";
import { EntryRanges } from "../entries/entry-ranges.ts";
import { unreadable } from "../files/file-problems.ts";
import type { LoadedTemplate } from "../files/template.ts";

/** The identity of a run. */
export interface RunKey {
  /** The hash of the template, the data and all options. */
  readonly run: string;
  /** The hash of the template and the options that affect documents, without the data. */
  readonly make: string;
  /** The entries of the data file that the run uses; null for all. */
  readonly chosen: EntryRanges | null;
}

/** What a run's documents depend on. */
export interface RunParts {
  readonly template: LoadedTemplate;
  readonly dataPath: string;
  /** Options that affect each document. */
  readonly making: object;
  /** All options, in an order that must not change: an earlier release may have started the run. */
  readonly all: object;
  readonly chosen: EntryRanges | null;
}

/** Computes the key of a run. Reads the data file once. Rejects `not_found`. */
export async function runKey({
  template,
  dataPath,
  making,
  all,
  chosen,
}: RunParts): Promise<RunKey> {
  const data = await hashOf(dataPath);
  const whole = chosen === null ? all : { ...all, entries: chosen.toString() };
  return { run: hashed(template, whole, data), make: hashed(template, making, null), chosen };
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
