import { hash as digest } from "node:crypto";
import {
  type Claim,
  type Claimed,
  type ClaimOptions,
  type JobWorker,
  type JobWorkerOptions,
  jobStoreProblems,
  nameReserver,
  type Outcome,
  type OutputNote,
  type TakenEvent,
} from "@quire/contracts";
import { Batcher } from "../database/batcher.ts";
import type { Database, Row } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";
import type { Heartbeat } from "../lease/heartbeat.ts";
import type { Lease } from "../lease/lease.ts";
import { claimsOf } from "./claim-rows.ts";
import { takeEvents } from "./events.ts";
import { columnsOf, keyOf, payloadOf, stateOf } from "./outcome-rows.ts";
import type { Pins } from "./pins.ts";
import { tidy } from "./tidy.ts";

/** Dependencies of a worker. */
export interface WorkerContext {
  readonly database: Database;
  readonly pins: Pins;
  readonly heartbeat: Heartbeat;
  readonly lease: Lease;
  readonly options: JobWorkerOptions;
  readonly onClose: () => void;
}

interface Settling {
  readonly claim: Claim;
  readonly outcome: Outcome;
}

interface Noting {
  readonly claim: Claim;
  readonly note: OutputNote;
}

/** Limits of the time until a worker looks for work although nobody has announced any, in milliseconds. */
const MIN_IDLE_MS = 20;
const MAX_IDLE_MS = 15_000;

