import {
  boundedDiagnostics,
  type ConverterSeal,
  cutSentence,
  cutText,
  type Diagnostic,
  type PdfOptions,
} from "@quire/core/host";
import type { LaunchLimits } from "../office/launch.ts";
import type { Enclosure } from "../office/readable.ts";
import type { Seal } from "../office/seal.ts";

/**
 * With this code a lane's process ends that cannot go on, whatever the document: its folder is gone, or the
 * disk is full.
 */
export const LOST_EXIT_CODE = 3;

/** How a lane converts: with a LibreOffice that stays, with one for each document, or with one as WebAssembly. */
export type LaneMode = "warm" | "fresh" | "wasm";

/** With what a lane's process is started. */
export interface LaneStart {
  readonly mode: LaneMode;
  /** The lane's private folder, within the converter's. */
  readonly folder: string;
  /** The name of the pipe to its LibreOffice: letters and digits that nobody else uses. */
  readonly pipe: string;
  /** A profile to copy; with `wasm`, the folder from which the program is loaded. */
  readonly profile: string;
  /** The program; with `wasm`, the folder of its package. */
  readonly soffice: string;
  /** Folders with fonts beside the system's, for `wasm`: the others have them from their environment. */
  readonly fontFolders: readonly string[];
  /** All that LibreOffice sees of the files beside the lane's folder; null: everything. */
  readonly enclosure: Enclosure | null;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
}

/** A document that a lane is to convert. */
export interface LaneDocument {
  readonly bytes: Uint8Array;
  /** Whether it comes from `Template.render`. */
  readonly rendered: boolean;
}

/** What the supervisor sends to a lane's process, one at a time. */
export interface ConvertRequest {
  readonly documents: readonly LaneDocument[];
  readonly pdf: PdfOptions;
  readonly fonts: "off" | "warn" | "strict";
  /** Which group they belong to, when they may be converted as one; null: each for itself. */
  readonly group: string | null;
}

/** What became of one document. */
export type DocumentReply =
  /**
   * Nothing: the lane holds fonts of other documents, which would show in this one, or its LibreOffice has failed
   * with a document before. Another lane must have it.
   */
  | { readonly type: "elsewhere" }
  | {
      readonly type: "converted";
      readonly bytes: Uint8Array;
      readonly pages: number;
      readonly warnings: readonly Diagnostic[];
    }
  | {
      readonly type: "failed";
      /** What LibreOffice did, as the rest of a sentence; or, with `refused`, what is wrong with the document. */
      readonly problem: string;
      /** Whether LibreOffice was not given the document at all. */
      readonly refused: boolean;
      /** What was printed or thrown: for the cause, not for the message. */
      readonly detail: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** What a lane's process sends: `ready` or `broken` once, then one `done` to each request. */
export type LaneReply =
  | {
      readonly type: "ready";
      /** The LibreOffice that stays; null when there is none. */
      readonly officePid: number | null;
      /** Of the LibreOffice that stays. */
      readonly version: string | null;
      /** A hash of the fonts that there are; null when they could not be listed. */
      readonly fonts: string | null;
      readonly seal: Pick<ConverterSeal, "cleaned" | "hardened">;
    }
  | { readonly type: "broken"; readonly problem: string; readonly detail: string }
  | {
      readonly type: "done";
      readonly documents: readonly DocumentReply[];
      /** What LibreOffice holds, in MiB; with `wasm`, beside what it held at first; 0 when that is not known. */
      readonly residentMb: number;
      /** Why documents of the group are not to come together any more; null when they may. */
      readonly refused: string | null;
    };

/** The most characters of output or an error that are sent. */
const MAX_DETAIL = 4_000;

/** Cuts the messages of a reply to the limits of a job. */
export function boundedReply(reply: DocumentReply): DocumentReply {
  switch (reply.type) {
    case "elsewhere":
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
