import type { PdfInitialView, PdfOptions, PdfPermissions } from "@quire/core/host";
import { type Command, InvalidArgumentError, Option } from "commander";

/** The command line options for PDFs. */
export interface PdfFlags {
  readonly pdfa?: PdfOptions["pdfA"];
  readonly pdfUa?: true;
  readonly tagged?: true;
  readonly bookmarks?: true;
  readonly imageQuality?: number;
  readonly losslessImages?: true;
  readonly imageDpi?: number;
  readonly pages?: string;
  readonly openPasswordFile?: string;
  readonly openPasswordEnv?: string;
  readonly permissionPasswordFile?: string;
  readonly permissionPasswordEnv?: string;
  readonly allowPrinting?: PdfPermissions["printing"];
  readonly allowChanges?: PdfPermissions["changes"];
  readonly allowCopying?: true;
  readonly allowAccessibility?: true;
  readonly watermark?: string;
  readonly updateIndexes?: true;
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: string;
  readonly date?: string;
  readonly viewPage?: number;
  readonly viewZoom?: PdfInitialView["zoom"];
  readonly viewLayout?: PdfInitialView["layout"];
  readonly viewPanel?: PdfInitialView["panel"];
  readonly viewFullScreen?: true;
  readonly viewTitle?: true;
}

/** Adds the options of {@link PdfFlags} to a command. */
export function withPdfOptions(command: Command): Command {
  const options = [
    ...contentOptions(),
    ...securityOptions(),
    ...metadataOptions(),
    ...viewOptions(),
  ];
  for (const option of options) command.addOption(option.helpGroup("Options for PDFs:"));
  return command;
}

function contentOptions(): Option[] {
  return [
    new Option("--pdfa <version>", "make an archival PDF (PDF/A)").choices(["1b", "2b", "3b"]),
    new Option("--pdf-ua", "make an accessible PDF (PDF/UA)"),
    new Option("--tagged", "include the structure of the document, for screen readers"),
    new Option("--bookmarks", "include an outline of the document's headings"),
    new Option("--image-quality <n>", "the JPEG quality, 1 to 100").argParser(whole(1, 100)),
    new Option("--lossless-images", "compress images without loss"),
    new Option("--image-dpi <n>", "reduce images to at most this resolution, 36 to 2400").argParser(
      whole(36, 2400),
    ),
    new Option("--pages <ranges>", "include only these pages, for example 1-3,5"),
    new Option("--watermark <text>", "print pale text across every page"),
    new Option("--update-indexes", "update indexes and tables of contents first"),
  ];
}

function securityOptions(): Option[] {
  return [
    new Option(
      "--open-password-file <file>",
      "a file with the password that opens the PDF",
    ).conflicts("openPasswordEnv"),
    new Option(
      "--open-password-env <name>",
      "an environment variable with the password that opens the PDF",
    ),
    new Option(
      "--permission-password-file <file>",
      "a file with the permission password, which lifts all restrictions",
    ).conflicts("permissionPasswordEnv"),
    new Option(
      "--permission-password-env <name>",
      "an environment variable with the permission password, which lifts all restrictions",
    ),
    new Option(
      "--allow-printing <how>",
      "the printing to allow without the permission password",
    ).choices(["none", "low", "high"]),
    new Option(
      "--allow-changes <which>",
      "the changes to allow without the permission password",
    ).choices(["none", "pages", "forms", "comments", "all"]),
    new Option("--allow-copying", "allow copying without the permission password"),
    new Option(
      "--allow-accessibility",
      "allow screen readers to read text without the permission password",
    ),
  ];
}

function metadataOptions(): Option[] {
  return [
    new Option("--title <text>", "the title of the PDF (default: the document's)"),
    new Option("--author <text>", "the author of the PDF"),
    new Option("--subject <text>", "the subject of the PDF"),
    new Option("--keywords <text>", "the keywords of the PDF"),
    new Option("--date <instant>", "the PDF's creation date, for example 2026-01-31T12:00:00Z"),
  ];
}

function viewOptions(): Option[] {
  return [
    new Option("--view-page <n>", "the page to open at").argParser(whole(1, 1_000_000)),
    new Option("--view-zoom <zoom>", "page, width, or a percentage").argParser(zoom),
    new Option("--view-layout <layout>", "the layout of the pages").choices([
      "single",
      "continuous",
      "facing",
    ]),
    new Option("--view-panel <panel>", "the panel to show beside the pages").choices([
      "none",
      "bookmarks",
      "thumbnails",
    ]),
    new Option("--view-full-screen", "open in full-screen mode"),
    new Option("--view-title", "show the title in the window, not the file name"),
  ];
}

function whole(from: number, to: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
  };
}

function zoom(value: string): PdfInitialView["zoom"] {
  if (value === "page" || value === "width") return value;
  const percent = /^(\d{2,4})%?$/.exec(value)?.[1];
  if (percent !== undefined) return whole(10, 1600)(percent);
  throw new InvalidArgumentError("It must be page, width, or a percentage from 10 to 1600.");
}
