import { readFile } from "node:fs/promises";
import {
  type PdfInitialView,
  type PdfMetadata,
  type PdfOptions,
  type PdfPermissions,
  QuireError,
} from "@quire/core/host";
import { unreadable } from "../files/file-problems.ts";
import type { PdfFlags } from "../options/pdf.ts";
import { type Io, pathIn } from "../terminal/io.ts";

/**
 * Converts the flags to options for a converter, and reads the passwords. Returns undefined if there are no flags. The
 * converter rejects options that conflict.
 */
export async function pdfOptions(io: Io, flags: PdfFlags): Promise<PdfOptions | undefined> {
  const [open, permission] = [passwordSource(flags, "open"), passwordSource(flags, "permission")];
  const options: PdfOptions = given({
    pdfA: flags.pdfa,
    pdfUA: flags.pdfUa,
    tagged: flags.tagged,
    bookmarks: flags.bookmarks,
    imageQuality: flags.imageQuality,
    losslessImages: flags.losslessImages,
    imageDpi: flags.imageDpi,
    pages: flags.pages,
    openPassword: open === null ? undefined : await readPassword(io, open),
    permissionPassword: permission === null ? undefined : await readPassword(io, permission),
    permissions: orNone<PdfPermissions>({
      printing: flags.allowPrinting,
      changes: flags.allowChanges,
      copying: flags.allowCopying,
      accessibility: flags.allowAccessibility,
    }),
    watermark: flags.watermark,
    updateIndexes: flags.updateIndexes,
    metadata: orNone<PdfMetadata>({
      title: flags.title,
      author: flags.author,
      subject: flags.subject,
      keywords: flags.keywords,
      date: flags.date,
    }),
    initialView: orNone<PdfInitialView>({
      page: flags.viewPage,
      zoom: flags.viewZoom,
      layout: flags.viewLayout,
      panel: flags.viewPanel,
      fullScreen: flags.viewFullScreen,
      showTitle: flags.viewTitle,
    }),
  });
  return orNone(options);
}

/**
 * Throws `invalid_request` if there are options for PDFs but no PDF will be created. `fix` is the flag that creates it.
 */
export function assertNoPdfOptions(options: PdfOptions | undefined, fix = "--to pdf"): void {
  const [first] = Object.entries(options ?? {});
  if (first === undefined) return;
  const flag = flagOf(...first);
  throw new QuireError(
    "invalid_request",
    `${flag} applies only to PDFs, but the output is not a PDF. Make a PDF with ${fix}, or remove ${flag}.`,
  );
}

/** Returns the flag that sets an option, or a part of an option. */
function flagOf(name: string, value: unknown): string {
  const [part = ""] = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const kebab = (text: string): string =>
    text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  switch (name) {
    case "pdfA":
      return "--pdfa";
    case "pdfUA":
      return "--pdf-ua";
    case "metadata":
      return `--${part}`;
    case "permissions":
      return `--allow-${part}`;
    case "initialView":
      return `--view-${part === "showTitle" ? "title" : kebab(part)}`;
    default:
      return `--${kebab(name)}${name.endsWith("Password") ? "-file" : ""}`;
  }
}

function given<Options extends object>(options: Options): Options {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Options;
}

function orNone<Options extends object>(options: Options): Options | undefined {
  const found = given(options);
  return Object.keys(found).length === 0 ? undefined : found;
}

interface PasswordSource {
  readonly option: string;
  readonly file: string | undefined;
  readonly variable: string | undefined;
}

function passwordSource(flags: PdfFlags, which: "open" | "permission"): PasswordSource | null {
  const file = flags[`${which}PasswordFile`];
  const variable = flags[`${which}PasswordEnv`];
  if (file === undefined && variable === undefined) return null;
  return { option: `--${which}-password`, file, variable };
}

/** Reads a password from a file or the environment, because all users of the machine can see the command line. */
async function readPassword(
  io: Io,
  { option, file, variable = "" }: PasswordSource,
): Promise<string> {
  const password =
    file === undefined ? io.env[variable] : (await readText(io, file)).replace(/\r?\n$/, "");
  if (password !== undefined && password !== "") return password;
  throw new QuireError(
    "invalid_request",
    file === undefined
      ? `The environment variable ${JSON.stringify(variable)} of ${option}-env does not contain a password. Set it, or remove the option.`
      : `The file ${JSON.stringify(file)} of ${option}-file does not contain a password. Write the password into the file, on one line.`,
  );
}

async function readText(io: Io, path: string): Promise<string> {
  try {
    return await readFile(pathIn(io, path), "utf8");
  } catch (cause) {
    throw unreadable(io, path, cause);
  }
}