export class PostgresJobWorker implements JobWorker {
  readonly #context: WorkerContext;
  readonly #settling: Batcher<Settling, boolean | null>;
  readonly #noting: Batcher<Noting, boolean>;
  #closed = false;
  /** How long no work becomes ready without an announcement, as of the last claim. */
  #idleMs = MAX_IDLE_MS;
  /** The news that the last claim takes into account. */
  #newsSeen = -1;

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#settling = new Batcher<Settling, boolean | null>(
      (group) => this.#settleAll(group),
      keyOf,
    );
    this.#noting = new Batcher<Noting, boolean>((group) => this.#noteAll(group), keyOf);
  }

  get lost(): AbortSignal {
    return this.#context.lease.lost;
  }

  get isHeld(): boolean {
    return !this.#closed && this.#context.lease.isHeld;
  }

  async claim(
    limit: number,
    { alone = false, maxBytes = Number.POSITIVE_INFINITY, without }: ClaimOptions = {},
  ): Promise<Claimed> {
    this.#assertOpen();
    const { takes } = this.#context.options;
    this.#newsSeen = this.#context.heartbeat.news;
    const rows = alone
      ? await this.#ask("SELECT * FROM quire.claim_suspect($1, $2)", [this.#no, takes])
      : await this.#ask("SELECT * FROM quire.claim($1, $2, $3, $4, $5, $6)", [
          this.#no,
          limit,
          maxBytes,
          takes,
          (without?.tenants ?? []).map((tenant) => toText(tenant)),
          (without?.batches ?? []).map((id) => toText(id)),
        ]);
    const { end_with, size } = rows.at(-1) ?? {};
    this.#idleMs = end_with === "idle" ? Math.max(MIN_IDLE_MS, size) : MAX_IDLE_MS;
    return { jobs: claimsOf(rows), suspects: end_with === "suspects" };
  }

  async waitForWork(ms: number, signal?: AbortSignal): Promise<void> {
    const { heartbeat } = this.#context;
    // News that arrived since the last claim began.
    const isNews = heartbeat.news !== this.#newsSeen;
    this.#newsSeen = heartbeat.news;
    if (isNews || this.#closed) return;
    const signals = signal === undefined ? [this.lost] : [this.lost, signal];
    await heartbeat.waitForWork(Math.min(ms, this.#idleMs), AbortSignal.any(signals));
  }

  async setBegun(claim: Claim, begun: boolean): Promise<void> {
    this.#assertOwn();
    const { batchId, entry, attempt } = claim;
    const row = await this.#context.database.get(
      "SELECT quire.set_begun($1, $2, $3, $4, $5) AS is_own",
      [this.#no, toText(batchId), entry, attempt, begun],
    );
    if (row?.is_own !== true) throw jobStoreProblems.leaseLost();
  }

  async note(claim: Claim, note: OutputNote): Promise<void> {
    this.#assertOwn();
    if (!(await this.#noting.add({ claim, note }))) throw jobStoreProblems.leaseLost();
  }

  async #noteAll(group: readonly Noting[]): Promise<boolean[]> {
    const rows = await this.#context.database.all(
      "SELECT quire.note($1, $2, $3, $4, $5) AS place",
      [this.#no, ...columnsOf(group), group.map(({ note }) => JSON.stringify(note))],
    );
    const places = new Set(rows.map(({ place }) => place));
    return group.map((_, index) => places.has(index + 1));
  }

  async settle(claim: Claim, outcome: Outcome): Promise<boolean> {
    this.#assertOwn();
    const finished = await this.#settling.add({ claim, outcome });
    if (finished === null) throw jobStoreProblems.leaseLost();
    return finished;
  }

  /** Returns for each attempt whether its batch has finished; null if the job is not this worker's. */
  async #settleAll(group: readonly Settling[]): Promise<(boolean | null)[]> {
    const rows = await this.#context.database.all(
      "SELECT * FROM quire.settle($1, $2, $3, $4, $5::smallint[], $6, $7)",
      [
        this.#no,
        ...columnsOf(group),
        group.map(({ outcome }) => stateOf(outcome)),
        group.map(({ outcome }) => payloadOf(outcome)),
        group.map(({ outcome }) => ("delayMs" in outcome ? (outcome.delayMs ?? 0) : 0)),
      ],
    );
    const places = new Map(rows.map(({ place, finished }) => [place, finished]));
    return group.map((_, index) => places.get(index + 1) ?? null);
  }

  async rename(claim: Claim): Promise<string> {
    this.#assertOwn();
    const { database } = this.#context;
    const { batchId, entry, attempt } = claim;
    const job = await database.get(
      `SELECT b.on_conflict, coalesce(j.wanted_name, j.file_name) AS wanted
       FROM quire.batch AS b JOIN quire.job AS j ON j.batch_no = b.no WHERE b.id = $1 AND b.state = 1 AND j.entry = $2`,
      [toText(batchId), entry],
    );
    if (job === undefined) throw jobStoreProblems.leaseLost();
    const taken = new Set<string>();
    for (;;) {
      let folded = "";
      const reserve = nameReserver((name) => {
        folded = name;
        return !taken.has(name);
      });
      const name = reserve(fromText(job.wanted), job.on_conflict);
      const row = await database.get("SELECT quire.rename_job($1, $2, $3, $4, $5, $6) AS renamed", [
        this.#no,
        toText(batchId),
        entry,
        attempt,
        toText(name),
        toText(folded),
      ]);
      if (row?.renamed === null) throw jobStoreProblems.leaseLost();
      if (row?.renamed === true) return name;
      taken.add(folded);
    }
  }

  async pinned(
    batchId: string,
    fileId: string,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    this.#assertOpen();
    const { pins } = this.#context;
    const known = await pins.read(batchId, fileId);
    if (known !== null) return known;
    const bytes = await read();
    this.#assertOpen();
    await pins.keep(batchId, fileId, digest("sha256", bytes), bytes);
    return (await pins.read(batchId, fileId)) ?? bytes;
  }

  async takeEvents(limit: number): Promise<readonly TakenEvent[]> {
    this.#assertOpen();
    return this.#orLose(() => takeEvents(this.#context.database, this.#no, limit));
  }

  async tellEvents(sequences: readonly number[]): Promise<void> {
    this.#assertOpen();
    await this.#context.database.all("DELETE FROM quire.event WHERE sequence = ANY($1)", [
      sequences,
    ]);
  }

  async tidy(): Promise<boolean> {
    this.#assertOpen();
    return tidy(this.#context.database, this.#context.options.keepFinishedMs);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { lease, database, heartbeat, onClose } = this.#context;
    try {
      if (!lease.lost.aborted) {
        await database.all("SELECT quire.dismiss($1, false, false)", [this.#no]);
      }
    } finally {
      lease.close();
      heartbeat.announce();
      onClose();
    }
  }

  get #no(): number {
    return this.#context.lease.workerNo;
  }

  #ask(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#orLose(() => this.#context.database.all(sql, values));
  }

  async #orLose<T>(body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      if ((error as { code?: unknown }).code === "lease_lost") this.#context.lease.lose();
      throw error;
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw jobStoreProblems.closed();
    if (this.lost.aborted) throw jobStoreProblems.leaseLost();
  }

  /** A closed worker no longer has claims. */
  #assertOwn(): void {
    if (this.#closed || this.lost.aborted) throw jobStoreProblems.leaseLost();
  }
}
