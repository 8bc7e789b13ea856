import { type PdfMetadata, QuireError } from "@quire/contracts";

const DEFAULT_DATE = "2000-01-01T00:00:00Z";

/** Returns the date of the metadata. Throws `invalid_request` for a string that is not a date with a time zone. */
export function metadataDate({ date: text = DEFAULT_DATE }: PdfMetadata): Date {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(
    text,
  );
  const date = new Date(text);
  if (isInstant && !Number.isNaN(date.getTime())) return date;
  throw new QuireError(
    "invalid_request",
    `The metadata date ${JSON.stringify(text)} is not a date and time with a time zone. ` +
      "Write it like 2026-11-20T15:30:00Z.",
  );
}
