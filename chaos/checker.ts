/**
 * Tells whether anything was lost, done twice or left behind: reads the journal (by plain SQL, and again
 * through the public reader), the folder of the documents and the table of processes. Shares no code with
 * what it checks.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { findText, type JobRecord, type JobStore, openDocx } from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import type { ProgramLine, ToldJob } from "./program/options.ts";
import { type Journal, type JournalJob, type KnownFile, readJournal } from "./support/journal.ts";
import type { Place } from "./support/place.ts";
import { inWords, leftAfter, type Process } from "./support/processes.ts";

/** How the names of unfinished files begin. */
const TEMP_PREFIX = ".quire-tmp-";
/** After so long nothing that was started may be there any more. */
const PROCESSES_GONE_MS = 20_000;
const ENDED = new Set(["completed", "completed_with_error", "failed"]);

/** What the end of a scenario is held to. */
export interface EndExpectations {
  /** Codes of failures that may stand at the end. Default: none. */
  readonly failures?: readonly string[];
  /** Whether a temporary file that is left is a violation. Default: it is counted only. */
  readonly noTempFiles?: boolean;
  /** Batches that there are. Default 1. */
  readonly batches?: number;
}

/** A place under watch, from its first fault to its end. */
export class Checker {
  readonly #place: Place;
  readonly #violations: string[] = [];
  /** What is known to have ended: it never changes again. */
  readonly #ended = new Map<string, string>();
  /** Batches whose acceptance was told. */
  readonly #accepted = new Set<string>();
  /** Files that were found whole, by name: what they were and what they are. */
  readonly #files = new Map<string, { readonly stamp: string; readonly file: KnownFile }>();
  #tempFiles = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Everything that was found wrong so far. */
  get violations(): readonly string[] {
    return this.#violations;
  }

  /** Temporary files that were there when it was last looked. */
  get tempFiles(): number {
    return this.#tempFiles;
  }

  /** Something else that is wrong. */
  report(violation: string): void {
    this.#violations.push(violation);
  }

  /** Failed jobs may be tried again from now on. */
  allowRetry(): void {
    for (const [job, end] of this.#ended) if (end.startsWith("failed")) this.#ended.delete(job);
  }

  /** What the program told: what a client has seen stays true. */
  heard(lines: readonly ProgramLine[]): void {
    for (const line of lines) {
      if (line.type === "accepted") this.#accepted.add(line.batchId);
      if (line.type === "job") this.#heardJob(line);
    }
  }

  /** Right after a fault, with nobody at work: nothing is half there, and everything adds up. */
  async checkMoment(when: string): Promise<Journal | null> {
    const journal = await this.#journal(when);
    const files = await this.#readFiles(when);
    if (journal !== null) this.#checkFiles(when, journal, files);
    return journal;
  }

  /** When everything is done: what was accepted has ended, once, and nothing else is there. */
  async checkEnd(when: string, known: readonly Process[], end: EndExpectations): Promise<void> {
    const journal = await this.#journal(when);
    const files = await this.#readFiles(when);
    if (journal === null) return this.report(`${when}: there is no journal`);
    this.#checkFiles(when, journal, files);
    this.#checkAllEnded(when, journal, end);
    await this.#checkReader(when, journal);
    for (const name of files.keys()) await this.#checkOpens(when, name);
    if (end.noTempFiles && this.#tempFiles > 0) {
      this.report(`${when}: ${this.#tempFiles} temporary files are left`);
    }
    await this.checkProcesses(when, known);
  }

  /** Nothing that was started runs on. */
  async checkProcesses(when: string, known: readonly Process[] = []): Promise<void> {
    for (const left of await leftAfter(this.#place.path, known, PROCESSES_GONE_MS)) {
      this.report(`${when}: the process ${inWords(left)} is left`);
    }
  }

  #heardJob({ entry, status, name, sha256, failure }: ToldJob): void {
    const job = `the entry ${entry} as it was told`;
    this.#holdEnded(job, `${status} ${name} ${sha256} ${failure}`, "the program");
  }

  #holdEnded(job: string, end: string, when: string): void {
    const before = this.#ended.get(job);
    if (before === undefined) this.#ended.set(job, end);
    else if (before !== end) this.report(`${when}: ${job} had ended as ${before}, now as ${end}`);
  }

