/**
 * Entry point of a lane's process; `supervisor/lane.ts` manages it. The process leads its process group, so that its
 * LibreOffice dies with it. It reads untrusted data: the docx before the conversion, the PDF after it.
 */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folderTrouble, lacksProcesses } from "../office/machine-trouble.ts";
import { type Office, type OfficeEnd, OfficeEnded, OfficeFailure } from "../office/office.ts";
import { isGone, isKilledFromOutside, oomKills } from "../office/proc.ts";
import { killOwnGroup } from "../office/process-group.ts";
import { leftoverSocket, pipePath } from "../office/sockets.ts";
import { startWasmOffice } from "../wasm/wasm-office.ts";
import { DocumentConverter } from "./document-converter.ts";
import { FontChecker } from "./font-checker.ts";
import { freshOffice } from "./fresh-office.ts";
import {
  boundedReply,
  type ConvertRequest,
  type LaneReply,
  type LaneStart,
  LOST_EXIT_CODE,
} from "./messages.ts";
import { startWarmOffice } from "./warm-office.ts";

const start: LaneStart = JSON.parse(process.argv[2] ?? "");
const profile = join(start.folder, "profile");
/** Whether a document is being converted. */
let working = false;
/** The number of processes that were killed for lack of memory before this document. */
let killsBefore: number | null = null;

/** Runs when the host has ended or been killed. Ends this lane's processes and removes the converter's files. */
const cleanUp = (): void =>
  killOwnGroup([dirname(start.folder), leftoverSocket(profile), pipePath(start.pipe)]);
process.on("disconnect", cleanUp);
if (!process.connected) cleanUp(); // the host ended while this process was loading

process.umask(0o077);
try {
  const environment = officeEnvironment();
  const [office, fonts] = await Promise.all([
    startOffice(environment),
    openFontChecker(environment),
  ]);
  const converter = new DocumentConverter(office, fonts, start);
  const seal = await (start.mode === "fresh" ? converter.proveProfile() : converter.prove());
  process.on("message", (request: ConvertRequest) => {
    void answer(converter, office, request); // a rejection ends the process, as intended
  });
  reply({
    type: "ready",
    officePid: office.pid,
    version: office.version,
    fonts: fonts.hash,
    seal,
  });
  void office.ended.then((how) => {
    end(working ? exitCodeAfter(how) : LOST_EXIT_CODE, "LibreOffice ended.");
  });
} catch (error) {
  const known = error instanceof OfficeFailure;
  const problem = known ? error.problem : "could not be prepared";
  reply({ type: "broken", problem, detail: known ? error.message : String(error) });
}

async function startOffice(environment: Record<string, string>): Promise<Office> {
  const { mode, folder, pipe, soffice, limits, seal, enclosure, fontFolders } = start;
  await mkdir(join(folder, "work"));
  if (mode === "wasm")
    return startWasmOffice({ folder: start.profile, packageFolder: soffice, fontFolders });
  await mkdir(join(folder, "tmp"), { recursive: true });
  if (mode === "fresh" || enclosure?.by !== "namespace") {
    await cp(start.profile, profile, { recursive: true });
  }
  const options = { soffice, profile, folder, limits, seal, enclosure };
  return mode === "fresh"
    ? freshOffice(options)
    : startWarmOffice({ ...options, pipe, environment, template: start.profile });
}

/** Opens the font checker. The fonts of LibreOffice as WebAssembly cannot be listed. */
function openFontChecker(environment: Record<string, string>): Promise<FontChecker> {
  return start.mode === "wasm"
    ? Promise.resolve(FontChecker.unlisted())
    : FontChecker.open(environment);
}

/** Returns the environment of this process, which is the lane's, without Node's own variables. */
function officeEnvironment(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_"));
  // With glibc, more small blocks in the cache of each thread save about 15% of LibreOffice's time.
  return { ...Object.fromEntries(own), GLIBC_TUNABLES: "glibc.malloc.tcache_count=8000" };
}

async function answer(
  converter: DocumentConverter,
  office: Office,
  request: ConvertRequest,
): Promise<void> {
  // LibreOffice may have ended before this document arrived, and the event may still be pending. In that case, the
  // document is not to blame.
  if (isGone(office.pid)) end(LOST_EXIT_CODE, "LibreOffice had ended.");
  working = true;
  killsBefore = oomKills();
  try {
    const { documents, refused, proven } = await converter.convert(request);
    working = false;
    reply({
      type: "done",
      documents: documents.map(boundedReply),
      refused,
      proven,
      residentMb: await office.residentMb(),
    });
  } catch (error) {
    end(error instanceof OfficeEnded ? exitCodeAfter(error.end) : LOST_EXIT_CODE, String(error));
  }
}

/** If LibreOffice crashed or used too much memory, the document may be the reason, unless the machine is in trouble. */
function exitCodeAfter(how: OfficeEnd): number {
  const isKilled = how === "killed" && isKilledFromOutside(killsBefore);
  const isLost = isKilled || folderTrouble(start.folder) !== null || lacksProcesses();
  return isLost ? LOST_EXIT_CODE : 1;
}

/** The supervisor reports this output as the cause. */
function end(code: number, why: string): never {
  process.stderr.write(why);
  process.exit(code);
}

function reply(message: LaneReply): void {
  process.send?.(message);
}
