import { type Converter, type PdfOptions, QuireError } from "@quire/core/host";
import {
  findSoffice,
  findWasmPackage,
  INSTALL_HINT,
  type LibreOfficeOptions,
  libreOffice,
} from "@quire/pdf-libreoffice";
import { type Io, pathIn } from "../terminal/io.ts";

/** Checks that LibreOffice exists, before the first document needs it. Rejects `unavailable`. */
export async function requireSoffice(io: Io, sofficePath: string | undefined): Promise<void> {
  if ((await findSoffice(named(io, sofficePath))) !== null) return;
  if (sofficePath === undefined && findWasmPackage() !== null) return;
  throw new QuireError(
    "unavailable",
    sofficePath === undefined
      ? `LibreOffice is required to make PDFs, but it was not found. ${INSTALL_HINT} Or set its path with --soffice, or make .docx files.`
      : `There is no LibreOffice program at ${JSON.stringify(sofficePath)}. Correct --soffice or leave it out.`,
  );
}

/** Creates the converter for the options of a command. The caller or its engine closes it. */
export function converterFor(
  io: Io,
  options: {
    readonly soffice?: string;
    readonly concurrency?: number;
    /** The time limit for one document, in seconds. Default 60. */
    readonly deadline?: number;
    /** The options for all PDFs. */
    readonly pdf?: PdfOptions | undefined;
    readonly onReplaced?: LibreOfficeOptions["onReplaced"];
    readonly leastLayers?: number;
    /** The maximum address space of one LibreOffice process, in MiB. */
    readonly memoryLimitMb?: number;
  },
): Converter {
  const { soffice, concurrency, deadline, pdf, onReplaced, leastLayers, memoryLimitMb } = options;
  return libreOffice({
    ...named(io, soffice),
    ...(concurrency === undefined ? {} : { lanes: concurrency }),
    ...(deadline === undefined ? {} : { deadlineMs: Math.ceil(deadline * 1000) }),
    ...(pdf === undefined ? {} : { pdf }),
    ...(leastLayers === undefined ? {} : { leastLayers }),
    ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
    ...(onReplaced === undefined ? {} : { onReplaced }),
  });
}

function named(io: Io, path: string | undefined): { readonly sofficePath?: string } {
  return path === undefined ? {} : { sofficePath: pathIn(io, path) };
}
