import { isPlain } from "../process/export-options.ts";
import type { Task } from "./task.ts";

/** More documents in one do not make it faster. */
const MOST = 40;

/** Larger documents gain nothing. */
const MAX_BYTES = 500_000;

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

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** Whether a document may go with others of its group. */
  takes({ group, pdf, document }: Task): boolean {
    if (!this.#enabled || group === null || !document.rendered) return false;
    return document.bytes.length <= MAX_BYTES && isPlain(pdf) && !this.#refused.has(group);
  }

  /** How many documents a lane gets; `waiting` there are of the group, for so many lanes. */
  share(waiting: number, lanes: number): number {
    return Math.max(1, Math.min(MOST, Math.ceil(waiting / lanes)));
  }

  /** The documents of a group go alone from now on. */
  refuse(group: string, reason: string): void {
    this.#refused.set(group, reason);
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > MAX_GROUPS && oldest !== undefined) this.#refused.delete(oldest);
  }
}
