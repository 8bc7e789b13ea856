import { LRUCache } from "lru-cache";
import { isPlain } from "../process/export-options.ts";
import type { JoinStatistics } from "./join-statistics.ts";
import type { Task } from "./task.ts";

/** Converting more documents than this together does not save more time. */
const MOST = 40;

/** Larger documents gain nothing from joining. */
const MAX_BYTES = 500_000;

/** Limit for the time of one joined conversion if the tenant shares lanes with others. */
const TOGETHER_MS = 4_000;

/** The minimum number of documents that is worth joining. A lane needs this many to prove a group. */
const FEWEST = 18;

/**
 * A joined conversion may take this many times as long as the group's last one, and at least this part of the deadline.
 * If the limit is too short, a lane restarts. If it is too long, each document that hangs delays the batch by it.
 */
const SLOWER = 3;
const DEADLINE_PART = 1 / 16;

/** The first joined conversion of a group may take this part of the deadline. */
const FIRST_PART = 1 / 2;

/** A time limit of a joined conversion that is a larger part of the deadline does not count towards it. */
const COUNTED_PART = 1 / 4;

/**
 * After more than `PATIENCE` faults in a row, `ALONE` documents of the group are sent alone before the next attempt to
 * join. The number doubles with each further fault, up to `MOST_ALONE`.
 */
const PATIENCE = 2;
const ALONE = 80;
const MOST_ALONE = 5_120;

/** Faults in a row of a group's joined conversions, and how many of its documents are still to be sent alone. */
interface Faults {
  readonly inRow: number;
  readonly alone: number;
}

/** Number of groups to remember. The least recently used are evicted first. */
const MAX_GROUPS = 1_000;

/**
 * Decides which documents go to a lane together. The lane decides whether to join them, depending on what it has
 * proven about their group. This class remembers the groups that a lane refused to join, which is permanent, and the
 * groups whose lanes ended, which is not: a document or something else may have ended them.
 */
export class JoinPlan {
  readonly #enabled: boolean;
  readonly #statistics: JoinStatistics;
  /** By group: why its documents are not joined. */
  readonly #refused = new LRUCache<string, string>({ max: MAX_GROUPS });
  /** By group, the milliseconds per document when a lane last converted documents of this group. */
  readonly #documentMs = new LRUCache<string, number>({ max: MAX_GROUPS });

  readonly #faults = new LRUCache<string, Faults>({ max: MAX_GROUPS });
  /** By task, the time limit of the joined conversion that exceeded it. */
  readonly #overrunMs = new WeakMap<Task, number>();

  constructor(enabled: boolean, statistics: JoinStatistics) {
    this.#enabled = enabled;
    this.#statistics = statistics;
  }

  /** Whether a document may be sent together with others of its group. */
  takes({ group, pdf, document }: Task): boolean {
    if (!this.#enabled || group === null || !document.rendered) return false;
    if (this.#refused.has(group) || (this.#faults.get(group)?.alone ?? 0) > 0) return false;
    return document.bytes.length <= MAX_BYTES && isPlain(pdf);
  }

  /** Returns how many documents of a task's group a lane gets, if `waiting` of them wait for `lanes` free lanes. */
  share({ group, sharer }: Task, waiting: number, lanes: number): number {
    const most = sharer.tenant === "" ? MOST : this.#mostOf(group);
    return Math.max(1, Math.min(most, Math.ceil(waiting / lanes)));
  }

  /**
   * Returns the limit for a tenant's group. The first document of a group is sent alone, to measure how long it takes.
   */
  #mostOf(group: string | null): number {
    const documentMs = this.#documentMs.get(group ?? "") ?? TOGETHER_MS;
    const most = Math.floor(TOGETHER_MS / documentMs);
    return most < FEWEST ? 1 : Math.min(most, MOST);
  }

  /**
   * The time limit for documents in one lane. For joined documents that are usually quick, it is short, and it counts
   * towards the deadline of each: a document that hangs then holds lanes for one deadline in total. Documents that are
   * usually slow keep their whole deadline.
   */
  limitMs(tasks: readonly Task[], deadlineMs: number): number {
    const [first] = tasks;
    if (first === undefined) return deadlineMs;
    if (tasks.length === 1) {
      const overrunMs = this.#overrunMs.get(first) ?? 0;
      return overrunMs > deadlineMs * COUNTED_PART ? deadlineMs : deadlineMs - overrunMs;
    }
    const documentMs = this.#documentMs.get(first.group ?? "");
    if (documentMs === undefined) return deadlineMs * FIRST_PART;
    const usual = SLOWER * documentMs * tasks.length;
    return Math.min(deadlineMs, Math.max(usual, deadlineMs * DEADLINE_PART));
  }

  /** Records that joined documents exceeded their time limit. */
  overran(tasks: readonly Task[], limitMs: number): void {
    for (const task of tasks) this.#overrunMs.set(task, limitMs);
  }

  /** Records that a lane converted documents of a group, in `ms` milliseconds in total. */
  took(group: string, documents: number, ms: number): void {
    this.#documentMs.set(group, ms / documents);
    const faults = this.#faults.get(group);
    if (faults === undefined) return;
    if (documents > 1) this.#faults.delete(group);
    else this.#faults.set(group, { ...faults, alone: Math.max(0, faults.alone - 1) });
  }

  /** Records that a lane ended while it had documents of a group, and that one of them may be the cause. */
  fault(group: string): void {
    const inRow = (this.#faults.get(group)?.inRow ?? 0) + 1;
    const beyond = inRow - PATIENCE;
    const alone = beyond > 0 ? Math.min(ALONE * 2 ** (beyond - 1), MOST_ALONE) : 0;
    this.#faults.set(group, { inRow, alone });
  }

  /** From now on, documents of this group are sent alone, because of what a lane found out about their template. */
  refuse(group: string, reason: string): void {
    if (!this.#refused.has(group)) this.#statistics.refuse(reason);
    this.#refused.set(group, reason);
  }
}