  async #journal(when: string): Promise<Journal | null> {
    const journal = await readJournal(this.#place.journal);
    if (journal === null) {
      if (this.#accepted.size > 0)
        this.report(`${when}: the journal is gone, with what it promised`);
      return null;
    }
    for (const damage of journal.damage) this.report(`${when}: SQLite finds: ${damage}`);
    const ids = new Set(journal.batches.map(({ id }) => id));
    for (const id of this.#accepted) {
      if (!ids.has(id)) this.report(`${when}: the batch ${id} was accepted and is not there`);
    }
    for (const batch of journal.batches) this.#checkBatch(when, journal, batch.no);
    for (const job of journal.jobs) this.#checkJob(when, journal, job);
    const waiting = journal.batches
      .filter(({ state }) => state === "running")
      .reduce((sum, { counts }) => sum + counts.submitted + counts.pending, 0);
    if (waiting !== journal.waiting) {
      this.report(`${when}: ${waiting} jobs wait, the file counts ${journal.waiting}`);
    }
    return journal;
  }

  #checkBatch(when: string, journal: Journal, no: number): void {
    const batch = journal.batches.find((one) => one.no === no);
    if (batch === undefined) return;
    const jobs = journal.jobs.filter(({ batchNo }) => batchNo === no);
    for (const [state, count] of Object.entries(batch.counts)) {
      const real = jobs.filter((job) => job.state === state).length;
      if (real !== count)
        this.report(`${when}: ${real} jobs are ${state}, the batch counts ${count}`);
    }
    if (jobs.length !== this.#place.options.entries) {
      this.report(`${when}: a batch has ${jobs.length} of ${this.#place.options.entries} entries`);
    }
    const isDone = jobs.every(({ state }) => ENDED.has(state));
    if (isDone !== (batch.state === "finished") || isDone !== (batch.finishedAt !== null)) {
      this.report(
        `${when}: a batch is ${batch.state}, its jobs are ${isDone ? "" : "not "}all ended`,
      );
    }
  }

