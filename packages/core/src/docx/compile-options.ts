import { QuireError } from "../errors.ts";
import type { PackageLimits } from "./package/limits.ts";
import type { DocumentLimits } from "./program/budget.ts";
import type { MissingPolicy } from "./program/findings.ts";
import type { PrintOptions, RichTextPolicy } from "./program/print-tag.ts";
import { withoutGuids } from "./template/braces.ts";
import { DELIMITERS, type Delimiters } from "./template/delimiters.ts";
import { checkLocale, checkTimeZone } from "./values/format/format-pattern.ts";
import type { PreparedImages } from "./values/image/prepare-images.ts";

/** How a template is compiled. */
export interface CompileOptions {
  /**
   * What begins and ends a tag. Default `{{` and `}}`. With `"auto"`, a template that holds no `{{` is
   * read with `{` and `}`, docxtemplater's own: then a tag may also name a key with spaces or hyphens
   * as it stands.
   */
  readonly delimiters?: Delimiters | "auto" | undefined;
  /**
   * Reads a template that another one includes, by the name in its `{{include "name"}}`. Without it
   * such a tag is an error of the template. It may reject; then that is told at the tag.
   */
  readonly readTemplate?: ((name: string) => Promise<Uint8Array>) | undefined;
  /** The bounds within which a file is opened; those left out have their defaults. */
  readonly limits?: Partial<PackageLimits> | undefined;
}

/**
 * How the parts of a document are compressed. `small`: as any tool would (zlib's level 6). `fast`: with
 * the least work that zlib offers (level 1), for some 25 % more bytes. `template`: what the template says
 * is compressed once, so that only the data are left to do, for up to some 30 % more bytes in long tables.
 * Parts of up to 32,000 characters of XML in which values are short are compressed in the last way in any
 * case: they become as small, and zlib would take longer to begin. Readers see no difference.
 */
export type Compression = "small" | "fast" | "template";

/** How one document is rendered. */
export interface RenderOptions {
  /**
   * What a tag whose value is missing prints: itself, as it is written (`keep`, the default), or nothing
   * (`blank`); with `fail` the document is not rendered. `optional` and `default` in a tag win over it.
   */
  readonly onMissing?: MissingPolicy | undefined;
  /** The language and region of numbers, dates and currencies, as a BCP 47 tag. Default `en-US`. */
  readonly locale?: string | undefined;
  /** The IANA time zone in which instants are shown. Default `UTC`. Plain dates are never shifted. */
  readonly timeZone?: string | undefined;
  /**
   * `detected` (the default): a value that is HTML becomes rich text in any tag, with a warning if the tag does
   * not say `html`. `tagged`: only tags that say `html` or `markdown` print rich text.
   */
  readonly richText?: RichTextPolicy | undefined;
  /** Images that had to be read or drawn before rendering: see `prepareImages`. */
  readonly images?: PreparedImages | undefined;
  /** Default `small`. */
  readonly compression?: Compression | undefined;
  /** Limits for making the document. Default: as in {@link DocumentLimits}. */
  readonly limits?: Partial<DocumentLimits> | undefined;
  /**
   * Of a PDF form: its fields become plain content, which nobody can change any more; fields for signatures
   * stay. Default false. Nothing else is touched by it.
   */
  readonly flatten?: boolean | undefined;
}

const DEFAULT_LOCALE = "en-US";
const DEFAULT_ZONE = "UTC";

export const COMPRESSIONS: readonly Compression[] = ["small", "fast", "template"];

/** The compression, by default `small`. Throws `invalid_request` for one that is none. */
export function compressionOf({ compression = "small" }: RenderOptions): Compression {
  if (COMPRESSIONS.includes(compression)) return compression;
  const choices = COMPRESSIONS.map((each) => JSON.stringify(each)).join(", ");
  throw new QuireError(
    "invalid_request",
    `Unknown compression ${JSON.stringify(compression)}. Choose one of ${choices}.`,
  );
}

/** Pairs of a locale and a time zone that have been checked: asking takes longer than rendering a letter. */
const checked = new Set<string>();
const MAX_CHECKED = 1_000;

/**
 * The options with their defaults. Throws `invalid_request` for an unknown locale, time zone or `richText`.
 */
export function printOptions(options: RenderOptions): PrintOptions {
  const { onMissing = "keep", richText = "detected" } = options;
  const { locale = DEFAULT_LOCALE, timeZone = DEFAULT_ZONE } = options;
  if (richText !== "detected" && richText !== "tagged") {
    const message = `The option richText must be "detected" or "tagged", not ${JSON.stringify(richText)}.`;
    throw new QuireError("invalid_request", message);
  }
  if (locale === DEFAULT_LOCALE && timeZone === DEFAULT_ZONE) {
    return { onMissing, richText, locale, timeZone };
  }
  const pair = `${locale}\n${timeZone}`;
  if (!checked.has(pair)) {
    const problem =
      wrong("locale", locale, checkLocale(locale)) ??
      wrong("time zone", timeZone, checkTimeZone(timeZone));
    if (problem !== null) throw new QuireError("invalid_request", problem);
    if (checked.size < MAX_CHECKED) checked.add(pair);
  }
  return { onMissing, richText, locale, timeZone };
}

function wrong(what: string, value: string, why: string | null): string | null {
  return why === null ? null : `The ${what} ${JSON.stringify(value)} ${why}.`;
}

/** The delimiters for a template, given the text of its parts. Throws `invalid_request` for ones that cannot be. */
export function delimitersFor(
  option: CompileOptions["delimiters"],
  text: () => string,
): { readonly delimiters: Delimiters; readonly bareNames: boolean } {
  if (option === "auto") {
    return withoutGuids(text()).includes(DELIMITERS.start)
      ? { delimiters: DELIMITERS, bareNames: false }
      : { delimiters: SINGLE, bareNames: true };
  }
  const delimiters = option ?? DELIMITERS;
  for (const each of [delimiters.start, delimiters.end]) {
    if (typeof each !== "string" || !/^[^\s\w\\"'<>&]{1,5}$/u.test(each)) {
      throw new QuireError(
        "invalid_request",
        "A delimiter must have one to five characters that are not letters, digits, spaces, quotes, backslashes, '<', '>' or '&'.",
      );
    }
  }
  const { start, end } = delimiters;
  if (start.includes(end) || end.includes(start)) {
    throw new QuireError(
      "invalid_request",
      "The delimiters must differ, and neither may be part of the other: tags could not be distinguished from text.",
    );
  }
  const single = delimiters.start === SINGLE.start && delimiters.end === SINGLE.end;
  return { delimiters, bareNames: single };
}

/** Delimiters that stand in every template with tags, whichever they turn out to be. */
export function widestDelimiters(option: CompileOptions["delimiters"]): Delimiters {
  return option === "auto" ? SINGLE : delimitersFor(option, () => "").delimiters;
}

const SINGLE: Delimiters = { start: "{", end: "}" };
