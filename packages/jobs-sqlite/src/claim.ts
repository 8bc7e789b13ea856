import {
  CANCELLED,
  type Claim,
  type Claimed,
  type JobFailure,
  type JobWorkerOptions,
  type OutputNote,
  POISON,
  POISON_DEATHS,
  SUSPECT_DEATHS,
} from "@quire/contracts";
import type { Database, Row } from "./database/database.ts";
import type { Inputs } from "./inputs.ts";
import type { JobTransitions } from "./lease/job-transitions.ts";

/** Maximum number of jobs that a tenant gets before the next tenant's turn. The tenant's batches share them. */
const TURN = 16;

/** The worker that claims jobs, and the conditions for them. */
export interface Claimer {
  readonly database: Database;
  readonly transitions: JobTransitions;
  readonly inputs: Inputs;
  readonly workerNo: number;
  readonly takes: JobWorkerOptions["takes"];
  readonly now: number;
  /** Tenants and batches to skip, each as a JSON array. */
  readonly withoutTenants: string;
  readonly withoutBatches: string;
}

/** How much may still be claimed. */
interface ClaimBudget {
  jobs: number;
  bytes: number;
}

/** A condition that is true for batches that are not skipped. Its parameters are the two JSON arrays. */
const NOT_WITHOUT = `tenant NOT IN (SELECT value FROM json_each(?))
  AND id NOT IN (SELECT value FROM json_each(?))`;

/** The least and the greatest `needs_converter` of the batches that a worker takes. */
const KINDS = { all: [0, 1], docx: [0, 0], pdf: [1, 1] } as const;

const CLAIM_COLUMNS = "entry, file_name, attempts, failures, deaths, notes";

/** Claims jobs that are ready, by turns of tenants and of their batches. Call it within a transaction. */
export function claimJobs(claimer: Claimer, limit: number, maxBytes: number): Claimed {
  const budget: ClaimBudget = { jobs: limit, bytes: maxBytes };
  const claims = claimToEnd(claimer, budget);
  while (budget.jobs > 0 && budget.bytes >= 0) {
    const turn = Math.min(TURN, budget.jobs);
    const batches = nextBatches(claimer, turn);
    if (batches.length === 0) break;
    const each = Math.ceil(turn / batches.length);
    for (const batch of batches) claims.push(...claimFrom(claimer, batch, each, budget));
  }
  return { jobs: claims, suspects: nextSuspect(claimer) !== undefined };
}

function claimFrom(claimer: Claimer, batch: Row, most: number, budget: ClaimBudget): Claim[] {
  if (budget.jobs === 0 || budget.bytes < 0) return [];
  const jobs = readyJobs(claimer, batch, Math.min(most, budget.jobs));
  if (jobs.length === 0) {
    putOff(claimer, Number(batch.no));
    return [];
  }
  const taken = take(claimer, batch, jobs, budget);
  charge(claimer, batch, taken.length);
  return taken;
}

/** Claims one suspect job, if there is one. Call it within a transaction. */
export function claimSuspect(claimer: Claimer): Claimed {
  const suspect = nextSuspect(claimer);
  if (suspect === undefined) return { jobs: [], suspects: false };
  const budget = { jobs: 1, bytes: Number.POSITIVE_INFINITY };
  return { jobs: take(claimer, suspect, [suspect], budget), suspects: true };
}

/** Claims jobs that must end without another attempt but may already have stored a document. */
function claimToEnd(claimer: Claimer, budget: ClaimBudget): Claim[] {
  const jobs = claimer.database.all(
    `SELECT no, id, tenant, cancelled, ${CLAIM_COLUMNS} FROM job INDEXED BY job_noted JOIN batch ON no = batch_no
     WHERE status = 0 AND notes IS NOT NULL AND job.ready_at <= ? AND state = 1
       AND (cancelled = 1 OR deaths >= ${POISON_DEATHS}) AND ${NOT_WITHOUT} LIMIT ?`,
    claimer.now,
    claimer.withoutTenants,
    claimer.withoutBatches,
    budget.jobs,
  );
  return jobs.flatMap((job) => take(claimer, job, [job], budget));
}

/** The failure of a job without data. Invalid entries are never submitted, so somebody must have changed the file. */
const NO_DATA: JobFailure = {
  code: "job_store_failed",
  message: "The job store no longer has the data of the entry. Submit the entry again.",
  diagnostics: [],
  retryable: false,
  cause: null,
};

const NOT_HELD = "NOT IN (SELECT tenant FROM held_tenant)";
const TENANTS = `SELECT name FROM tenant WHERE name ${NOT_HELD} ORDER BY virtual_time, name`;

