import type { ConverterJoining } from "@quire/contracts";

/** Maximum number of reasons that are counted. A reason may quote a document. */
const MAX_REASONS = 20;
const OTHER_REASONS = "other reasons";

/** Counts how the documents of groups were converted, and why groups are no longer joined. */
export class JoinStatistics {
  #joined = 0;
  #separate = 0;
  readonly #refused = new Map<string, number>();

  /** Counts a converted document of a group. */
  count(joined: boolean): void {
    if (joined) this.#joined += 1;
    else this.#separate += 1;
  }

  /** Counts a group that is no longer joined. */
  refuse(reason: string): void {
    const isKept = this.#refused.has(reason) || this.#refused.size < MAX_REASONS - 1;
    const key = isKept ? reason : OTHER_REASONS;
    this.#refused.set(key, (this.#refused.get(key) ?? 0) + 1);
  }

  /** Returns the current counts. */
  read(): ConverterJoining {
    const refused = Object.fromEntries(this.#refused);
    return { joined: this.#joined, separate: this.#separate, refused };
  }
}
