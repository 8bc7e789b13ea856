import { type Diagnostic, QuireError } from "@quire/core/host";

/** What is wrong with options, gathered so that all of it is told at once. */
export interface OptionProblems {
  /** Notes a problem at a JSON Pointer into the options. Both texts without their full stop; neither quotes a value. */
  add(pointer: string, why: string, fix: string): void;
  /** Throws `invalid_request` with all that was noted; `failed` is for example `The tokens cannot be used`. */
  throwIfAny(failed: string): void;
}

/** Problems of one set of options, none yet. */
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
      const many = found.length === 1 ? "" : `, ${found.length} problems in all. The first`;
      const message = `${failed}${many}: ${first.message} ${first.hint}`;
      throw new QuireError("invalid_request", message, { diagnostics: found });
    },
  };
}

/** What {@link checkWholeNumber} allows, both ends included. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** The longest time that a timer of Node can be set to. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** Notes an option that is given and no whole number within the range. */
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
    `${name} is no whole number from ${least} to ${most}`,
    "Give one, or leave it out",
  );
}

/** Notes an option that must be a text with something in it. */
export function checkText(problems: OptionProblems, name: string, value: unknown): void {
  if (typeof value === "string" && value.trim() !== "") return;
  problems.add(`/${name}`, `${name} is missing or empty`, "Give it as a text");
}

/** Notes an address that is none of https, or of http without `allowInsecure`; also one with a password in it. */
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
      `${name} is no address`,
      "Give a whole one, which begins with https://",
    );
  } else if (url.protocol === "http:" && !allowInsecure) {
    problems.add(
      `/${name}`,
      `${name} begins with http://, where anybody on the way could change what is said`,
      "Give an address with https://, or set allowInsecure when the way is safe, as on one machine",
    );
  } else if (url.username !== "" || url.password !== "") {
    problems.add(
      `/${name}`,
      `${name} holds a user name or a password`,
      "Leave them out: addresses are written to logs",
    );
  }
}
