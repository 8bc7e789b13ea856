import { LRUCache } from "lru-cache";
import { isPlain } from "../process/export-options.ts";
import type { Task } from "./task.ts";

/** Converting more documents than this together does not save more time. */
const MOST = 40;

/** Larger documents gain nothing from joining. */
const MAX_BYTES = 500_000;

/** Limit for the time of one joined conversion if the tenant shares lanes with others. */
const TOGETHER_MS = 4_000;

/** Fewer documents are not worth joining: a lane needs this many to prove a group. */
const FEWEST = 18;

/** Number of groups to remember. The least recently used are evicted first. */
const MAX_GROUPS = 1_000;

/**
 * Decides which documents go to a lane together. The lane decides whether to join them, depending on what it has
 * proven about their group. This class remembers the groups that a lane refused to join.
 */
export class JoinPlan {
  readonly #enabled: boolean;
  /** By group: why its documents are not joined. */
  readonly #refused = new LRUCache<string, string>({ max: MAX_GROUPS });
  /** By group: the milliseconds per document when a lane last converted documents of this group. */
  readonly #documentMs = new LRUCache<string, number>({ max: MAX_GROUPS });

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** Whether a document may be sent together with others of its group. */
  takes({ group, pdf, document }: Task): boolean {
    if (!this.#enabled || group === null || !document.rendered) return false;
    return document.bytes.length <= MAX_BYTES && isPlain(pdf) && !this.#refused.has(group);
  }

  /** How many documents of a task's group a lane gets, if `waiting` of them wait for `lanes` free lanes. */
  share({ group, sharer }: Task, waiting: number, lanes: number): number {
    const most = sharer.tenant === "" ? MOST : this.#mostOf(group);
    return Math.max(1, Math.min(most, Math.ceil(waiting / lanes)));
  }

  /** The limit for a tenant's group. The first document of a group is sent alone, to measure how long it takes. */
  #mostOf(group: string | null): number {
    const documentMs = this.#documentMs.get(group ?? "") ?? TOGETHER_MS;
    const most = Math.floor(TOGETHER_MS / documentMs);
    return most < FEWEST ? 1 : Math.min(most, MOST);
  }

  /** Records that documents of a group took `ms` milliseconds in total. */
  took(group: string, documents: number, ms: number): void {
    this.#documentMs.set(group, ms / documents);
  }

  /** From now on, documents of this group are sent alone. */
  refuse(group: string, reason: string): void {
    this.#refused.set(group, reason);
  }
}