/** Returns batches of the tenant that has used the least of its share, those with the least work done first. */
function nextBatches(claimer: Claimer, limit: number): Row[] {
  const { database, takes, now, withoutTenants, withoutBatches } = claimer;
  for (const { name } of database.all(TENANTS)) {
    const batches = database.all(
      `SELECT no, id, tenant, weight, virtual_time FROM batch
       WHERE tenant = ? AND state = 1 AND submitted > 0 AND cancelled = 0
         AND ready_at <= ? AND needs_converter BETWEEN ? AND ? AND ${NOT_WITHOUT}
       ORDER BY virtual_time, no LIMIT ?`,
      String(name),
      now,
      ...KINDS[takes],
      withoutTenants,
      withoutBatches,
      limit,
    );
    const [first] = batches;
    if (first === undefined) continue;
    // A batch that is a turn ahead waits for the others.
    const end = Number(first.virtual_time) + TURN;
    return batches.filter((batch) => Number(batch.virtual_time) < end);
  }
  return [];
}

function readyJobs({ database, now }: Claimer, batch: Row, limit: number): Row[] {
  return database.all(
    `SELECT ${CLAIM_COLUMNS} FROM job INDEXED BY job_submitted
     WHERE batch_no = ? AND status = 0 AND ready_at <= ? AND deaths < ${SUSPECT_DEATHS}
     ORDER BY entry LIMIT ?`,
    Number(batch.no),
    now,
    limit,
  );
}

/** Skips a batch without ready jobs until the first of them becomes ready. */
function putOff({ database }: Claimer, batchNo: number): void {
  database.run(
    `UPDATE batch SET ready_at = coalesce(
       (SELECT min(ready_at) FROM job INDEXED BY job_submitted WHERE batch_no = no AND status = 0 AND deaths < ${SUSPECT_DEATHS}), 1e300)
     WHERE no = ?`,
    batchNo,
  );
}

function nextSuspect({ database, takes, now }: Claimer): Row | undefined {
  return database.get(
    `SELECT no, id, tenant, ${CLAIM_COLUMNS} FROM job INDEXED BY job_suspect JOIN batch ON no = batch_no
     WHERE status = 0 AND deaths >= ${SUSPECT_DEATHS} AND deaths < ${POISON_DEATHS} AND job.ready_at <= ?
       AND state = 1 AND cancelled = 0 AND needs_converter BETWEEN ? AND ? AND tenant ${NOT_HELD} LIMIT 1`,
    now,
    ...KINDS[takes],
  );
}

function take(claimer: Claimer, batch: Row, jobs: readonly Row[], budget: ClaimBudget): Claim[] {
  const { database, transitions, inputs, workerNo } = claimer;
  const batchNo = Number(batch.no);
  const claims: Claim[] = [];
  for (const job of jobs) {
    if (budget.bytes < 0) break;
    const entry = Number(job.entry);
    const input = inputs.read(batchNo, entry);
    if (input === null) {
      transitions.end(batchNo, entry, "submitted", { status: "failed", failure: NO_DATA });
      continue;
    }
    budget.jobs -= 1;
    budget.bytes -= input.bytes.length;
    database.run(
      "UPDATE job SET status = 1, worker_no = ?, attempts = attempts + 1, begun = 0 WHERE batch_no = ? AND entry = ?",
      workerNo,
      batchNo,
      entry,
    );
    transitions.recordEvent(batchNo, "job_started", entry);
    claims.push({
      batchId: String(batch.id),
      tenant: String(batch.tenant),
      entry,
      attempt: Number(job.attempts) + 1,
      failures: Number(job.failures),
      fileName: String(job.file_name),
      input,
      notes: notesOf(job),
      endWith: endOf(batch, job),
    });
  }
  transitions.count(batchNo, { submitted: -claims.length, pending: claims.length });
  return claims;
}

function endOf(batch: Row, job: Row): JobFailure | null {
  if (batch.cancelled === 1) return CANCELLED;
  return Number(job.deaths) >= POISON_DEATHS ? POISON : null;
}

/** Returns the notes of earlier attempts. */
export function notesOf({ notes }: Row): readonly OutputNote[] {
  return typeof notes === "string" ? JSON.parse(notes) : [];
}

/** Charges a batch and its tenant for the claimed jobs, which moves both back in their queues. */
function charge({ database }: Claimer, batch: Row, jobs: number): void {
  const tenant = String(batch.tenant);
  database.run(
    "UPDATE queue SET virtual_time = max(virtual_time, (SELECT virtual_time FROM tenant WHERE name = ?))",
    tenant,
  );
  database.run(
    "UPDATE tenant SET virtual_time = virtual_time + ? WHERE name = ?",
    jobs / Number(batch.weight),
    tenant,
  );
  database.run(
    "UPDATE batch SET virtual_time = virtual_time + ? WHERE no = ?",
    jobs,
    Number(batch.no),
  );
}
