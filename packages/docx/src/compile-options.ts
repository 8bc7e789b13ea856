import { checkOptions, type OptionNames, QuireError } from "@quire/contracts";
import type { PackageLimits } from "@quire/ooxml/internal/limits/limits";
import { checkLocale, checkTimeZone } from "./format/format-pattern.ts";
import { readDate } from "./format/read-date.ts";
import type { Delimiters } from "./language/delimiters/delimiters.ts";
import type { MissingPolicy } from "./render/evaluate/context/document-diagnostics.ts";
import type { PrintOptions, RichTextPolicy } from "./render/evaluate/print-tag.ts";
import type { DocumentLimits } from "./values/budget.ts";
import type { PreparedImages } from "./values/image/prepare-images.ts";

/** Options for compiling a template. */
export interface CompileOptions {
  /**
   * The start and end of a tag. Default `{{` and `}}`. With `"auto"`, a template without `{{` is read with `{` and `}`,
   * as in docxtemplater. In such a template, a tag may name a key with spaces or hyphens without brackets.
   */
  readonly delimiters?: Delimiters | "auto" | undefined;
  /**
   * Reads a template that another template includes, by the name in its `{{include "name"}}`. Without this option, such
   * a tag makes the template invalid. If the promise rejects, the error is reported at the tag, unless it is a
   * `QuireError` that is retryable: such an error is thrown.
   */
  readonly readTemplate?: ((name: string) => Promise<Uint8Array>) | undefined;
  /** Limits for opening a file. Missing limits have their default values. */
  readonly limits?: Partial<PackageLimits> | undefined;
}

/**
 * How the parts of a document are compressed. `small`: zlib level 6, which most tools use. `fast`: zlib level 1, which
 * is the fastest and makes files about 25% larger. `template`: compresses the text of the template once, and only the
 * data for each document; files with long tables become up to about 30% larger. Parts of up to 32,000 characters of
 * XML with short values always use `template`: the result is as small, and starting zlib would take longer. The content
 * of the parts is always the same.
 */
export type Compression = "small" | "fast" | "template";

/** Options for rendering one document. */
export interface RenderOptions {
  /**
   * What a tag without a value prints: its own text (`keep`, the default) or nothing (`blank`). With `fail`, the
   * document is not rendered. `optional` and `default` in a tag override this option.
   */
  readonly onMissing?: MissingPolicy | undefined;
  /** The language and region of numbers, dates and currencies, as a BCP 47 tag. Default `en-US`. */
  readonly locale?: string | undefined;
  /** The IANA time zone in which instants are shown. Default `UTC`. Plain dates are never shifted. */
  readonly timeZone?: string | undefined;
  /**
   * The date and time of `$now` and `$today` in tags: a `Date`, or text in ISO 8601. Without it, a template that uses
   * them cannot be rendered, because the same template and data always give the same document.
   */
  readonly now?: Date | string | undefined;
  /**
   * `detected` (the default): a value that is HTML becomes rich text in any tag, with a warning if the tag does not
   * have `html`. `tagged`: only tags with `html` or `markdown` print rich text.
   */
  readonly richText?: RichTextPolicy | undefined;
  /** Images that were read or drawn before rendering. See `prepareImages`. */
  readonly images?: PreparedImages | undefined;
  /** How the parts of the document are compressed. Default `small`. */
  readonly compression?: Compression | undefined;
  /** Limits for rendering the document. Default: as in {@link DocumentLimits}. */
  readonly limits?: Partial<DocumentLimits> | undefined;
  /**
   * For a PDF form: whether fields become plain content that cannot be changed. Signature fields are kept.
   * Nothing else changes. Default false.
   */
  readonly flatten?: boolean | undefined;
}

const COMPILE_OPTIONS: OptionNames<CompileOptions> = {
  delimiters: true,
  readTemplate: true,
  limits: true,
};
const RENDER_OPTIONS: OptionNames<RenderOptions> = {
  onMissing: true,
  locale: true,
  timeZone: true,
  now: true,
  richText: true,
  images: true,
  compression: true,
  limits: true,
  flatten: true,
};

