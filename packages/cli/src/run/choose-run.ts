import { randomUUID } from "node:crypto";
import { type JobStore, QuireError } from "@quire/core/host";
import { count } from "../terminal/format.ts";
import { EarlierDocuments } from "./earlier-documents.ts";
import { countMissing, type FoundRun, findRun } from "./journal.ts";
import { batchesOf } from "./journal-pages.ts";
import { isRun, reuses, shardIn } from "./key.ts";
import type { Run } from "./run-inputs.ts";
import { shardInWords } from "./shard.ts";

/** Finds the run in the journal. If documents are missing, returns a new run or rejects `conflict`. */
export async function chooseRun(run: Run, journal: JobStore): Promise<FoundRun> {
  const { journalPath: path, key, force, reuse } = run;
  await assertSameShard(journal, run);
  const found = await findRun(journal, { path, key, force, cancelsOthers: reuse !== null });
  if (found.type === "new") return found;
  const { batch, type } = found;
  const { completed, completed_with_error } = batch.counts;
  const made = completed + completed_with_error;
  const missing = made === 0 ? 0 : await countMissing(journal, batch, run.output);
  // A retry in the old batch would fail again if the document of another run has the name.
  const isRepeated = reuse === "overwrite" || (reuse === "missing" && batch.counts.failed > 0);
  if (missing === 0 && !(isRepeated && type === "finished")) return found;
  if (reuse === null && missing < made) throw lacksDocuments(run, missing, made);
  if (type === "unfinished") await journal.cancelBatch(batch.id);
  const before = [batch];
  const replaced = reuse === null ? before : [];
  return { type: "new", number: randomUUID(), replaced, cancelled: before };
}

/** Rejects `conflict` if the journal of a shard would be used for another shard or another run. */
async function assertSameShard(journal: JobStore, { key, journalPath }: Run): Promise<void> {
  for await (const batch of batchesOf(journal)) {
    const shard = shardIn(batch);
    if (isRun(batch, key) || (shard === null && key.shard === null)) continue;
    const other = shard === null ? "a run without --shard" : shardInWords(shard);
    const own = key.shard === null ? "a run without --shard" : shardInWords(key.shard);
    const found = `The journal ${JSON.stringify(journalPath)} belongs to ${other}`;
    throw new QuireError(
      "conflict",
      other === own
        ? `${found} of another run, with another template, other data or other options. Use another --journal, or delete this one if you no longer need it.`
        : `${found}, but this command is ${own}. Resume with the same --shard as before, or use another --journal. All shards of a run need the same number of shards.`,
    );
  }
}

function lacksDocuments(run: Run, missing: number, made: number): QuireError {
  const fix =
    run.key.shard === null
      ? "Make only these again with --only-missing, make all again with --new, or put them back."
      : "Make all documents of this shard again with --new, or put them back.";
  return new QuireError(
    "conflict",
    `${count(missing)} of the ${count(made)} documents in the journal ${JSON.stringify(run.journalPath)} are no longer in ${JSON.stringify(run.shownOut)}. \`quire verify\` lists them. ${fix}`,
  );
}

/**
 * Returns the documents of earlier runs; null if this run does not take them over. A resumed run continues as it began.
 */
export async function earlierDocuments(
  { reuse, output }: Run,
  journal: JobStore,
  found: FoundRun,
): Promise<EarlierDocuments | null> {
  if (found.type === "new") {
    return reuse === null ? null : EarlierDocuments.read(journal, output, null);
  }
  return reuses(found.batch) ? EarlierDocuments.read(journal, output, found.batch.id) : null;
}
