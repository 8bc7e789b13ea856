import { type ConverterSeal, isQuireError } from "@quire/contracts";
import { sealedConverter } from "./converter.ts";
import { findOffice } from "./find-office.ts";
import { type NetworkIsolation, networkIsolation } from "./office/launch.ts";
import { SEALED } from "./office/seal.ts";
import type { LibreOfficeOptions } from "./options.ts";
import { CANARY } from "./process/canary.ts";
import type { LaneMode } from "./process/messages.ts";
import { defaultTempDir } from "./supervisor/temp-workspace.ts";

/** What {@link diagnose} found on this machine. */
export interface Diagnosis {
  /** The mode that works on this machine; null if none does. */
  readonly mode: LaneMode | null;
  /** Why the fastest mode (`warm`, or `wasm` if that is used) does not work; null if it does. */
  readonly problem: string | null;
  /** How LibreOffice is isolated from the network. LibreOffice as WebAssembly has no network access at all. */
  readonly isolation: NetworkIsolation | "webassembly";
  /** The tested state of the seal; null if it could not be tested. */
  readonly seal: ConverterSeal | null;
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
