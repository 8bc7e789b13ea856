import {
  chunkStarts,
  foldName,
  isQuireError,
  type JobFailure,
  type JobResult,
  type NewBatch,
  type NewJob,
  packChunk,
  type ReserveName,
  toFailure,
} from "@quire/contracts";
import type { Database } from "./database/database.ts";
import { BATCH, STATUS } from "./database/states.ts";
import { folderNo, reserverOf, takeName } from "./name-reservations.ts";
import type { NewFile } from "./templates/large-files.ts";
import type { Pins } from "./templates/pins.ts";

/** The name of a job. If the failure and the result are null, the job must run. */
interface Reserved {
  readonly fileName: string | null;
  readonly failure: JobFailure | null;
  readonly result: JobResult | null;
}

/** Writes the rows of a batch that is being accepted. Call all methods within a transaction. */
export class BatchRows {
  /** The number of jobs written, and how many of them have already ended, by their status. */
  count = 0;
  readonly ended = { completed: 0, completed_with_error: 0, failed: 0 };
  readonly #database: Database;
  readonly #pins: Pins;
  readonly #made: NewBatch;
  readonly #template: NewFile;
  readonly #isTaken: (foldedName: string) => boolean;
  #reserve: ReserveName | null = null;
  /** Reserves a name even if a file in the folder has it. */
  #take: ((foldedName: string) => boolean) | null = null;

  constructor(
    { database, pins }: { readonly database: Database; readonly pins: Pins },
    made: NewBatch,
    template: NewFile,
    isTaken: (foldedName: string) => boolean,
  ) {
    this.#database = database;
    this.#pins = pins;
    this.#made = made;
    this.#template = template;
    this.#isTaken = isTaken;
  }

  /**
   * Returns the number of the new batch, which is not visible yet. If the worker `owner` ends, the batch is given up.
   */
  insertBatch(owner: number | null): number {
    const database = this.#database;
    const made = this.#made;
    const row = database.get(
      `INSERT INTO batch (id, state, tenant, weight, caller, idempotency_key, template_id,
         template_version, folder_no, output_type, needs_converter, on_conflict, with_events, settings, trace,
         created_at, worker_no)
       VALUES (?, ${BATCH.accepting}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING no, folder_no`,
      made.id,
      made.tenant,
      made.weight,
      made.caller,
      made.idempotencyKey,
      made.template.id,
      made.template.version,
      folderNo(database, made.folder.id),
      made.outputType,
      made.needsConverter ? 1 : 0,
      made.onConflict,
      made.withEvents ? 1 : 0,
      made.settings,
      made.trace,
      Date.now(),
      owner,
    );
    const batchNo = Number(row?.no);
    const of = { batchNo, folderNo: Number(row?.folder_no) };
    this.#reserve = reserverOf(database, of, this.#isTaken);
    this.#take = (folded) => takeName(database, of, folded);
    this.#pins.keep(batchNo, made.template.id, this.#template);
    return batchNo;
  }

  insertJobs(batchNo: number, jobs: readonly NewJob[]): void {
    const database = this.#database;
    const inputs = jobs.map(({ input }) => input);
    const starts = chunkStarts(inputs);
    let bytes = 0;
    for (const [index, start] of starts.entries()) {
      const data = packChunk(inputs.slice(start, starts[index + 1]));
      database.run("INSERT INTO chunk VALUES (?, ?, ?)", batchNo, this.count + 1 + start, data);
      bytes += data.length;
    }
    database.run("UPDATE batch SET bytes = bytes + ? WHERE no = ?", bytes, batchNo);
    for (const job of jobs) this.#insertJob(batchNo, job);
  }

  #insertJob(batchNo: number, job: NewJob): void {
    const database = this.#database;
    const { fileName, failure, result } = this.#reserveName(job);
    this.count += 1;
    const wanted = fileName === job.fileName ? null : job.fileName;
    const isBad = job.input === null ? 1 : 0;
    const values = [batchNo, this.count, isBad, job.requestedName, wanted] as const;
    if (failure === null && result === null) {
      database.run(
        "INSERT INTO job (batch_no, entry, is_bad, requested_name, wanted_name, status, file_name) VALUES (?, ?, ?, ?, ?, 0, ?)",
        ...values,
        fileName,
      );
      return;
    }
    const status = result?.status ?? "failed";
    this.ended[status] += 1;
    const ended = database.get("UPDATE queue SET ended = ended + 1 RETURNING ended")?.ended ?? 0;
    database.run(
      `INSERT INTO job (batch_no, entry, is_bad, requested_name, wanted_name, status, file_name, result, failure,
         ended_at, ended)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      STATUS[status],
      fileName,
      result === null ? null : JSON.stringify(result),
      failure === null ? null : JSON.stringify(failure),
      Date.now(),
      ended,
    );
  }

  #reserveName({ fileName, failure, result = null }: NewJob): Reserved {
    if (failure !== null || fileName === null) return { fileName: null, failure, result: null };
    const kept = result?.outputFile.name;
    if (kept !== undefined && this.#take?.(foldName(kept))) {
      return { fileName: kept, failure: null, result };
    }
    try {
      const name = this.#reserve?.(fileName, this.#made.onConflict) ?? null;
      return { fileName: name, failure: null, result: null };
    } catch (error) {
      if (!isQuireError(error)) throw error;
      return { fileName: null, failure: toFailure(error), result: null };
    }
  }
}
