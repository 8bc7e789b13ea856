import { type Diagnostic, QuireError } from "@quire/core/host";

/** Collects problems with options, so that all of them are reported together. */
export interface OptionProblems {
  /** Adds a problem at a JSON Pointer into the options. `why` and `fix` have no full stop and do not quote values. */
  add(pointer: string, why: string, fix: string): void;
  /** Throws `invalid_request` if there are problems. `failed` says what failed, such as `The tokens cannot be used`. */
  throwIfAny(failed: string): void;
}

/** Creates an empty collection for one set of options. */
export function optionProblems(): OptionProblems {
  const found: Diagnostic[] = [];
  return {
    add: (pointer, why, fix) => {
      const message = `${why}.`;
      found.push({
        severity: "error",
        code: "invalid_option",
        message,
        hint: `${fix}.`,
        pointer,
      });
    },
    throwIfAny: (failed) => {
      const [first] = found;
      if (first === undefined) return;
      const many = found.length === 1 ? "" : ` because of ${found.length} problems. The first`;
      const message = `${failed}${many}: ${first.message} ${first.hint}`;
      throw new QuireError("invalid_request", message, { diagnostics: found });
    },
  };
}

/** The range that {@link checkWholeNumber} allows, inclusive. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** The maximum delay of a Node timer in milliseconds. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Adds a problem if an option is set but is not an integer within the range. */
export function checkWholeNumber(
  problems: OptionProblems,
  name: string,
  value: number | undefined,
  { least, most }: NumberRange,
): void {
  if (value === undefined) return;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  problems.add(
    `/${name}`,
    `${name} is not an integer from ${least} to ${most}`,
    "Set a valid number, or omit it",
  );
}

/** Adds a problem if an option is not a non-blank string. */
export function checkText(problems: OptionProblems, name: string, value: unknown): void {
  if (typeof value === "string" && value.trim() !== "") return;
  problems.add(`/${name}`, `${name} is missing or empty`, "Set it to a non-empty string");
}

/** Adds a problem if a URL does not use https (or http with `allowInsecure`), or if it contains a password. */
export function checkAddress(
  problems: OptionProblems,
  name: string,
  value: unknown,
  allowInsecure: boolean,
): void {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    problems.add(
      `/${name}`,
      `${name} is not a valid address`,
      "Set a complete address that begins with https://",
    );
  } else if (url.protocol === "http:" && !allowInsecure) {
    problems.add(
      `/${name}`,
      `${name} begins with http://, so data could be changed in transit`,
      "Set an address with https://, or set allowInsecure if the connection is safe, for example within one machine",
    );
  } else if (url.username !== "" || url.password !== "") {
    problems.add(
      `/${name}`,
      `${name} contains a user name or a password`,
      "Remove them: addresses are written to logs",
    );
  }
}
