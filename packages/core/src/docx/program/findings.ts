import { type Diagnostic, listed, QuireError } from "../../errors.ts";
import { IncomparableError } from "./evaluate.ts";
import type { TagOrigin } from "./ops.ts";

/** At most this many problems of a code are kept for one document: a wrong list can make a million. */
const MAX_OF_A_CODE = 100;

/** How many problems of one code were found. */
interface Count {
  readonly severity: Diagnostic["severity"];
  kept: number;
  more: number;
}

/** Collects what is worth telling about one document; each tag tells the same thing of a value once. */
export class Findings {
  readonly #kept: Diagnostic[] = [];
  readonly #told = new Set<string>();
  readonly #counts = new Map<string, Count>();

  /** Everything found, in its order; at the end, for each code with too many, how many more there are. */
  get list(): readonly Diagnostic[] {
    const more: Diagnostic[] = [];
    for (const [code, { severity, more: count }] of this.#counts) {
      if (count === 0) continue;
      const message = `… and ${count} more of this kind (${code}): only the first ${MAX_OF_A_CODE} are told.`;
      more.push({ severity, code, message });
    }
    return [...this.#kept, ...more];
  }

  add(
    origin: TagOrigin,
    finding: Pick<Diagnostic, "severity" | "code" | "message" | "hint" | "pointer">,
  ): void {
    const { part, paragraph, text: tag } = origin;
    const { severity, code, message, pointer } = finding;
    const key = JSON.stringify([part, paragraph, tag, message, pointer]);
    if (this.#told.has(key)) return;
    const count = this.#counts.get(code) ?? { severity, kept: 0, more: 0 };
    this.#counts.set(code, count);
    if (count.kept === MAX_OF_A_CODE) {
      count.more += 1;
      return;
    }
    count.kept += 1;
    this.#told.add(key);
    this.#kept.push({ ...finding, template: { part, tag, paragraph } });
  }

  /** Throws `invalid_data` when a value had a type that its tag cannot use. */
  throwIfInvalid(): void {
    throwInvalid(this.list.filter(({ code }) => code === "invalid_value"));
  }

  /** Throws `invalid_data` for that, and also when a value is missing. */
  throwIfIncomplete(): void {
    throwInvalid(this.list.filter(({ severity }) => severity === "error"));
  }

  /** A value that is not there. */
  notProvided(origin: TagOrigin, name: string, pointer: string): void {
    this.add(origin, {
      severity: "error",
      code: "missing_value",
      message: `The tag '${name}' was not provided in the input data.`,
      hint: 'Add it to the data, or write :: optional or :: default("…") in the tag.',
      pointer,
    });
  }

  /** What a computation gives; undefined, and a finding, when its values do not fit together. */
  guard<T>(origin: TagOrigin, compute: () => T): T | undefined {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof IncomparableError)) throw error;
      this.add(origin, {
        severity: "error",
        code: "invalid_value",
        message: `The tag ${origin.text} cannot be computed: ${error.message}.`,
      });
      return undefined;
    }
  }
}

function throwInvalid(invalid: readonly Diagnostic[]): void {
  if (invalid.length === 0) return;
  throw new QuireError("invalid_data", listed("The data does not fit the template", invalid), {
    diagnostics: invalid,
  });
}
