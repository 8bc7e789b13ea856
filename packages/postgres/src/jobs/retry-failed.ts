import {
  foldName,
  jobStoreProblems,
  type NewBatchOptions,
  type OutputNote,
} from "@quire/contracts";
import type { Database, Row, Runner } from "../database/database.ts";
import { codeOf, STORE_FULL } from "../database/postgres-errors.ts";
import { fromText, toText } from "../database/text.ts";
import { findBatch } from "./listings.ts";
import { type Choice, NameChooser } from "./names.ts";
import { BATCH, KIND, STATUS } from "./states.ts";

/** Number of jobs that are submitted again in one transaction. */
const SLICE = 1000;

/** Submits the failed jobs of a finished batch again, in slices. */
export async function retryFailed(
  database: Database,
  maxWaiting: number,
  batchId: string,
  { isTaken }: Pick<NewBatchOptions, "isTaken">,
): Promise<void> {
  const batch = await findBatch(database, batchId);
  if (batch.state !== BATCH.finished) throw jobStoreProblems.notFinished(batchId);
  try {
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      after = await database.transaction((runner) =>
        retrySlice(runner, { batch, batchId, maxWaiting, isTaken }, from),
      );
    }
  } catch (error) {
    throw codeOf(error) === STORE_FULL ? jobStoreProblems.full(maxWaiting) : error;
  }
}

interface Retry {
  readonly batch: Row;
  readonly batchId: string;
  readonly maxWaiting: number;
  readonly isTaken: (foldedName: string) => boolean;
}

/** Submits a slice of the failed jobs again. Returns its last entry; null if no jobs are left to submit. */
async function retrySlice(runner: Runner, retry: Retry, after: number): Promise<number | null> {
  const { batch, batchId, maxWaiting } = retry;
  // In the order of all transactions: the run before its batch.
  await runner.all("SELECT 1 FROM quire.run WHERE batch_no = $1 FOR UPDATE", [batch.no]);
  const [now] = await runner.all(
    "SELECT state, cancelled, folder_no FROM quire.batch WHERE no = $1 FOR UPDATE",
    [batch.no],
  );
  if (now === undefined || (after === 0 && now.state !== BATCH.finished)) {
    throw jobStoreProblems.notFinished(batchId);
  }
  const jobs = await runner.all(
    `SELECT o.entry, j.wanted_name, j.file_name, o.notes, octet_length(o.failure) AS bytes
     FROM quire.outcome AS o JOIN LATERAL (
       SELECT * FROM quire.job WHERE batch_no = o.batch_no AND entry = o.entry LIMIT 1) AS j ON true
     WHERE o.batch_no = $1 AND o.status = ${STATUS.failed} AND o.entry > $2 AND j.kind <> ${KIND.invalid}
     ORDER BY o.entry LIMIT ${SLICE}`,
    [batch.no, after],
  );
  // If the batch was cancelled between two slices, it remains cancelled.
  const isCancelled = after > 0 && now.cancelled;
  if (jobs.length === 0 || isCancelled) return null;
  if (after === 0) await assertRoom(runner, batch.no, maxWaiting);
  await reactivate(runner, batch.no, now.state === BATCH.finished);
  const names = await namesAgain(runner, retry, now.folder_no, jobs);
  await resubmit(runner, batch.no, jobs, names);
  return jobs.at(-1)?.entry ?? null;
}

async function assertRoom(runner: Runner, batchNo: number, maxWaiting: number): Promise<void> {
  await runner.all(
    `SELECT quire.assert_room((SELECT count(*) FROM quire.outcome AS o JOIN LATERAL (
       SELECT kind FROM quire.job WHERE batch_no = o.batch_no AND entry = o.entry LIMIT 1) AS j ON true
       WHERE o.batch_no = $1 AND o.status = ${STATUS.failed} AND j.kind <> ${KIND.invalid}), $2)`,
    [batchNo, maxWaiting],
  );
}

/** The batch may have finished again since the previous slice. */
async function reactivate(runner: Runner, batchNo: number, isFinished: boolean): Promise<void> {
  await runner.all(
    `UPDATE quire.batch SET cancelled = false, state = ${BATCH.running}, finished_at = NULL, has_names = true WHERE no = $1`,
    [batchNo],
  );
  // Every job was begun or has ended, so none is fresh.
  if (isFinished) await runner.all("SELECT quire.activate($1, 0, 2147483647)", [batchNo]);
  await runner.all(
    "UPDATE quire.run SET cancelled = false, ready_at = '-infinity' WHERE batch_no = $1",
    [batchNo],
  );
}

