import { cutPointer, cutSentence, cutText } from "./cut-text.ts";

/**
 * Every code a {@link QuireError} can carry. Each has an anchor in `docs/errors.md`.
 * New codes may be added in a minor version: keep a default branch when you switch over them.
 */
export const ERROR_CODES = [
  "invalid_request",
  "invalid_template",
  "invalid_data",
  "item_name_invalid",
  "not_found",
  "conflict",
  "forbidden",
  "limit_exceeded",
  "quota_exceeded",
  "render_failed",
  "conversion_failed",
  "timeout",
  "lease_lost",
  "storage_failed",
  "job_store_failed",
  "unavailable",
  "aborted",
  "internal",
] as const;

/** The kind of failure. Branch on this, never on the message. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The place of a problem in a template. */
export interface TemplatePlace {
  /**
   * The package part, for example `word/document.xml` or `word/header1.xml`. For a PDF form: the page, as `page 2`, or
   * `form` for a field that is not on a page.
   */
  readonly part: string;
  /** The tag as it is written in the template, for example `{{invoice.total}}`. For a PDF form: the full field name. */
  readonly tag?: string;
  /** The number of the paragraph within the part, from 1, in document order. */
  readonly paragraph?: number;
  /** The text of the nearest heading above the problem in the part. */
  readonly heading?: string;
  /** The number of the innermost table around the problem, within the part, from 1. */
  readonly table?: number;
  /** The number of the row within `table`, from 1. */
  readonly row?: number;
  /** The number of the cell within `row`, from 1. */
  readonly cell?: number;
  /** The tag with the surrounding text of its paragraph, about 40 characters on each side. */
  readonly near?: string;
}

/** One problem with its place. Errors and results carry lists of these. */
export interface Diagnostic {
  /**
   * `error`: no document was created, or the document has an unresolved tag. `warning`: check whether the result is as
   * intended.
   */
  readonly severity: "error" | "warning";
  /** A stable, machine-readable name, for example `missing_value` or `unclosed_block`. */
  readonly code: string;
  /** What failed and why, as a sentence. Quotes names and paths, never a data value. */
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string;
  /** Where in the template the problem is. Absent if no single place in the template causes it. */
  readonly template?: TemplatePlace;
  /** A JSON Pointer (RFC 6901) into the request or the data: the first one if there are several. */
  readonly pointer?: string;
  /** If the problem occurs in several places in the data, the first places (at most five), starting with `pointer`. */
  readonly pointers?: readonly string[];
  /** For a problem in several places in the data, the number of places; for `more_problems`, the number of problems. */
  readonly count?: number;
}

/**
 * Shortens each quotation from a template, data or names in a problem to 200 characters. All errors and all warnings
 * pass through this function.
 */
export function cutDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const { message, hint, template, pointer, pointers } = diagnostic;
  return {
    ...diagnostic,
    message: cutSentence(message),
    ...(hint === undefined ? {} : { hint: cutSentence(hint) }),
    ...(template === undefined ? {} : { template: cutPlace(template) }),
    ...(pointer === undefined ? {} : { pointer: cutPointer(pointer) }),
    ...(pointers === undefined ? {} : { pointers: pointers.map(cutPointer) }),
  };
}

/** Shortens the quotations in the place of a problem or a tag. */
export function cutPlace(place: TemplatePlace): TemplatePlace {
  const { part, tag, heading, near } = place;
  return {
    ...place,
    part: cutText(part),
    ...(tag === undefined ? {} : { tag: cutText(tag) }),
    ...(heading === undefined ? {} : { heading: cutText(heading) }),
    ...(near === undefined ? {} : { near: cutText(near) }),
  };
}

/**
 * Returns where in the data a problem is: `data at /items/3/price, /items/7/price and 12 more`. Empty if it is not in
 * the data.
 */
export function placesInData({ pointer, pointers, count = 1 }: Diagnostic): string {
  const places = pointers ?? (pointer === undefined || pointer === "" ? [] : [pointer]);
  if (places.length === 0) return "";
  const more = count - places.length;
  const rest = more > 0 ? ` and ${more.toLocaleString("en-US")} more` : "";
  return `data at ${places.join(", ")}${rest}`;
}

/** Options of {@link QuireError}. */
export interface QuireErrorOptions {
  /** Every problem found. Default: none. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Whether the same call may succeed later without a change. Default false. */
  readonly retryable?: boolean;
  /** The underlying error, of any type. Default: none. */
  readonly cause?: unknown;
}

const MARKER: unique symbol = Symbol.for("quire.error");

/**
 * The only error class of Quire. `code` is the kind of failure, `diagnostics` lists every problem found (it may be
 * empty), and `cause` is the underlying error. Recognize it with {@link isQuireError}, which also works when two copies
 * of the package are installed.
 */
export class QuireError extends Error {
  override readonly name = "QuireError";
  /** The kind of failure. Branch on this. */
  readonly code: ErrorCode;
  /**
   * Every problem found, each with its place; empty if the message says everything. Quotations are shortened, see
   * {@link cutDiagnostic}.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** @internal */
  readonly [MARKER] = true;

  constructor(code: ErrorCode, message: string, options: QuireErrorOptions = {}) {
    super(cutSentence(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.diagnostics = (options.diagnostics ?? []).map(cutDiagnostic);
    this.retryable = options.retryable ?? false;
  }
}

/** Whether a value is a {@link QuireError} from this or another installed copy of the package. */
export function isQuireError(value: unknown): value is QuireError {
  if (typeof value !== "object" || value === null) return false;
  try {
    return MARKER in value;
  } catch {
    // A proxy may throw.
    return false;
  }
}

/** Throws `aborted`, with the signal's reason as cause, if the signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal);
}

/** Returns the `aborted` error for a signal, with the signal's reason as cause. */
export function abortedError(signal: AbortSignal): QuireError {
  return new QuireError("aborted", "The operation was aborted by its caller.", {
    cause: signal.reason,
  });
}

/**
 * Returns the message of a problem, for readers who see only the message. It says where in the data the problem is, if
 * that is inside a list.
 */
export function messageWithPlace(problem: Diagnostic): string {
  const { message, pointer = "" } = problem;
  const isInList = /\/(?:0|[1-9]\d*)(?:\/|$)/.test(pointer);
  if (!isInList) return message;
  return `${message.replace(/\.$/, "")} (${placesInData(problem)}).`;
}

/** Returns a message for a list of problems: the first problem, and the number of problems if there are several. */
export function listed(what: string, problems: readonly Diagnostic[]): string {
  const first = problems[0] === undefined ? "" : messageWithPlace(cutDiagnostic(problems[0]));
  return problems.length === 1
    ? `${what}: ${first}`
    : `${what} (${problems.length} problems). The first: ${first}`;
}
