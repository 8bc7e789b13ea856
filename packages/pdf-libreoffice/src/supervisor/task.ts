import type { PdfOptions, QuireError, Sharer } from "@quire/core/host";
import type { DocumentReply, LaneDocument } from "../process/messages.ts";

/** What becomes of a document in the end. */
export type FinalReply = Exclude<DocumentReply, { type: "elsewhere" }>;

/** One document that waits for a lane or is in one. */
export interface Task {
  readonly document: LaneDocument;
  readonly pdf: PdfOptions;
  /** A hash of the document. */
  readonly hash: string;
  /** Tasks with the same one may be converted together; null: by itself. */
  readonly group: string | null;
  /** The same for all tasks of a group. */
  readonly sharer: Sharer;
  /** Nobody wants the result any more when it is aborted. */
  readonly signal: AbortSignal;
  resolve(reply: FinalReply): void;
  reject(error: QuireError): void;
}
