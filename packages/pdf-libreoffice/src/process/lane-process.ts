/**
 * What a lane's process does; `supervisor/lane.ts` keeps it alive. It is the leader of its process group, so
 * that its LibreOffice dies with it, and it reads what is untrusted: the docx before, the PDF afterwards.
 */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buryOwnGroup } from "../office/process-group.ts";
import { leftoverSocket, pipePath } from "../office/sockets.ts";
import { startWasmOffice } from "../wasm/wasm-office.ts";
import { DocumentConverter } from "./document-converter.ts";
import { FontDesk } from "./font-desk.ts";
import { freshOffice } from "./fresh-office.ts";
import {
  boundedReply,
  type ConvertRequest,
  type LaneReply,
  type LaneStart,
  LOST_EXIT_CODE,
} from "./messages.ts";
import { type Office, OfficeFailure } from "./office.ts";
import { isGone } from "./proc.ts";
import { startWarmOffice } from "./warm-office.ts";

const start: LaneStart = JSON.parse(process.argv[2] ?? "");
const profile = join(start.folder, "profile");
/** Whether a document is in work. */
let working = false;

/** The host is gone, even if it was killed: nothing may stay behind, of this lane or of all. */
const bury = (): void =>
  buryOwnGroup([dirname(start.folder), leftoverSocket(profile), pipePath(start.pipe)]);
process.on("disconnect", bury);
if (!process.connected) bury(); // while this process was loading

process.umask(0o077);
try {
  const environment = officeEnvironment();
  const [office, fonts] = await Promise.all([startOffice(environment), openFontDesk(environment)]);
  const converter = new DocumentConverter(office, fonts, start);
  const seal = await (start.mode === "fresh" ? converter.proveProfile() : converter.prove());
  process.on("message", (request: ConvertRequest) => {
    void answer(converter, office, request); // a rejection ends the process, as it should
  });
  reply({
    type: "ready",
    officePid: office.pid,
    version: office.version,
    fonts: fonts.hash,
    seal,
  });
  void office.ended.then(() => end(working ? 1 : LOST_EXIT_CODE, "LibreOffice ended."));
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

/** What LibreOffice as WebAssembly has of fonts cannot be listed. */
function openFontDesk(environment: Record<string, string>): Promise<FontDesk> {
  return start.mode === "wasm" ? Promise.resolve(FontDesk.unlisted()) : FontDesk.open(environment);
}

/** This process has the lane's environment; Node's own names are of no use to LibreOffice. */
function officeEnvironment(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_"));
  // Room for small blocks in each thread's own list spares some 15 % of LibreOffice's time with glibc.
  return { ...Object.fromEntries(own), GLIBC_TUNABLES: "glibc.malloc.tcache_count=8000" };
}

async function answer(
  converter: DocumentConverter,
  office: Office,
  request: ConvertRequest,
): Promise<void> {
  // No document is to blame for one that ended before it came, though that was not told yet.
  if (isGone(office.pid)) end(LOST_EXIT_CODE, "LibreOffice had ended.");
  working = true;
  try {
    const { documents, refused } = await converter.convert(request);
    working = false;
    reply({
      type: "done",
      documents: documents.map(boundedReply),
      refused,
      residentMb: await office.residentMb(),
    });
  } catch (error) {
    // That LibreOffice ended may be due to the document; anything else is not.
    end(error instanceof OfficeFailure ? 1 : LOST_EXIT_CODE, String(error));
  }
}

/** The supervisor takes what is printed for the cause. */
function end(code: number, why: string): never {
  process.stderr.write(why);
  process.exit(code);
}

function reply(message: LaneReply): void {
  process.send?.(message);
}
