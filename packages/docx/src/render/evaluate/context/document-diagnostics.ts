import { cutDiagnostic, cutPointer, type Diagnostic, listed, QuireError } from "@quire/contracts";
import { spell, type Wording } from "../../../language/delimiters/wording.ts";
import type { TagOrigin } from "../../../program/tag-ops.ts";
import { placeOf } from "../../../template/nodes/diagnostics.ts";
import { EvaluationError } from "../compare/compare.ts";

/** Maximum number of problems per code for one document, and of places in the data for each problem. */
const MAX_OF_A_CODE = 100;
const MAX_POINTERS = 5;

/** A place that is reported repeatedly counts once if it is among the first 100 places of its problem. */
const MAX_KNOWN = 100;

/** The output for a missing value: the tag as written, or nothing. With `fail`, the document fails. */
export type MissingPolicy = "keep" | "blank" | "fail";

/** A problem without its place in the template. */
export type UnplacedDiagnostic = Pick<
  Diagnostic,
  "severity" | "code" | "message" | "hint" | "pointer"
>;

/** The number of problems of one code. */
interface Count {
  readonly severity: Diagnostic["severity"];
  kept: number;
  more: number;
}

/**
 * Throws `invalid_data`, with all errors found, if there is an error other than a missing value or, with the policy
 * `fail`, any error.
 */
export function throwIfInvalid(found: readonly Diagnostic[], policy: MissingPolicy): void {
  const diagnostics = found.filter(({ severity }) => severity === "error");
  const reasons = diagnostics.filter(({ code }) => policy === "fail" || code !== "missing_value");
  if (reasons.length === 0) return;
  const ordered = new Set([...reasons, ...diagnostics]);
  const message = listed("The data does not fit the template", [...ordered]);
  throw new QuireError("invalid_data", message, { diagnostics });
}

/** A problem, and the places in the data at which it was found. */
interface Found {
  readonly diagnostic: Diagnostic;
  /** The first places, in order. */
  readonly places: Set<string>;
  count: number;
  last: string | undefined;
}

/** The general hint for a value that the data does not have. */
export const NOT_PROVIDED =
  'Add it to the data, or write :: optional or :: default("…") in the tag.';

/**
 * Collects the problems of one document. A problem that a tag has at many places in the data is kept once, with the
 * first places and the number of places, because a wrong list may have a million of them.
 */
export class Diagnostics {
  readonly #policy: MissingPolicy;
  // Created with the first problem, because most documents have none.
  #found: Map<string, Found> | null = null;
  #counts: Map<string, Count> | null = null;

  constructor(policy: MissingPolicy) {
    this.#policy = policy;
  }

  /** All problems in order. For each code with too many problems, the number of further problems is at the end. */
  get list(): readonly Diagnostic[] {
    const more: Diagnostic[] = [];
    for (const [code, { severity, more: count }] of this.#counts ?? []) {
      if (count === 0) continue;
      const message = `… and ${count} more of this kind (${code}): only the first ${MAX_OF_A_CODE} are listed.`;
      more.push({ severity, code, message });
    }
    return [...[...(this.#found?.values() ?? [])].map(withPlaces), ...more];
  }

  /** Adds a problem at a tag. `hint` is called only if the problem is kept, because there may be a million problems. */
  add(
    origin: TagOrigin,
    diagnostic: UnplacedDiagnostic,
    hint?: () => Wording | null,
  ): Found | null {
    const { place, text: tag, delimiters, near } = origin;
    const key = JSON.stringify([place.part, place.paragraph, tag, diagnostic.message]);
    return this.#keep(key, diagnostic, () => {
      const found = hint?.() ?? null;
      const withHint =
        found === null ? diagnostic : { ...diagnostic, hint: spell(found, delimiters) };
      return { ...withHint, template: { ...placeOf(place), tag, near } };
    });
  }

  /** Like {@link add}, for several places in the data, or none. */
  addAt(
    origin: TagOrigin,
    diagnostic: UnplacedDiagnostic,
    pointers: Iterable<string>,
    hint: () => Wording | null,
  ): void {
    const places = pointers[Symbol.iterator]();
    const first = places.next();
    const found = this.add(
      origin,
      first.done ? diagnostic : { ...diagnostic, pointer: first.value },
      hint,
    );
    if (found === null || first.done) return;
    for (let next = places.next(); !next.done; next = places.next()) addPlace(found, next.value);
  }

  /** The severity of a diagnostic about list elements that were omitted because they have no value. */
  get severityOfGaps(): Diagnostic["severity"] {
    return this.#policy === "fail" ? "error" : "warning";
  }

  /** Adds a problem of the data that does not concern a tag. */
  addToData(diagnostic: UnplacedDiagnostic): void {
    this.#keep(
      JSON.stringify([diagnostic.message, diagnostic.pointer]),
      diagnostic,
      () => diagnostic,
    );
  }

