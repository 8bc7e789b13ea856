import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import libreOfficeConvert from "libreoffice-convert";
import {
  isKillReported,
  type LaunchLimits,
  limitedCommand,
  programBehind,
} from "../office/launch.ts";
import { type Office, OfficeEnded, OfficeFailure } from "../office/office.ts";
import { profileArguments } from "../office/profile.ts";
import type { Enclosure } from "../office/readable.ts";
import type { Seal } from "../office/seal.ts";
import { leftoverSocket } from "../office/sockets.ts";

/** Without an input filter, LibreOffice would guess the type from the content. */
const ARGUMENTS = [
  "--infilter=MS Word 2007 XML",
  "--norestore",
  "--nologo",
  "--nodefault",
  "--nolockcheck",
  "--nofirststartwizard",
  "--nocrashreport",
];
const LOG_LENGTH = 2000;
/** The exit code of a program that a signal ended is greater than this. */
const SIGNALLED = 128;

/** Options for starting each LibreOffice. */
export interface FreshOfficeOptions {
  readonly soffice: string;
  readonly profile: string;
  /** The folder for the launcher, its log and its temporary folders. */
  readonly folder: string;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
  /** The files that LibreOffice can see in addition to the folder; null for all files. */
  readonly enclosure: Enclosure | null;
}

/**
 * Starts LibreOffice for each document, through libreoffice-convert. This is slow, but needs only `--convert-to`.
 * Does not support export options.
 */
export async function freshOffice(options: FreshOfficeOptions): Promise<Office> {
  const files = {
    launcher: join(options.folder, "soffice"),
    log: join(options.folder, "soffice.log"),
    exitCode: join(options.folder, "soffice.exit"),
    temp: join(options.folder, "convert"),
  };
  await mkdir(files.temp);
  await writeFile(files.launcher, launcherScript(options, files), { mode: 0o700 });
  return {
    pid: null,
    version: null,
    outputs: null,
    ended: new Promise(() => {}),
    residentMb: async () => 0,
    log: () => readTail(files.log),
    convert: async (job) => {
      await rm(files.log, { force: true });
      await rm(files.exitCode, { force: true });
      try {
        await writeFile(job.output, await runLibreOffice(await readFile(job.input), files));
      } catch (error) {
        const code = (await readTail(files.exitCode)).trim();
        const how = `ended ${code === "" ? "" : `with exit code ${code} `}without writing a PDF`;
        const log = await readTail(files.log);
        const detail = `${log}\n${String(error)}`.trim();
        if (isKillReported(Number(code), log)) throw new OfficeEnded(how, detail, "killed");
        if (Number(code) > SIGNALLED) throw new OfficeEnded(how, detail, "ended");
        throw new OfficeFailure(how, detail);
      }
    },
  };
}

interface Files {
  readonly launcher: string;
  readonly log: string;
  readonly exitCode: string;
  readonly temp: string;
}

function runLibreOffice(document: Buffer, { temp, launcher }: Files): Promise<Buffer> {
  const options = {
    fileName: "document.docx",
    tmpOptions: { tmpdir: temp },
    asyncOptions: { times: 2, interval: 50 },
    sofficeBinaryPaths: [launcher],
    sofficeAdditionalArgs: ARGUMENTS,
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Buffer): void =>
      error ? reject(error) : resolve(bytes);
    libreOfficeConvert.convertWithOptions(document, "pdf", "writer_pdf_Export", options, done);
  });
}

async function readTail(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(LOG_LENGTH),
      position: Math.max(0, size - LOG_LENGTH),
    });
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  }
}

/**
 * Returns the script that libreoffice-convert starts. libreoffice-convert passes a temporary profile as the first
 * argument. LibreOffice uses the first profile in its arguments, so the script puts the lane's profile before it. Exit
 * codes 81 and 79 ask for a restart (on a new profile). The script itself always exits with 0, because only the PDF
 * matters.
 */
function launcherScript(options: FreshOfficeOptions, { log, exitCode }: Files): string {
  const { folder, enclosure } = options;
  const command = limitedCommand(
    [programBehind(options.soffice), ...profileArguments(options.profile)],
    options.limits,
    options.seal,
    enclosure === null ? null : { ...enclosure, folder, socket: null, ownFolder: null },
  );
  return `#!/bin/sh
run() {
  rm -f ${shellQuote(leftoverSocket(options.profile))}
  ${command.map(shellQuote).join(" ")} "$@" >${shellQuote(log)} 2>&1
}
run "$@"
code=$?
if [ "$code" -eq 81 ] || [ "$code" -eq 79 ]; then
  run "$@"
  code=$?
fi
echo "$code" >${shellQuote(exitCode)}
exit 0
`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
