import { isPlain } from "../process/export-options.ts";
import type { Task } from "./task.ts";

/** More documents in one do not make it faster. */
const MOST = 40;

/** Larger documents gain nothing. */
const MAX_BYTES = 500_000;

/** Documents of a tenant that shares lanes with others should not take longer than this together. */
const TOGETHER_MS = 4_000;

/** Fewer documents are not worth joining: a lane needs this many to prove a group. */
const FEWEST = 18;

/** Groups that are remembered; the oldest are forgotten first. */
const MAX_GROUPS = 1_000;

/**
 * Decides which documents go to a lane together. Whether they are converted as one is decided there, by what was
 * proven of their group; a group of which a lane says that they cannot be is remembered here.
 */
export class JoinPlan {
  readonly #enabled: boolean;
  /** By group, why its documents go alone. */
  readonly #refused = new Map<string, string>();
  /** The milliseconds for each document in the last visit, by group. */
  readonly #documentMs = new Map<string, number>();

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** Whether a document may go with others of its group. */
  takes({ group, pdf, document }: Task): boolean {
    if (!this.#enabled || group === null || !document.rendered) return false;
    return document.bytes.length <= MAX_BYTES && isPlain(pdf) && !this.#refused.has(group);
  }

  /** How many documents of a task's group a lane gets, when `waiting` of them wait for `lanes` free lanes. */
  share({ group, sharer }: Task, waiting: number, lanes: number): number {
    const most = sharer.tenant === "" ? MOST : this.#mostOf(group);
    return Math.max(1, Math.min(most, Math.ceil(waiting / lanes)));
  }

  /** The first document of a group goes alone, to find out how long it takes. */
  #mostOf(group: string | null): number {
    const documentMs = this.#documentMs.get(group ?? "") ?? TOGETHER_MS;
    const most = Math.floor(TOGETHER_MS / documentMs);
    return most < FEWEST ? 1 : Math.min(most, MOST);
  }

  /** Documents of a group took `ms` milliseconds in a lane, all together. */
  took(group: string, documents: number, ms: number): void {
    remember(this.#documentMs, group, ms / documents);
  }

  /** The documents of a group go alone from now on. */
  refuse(group: string, reason: string): void {
    remember(this.#refused, group, reason);
  }
}

function remember<T>(all: Map<string, T>, group: string, value: T): void {
  all.set(group, value);
  const [oldest] = all.keys();
  if (all.size > MAX_GROUPS && oldest !== undefined) all.delete(oldest);
}