/** Reserves the previous name of each job, or a replacement for its requested name. */
async function namesAgain(
  runner: Runner,
  { batch, isTaken }: Retry,
  folderNo: number,
  jobs: readonly Row[],
): Promise<Choice[]> {
  const earlier = jobs.map(({ file_name, notes }) => {
    if (file_name === null) return null;
    const name = fromText(file_name as string);
    const folded = foldName(name);
    // The file with this name in the folder may be the job's own document.
    const isNoted =
      notes !== null && (JSON.parse(notes) as OutputNote[]).some((note) => note.name === name);
    return isNoted || !isTaken(folded) ? folded : null;
  });
  const mine = new Set(
    await takeNames(runner, folderNo, batch.no, [
      ...new Set(earlier.filter((each) => each !== null)),
    ]),
  );
  const choices: (Choice | null)[] = jobs.map(({ file_name }, index) => {
    const folded = earlier[index] ?? null;
    return folded !== null && mine.delete(folded)
      ? { name: fromText(file_name), failure: null }
      : null;
  });
  const chooser = new NameChooser(batch.on_conflict, isTaken);
  chooser.learn(earlier.filter((each) => each !== null));
  for (
    let open = choices.flatMap((choice, index) => (choice === null ? [index] : []));
    open.length > 0;
  ) {
    for (const index of open) {
      const { wanted_name, file_name } = jobs[index] ?? {};
      choices[index] = chooser.choose(fromText(wanted_name ?? file_name));
    }
    const gained = new Set(await takeNames(runner, folderNo, batch.no, chooser.folded));
    open = open.filter((index) => {
      const name = choices[index]?.name ?? null;
      return name !== null && !gained.has(foldName(name));
    });
    chooser.keep();
  }
  return choices.filter((choice) => choice !== null);
}

/** Returns the names that the batch has now. */
async function takeNames(
  runner: Runner,
  folderNo: number,
  batchNo: number,
  folded: readonly string[],
): Promise<string[]> {
  if (folded.length === 0) return [];
  const texts = folded.map((each) => toText(each));
  const own = await runner.all(
    "SELECT folded FROM quire.name WHERE folder_no = $1 AND folded = ANY($2) AND batch_no = $3 FOR UPDATE",
    [folderNo, texts, batchNo],
  );
  const isOwn = new Set(own.map((row) => row.folded));
  const others = texts.filter((each) => !isOwn.has(each));
  const [row] = await runner.all("SELECT quire.take_names($1, $2, $3) AS missing", [
    folderNo,
    batchNo,
    others,
  ]);
  const missing = new Set(row?.missing);
  return texts.filter((each) => !missing.has(each)).map((each) => fromText(each));
}

async function resubmit(
  runner: Runner,
  batchNo: number,
  jobs: readonly Row[],
  names: readonly Choice[],
): Promise<void> {
  const each = jobs.map((job, index) => ({ job, choice: names[index] }));
  const back = each.filter(({ choice }) => choice?.failure === null);
  const still = each.filter(({ choice }) => choice?.failure !== null);
  const entriesOf = (some: typeof each): number[] => some.map(({ job }) => job.entry);
  await runner.all(
    `UPDATE quire.job AS j SET file_name = n.name, wanted_name = coalesce(j.wanted_name, j.file_name)
     FROM unnest($2::int[], $3::text[]) AS n(entry, name)
     WHERE j.batch_no = $1 AND j.entry = n.entry AND j.file_name IS DISTINCT FROM n.name`,
    [batchNo, entriesOf(back), back.map(({ choice }) => toText(choice?.name ?? null))],
  );
  await runner.all(
    `WITH gone AS (
       DELETE FROM quire.outcome WHERE batch_no = $1 AND entry = ANY($2) RETURNING entry, attempts, notes
     )
     INSERT INTO quire.work (batch_no, entry, attempts, notes, noted)
       SELECT $1, entry, attempts, notes, notes IS NOT NULL FROM gone`,
    [batchNo, entriesOf(back)],
  );
  await runner.all(
    `UPDATE quire.outcome AS o SET failure = n.failure FROM unnest($2::int[], $3::text[]) AS n(entry, failure)
     WHERE o.batch_no = $1 AND o.entry = n.entry`,
    [batchNo, entriesOf(still), still.map(({ choice }) => JSON.stringify(choice?.failure))],
  );
  const bytes = back.reduce((sum, { job }) => sum + job.bytes, 0);
  await runner.all(
    `WITH counted AS (
       UPDATE quire.run SET submitted = submitted + $2, failed = failed - $2, bytes = bytes - $3
       WHERE batch_no = $1 RETURNING tenant
     )
     SELECT quire.count_use(tenant, $2, 0, -$3::bigint), quire.announce() FROM counted`,
    [batchNo, back.length, bytes],
  );
  await runner.all("SELECT quire.finish_if_done($1)", [batchNo]);
}
