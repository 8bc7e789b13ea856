import type { PdfOptions, QuireError, Sharer } from "@quire/contracts";
import type { DocumentReply, LaneDocument } from "../process/messages.ts";

/** The final result of a document. */
export type FinalReply = Exclude<DocumentReply, { type: "elsewhere" | "alone" }>;

/** Whether LibreOffice failed with the document. */
export function isFailure(reply: DocumentReply): boolean {
  return reply.type === "failed" && !reply.refused;
}

/** A document that waits for a lane or is in one. */
export interface Task {
  readonly document: LaneDocument;
  readonly pdf: PdfOptions;
  /** A hash of the tenant and the document. */
  readonly hash: string;
  /** Tasks of the same group may be converted together; null for a task that must be converted alone. */
  readonly group: string | null;
  /** The same for all tasks of a group. */
  readonly sharer: Sharer;
  /** Whether the task may be stopped when it takes long and others wait. */
  readonly preemptible: boolean;
  /** As in `ConvertOptions`. */
  readonly onBegin?: (() => Promise<void>) | undefined;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  resolve(reply: FinalReply): void;
  reject(error: QuireError): void;
}
