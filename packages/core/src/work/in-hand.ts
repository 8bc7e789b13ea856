import type { Claim, ClaimOptions } from "../ports/job-worker.ts";
import { FairRoom, type Occupant } from "../sharing/fair-room.ts";

/** Jobs are claimed in groups, so that a durable store writes once for several. */
const GROUP = 16;
/** A flow has a quarter of the room when it is alone: see {@link FairRoom}. */
const SHARES = 4;
/** Jobs that are claimed and not done hold no more data than this, of one batch a quarter, or one does. */
const MAX_CLAIMED_BYTES = 64_000_000;

/** What a loop has claimed and not settled, and of whom it claims more. */
export class InHand {
  /** How many are claimed at once, and how many of a batch wait for those that are in work. */
  readonly group: number;
  readonly #works = new Map<Claim, Promise<void>>();
  readonly #onDone: () => void;
  readonly #jobs: FairRoom;
  readonly #bytes = new FairRoom(MAX_CLAIMED_BYTES);
  /** How many were settled since more were claimed last. */
  #settled = 0;

  /** `concurrency`: documents of one batch in work at the same time. `onDone` is called when one is done. */
  constructor(concurrency: number, onDone: () => void) {
    this.#onDone = onDone;
    this.group = Math.min(GROUP, concurrency);
    this.#jobs = new FairRoom(SHARES * (concurrency + this.group));
  }

  get size(): number {
    return this.#works.size;
  }

  /** Whether there is room for more, of somebody. */
  get hasRoom(): boolean {
    return this.size === 0 || (this.#jobs.free > 0 && this.#bytes.free > 0);
  }

  /** Whether enough were settled that another group is worth it. */
  get hasRoomForGroup(): boolean {
    return this.#settled >= this.group;
  }

  /** Of whom to claim, and how much data at most. */
  bounds(): ClaimOptions {
    this.#settled = 0;
    const [jobs, bytes] = [this.#jobs.full(), this.#bytes.full()];
    return {
      maxBytes: Math.max(0, Math.floor(this.#bytes.free / SHARES)),
      without: {
        tenants: [...new Set([...jobs.tenants, ...bytes.tenants])],
        batches: [...new Set([...jobs.flows, ...bytes.flows])],
      },
    };
  }

  /** Keeps a claim until its work, which never rejects, is done. */
  add(claim: Claim, work: Promise<void>): void {
    const occupant: Occupant = { tenant: claim.tenant, flow: claim.batchId };
    this.#jobs.add(occupant, 1);
    this.#bytes.add(occupant, claim.input.bytes.length);
    const done = work.finally(() => {
      this.#works.delete(claim);
      this.#settled += 1;
      this.#jobs.give(occupant, 1);
      this.#bytes.give(occupant, claim.input.bytes.length);
      this.#onDone();
    });
    this.#works.set(claim, done);
  }

  /** Resolves when all that is in hand now is done. */
  async allDone(): Promise<void> {
    await Promise.all(this.#works.values());
  }
}
