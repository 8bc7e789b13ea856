import { type ConverterSeal, isQuireError, QuireError } from "@quire/contracts";
import { folderTrouble } from "../office/machine-trouble.ts";
import type { DocumentReply } from "../process/messages.ts";
import { LaneFailure } from "./lane-failure.ts";

/** The errors that a conversion rejects with. */

/** The reply for a document that is missing from a lane's reply. */
export const NO_REPLY: DocumentReply = {
  type: "failed",
  refused: false,
  problem: "did not answer",
  detail: "",
  diagnostics: [],
};

export function closedError(): QuireError {
  return new QuireError(
    "unavailable",
    "The converter is closed and accepts no more documents. Create a new one with libreOffice().",
  );
}

export function tooManyWaiting(limit: number): QuireError {
  return new QuireError(
    "unavailable",
    `${limit} documents are already waiting for LibreOffice. Try again later, use more lanes, or raise maxWaiting.`,
    { retryable: true },
  );
}

export function stillWaiting(limitMs: number): QuireError {
  return new QuireError(
    "unavailable",
    `The document waited ${limitMs} ms for a free LibreOffice process. Try again later, use more lanes, or raise maxWaitMs.`,
    { retryable: true },
  );
}

export function conversionTimeout(limitMs: number): QuireError {
  return new QuireError(
    "timeout",
    `The conversion took longer than ${limitMs} ms and was stopped. Make the document smaller or ` +
      "less deeply nested, or allow more time: --deadline on the command line, deadlineMs in a program.",
    { retryable: true },
  );
}

/** Returns the error for a document that could not be sent to its lane. */
export function notSent(cause: unknown): QuireError {
  return new QuireError("internal", "The document could not be sent to LibreOffice.", { cause });
}

/** Returns the error for when no lane started. `tempDir`: the folder for temporary files. */
export function notStarted(cause: unknown, tempDir: string): QuireError {
  const trouble = folderTrouble(tempDir);
  if (trouble !== null) return folderUnusable(tempDir, trouble, cause);
  if (isQuireError(cause)) return cause;
  return new QuireError(
    "unavailable",
    `LibreOffice ${cause instanceof LaneFailure ? cause.message : "could not be started"}. ` +
      "Its output is in the cause. Run `quire doctor` to find the reason.",
    { cause, retryable: true },
  );
}

/** Returns the error for when the folder for temporary files cannot be used. `trouble`: see {@link folderTrouble}. */
export function folderUnusable(tempDir: string, trouble: string, cause: unknown): QuireError {
  return new QuireError(
    "unavailable",
    `LibreOffice cannot run at the moment: the folder for its temporary files, ${tempDir}, ${trouble}. Make room in it, ` +
      "or use another folder: TMPDIR on the command line, tempDir in a program. Then try again.",
    { cause, retryable: true },
  );
}

/** Returns the error for when fewer layers of the seal hold than required. */
export function weaklySealed(seal: ConverterSeal, least: number): QuireError {
  const held = heldLayers(seal);
  return new QuireError(
    "unavailable",
    `PDF conversion is disabled: ${held.length} of the three security layers around LibreOffice work${held.length === 1 ? "s" : ""} ` +
      `(${held.join(", ") || "none"}), but at least ${least} must. Run \`quire doctor\` to see which layers are missing and how to fix them. To ` +
      "accept the risk, set --seal-layers 1 (QUIRE_SEAL_LAYERS) for quire serve, or leastLayers in a program.",
  );
}

/** Describes the layers of the seal that hold. */
export function heldLayers({ cleaned, hardened, network, files }: ConverterSeal): string[] {
  return [
    ...(cleaned ? ["documents are cleaned"] : []),
    ...(hardened ? ["links are not followed"] : []),
    ...(network && files ? ["no network and no other files"] : []),
  ];
}

/** Returns the error for a document whose lanes were all stopped from outside. `cause` says how the last lane ended. */
export function lanesLost(cause: Error, tempDir: string): QuireError {
  const trouble = folderTrouble(tempDir);
  if (trouble !== null) return folderUnusable(tempDir, trouble, cause);
  return new QuireError(
    "unavailable",
    "The document could not be converted: each LibreOffice process that handled it was killed from outside or lost " +
      "its folder. Make sure that nothing kills LibreOffice and that the temporary folder has room, then try again.",
    { cause, retryable: true },
  );
}

/**
 * Returns the error for a document that is refused permanently. `cause` says how its lane ended, if that just happened.
 */
export function refusedForGood(cause?: Error): QuireError {
  const message =
    "The document could not be converted: LibreOffice crashed or hung on it twice, so it is " +
    "not retried. It may need more memory than memoryLimitMb allows. Open the .docx in Word or LibreOffice to look for the cause.";
  const diagnostics = [{ severity: "error", code: "poison", message }] as const;
  const options = { diagnostics, ...(cause === undefined ? {} : { cause }) };
  return new QuireError("conversion_failed", message, options);
}

/** Returns the error for a document that has no PDF. */
export function conversionFailed(reply: Extract<DocumentReply, { type: "failed" }>): QuireError {
  const { problem, refused, detail, diagnostics } = reply;
  if (refused) {
    return new QuireError(
      "conversion_failed",
      `The document was not passed to LibreOffice: ${problem}`,
      { diagnostics },
    );
  }
  return new QuireError(
    "conversion_failed",
    `The document could not be converted: LibreOffice ${problem}. Open the .docx in Word or ` +
      "LibreOffice to check whether it is intact. LibreOffice's output is in the cause.",
    { diagnostics, cause: new Error(detail === "" ? "LibreOffice printed nothing." : detail) },
  );
}
