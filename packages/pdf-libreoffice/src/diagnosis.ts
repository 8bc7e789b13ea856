import { type ConverterSeal, isQuireError } from "@quire/contracts";
import { type LibreOfficeConverter, sealedConverter } from "./converter.ts";
import { findOffice } from "./find-office.ts";
import { type NetworkIsolation, networkIsolation } from "./office/launch.ts";
import { SEALED } from "./office/seal.ts";
import type { LibreOfficeOptions } from "./options.ts";
import { CANARY } from "./process/canary.ts";
import type { LaneMode } from "./process/messages.ts";
import { defaultTempDir } from "./supervisor/temp-workspace.ts";

/** The result of {@link diagnose} on this machine. */
export interface Diagnosis {
  /** The mode that works on this machine; null if none does. */
  readonly mode: LaneMode | null;
  /** Why the fastest mode (`warm`, or `wasm` if that is used) does not work; null if it does. */
  readonly problem: string | null;
  /** How LibreOffice is isolated from the network. LibreOffice as WebAssembly has no network access at all. */
  readonly isolation: NetworkIsolation | "webassembly";
  /** The tested state of the seal; null if it could not be tested. */
  readonly seal: ConverterSeal | null;
  /** Why documents of a batch are not converted together, which would be faster; null if they are, or not tested. */
  readonly notJoined: string | null;
  /** The folder for temporary files. */
  readonly tempDir: string;
}

/** Tries the modes with a small document until one works, and reports what this machine supports. */
export async function diagnose(options: LibreOfficeOptions = {}): Promise<Diagnosis> {
  const tempDir = options.tempDir ?? (await defaultTempDir());
  const { mode = "auto", sofficePath } = options;
  const found = await findOffice({ mode, sofficePath }).catch(() => null); // tryOut reports the reason
  if (mode === "wasm" || found?.mode === "wasm") {
    const { problem, seal } = await tryOut({ ...options, mode: "wasm" });
    const works = problem === null ? "wasm" : null;
    return { mode: works, problem, isolation: "webassembly", seal, notJoined: null, tempDir };
  }
  const isolation = networkIsolation();
  const warm = await tryOut({ ...options, mode: "warm" });
  if (warm.problem === null) return { mode: "warm", ...warm, isolation, tempDir };
  const fresh = await tryOut({ ...options, mode: "fresh" });
  const works = fresh.problem === null ? "fresh" : null;
  return { ...fresh, mode: works, problem: warm.problem, isolation, tempDir };
}

/** The first document of a group is converted alone, and the others are enough for a proof. */
const JOINED_DOCUMENTS = 24;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const SECTION = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>';

/** Converts small documents of one group. Returns why they were not converted together; null if they were. */
async function tryJoining(converter: LibreOfficeConverter): Promise<string | null> {
  // Loaded on demand, so that a process that only answers requests does not load what reads documents.
  const { openDocx } = await import("@quire/ooxml");
  const docx = openDocx(CANARY, { rendered: true });
  const text = DECLARATION + docx.readText(docx.mainPart).replace("<w:sectPr/>", SECTION);
  const documents = Array.from({ length: JOINED_DOCUMENTS }, (_, index) =>
    docx.write(new Map([[docx.mainPart, text.replace("Ready", `Ready ${index}`)]])),
  );
  const options = { rendered: true, group: "doctor" };
  try {
    await Promise.all(documents.map((each) => converter.convert(each, options)));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { joined, refused } = converter.joining();
  return joined > 0 ? null : (Object.keys(refused)[0] ?? "joining is off");
}

interface TriedOut {
  readonly problem: string | null;
  readonly seal: ConverterSeal | null;
  readonly notJoined: string | null;
}

async function tryOut(options: LibreOfficeOptions): Promise<TriedOut> {
  const converter = sealedConverter({ ...options, lanes: 1 }, SEALED);
  try {
    await converter.convert(CANARY);
    const notJoined = options.mode === "warm" ? await tryJoining(converter) : null;
    return { problem: null, seal: converter.seal(), notJoined };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const cause = isQuireError(error) && error.cause instanceof Error ? error.cause : null;
    const detail = cause?.cause instanceof Error ? ` (${cause.cause.message.slice(-500)})` : "";
    return { problem: reason + detail, seal: converter.seal(), notJoined: null };
  } finally {
    await converter.close();
  }
}
