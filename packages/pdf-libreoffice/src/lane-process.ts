/**
 * What a lane's process does; `lane.ts` keeps it alive. It is the leader of its process group, so
 * that the LibreOffice it starts dies with it, and it parses what LibreOffice wrote, so that no
 * untrusted PDF is parsed in the host.
 */
import { rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import libreOfficeConvert from "libreoffice-convert";
import type { ConvertRequest, LaneReply } from "./lane-messages.ts";
import { checkPdf } from "./pdf.ts";
import { killGroup } from "./process-group.ts";
import { laneFolders, leftoverSocket, prepareLane } from "./profile.ts";

const [lane = "", soffice = "", memoryLimitMb = ""] = process.argv.slice(2);

/** Without the filter of the input LibreOffice would guess the type from the content. */
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

/** The host is gone, even if it was killed: nothing of the lane may stay behind. */
process.on("disconnect", () => {
  for (const path of [lane, leftoverSocket(lane)]) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A LibreOffice that still writes: its end matters more than its files.
    }
  }
  killGroup(process.pid);
});

process.on("message", (request: ConvertRequest) => {
  void convert(request.document).then(reply); // a rejection ends the process, as it should
});

await prepareLane(lane, { soffice, memoryLimitMb: Number(memoryLimitMb) });
reply({ type: "ready" });

function reply(message: LaneReply): void {
  process.send?.(message);
}

async function convert(document: Uint8Array): Promise<LaneReply> {
  const { log, exitCode } = laneFolders(lane);
  await rm(log, { force: true });
  await rm(exitCode, { force: true });
  try {
    const bytes = await runLibreOffice(document);
    const check = await checkPdf(bytes);
    if ("pages" in check) return { type: "converted", bytes, pages: check.pages };
    return { type: "failed", problem: check.problem, detail: await readTail(log) };
  } catch (error) {
    const code = (await readTail(exitCode)).trim();
    const problem = `ended ${code === "" ? "" : `with exit code ${code} `}without writing a PDF`;
    return { type: "failed", problem, detail: `${await readTail(log)}\n${String(error)}`.trim() };
  }
}

function runLibreOffice(document: Uint8Array): Promise<Buffer> {
  const { temp, launcher } = laneFolders(lane);
  const options = {
    fileName: "document.docx",
    tmpOptions: { tmpdir: temp },
    asyncOptions: { times: 2, interval: 50 },
    sofficeBinaryPaths: [launcher],
    sofficeAdditionalArgs: ARGUMENTS,
  };
  return new Promise((resolve, reject) => {
    libreOfficeConvert.convertWithOptions(
      Buffer.from(document.buffer, document.byteOffset, document.byteLength),
      "pdf",
      "writer_pdf_Export",
      options,
      (error, bytes) => (error ? reject(error) : resolve(bytes)),
    );
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
