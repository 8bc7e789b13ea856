import {
  boundedDiagnostics,
  type ConverterSeal,
  cutSentence,
  cutText,
  type Diagnostic,
  type PdfOptions,
} from "@quire/contracts";
import type { LaunchLimits } from "../office/launch.ts";
import type { Enclosure } from "../office/readable.ts";
import type { Seal } from "../office/seal.ts";

/**
 * Exit code of a lane's process that cannot continue for a reason unrelated to the document: its folder was deleted,
 * or the disk is full.
 */
export const LOST_EXIT_CODE = 3;

/**
 * How a lane converts: with a LibreOffice that keeps running, with a new one for each document, or with WebAssembly.
 */
export type LaneMode = "warm" | "fresh" | "wasm";

/** Start options of a lane's process. */
export interface LaneStart {
  readonly mode: LaneMode;
  /** The lane's private folder, within the converter's. */
  readonly folder: string;
  /** The unique name of the pipe to the lane's LibreOffice. Has only letters and digits. */
  readonly pipe: string;
  /** A profile to copy; with `wasm`, the folder from which the program is loaded. */
  readonly profile: string;
  /** Path of the program; with `wasm`, the folder of its package. */
  readonly soffice: string;
  /** Folders with fonts in addition to the system's, for `wasm`. In other modes, the environment names them. */
  readonly fontFolders: readonly string[];
  /** The files that LibreOffice can see in addition to the lane's folder; null for all files. */
  readonly enclosure: Enclosure | null;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
}

/** A document for a lane to convert. */
export interface LaneDocument {
  readonly bytes: Uint8Array;
  /** Whether `Template.render` produced it. */
  readonly rendered: boolean;
}

/** A request from the supervisor to a lane's process; one at a time. */
export interface ConvertRequest {
  readonly documents: readonly LaneDocument[];
  readonly pdf: PdfOptions;
  readonly fonts: "off" | "warn" | "strict";
  /** The group of the documents, if they may be converted together; null to convert each document alone. */
  readonly group: string | null;
  /** For a group: the structural forms that another lane has proven, see `JoinTrust`. */
  readonly proven: readonly number[];
}

/** The result for one document. */
export type DocumentReply =
  /**
   * The document was not converted, because the lane's LibreOffice has loaded fonts of other documents, which this one
   * could show, or because LibreOffice failed with an earlier document. Another lane must convert the document.
   */
  | { readonly type: "elsewhere" }
  /**
   * The document was not converted, because it cannot be joined with the others of the request, which were. If it were
   * converted in the same request and LibreOffice failed, the results of the others would be lost.
   */
  | { readonly type: "alone" }
  | {
      readonly type: "converted";
      readonly bytes: Uint8Array;
      readonly pages: number;
      readonly warnings: readonly Diagnostic[];
      /** Whether it was converted together with other documents. */
      readonly joined: boolean;
    }
  | {
      readonly type: "failed";
      /** What LibreOffice did, as the rest of a sentence; with `refused`, the problem with the document. */
      readonly problem: string;
      /** Whether the document was rejected before it was passed to LibreOffice. */
      readonly refused: boolean;
      /** Output or an error message, for the cause of the error. Must not be in the error's own message. */
      readonly detail: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** A message from a lane's process: `ready` or `broken` once, then one `done` for each request. */
export type LaneReply =
  | {
      readonly type: "ready";
      /** The process id of the LibreOffice that keeps running, or null. */
      readonly officePid: number | null;
      /** Version of the LibreOffice that keeps running. */
      readonly version: string | null;
      /** A hash of the available fonts; null if they could not be listed. */
      readonly fonts: string | null;
      readonly seal: Pick<ConverterSeal, "cleaned" | "hardened">;
    }
  | { readonly type: "broken"; readonly problem: string; readonly detail: string }
  | {
      readonly type: "done";
      readonly documents: readonly DocumentReply[];
      /** Memory that LibreOffice uses, in MiB; 0 if unknown. With `wasm`, only memory beyond the initial use counts. */
      readonly residentMb: number;
      /** The reason why documents of the group should no longer be sent together; null if they may be. */
      readonly refused: string | null;
      /** The structural forms of the group that this request has proven. */
      readonly proven: readonly number[];
    };

/** Maximum length of output or an error, in characters. */
const MAX_DETAIL = 4_000;

/** Shortens the messages of a reply to the limits of a job. */
export function boundedReply(reply: DocumentReply): DocumentReply {
  switch (reply.type) {
    case "elsewhere":
    case "alone":
      return reply;
    case "converted":
      return { ...reply, warnings: boundedDiagnostics(reply.warnings) };
    case "failed":
      return {
        ...reply,
        problem: cutSentence(reply.problem),
        detail: cutText(reply.detail, MAX_DETAIL),
        diagnostics: boundedDiagnostics(reply.diagnostics),
      };
  }
}
