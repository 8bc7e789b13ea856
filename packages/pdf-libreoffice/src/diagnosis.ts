import { type ConverterSeal, isQuireError } from "@quire/core/host";
import { sealedConverter } from "./converter.ts";
import { findOffice } from "./find-office.ts";
import { type NetworkIsolation, networkIsolation } from "./office/launch.ts";
import { SEALED } from "./office/seal.ts";
import type { LibreOfficeOptions } from "./options.ts";
import { CANARY } from "./process/canary.ts";
import type { LaneMode } from "./process/messages.ts";
import { defaultTempDir } from "./supervisor/workshop.ts";

/** What {@link diagnose} found on this machine. */
export interface Diagnosis {
  /** How documents are converted here; null when they are not. */
  readonly mode: LaneMode | null;
  /** Why not `warm`, when it is not. */
  readonly problem: string | null;
  /** How LibreOffice is kept off the network; as WebAssembly it knows of none. */
  readonly isolation: NetworkIsolation | "webassembly";
  /** What keeps documents in, as it was tried; null when nothing could be tried. */
  readonly seal: ConverterSeal | null;
  /** Where its temporary files go. */
  readonly tempDir: string;
}

/** Converts a small document in each way until one works, and tells what this machine lets us do. */
export async function diagnose(options: LibreOfficeOptions = {}): Promise<Diagnosis> {
  const tempDir = options.tempDir ?? (await defaultTempDir());
  const { mode = "auto", sofficePath } = options;
  const found = await findOffice({ mode, sofficePath }).catch(() => null); // why, is told below
  if (mode === "wasm" || found?.mode === "wasm") {
    const { problem, seal } = await tryOut({ ...options, mode: "wasm" });
    const works = problem === null ? "wasm" : null;
    return { mode: works, problem, isolation: "webassembly", seal, tempDir };
  }
  const isolation = networkIsolation();
  const warm = await tryOut({ ...options, mode: "warm" });
  if (warm.problem === null) return { mode: "warm", ...warm, isolation, tempDir };
  const fresh = await tryOut({ ...options, mode: "fresh" });
  const works = fresh.problem === null ? "fresh" : null;
  return { ...fresh, mode: works, problem: warm.problem, isolation, tempDir };
}

async function tryOut(
  options: LibreOfficeOptions,
): Promise<{ readonly problem: string | null; readonly seal: ConverterSeal | null }> {
  const converter = sealedConverter({ ...options, lanes: 1 }, SEALED);
  try {
    await converter.convert(CANARY);
    return { problem: null, seal: converter.seal() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const cause = isQuireError(error) && error.cause instanceof Error ? error.cause : null;
    const detail = cause?.cause instanceof Error ? ` (${cause.cause.message.slice(-500)})` : "";
    return { problem: reason + detail, seal: converter.seal() };
  } finally {
    await converter.close();
  }
}
