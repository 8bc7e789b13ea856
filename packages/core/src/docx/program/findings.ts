import { type Diagnostic, listed, QuireError } from "../../errors.ts";
import { IncomparableError } from "./evaluate.ts";
import type { TagOrigin } from "./ops.ts";

/** At most this many problems of a kind are kept for one document: a wrong list can make a million. */
const MAX_OF_A_KIND = 100;

/** Collects what is worth telling about one document; each tag tells the same thing once. */
export class Findings {
  readonly list: Diagnostic[] = [];
  readonly #told = new Set<string>();
  readonly #counts = new Map<string, number>();

  add(
    origin: TagOrigin,
    finding: Pick<Diagnostic, "severity" | "code" | "message" | "hint" | "pointer">,
  ): void {
    const key = `${origin.part} ${origin.paragraph} ${origin.text} ${finding.message}`;
    const count = this.#counts.get(finding.code) ?? 0;
    if (this.#told.has(key) || count >= MAX_OF_A_KIND) return;
    this.#told.add(key);
    this.#counts.set(finding.code, count + 1);
    const { part, paragraph, text: tag } = origin;
    this.list.push({ ...finding, template: { part, tag, paragraph } });
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
