/**
 * Checks whether anything was lost, done twice or left behind. Reads the journal (with plain SQL, and again through the
 * public reader), the folder of the documents and the process table. Shares no code with the engine that it checks.
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

/** The prefix of the names of unfinished files. */
const TEMP_PREFIX = ".quire-tmp-";
/** Time in milliseconds within which all started processes must end. */
const PROCESSES_GONE_MS = 20_000;
const ENDED = new Set(["completed", "completed_with_error", "failed"]);

/** The expected state at the end of a scenario. */
export interface EndExpectations {
  /** Codes of failures that are allowed at the end. Default: none. */
  readonly failures?: readonly string[];
  /** Whether a remaining temporary file is a violation. By default, temporary files are only counted. */
  readonly noTempFiles?: boolean;
  /** Expected number of batches. Default 1. */
  readonly batches?: number;
}

/** Checks the files and processes of a scenario from its first fault to its end. */
export class Checker {
  readonly #place: Place;
  readonly #violations: string[] = [];
  /** Outcomes of jobs that have ended. They must never change. */
  readonly #ended = new Map<string, string>();
  /** Batches that the program reported as accepted. */
  readonly #accepted = new Set<string>();
  /** Complete files by name: their content, and a stamp that detects changes. */
  readonly #files = new Map<string, { readonly stamp: string; readonly file: KnownFile }>();
  #tempFiles = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** All violations that were found. */
  get violations(): readonly string[] {
    return this.#violations;
  }

  /** Number of temporary files at the last check. */
  get tempFiles(): number {
    return this.#tempFiles;
  }

  /** Adds a violation. */
  report(violation: string): void {
    this.#violations.push(violation);
  }

  /** Allows failed jobs to be retried from now on. */
  allowRetry(): void {
    for (const [job, end] of this.#ended) if (end.startsWith("failed")) this.#ended.delete(job);
  }

  /** Records the program's reports. Later states must agree with everything that a client has seen. */
  heard(lines: readonly ProgramLine[]): void {
    for (const line of lines) {
      if (line.type === "accepted") this.#accepted.add(line.batchId);
      if (line.type === "job") this.#heardJob(line);
    }
  }

  /** Checks right after a fault, while no program is running, that no result is partial and that all counts match. */
  async checkMoment(when: string): Promise<Journal | null> {
    const journal = await this.#journal(when);
    const files = await this.#readFiles(when);
    if (journal !== null) this.#checkFiles(when, journal, files);
    return journal;
  }

  /** Checks at the end that each accepted job has ended exactly once, and that nothing else exists. */
  async checkEnd(when: string, known: readonly Process[], end: EndExpectations): Promise<void> {
    const journal = await this.#journal(when);
    const files = await this.#readFiles(when);
    if (journal === null) return this.report(`${when}: the journal is missing`);
    this.#checkFiles(when, journal, files);
    this.#checkAllEnded(when, journal, end);
    await this.#checkReader(when, journal);
    for (const name of files.keys()) await this.#checkOpens(when, name);
    if (end.noTempFiles && this.#tempFiles > 0) {
      this.report(`${when}: ${this.#tempFiles} temporary files remain`);
    }
    await this.checkProcesses(when, known);
  }

  /** Checks that none of the started processes is still running. */
  async checkProcesses(when: string, known: readonly Process[] = []): Promise<void> {
    for (const left of await leftAfter(this.#place.path, known, PROCESSES_GONE_MS)) {
      this.report(`${when}: the process ${inWords(left)} still runs`);
    }
  }

  #heardJob({ entry, status, name, sha256, failure }: ToldJob): void {
    const job = `the entry ${entry} as reported`;
    this.#holdEnded(job, `${status} ${name} ${sha256} ${failure}`, "the program");
  }

  #holdEnded(job: string, end: string, when: string): void {
    const before = this.#ended.get(job);
    if (before === undefined) this.#ended.set(job, end);
    else if (before !== end)
      this.report(`${when}: ${job} had ended as ${before}, but is now ${end}`);
  }