const PACKAGE_LIMITS: OptionNames<PackageLimits> = {
  parts: true,
  totalBytes: true,
  partBytes: true,
  textBytes: true,
  listBytes: true,
  ratio: true,
  depth: true,
  tableNesting: true,
  elements: true,
  taggedElements: true,
  tags: true,
};
const DOCUMENT_LIMITS: OptionNames<DocumentLimits> = { steps: true, characters: true };

/** Throws `invalid_request` for an unknown option of `compileTemplate`. */
export function checkCompileOptions(options: CompileOptions): void {
  checkOptions("compileTemplate()", options, COMPILE_OPTIONS);
  checkPackageLimits("compileTemplate()", options.limits);
}

/** Throws `invalid_request` for an unknown limit. */
function checkPackageLimits(call: string, limits: Partial<PackageLimits> | undefined): void {
  checkOptions(`The option limits of ${call}`, limits, PACKAGE_LIMITS);
}

/** Throws `invalid_request` for an unknown option of the methods of a template. */
export function checkRenderOptions(call: string, options: RenderOptions): void {
  checkOptions(call, options, RENDER_OPTIONS);
  checkOptions(`The option limits of ${call}`, options.limits, DOCUMENT_LIMITS);
}

const DEFAULT_LOCALE = "en-US";
const DEFAULT_ZONE = "UTC";
const MISSING_POLICIES: readonly MissingPolicy[] = ["keep", "blank", "fail"];
const RICH_TEXT_POLICIES: readonly RichTextPolicy[] = ["detected", "tagged"];

export const COMPRESSIONS: readonly Compression[] = ["small", "fast", "template"];

/** Returns the compression, by default `small`. Throws `invalid_request` if it is unknown. */
export function compressionOf({ compression = "small" }: RenderOptions): Compression {
  assertChoice("compression", compression, COMPRESSIONS);
  return compression;
}

/** Pairs of locale and time zone that have already been checked. A check takes longer than rendering a letter. */
const checked = new Set<string>();
const MAX_CHECKED = 1_000;

/** Returns the options with their defaults. Throws `invalid_request` for an unknown locale, time zone or choice. */
export function printOptions(options: RenderOptions): PrintOptions {
  const { onMissing = "keep", richText = "detected" } = options;
  const { locale = DEFAULT_LOCALE, timeZone = DEFAULT_ZONE, now = null } = options;
  assertChoice("onMissing", onMissing, MISSING_POLICIES);
  assertChoice("richText", richText, RICH_TEXT_POLICIES);
  if (locale === DEFAULT_LOCALE && timeZone === DEFAULT_ZONE) {
    return { onMissing, richText, locale, timeZone, now: checkedNow(now, timeZone) };
  }
  const pair = `${locale}\n${timeZone}`;
  if (!checked.has(pair)) {
    const problem =
      wrong("locale", locale, checkLocale(locale)) ??
      wrong("time zone", timeZone, checkTimeZone(timeZone));
    if (problem !== null) throw new QuireError("invalid_request", problem);
    if (checked.size < MAX_CHECKED) checked.add(pair);
  }
  return { onMissing, richText, locale, timeZone, now: checkedNow(now, timeZone) };
}

function checkedNow(now: Date | string | null, timeZone: string): Date | string | null {
  const date = now === null ? null : readDate(now, null, timeZone);
  if (date === null || !("problem" in date)) return now;
  const given = typeof now === "string" ? ` ${JSON.stringify(now)}` : "";
  throw new QuireError("invalid_request", `The date${given} of the option now ${date.problem}.`);
}

function assertChoice(option: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const listed = choices.map((each) => JSON.stringify(each)).join(", ");
  throw new QuireError(
    "invalid_request",
    `The option ${option} must be one of ${listed}, not ${JSON.stringify(value)}.`,
  );
}

function wrong(what: string, value: string, why: string | null): string | null {
  return why === null ? null : `The ${what} ${JSON.stringify(value)} ${why}.`;
}
