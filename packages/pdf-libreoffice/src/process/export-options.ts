import type { PdfInitialView, PdfOptions, PdfPermissions } from "@quire/contracts";
import type { ExportJob, ExportOption } from "../office/office.ts";
import type { LaneMode } from "./messages.ts";

/** Names and numbers of LibreOffice's PDF export filter (`PDFFilterOptions` of its API). */
const PDF_VERSIONS = { "1b": 1, "2b": 2, "3b": 3 } as const;
const PRINTING = { none: 0, low: 1, high: 2 } as const;
const CHANGES = { none: 0, pages: 1, forms: 2, comments: 3, all: 4 } as const;
const PANELS = { none: 0, bookmarks: 1, thumbnails: 2 } as const;
const LAYOUTS = { single: 1, continuous: 2, facing: 3 } as const;

/** JPEG quality. LibreOffice's own default is 90 if no option is set, otherwise 80. */
const DEFAULT_QUALITY = 90;

/**
 * Returns the part of a job that depends on its {@link PdfOptions}. With `destinations`, bookmarks of the docx become
 * named destinations. With `relativeLinks`, links to files are written relative to the PDF, otherwise with absolute
 * paths.
 */
export function exportJob(
  options: PdfOptions,
  { destinations = false, relativeLinks = true } = {},
): Omit<ExportJob, "input" | "output"> {
  const { metadata = {} } = options;
  return {
    options: [
      ...documentOptions(options),
      flag("ExportLinksRelativeFsys", relativeLinks),
      ...imageOptions(options),
      ...securityOptions(options),
      ...viewOptions({ ...(options.pdfUA ? { showTitle: true } : {}), ...options.initialView }),
      ...(destinations ? [flag("ExportBookmarksToPDFDestination", true)] : []),
    ],
    updateIndexes: options.updateIndexes ?? false,
    title: metadata.title ?? null,
    author: metadata.author ?? null,
    subject: metadata.subject ?? null,
    keywords: metadata.keywords ?? null,
  };
}

/** Returns why a lane in this mode cannot apply these options, as the rest of a sentence; null if it can. */
export function impossibleFor(mode: LaneMode, options: PdfOptions): string | null {
  if (mode === "fresh" && !isPlain(options)) {
    return "cannot apply PDF options when it is started for each document";
  }
  if (mode !== "wasm") return null;
  const { title, author, subject, keywords } = options.metadata ?? {};
  if (options.updateIndexes) return "as WebAssembly cannot update indexes";
  const sets = [title, author, subject, keywords].some((value) => value !== undefined);
  return sets ? "as WebAssembly cannot set a title or other metadata" : null;
}

/** Whether no option is set. */
export function isPlain(options: PdfOptions): boolean {
  return Object.values(options).every((value) => value === undefined || value === false);
}

function documentOptions(options: PdfOptions): ExportOption[] {
  const { pdfA, pdfUA, tagged, bookmarks, pages, watermark } = options;
  return [
    flag("ExportBookmarks", bookmarks ?? false),
    // This is LibreOffice's default if no option is set. If any option is set, some of its defaults change.
    flag("ExportNotes", false),
    ...(pdfA === undefined ? [] : [number("SelectPdfVersion", PDF_VERSIONS[pdfA])]),
    ...(pdfUA ? [flag("PDFUACompliance", true)] : []),
    ...(tagged || pdfUA ? [flag("UseTaggedPDF", true)] : []),
    ...(pages === undefined ? [] : [text("PageRange", pages.replaceAll(" ", ""))]),
    ...(watermark === undefined ? [] : [text("Watermark", watermark)]),
  ];
}

function imageOptions({ imageQuality, losslessImages, imageDpi }: PdfOptions): ExportOption[] {
  return [
    ...(losslessImages ? [flag("UseLosslessCompression", true)] : []),
    number("Quality", imageQuality ?? DEFAULT_QUALITY),
    ...(imageDpi === undefined
      ? []
      : [flag("ReduceImageResolution", true), number("MaxImageResolution", imageDpi)]),
  ];
}

function securityOptions(options: PdfOptions): ExportOption[] {
  const { openPassword, permissionPassword, permissions = {} } = options;
  return [
    ...(openPassword === undefined
      ? []
      : [flag("EncryptFile", true), text("DocumentOpenPassword", openPassword)]),
    ...(permissionPassword === undefined
      ? []
      : [
          flag("RestrictPermissions", true),
          text("PermissionPassword", permissionPassword),
          ...permissionOptions(permissions),
        ]),
  ];
}

function permissionOptions(permissions: PdfPermissions): ExportOption[] {
  return [
    number("Printing", PRINTING[permissions.printing ?? "none"]),
    number("Changes", CHANGES[permissions.changes ?? "none"]),
    flag("EnableCopyingOfContent", permissions.copying ?? false),
    flag("EnableTextAccessForAccessibilityTools", permissions.accessibility ?? false),
  ];
}

function viewOptions(view: PdfInitialView): ExportOption[] {
  const { page, zoom, layout, panel, fullScreen, showTitle } = view;
  return [
    ...(page === undefined ? [] : [number("InitialPage", page)]),
    ...zoomOptions(zoom),
    ...(layout === undefined ? [] : [number("PageLayout", LAYOUTS[layout])]),
    ...(panel === undefined ? [] : [number("InitialView", PANELS[panel])]),
    ...(fullScreen ? [flag("OpenInFullScreenMode", true)] : []),
    flag("DisplayPDFDocumentTitle", showTitle ?? false), // LibreOffice's default is to show it
  ];
}

function zoomOptions(zoom: PdfInitialView["zoom"]): ExportOption[] {
  if (zoom === undefined) return [];
  if (zoom === "page") return [number("Magnification", 1)];
  if (zoom === "width") return [number("Magnification", 2)];
  return [number("Magnification", 4), number("Zoom", zoom)];
}

function flag(name: string, value: boolean): ExportOption {
  return [name, "b", value ? "1" : "0"];
}

function number(name: string, value: number): ExportOption {
  return [name, "l", String(value)];
}

function text(name: string, value: string): ExportOption {
  return [name, "s", value];
}
