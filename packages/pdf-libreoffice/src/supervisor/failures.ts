import { type ConverterSeal, isQuireError, QuireError } from "@quire/core/host";
import type { DocumentReply } from "../process/messages.ts";
import { LaneFailure } from "./lane.ts";

/** The errors that a conversion rejects with. */

/** What is said of a document that a lane forgot. */
export const NO_REPLY: DocumentReply = {
  type: "failed",
  refused: false,
  problem: "gave no answer",
  detail: "",
  diagnostics: [],
};

export function closedError(): QuireError {
  return new QuireError(
    "unavailable",
    "The converter is closed and takes no more documents. Create another one with libreOffice().",
  );
}

export function tooManyWaiting(limit: number): QuireError {
  return new QuireError(
    "unavailable",
    `${limit} documents wait for LibreOffice already. Try again later, use more lanes, or raise maxWaiting.`,
    { retryable: true },
  );
}

export function stillWaiting(limitMs: number): QuireError {
  return new QuireError(
    "unavailable",
    `The document waited ${limitMs} ms for a free LibreOffice. Try again later, use more lanes, or raise maxWaitMs.`,
    { retryable: true },
  );
}

export function conversionTimeout(limitMs: number): QuireError {
  return new QuireError(
    "timeout",
    `The conversion took longer than ${limitMs} ms and was ended. Make the document smaller or ` +
      "less deeply nested, or give it more time: --deadline on the command line, deadlineMs in a program.",
    { retryable: true },
  );
}

/** Why no lane came up. */
export function notStarted(cause: unknown): QuireError {
  if (isQuireError(cause)) return cause;
  return new QuireError(
    "unavailable",
    `LibreOffice ${cause instanceof LaneFailure ? cause.message : "could not be started"}. ` +
      "Its own words are in the cause; `quire doctor` looks for the reason.",
    { cause, retryable: true },
  );
}

/** Fewer layers of the seal hold than must. */
export function weaklySealed(seal: ConverterSeal, least: number): QuireError {
  const held = heldLayers(seal);
  return new QuireError(
    "unavailable",
    `No PDF is made here: of the three layers around LibreOffice ${held.length} hold${held.length === 1 ? "s" : ""} ` +
      `(${held.join(", ") || "none"}), and ${least} must. \`quire doctor\` reports the missing ones and the remedies. To ` +
      "accept the risk, set --seal-layers 1 (QUIRE_SEAL_LAYERS) for quire serve, or leastLayers in a program.",
  );
}

/** The layers of the seal that hold, in words. */
export function heldLayers({ cleaned, hardened, network, files }: ConverterSeal): string[] {
  return [
    ...(cleaned ? ["documents are cleaned"] : []),
    ...(hardened ? ["links are not followed"] : []),
    ...(network && files ? ["neither network nor files of others"] : []),
  ];
}

/** `cause`: how the last lane ended. */
export function lanesLost(cause: Error): QuireError {
  return new QuireError(
    "unavailable",
    "The document could not be converted: each LibreOffice that had it was stopped from outside or lost " +
      "its folder. See that nothing else ends them and that the folder for temporary files has room, then try again.",
    { cause, retryable: true },
  );
}

/** `cause`: how the lane ended, when it did just now. */
export function refusedForGood(cause?: Error): QuireError {
  const message =
    "The document could not be converted: LibreOffice crashed or stood still with it twice, so it is " +
    "not tried again. It may need more memory than memoryLimitMb allows. Open the .docx in Word or LibreOffice to see what is special about it.";
  const diagnostics = [{ severity: "error", code: "poison", message }] as const;
  const options = { diagnostics, ...(cause === undefined ? {} : { cause }) };
  return new QuireError("conversion_failed", message, options);
}

/** The error for a document of which there is no PDF. */
export function conversionFailed(reply: Extract<DocumentReply, { type: "failed" }>): QuireError {
  const { problem, refused, detail, diagnostics } = reply;
  if (refused) {
    return new QuireError(
      "conversion_failed",
      `The document was not given to LibreOffice: ${problem}`,
      { diagnostics },
    );
  }
  return new QuireError(
    "conversion_failed",
    `The document could not be converted: LibreOffice ${problem}. Open the .docx in Word or ` +
      "LibreOffice to see whether it is sound; what LibreOffice printed is in the cause.",
    { diagnostics, cause: new Error(detail === "" ? "LibreOffice printed nothing." : detail) },
  );
}