  /**
   * Keeps a new problem, or adds a place to a known one. Returns null if there are too many problems with the same
   * code.
   */
  #keep(
    key: string,
    { severity, code, pointer }: UnplacedDiagnostic,
    diagnostic: () => Diagnostic,
  ): Found | null {
    this.#found ??= new Map();
    this.#counts ??= new Map();
    const found = this.#found.get(key);
    if (found !== undefined) {
      addPlace(found, pointer);
      return found;
    }
    const count = this.#counts.get(code) ?? { severity, kept: 0, more: 0 };
    this.#counts.set(code, count);
    if (count.kept === MAX_OF_A_CODE) {
      count.more += 1;
      return null;
    }
    count.kept += 1;
    const places = new Set(pointer === undefined ? [] : [pointer]);
    const first = { diagnostic: cutDiagnostic(diagnostic()), places, count: 1, last: pointer };
    this.#found.set(key, first);
    return first;
  }

  /** Like the function {@link throwIfInvalid}. */
  throwIfInvalid(): void {
    if (this.#found !== null) throwIfInvalid(this.list, this.#policy);
  }

  /** Like {@link throwIfInvalid}, but also throws if a value is missing. */
  throwIfIncomplete(): void {
    if (this.#found !== null) throwIfInvalid(this.list, "fail");
  }

  /** Adds a missing value. `hint` is called only if the problem is kept. */
  notProvided(
    origin: TagOrigin,
    name: string,
    pointer: string,
    hint: () => Wording | null,
    otherwise = NOT_PROVIDED,
  ): void {
    this.#missing(
      origin,
      `The tag '${name}' was not provided in the input data.`,
      pointer,
      () => hint() ?? otherwise,
    );
  }

  /** Reports a computation that has no result although all its values exist. `pointer`: the place to look at. */
  withoutResult(origin: TagOrigin, hint: Wording | null = null, pointer = ""): void {
    this.#missing(
      origin,
      `The tag ${origin.text} gives no value for this data.`,
      pointer,
      () => hint ?? 'Write :: optional or :: default("…") in the tag.',
    );
  }

  #missing(origin: TagOrigin, message: string, pointer: string, hint: () => Wording): void {
    const severity = this.#policy === "blank" ? "warning" : "error";
    this.add(origin, { severity, code: "missing_value", message, pointer }, hint);
  }

  /** Adds a value that a tag cannot use. `problem` completes the sentence "The value for the tag … ". */
  invalid(
    origin: TagOrigin,
    problem: string,
    pointer?: string,
    hint: () => Wording | null = () => null,
  ): void {
    const diagnostic = {
      severity: "error",
      code: "invalid_value",
      message: `The value for the tag ${origin.text} ${problem}.`,
      ...(pointer === undefined ? {} : { pointer }),
    } as const;
    this.add(origin, diagnostic, hint);
  }

  /** Adds a warning. `hint` is called only if the warning is kept. */
  warn(
    origin: TagOrigin,
    code: string,
    message: string,
    pointer?: string,
    hint?: () => Wording | null,
  ): void {
    const place = pointer === undefined ? {} : { pointer };
    this.add(origin, { severity: "warning", code, message, ...place }, hint);
  }

  /** Returns the result of a computation. If its values are incompatible, adds a diagnostic and returns `failed`. */
  guard<T, F = undefined>(origin: TagOrigin, compute: () => T, failed?: F): T | F | undefined {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const { message, pointer, hint } = error;
      this.add(origin, {
        severity: "error",
        code: "invalid_value",
        message: `The tag ${origin.text} cannot be computed: ${message}.`,
        ...(hint === undefined ? {} : { hint }),
        ...(pointer === undefined ? {} : { pointer }),
      });
      return failed;
    }
  }
}

function addPlace(found: Found, pointer: string | undefined): void {
  if (pointer === undefined || pointer === found.last || found.places.has(pointer)) return;
  found.last = pointer;
  found.count += 1;
  if (found.places.size < MAX_KNOWN) found.places.add(pointer);
}

function withPlaces({ diagnostic, places, count }: Found): Diagnostic {
  if (count === 1) return diagnostic;
  return { ...diagnostic, pointers: [...places].slice(0, MAX_POINTERS).map(cutPointer), count };
}
