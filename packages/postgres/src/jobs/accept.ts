import { hash as digest } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  type AcceptedBatch,
  jobStoreProblems,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
  QuireError,
  slicesOf,
  throwIfAborted,
} from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import {
  codeOf,
  detailOf,
  NAMES_TAKEN,
  STORE_FULL,
  UNKNOWN_CONTENT,
} from "../database/postgres-errors.ts";
import { fromText, toText } from "../database/text.ts";
import { NameChooser } from "./names.ts";
import { batchRecord } from "./records.ts";
import { sliceRows } from "./slice-rows.ts";
import { BATCH } from "./states.ts";

/** Number of jobs that are written in one transaction. */
const SLICE_JOBS = 1000;
/** How often to check whether a concurrent batch with the same idempotency key has been accepted. */
const TWIN_POLL_MS = 50;

/** Dependencies of an acceptance. */
export interface Acceptance {
  readonly database: Database;
  readonly maxWaiting: number;
  /** The worker that holds the lease while a batch is accepted in several slices. */
  readonly workerNo: () => Promise<number>;
  /** Drafts that were given up while the server did not answer. The next acceptance discards them. */
  readonly abandoned: Set<number>;
}

/** Writes a batch: with one statement if it is small, otherwise in slices, visible only after the last one. */
export async function accept(
  acceptance: Acceptance,
  made: NewBatch,
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  hash: () => string,
  options: NewBatchOptions,
): Promise<AcceptedBatch> {
  const draft = new Draft(acceptance, made, options);
  try {
    await draft.assertWelcome();
    for await (const slice of slicesOf(jobs, SLICE_JOBS, options.signal)) {
      if (slice.isLast) return await draft.finish(slice.jobs, hash);
      await draft.add(slice.jobs);
    }
    throw jobStoreProblems.noJobs();
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

interface Written {
  readonly batchNo: number | null;
  /** The hash of the request of an earlier batch with the same key. */
  readonly knownHash: string | null;
  /** The row of the batch, if it is visible now. */
  readonly record: Row | null;
}

/** A batch that is being written. */
class Draft {
  readonly #acceptance: Acceptance;
  readonly #made: NewBatch;
  readonly #options: NewBatchOptions;
  readonly #names: NameChooser;
  readonly #sha256: string;
  /** The batch's number; null until a slice of the batch is written. */
  #batchNo: number | null = null;
  /** Number of written jobs. */
  #written = 0;
  /** Whether an earlier batch has the key. The jobs are then read only for their hash. */
  #isKnown = false;

  constructor(acceptance: Acceptance, made: NewBatch, options: NewBatchOptions) {
    this.#acceptance = acceptance;
    this.#made = made;
    this.#options = options;
    this.#names = new NameChooser(made.onConflict, options.isTaken);
    this.#sha256 = digest("sha256", made.templateBytes);
  }

  /** Throws the refusal, if there is one and the batch has not already been accepted. */
  async assertWelcome(): Promise<void> {
    const { refusal } = this.#options;
    if (refusal === undefined) return;
    this.#isKnown = (await this.#findKnown()) !== null;
    if (!this.#isKnown) throw refusal;
  }

  /** Writes jobs that become visible with the last ones. */
  async add(jobs: readonly NewJob[]): Promise<void> {
    while (!this.#isKnown) {
      const owner = this.#batchNo === null ? await this.#acceptance.workerNo() : null;
      const { batchNo, knownHash } = await this.#write(jobs, { owner, isLast: false, hash: null });
      this.#isKnown = knownHash !== null;
      if (batchNo !== null) return;
      await this.#waitForTwin();
    }
  }

  /** Writes the last jobs, and makes the batch visible. */
  async finish(jobs: readonly NewJob[], hash: () => string): Promise<AcceptedBatch> {
    const requestHash = this.#made.idempotencyKey === null ? null : hash();
    for (;;) {
      const { knownHash, record } = this.#isKnown
        ? ((await this.#findKnown()) ?? deletedMeanwhile())
        : await this.#write(jobs, { owner: null, isLast: true, hash: requestHash });
      if (record === null) {
        await this.#waitForTwin();
        continue;
      }
      if (knownHash === null) return { batch: batchRecord(record), created: true };
      if (knownHash !== requestHash) {
        throw jobStoreProblems.otherRequest(this.#made.idempotencyKey ?? "");
      }
      await this.discard();
      return { batch: batchRecord(record), created: false };
    }
  }

  async #waitForTwin(): Promise<void> {
    await this.#discardAbandoned();
    // The other batch may have been given up.
    await this.#acceptance.database.all("SELECT quire.reap()");
    await wait(TWIN_POLL_MS);
    throwIfAborted(this.#options.signal);
  }

  /** Writes a slice. Chooses other names as long as the database has others' batches with the chosen ones. */
  async #write(
    jobs: readonly NewJob[],
    { owner, isLast, hash }: { owner: number | null; isLast: boolean; hash: string | null },
  ): Promise<Written> {
    const { database, maxWaiting } = this.#acceptance;
    const head = JSON.stringify(this.#head(hash));
    for (let content: Buffer | null = null; ; ) {
      const rows = sliceRows(jobs, this.#written + 1, this.#names);
      const values = [this.#batchNo, head, owner, isLast, this.#sha256, content, this.#written];
      try {
        const row = await database.get(ACCEPT, [...values, maxWaiting, ...rows]);
        return this.#wrote(jobs, row ?? {});
      } catch (error) {
        const code = codeOf(error);
        if (code === UNKNOWN_CONTENT) content = Buffer.from(this.#made.templateBytes);
        else if (code === STORE_FULL) throw jobStoreProblems.full(maxWaiting);
        else if (code !== NAMES_TAKEN) throw error;
        await this.#chooseAgain(code === NAMES_TAKEN ? JSON.parse(detailOf(error) ?? "[]") : []);
      }
    }
  }

  #wrote(
    jobs: readonly NewJob[],
    { b: batchNo = null, known_hash: knownHash = null, record = null }: Row,
  ): Written {
    if (batchNo !== null && knownHash === null) {
      this.#batchNo = batchNo;
      this.#written += jobs.length;
      this.#names.keep();
    } else {
      this.#names.reject([]);
    }
    return { batchNo, knownHash, record };
  }

  async #chooseAgain(taken: readonly string[]): Promise<void> {
    const likely = this.#names.reject(taken.map((folded) => fromText(folded)));
    if (taken.length === 0) return;
    const rows = await this.#acceptance.database.all(
      `SELECT folded FROM quire.name WHERE folder_no = (SELECT no FROM quire.folder WHERE id = $1)
         AND folded = ANY($2) AND quire.is_name_held(batch_no)`,
      [toText(this.#made.folder.id), likely.map((folded) => toText(folded))],
    );
    this.#names.learn(rows.map(({ folded }) => fromText(folded)));
  }

  #head(hash: string | null): Record<string, unknown> {
    const made = this.#made;
    return {
      id: toText(made.id),
      tenant: toText(made.tenant),
      weight: made.weight,
      caller: toText(made.caller),
      key: toText(made.idempotencyKey),
      hash,
      template: toText(made.template.id),
      version: toText(made.template.version),
      folder: toText(made.folder.id),
      outputType: made.outputType,
      needsConverter: made.needsConverter,
      onConflict: made.onConflict,
      withEvents: made.withEvents,
      settings: made.settings,
      trace: made.trace,
    };
  }

  async #findKnown(): Promise<Written | null> {
    const { tenant, idempotencyKey } = this.#made;
    const row = await this.#acceptance.database.get(
      `SELECT no, request_hash, quire.batch_record(no) AS record FROM quire.batch WHERE tenant = $1 AND idempotency_key = $2
         AND state IN (${BATCH.running}, ${BATCH.finished})`,
      [toText(tenant), toText(idempotencyKey)],
    );
    if (row === undefined) return null;
    await this.#acceptance.database.all("SELECT quire.await_commits()");
    return { batchNo: row.no, knownHash: row.request_hash, record: row.record };
  }

  /** Marks the unfinished batch for deletion. Its names become free immediately; `tidy` deletes its rows. */
  async discard(): Promise<void> {
    if (this.#batchNo === null) return;
    this.#acceptance.abandoned.add(this.#batchNo);
    this.#batchNo = null;
    await this.#discardAbandoned();
  }

  async #discardAbandoned(): Promise<void> {
    const { database, abandoned } = this.#acceptance;
    const numbers = [...abandoned];
    if (numbers.length === 0) return;
    const discard = `UPDATE quire.batch SET state = ${BATCH.deleting}
      WHERE no = ANY($1) AND state = ${BATCH.accepting}`;
    try {
      await database.all(discard, [numbers]);
      for (const no of numbers) abandoned.delete(no);
    } catch {
      // The batch is deleted after the lease of its owner, unless the next acceptance does it.
    }
  }
}

const ACCEPT = `SELECT * FROM quire.accept($1, $2, $3, $4, $5, $6, $7, $8, $9::int[], $10::smallint[], $11::text[],
  $12::text[], $13::text[], $14::text[], $15::int[], $16::int[], $17::smallint[], $18::text[], $19::text[], $20::int[],
  $21::bytea[])`;

function deletedMeanwhile(): never {
  throw new QuireError(
    "job_store_failed",
    "The batch with the same idempotency key was deleted while you submitted it again. Submit it once more.",
    { retryable: true },
  );
}
