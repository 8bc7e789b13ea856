import {
  checkOptions,
  type OptionNames,
  type PdfInitialView,
  type PdfMetadata,
  type PdfOptions,
  type PdfPermissions,
  QuireError,
} from "@quire/contracts";

const NAMES: OptionNames<PdfOptions> = {
  pdfA: true,
  pdfUA: true,
  tagged: true,
  bookmarks: true,
  imageQuality: true,
  losslessImages: true,
  imageDpi: true,
  pages: true,
  openPassword: true,
  permissionPassword: true,
  permissions: true,
  watermark: true,
  initialView: true,
  updateIndexes: true,
  metadata: true,
};
const PERMISSIONS: OptionNames<PdfPermissions> = {
  printing: true,
  changes: true,
  copying: true,
  accessibility: true,
};
const VIEW: OptionNames<PdfInitialView> = {
  page: true,
  zoom: true,
  layout: true,
  panel: true,
  fullScreen: true,
  showTitle: true,
};
const METADATA: OptionNames<PdfMetadata> = {
  title: true,
  author: true,
  subject: true,
  keywords: true,
  date: true,
};

/** Merges the options of a converter with the options of a conversion, which take precedence. */
export function mergePdfOptions(standard: PdfOptions, given: PdfOptions = {}): PdfOptions {
  const merged = { ...standard, ...withoutUndefined(given) };
  checkPdfOptions(merged);
  return merged;
}

/** Throws `invalid_request` for the first option that is unknown, invalid or contradicts another option. */
export function checkPdfOptions(options: PdfOptions): void {
  checkOptions("The option pdf", options, NAMES);
  const { pdfA, imageQuality, imageDpi, pages, metadata, initialView, permissions } = options;
  checkOptions("The option pdf.metadata", metadata, METADATA);
  checkOptions("The option pdf.initialView", initialView, VIEW);
  checkOptions("The option pdf.permissions", permissions, PERMISSIONS);
  oneOf("pdfA", pdfA, ["1b", "2b", "3b"]);
  wholeWithin("imageQuality", imageQuality, 1, 100);
  wholeWithin("imageDpi", imageDpi, 36, 2400);
  if (pages !== undefined && !areRanges(pages)) {
    throw wrong('pages must be numbers and ranges separated by commas, for example "1-3,5"');
  }
  if (metadata?.date !== undefined && !isInstant(metadata.date)) {
    throw wrong("metadata.date must be an ISO 8601 instant, for example 2024-12-31T23:59:59Z");
  }
  checkView(initialView ?? {});
  checkSecurity(options);
}

function checkView({ page, zoom, layout, panel }: PdfInitialView): void {
  wholeWithin("initialView.page", page, 1, 1_000_000);
  if (typeof zoom === "number") wholeWithin("initialView.zoom", zoom, 10, 1600);
  else oneOf("initialView.zoom", zoom, ["page", "width"]);
  oneOf("initialView.layout", layout, ["single", "continuous", "facing"]);
  oneOf("initialView.panel", panel, ["none", "bookmarks", "thumbnails"]);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Whether a date is valid. Without a time, it means the start of that day. With a time, it must have a time zone. */
function isInstant(date: string): boolean {
  const day = INSTANT.exec(date)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(date))) return false;
  return new Date(day).toISOString().startsWith(day); // rejects dates such as 30 February
}

function checkSecurity({ pdfA, openPassword, permissionPassword, permissions }: PdfOptions): void {
  if (openPassword === "" || permissionPassword === "") throw wrong("a password must not be empty");
  const encrypted = openPassword !== undefined || permissionPassword !== undefined;
  if (encrypted && pdfA !== undefined) throw wrong("a PDF/A cannot have passwords");
  if (permissions !== undefined && permissionPassword === undefined) {
    throw wrong("permissions need a permissionPassword");
  }
  oneOf("permissions.printing", permissions?.printing, ["none", "low", "high"]);
  oneOf("permissions.changes", permissions?.changes, ["none", "pages", "forms", "comments", "all"]);
}

const RANGES = /^\s*\d{1,6}(?:\s*-\s*\d{1,6})?(?:\s*,\s*\d{1,6}(?:\s*-\s*\d{1,6})?)*\s*$/;

function areRanges(pages: string): boolean {
  if (pages.length > 10_000 || !RANGES.test(pages)) return false;
  return pages.split(",").every((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return from >= 1 && to >= from;
  });
}

function wholeWithin(name: string, value: number | undefined, from: number, to: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= from && value <= to)) return;
  throw wrong(`${name} must be a whole number from ${from} to ${to}`);
}

function oneOf<T extends string>(
  name: string,
  value: T | undefined,
  values: readonly NoInfer<T>[],
): void {
  if (value === undefined || values.includes(value)) return;
  throw wrong(`${name} must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}

function wrong(what: string): QuireError {
  return new QuireError("invalid_request", `Invalid PDF options: ${what}.`);
}

function withoutUndefined(options: PdfOptions): PdfOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
