import { isQuireError } from "@quire/core";
import { sealedConverter } from "./converter.ts";
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
  /** How LibreOffice is kept off the network. */
  readonly isolation: NetworkIsolation;
  /** Where its temporary files go. */
  readonly tempDir: string;
}

/** Converts a small document in each way until one works, and tells what this machine lets us do. */
export async function diagnose(options: LibreOfficeOptions = {}): Promise<Diagnosis> {
  const facts = {
    isolation: networkIsolation(),
    tempDir: options.tempDir ?? (await defaultTempDir()),
  };
  const warm = await problemOf({ ...options, mode: "warm" });
  if (warm === null) return { mode: "warm", problem: null, ...facts };
  const fresh = await problemOf({ ...options, mode: "fresh" });
  return { mode: fresh === null ? "fresh" : null, problem: warm, ...facts };
}

async function problemOf(options: LibreOfficeOptions): Promise<string | null> {
  const converter = sealedConverter({ ...options, lanes: 1 }, SEALED);
  try {
    await converter.convert(CANARY);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const cause = isQuireError(error) && error.cause instanceof Error ? error.cause : null;
    const detail = cause?.cause instanceof Error ? ` (${cause.cause.message.slice(-500)})` : "";
    return reason + detail;
  } finally {
    await converter.close();
  }
}