  #checkJob(when: string, { workers }: Journal, job: JournalJob): void {
    const { batchNo, entry, state, result, failure, workerNo, endedAt } = job;
    const what = `the entry ${entry} of batch ${batchNo}`;
    const wrong = (why: string): void => this.report(`${when}: ${what} is ${state} and ${why}`);
    if ((endedAt !== null) !== ENDED.has(state)) wrong(`ended at ${endedAt}`);
    if ((result !== null) !== state.startsWith("completed")) wrong("its result does not fit");
    if ((failure !== null) !== (state === "failed")) wrong("its failure does not fit");
    if (failure !== null && (!failure.code || !failure.message)) wrong("has no code or message");
    if ((workerNo !== null) !== (state === "pending")) wrong(`has the worker ${workerNo}`);
    if (workerNo !== null && !workers.has(workerNo)) wrong(`its worker ${workerNo} is unknown`);
    if (ENDED.has(state)) {
      this.#holdEnded(what, `${state} ${JSON.stringify(result)} ${failure?.code}`, when);
    }
  }

  /** Each file belongs to one job, and is what that job says; each completed job has its file. */
  #checkFiles(when: string, journal: Journal, files: ReadonlyMap<string, KnownFile>): void {
    const owners = new Map<string, JournalJob>();
    const owned = new Set<string>();
    for (const job of journal.jobs) {
      const what = `the entry ${job.entry}`;
      for (const name of [job.result, ...job.notes].flatMap((file) => file?.name ?? [])) {
        owners.set(name, job);
      }
      if (job.result === null) continue;
      if (owned.has(job.result.name)) this.report(`${when}: two jobs have ${job.result.name}`);
      owned.add(job.result.name);
      const file = files.get(job.result.name);
      if (file === undefined) this.report(`${when}: ${what} is completed, its file is not there`);
      else if (!isSame(file, job.result)) {
        this.report(
          `${when}: ${what} is completed as ${inText(job.result)}, its file is ${inText(file)}`,
        );
      }
    }
    const seen = new Set<JournalJob>();
    for (const [name, file] of files) {
      const job = owners.get(name);
      if (job === undefined) this.report(`${when}: ${inText(file)} belongs to no job`);
      else if (seen.has(job))
        this.report(`${when}: the entry ${job.entry} has a second file, ${name}`);
      else this.#checkFile(when, file, job);
      if (job !== undefined) seen.add(job);
    }
  }

  #checkFile(when: string, file: KnownFile, job: JournalJob): void {
    if (job.state === "failed") {
      this.report(`${when}: the entry ${job.entry} has failed, and ${inText(file)} is there`);
    } else if (job.result === null && !job.notes.some((note) => isSame(note, file))) {
      this.report(
        `${when}: ${inText(file)} is not what the entry ${job.entry} was about to create`,
      );
    }
  }

  /** All files under final names. Each is whole, and stays as it was. */
  async #readFiles(when: string): Promise<Map<string, KnownFile>> {
    const found = new Map<string, KnownFile>();
    const names = await readdir(this.#place.out);
    this.#tempFiles = names.filter((name) => name.startsWith(TEMP_PREFIX)).length;
    for (const name of names) {
      if (!name.startsWith(TEMP_PREFIX)) found.set(name, await this.#readFile(when, name));
    }
    for (const name of this.#files.keys()) {
      if (!found.has(name)) this.report(`${when}: the file ${name} is gone`);
    }
    return found;
  }

  async #readFile(when: string, name: string): Promise<KnownFile> {
    const path = join(this.#place.out, name);
    const { ino, size, mtimeMs } = await stat(path);
    const stamp = `${ino} ${size} ${mtimeMs}`;
    const before = this.#files.get(name);
    if (before?.stamp === stamp) return before.file;
    const bytes = await readFile(path);
    const file = { name, size, sha256: createHash("sha256").update(bytes).digest("hex") };
    if (before !== undefined) this.report(`${when}: the file ${name} was written again`);
    const whole = this.#place.expected === null ? isWholePdf(bytes) : null;
    const expected = this.#place.expected?.get(name);
    if (whole === false) this.report(`${when}: ${inText(file)} is a part of a PDF`);
    if (whole === null && file.sha256 !== expected) {
      this.report(`${when}: ${inText(file)} is not what a run without faults makes`);
    }
    this.#files.set(name, { stamp, file });
    return file;
  }

  #checkAllEnded(when: string, journal: Journal, end: EndExpectations): void {
    const { failures = [], batches = 1 } = end;
    if (journal.batches.length !== batches) {
      this.report(`${when}: there are ${journal.batches.length} batches, not ${batches}`);
    }
    for (const { entry, state, failure } of journal.jobs) {
      if (!ENDED.has(state)) this.report(`${when}: the entry ${entry} is ${state}`);
      if (failure?.code !== undefined && !failures.includes(failure.code)) {
        this.report(`${when}: the entry ${entry} failed: ${failure.code}: ${failure.message}`);
      }
    }
  }

  /** The public reader says the same as the file. */
  async #checkReader(when: string, journal: Journal): Promise<void> {
    const store = sqliteJobStore({ path: this.#place.journal });
    try {
      for (const { id, no, state, counts } of journal.batches) {
        const batch = await store.getBatch(id);
        if (batch?.status !== state || JSON.stringify(batch.counts) !== JSON.stringify(counts)) {
          this.report(`${when}: the reader says ${batch?.status} ${JSON.stringify(batch?.counts)}`);
        }
        const jobs = journal.jobs.filter(({ batchNo }) => batchNo === no);
        const read = await allJobs(store, id);
        const theirs = read.map(({ entry, status, result }) => [entry, status, result?.sha256]);
        const ours = jobs.map(({ entry, state: is, result }) => [entry, is, result?.sha256]);
        if (JSON.stringify(theirs) !== JSON.stringify(ours)) {
          this.report(`${when}: the reader lists other jobs than the file`);
        }
      }
    } finally {
      await store.close();
    }
  }

  async #checkOpens(when: string, name: string): Promise<void> {
    try {
      const bytes = await readFile(join(this.#place.out, name));
      if (this.#place.expected === null) await findText(bytes, ["Director"]);
      else openDocx(bytes);
    } catch (error) {
      this.report(`${when}: ${name} cannot be opened: ${String(error)}`);
    }
  }
}

async function allJobs(store: JobStore, batchId: string): Promise<JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (let marker: string | undefined; ; ) {
    const page = await store.listJobs({ batchId, order: "entry", limit: 1000, marker });
    jobs.push(...page.items);
    if (page.nextMarker === null) return jobs;
    marker = page.nextMarker;
  }
}

function isWholePdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString() === "%PDF-" && /%%EOF\s*$/.test(bytes.toString("latin1"));
}

function isSame(one: KnownFile, other: KnownFile): boolean {
  return one.name === other.name && one.size === other.size && one.sha256 === other.sha256;
}

function inText({ name, size, sha256 }: KnownFile): string {
  return `${name} (${size} bytes, ${sha256.slice(0, 12)})`;
}
