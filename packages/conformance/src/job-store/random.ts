import assert from "node:assert/strict";
import {
  type Claim,
  isQuireError,
  type JobStore,
  type JobWorker,
  type Outcome,
  type StoredEvent,
} from "@quire/contracts";
import { rejects } from "../assertions.ts";
import type { JobPlace, JobStoreCase } from "./fixture.ts";
import { JobStoreModel } from "./model.ts";
import {
  acceptId,
  badJob,
  complete,
  failure,
  newJobs,
  openWorker,
  result,
  until,
} from "./samples.ts";

const SEEDS = [1, 2, 3, 4] as const;
const STEPS = 120;
const FREE = { isTaken: () => false };

/** The cases with random sequences of calls, by name. */
export const randomCases: Readonly<Record<string, JobStoreCase>> = Object.fromEntries(
  SEEDS.map((seed): [string, JobStoreCase] => [
    `with random calls on two handles, every job has one state and ends once: sequence ${seed}`,
    (place) => new RandomRun(place, seed).run(),
  ]),
);

interface Held {
  readonly worker: JobWorker;
  readonly claim: Claim;
}

class RandomRun {
  readonly #handles: readonly JobStore[];
  readonly #model = new JobStoreModel();
  readonly #workers: JobWorker[] = [];
  #held: Held[] = [];
  /** Claims that are no longer valid. */
  readonly #stale: Held[] = [];
  #random: number;

  constructor({ store, other }: JobPlace, seed: number) {
    this.#handles = [store, other];
    this.#random = seed;
  }

  async run(): Promise<void> {
    for (const handle of [...this.#handles, ...this.#handles])
      this.#workers.push(await openWorker(handle));
    const steps = [
      ...repeat(2, () => this.#accept()),
      ...repeat(9, () => this.#claim()),
      ...repeat(9, () => this.#settle()),
      ...repeat(2, () => this.#settleLate()),
      ...repeat(1, () => this.#rename()),
      ...repeat(1, () => this.#cancel()),
      ...repeat(3, () => this.#retry()),
      ...repeat(1, () => this.#replaceWorker()),
      ...repeat(1, () => this.#die()),
    ];
    for (let step = 0; step < STEPS; step++) {
      await this.#one(steps)();
      await this.#check();
    }
    await this.#end();
  }

  async #accept(): Promise<void> {
    if (this.#model.ids.length >= 10) return;
    const jobs = newJobs(1 + this.#below(6));
    if (this.#below(3) === 0) jobs.splice(this.#below(jobs.length), 0, badJob());
    const parts = {
      tenant: this.#one(["a", "b"]),
      weight: 1 + this.#below(2),
      withEvents: this.#below(3) > 0,
    };
    this.#model.accepted(await acceptId(this.#handle(), jobs, parts), jobs.length);
  }

  async #claim(): Promise<void> {
    const worker = this.#one(this.#workers);
    const isIdle = this.#held.every((each) => each.worker !== worker);
    const alone = isIdle && this.#below(4) === 0;
    this.#take(worker, (await worker.claim(1 + this.#below(4), { alone })).jobs);
  }

  async #settle(): Promise<void> {
    const held = this.#pick();
    if (held === null) return;
    const finished = await held.worker.settle(held.claim, this.#outcome(held.claim));
    const batch = await this.#handle().getBatch(held.claim.batchId);
    assert.equal(batch?.status === "finished", finished);
    this.#drop((each) => each === held);
  }

  async #settleLate(): Promise<void> {
    if (this.#stale.length === 0) return;
    const { worker, claim } = this.#one(this.#stale);
    await rejects(worker.settle(claim, this.#outcome(claim)), "lease_lost");
  }

  async #rename(): Promise<void> {
    const held = this.#pick();
    if (held !== null) await held.worker.rename(held.claim);
  }

  async #cancel(): Promise<void> {
    const { ids } = this.#model;
    if (ids.length === 0) return;
    const { cancelled, status } = await this.#handle().cancelBatch(this.#one(ids));
    assert.ok(cancelled || status === "finished");
  }

  async #retry(): Promise<void> {
    const { ids } = this.#model;
    if (ids.length === 0) return;
    const id = this.#one(ids);
    const retried = this.#handle().retryFailed(id, FREE);
    if (!this.#model.isFinished(id)) return rejects(retried, "conflict");
    await retried;
    this.#model.retried(id);
  }

  async #replaceWorker(): Promise<void> {
    const index = this.#below(this.#workers.length);
    const worker = this.#workers[index];
    await worker?.close();
    this.#drop((each) => each.worker === worker);
    this.#workers[index] = await openWorker(this.#handle());
  }

  /** Lets the lease of a worker expire while it has jobs. */
  async #die(): Promise<void> {
    const worker = await openWorker(this.#handle(), { leaseMs: 100, renewMs: 60_000 });
    try {
      this.#take(worker, (await worker.claim(2)).jobs);
    } catch (error) {
      assert.ok(isQuireError(error) && error.code === "lease_lost", String(error));
    }
    await until(() => !worker.isHeld, "The lease should expire.");
    this.#drop((each) => each.worker === worker);
  }

  /** Closes all workers. A new worker then completes all jobs and delivers all events. */
  async #end(): Promise<void> {
    for (const worker of this.#workers) await worker.close();
    this.#held = [];
    const worker = await openWorker(this.#handle());
    await until(async () => {
      const claimed = [
        ...(await worker.claim(16)).jobs,
        ...(await worker.claim(1, { alone: true })).jobs,
      ];
      for (const claim of claimed) await complete(worker, claim);
      await this.#check();
      return this.#model.ids.every((id) => this.#model.isFinished(id));
    }, "Every batch should finish.");
    const events: StoredEvent[] = [];
    for (let isMore = true; isMore; ) {
      const taken = await worker.takeEvents(100);
      await worker.tellEvents(taken.map(({ sequence }) => sequence));
      events.push(...taken);
      isMore = taken.length > 0;
    }
    await this.#model.checkEnd(this.#handle(), events);
  }

  #check(): Promise<void> {
    return this.#model.check(
      this.#handle(),
      this.#held.map(({ claim }) => claim),
    );
  }

  #take(worker: JobWorker, claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.#model.claimed(
        claim,
        this.#held.map((each) => each.claim),
      );
      this.#held.push({ worker, claim });
    }
  }

  #drop(isOver: (held: Held) => boolean): void {
    this.#stale.push(...this.#held.filter(isOver));
    this.#held = this.#held.filter((each) => !isOver(each));
  }

  #pick(): Held | null {
    return this.#held.length === 0 ? null : this.#one(this.#held);
  }

  #outcome({ fileName }: Claim): Outcome {
    return this.#one<Outcome>([
      ...repeat<Outcome>(4, { type: "completed", result: result(fileName) }),
      { type: "completed", result: result(fileName, { status: "completed_with_error" }) },
      ...repeat<Outcome>(3, { type: "failed", failure: failure() }),
      { type: "again", failure: failure(), delayMs: 0 },
      { type: "again", failure: failure(), delayMs: 30 },
      { type: "released" },
    ]);
  }

  #handle(): JobStore {
    return this.#one(this.#handles);
  }

  #one<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)];
    assert.ok(item !== undefined);
    return item;
  }

  /** Returns a random non-negative integer below the limit (mulberry32). */
  #below(limit: number): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

function repeat<T>(times: number, item: T): T[] {
  return Array.from({ length: times }, () => item);
}