  async #journal(when: string): Promise<Journal | null> {
    const journal = await readJournal(this.#place.journal);
    if (journal === null) {
      if (this.#accepted.size > 0)
        this.report(`${when}: the journal with accepted batches is gone`);
      return null;
    }
    for (const damage of journal.damage) this.report(`${when}: SQLite finds: ${damage}`);
    const ids = new Set(journal.batches.map(({ id }) => id));
    for (const id of this.#accepted) {
      if (!ids.has(id)) this.report(`${when}: the batch ${id} was accepted but is missing`);
    }
    for (const batch of journal.batches) this.#checkBatch(when, journal, batch.no);
    for (const job of journal.jobs) this.#checkJob(when, journal, job);
    const waiting = journal.batches
      .filter(({ state }) => state === "running")
      .reduce((sum, { counts }) => sum + counts.submitted + counts.pending, 0);
    if (waiting !== journal.waiting) {
      this.report(`${when}: ${waiting} jobs wait, but the file counts ${journal.waiting}`);
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
        this.report(`${when}: ${real} jobs are ${state}, but the batch counts ${count}`);
    }
    if (jobs.length !== this.#place.options.entries) {
      this.report(
        `${when}: a batch has only ${jobs.length} of ${this.#place.options.entries} entries`,
      );
    }
    const isDone = jobs.every(({ state }) => ENDED.has(state));
    if (isDone !== (batch.state === "finished") || isDone !== (batch.finishedAt !== null)) {
      this.report(
        `${when}: a batch is ${batch.state}, but its jobs have ${isDone ? "" : "not "}all ended`,
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

  /** Checks that each file belongs to one job and matches it, and that each completed job has its file. */
  #checkFiles(when: string, journal: Journal, files: ReadonlyMap<string, KnownFile>): void {
    const owners = new Map<string, JournalJob>();
    const owned = new Set<string>();
    for (const job of journal.jobs) {
      const what = `the entry ${job.entry}`;
      for (const name of [job.result, ...job.notes].flatMap((file) => file?.name ?? [])) {
        owners.set(name, job);
      }
      if (job.result === null) continue;
      if (owned.has(job.result.name))
        this.report(`${when}: two jobs have the file ${job.result.name}`);
      owned.add(job.result.name);
      const file = files.get(job.result.name);
      if (file === undefined) this.report(`${when}: ${what} is completed, but its file is missing`);
      else if (!isSame(file, job.result)) {
        this.report(
          `${when}: ${what} is completed as ${inText(job.result)}, but its file is ${inText(file)}`,
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
      this.report(`${when}: the entry ${job.entry} has failed, but ${inText(file)} exists`);
    } else if (job.result === null && !job.notes.some((note) => isSame(note, file))) {
      this.report(
        `${when}: ${inText(file)} is not the file that the entry ${job.entry} was about to create`,
      );
    }
  }

  /** Reads all files that have their final names. Each of them must be complete and unchanged. */
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
    if (whole === false) this.report(`${when}: ${inText(file)} is an incomplete PDF`);
    if (whole === null && file.sha256 !== expected) {
      this.report(`${when}: ${inText(file)} differs from the file of a run without faults`);
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

  /** Checks that the public reader agrees with the journal file. */
  async #checkReader(when: string, journal: Journal): Promise<void> {
    const store = sqliteJobStore({ path: this.#place.journal });
    try {
      for (const { id, no, state, counts } of journal.batches) {
        const batch = await store.getBatch(id);
        if (batch?.status !== state || JSON.stringify(batch.counts) !== JSON.stringify(counts)) {
          this.report(
            `${when}: the reader reports ${batch?.status} ${JSON.stringify(batch?.counts)}`,
          );
        }
        const jobs = journal.jobs.filter(({ batchNo }) => batchNo === no);
        const read = await allJobs(store, id);
        const theirs = read.map(({ entry, status, result }) => [entry, status, result?.sha256]);
        const ours = jobs.map(({ entry, state: is, result }) => [entry, is, result?.sha256]);
        if (JSON.stringify(theirs) !== JSON.stringify(ours)) {
          this.report(`${when}: the reader's jobs differ from the file's`);
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
