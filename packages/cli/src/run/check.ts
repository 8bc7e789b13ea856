import { QuireError } from "@quire/core";
import { type CheckContext, checkEntry } from "../check/check-entry.ts";
import { type EntryPlace, ProblemList } from "../check/problem-list.ts";
import type { DataItem } from "../entries/entry.ts";
import { count } from "../terminal/format.ts";
import { type Io, writeLine } from "../terminal/io.ts";

/** What happens if the check before a run finds entries with errors. */
export type CheckPolicy = "warn" | "strict";

/**
 * Checks the entries of a run like `quire check`, while they are accepted and before the first document is generated.
 */
export class RunCheck {
  readonly #io: Io;
  readonly #context: CheckContext;
  readonly #policy: CheckPolicy;
  readonly #problems = new ProblemList();
  #entries = 0;
  #wrong = 0;

  constructor(io: Io, context: CheckContext, policy: CheckPolicy) {
    this.#io = io;
    this.#context = context;
    this.#policy = policy;
  }

  async add(entry: DataItem["entry"], place: EntryPlace): Promise<void> {
    this.#entries += 1;
    const found = await checkEntry(entry, this.#context);
    const errors = found.filter(({ severity }) => severity === "error");
    if (errors.length > 0) this.#wrong += 1;
    for (const error of errors) this.#problems.add(error, place);
  }

  /** Reports the findings. Throws `invalid_data` if errors must prevent the run. */
  finish(): void {
    if (this.#wrong === 0) return;
    const found = `${count(this.#wrong)} of ${count(this.#entries)} entries ${this.#wrong === 1 ? "has" : "have"} errors`;
    if (this.#policy === "warn") {
      writeLine(this.#io.stderr, `check: ${found}; they are listed at the end of the run.`);
      return;
    }
    for (const line of this.#problems.lines(this.#entries)) writeLine(this.#io.stderr, line);
    throw new QuireError(
      "invalid_data",
      `${found}, so no document was made. Correct the errors, or remove --check strict.`,
    );
  }
}
