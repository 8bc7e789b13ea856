import type { Sharer } from "@quire/contracts";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import type { DataEncoding } from "../protocol/document-data.ts";
import type { DocumentTask } from "../protocol/document-task.ts";
import type { DocumentHead } from "../protocol/messages.ts";
import type { DocumentOptions, RenderedDocument } from "../protocol/renderer.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/** A task that the pool has accepted: a document to render, or another {@link DocumentTask}. */
export interface PooledDocument {
  readonly task: DocumentTask;
  readonly template: PooledTemplate;
  /** The tenant and flow of the template. */
  readonly sharer: Sharer;
  readonly data: RenderData | Uint8Array;
  readonly options: DocumentOptions & {
    /** The fonts for the text of SVGs. */
    readonly svgFonts: readonly Uint8Array[];
  };
  /** Whether `options.onBegin` has been called. */
  isAnnounced: boolean;
  /** Resolves the caller's promise. Later calls have no effect. */
  resolve(result: RenderedDocument): void;
  reject(error: unknown): void;
  /** Whether the caller's promise is settled. */
  isSettled: boolean;
  /** Number of processes that ended while they worked on this task. */
  ends: number;
}

/** Returns the head of the message that gives a document to a process. */
export function documentHead(
  { task, options }: PooledDocument,
  template: number,
  encoding: DataEncoding,
): DocumentHead {
  const {
    readFile,
    svgFonts,
    signal: _,
    preemptible: __,
    mayBegin: ___,
    onBegin: ____,
    ...rendering
  } = options;
  const canReadFiles = readFile !== undefined;
  return { ...rendering, task, template, encoding, canReadFiles, fontCount: svgFonts.length };
}

/**
 * Calls the document's `onBegin` the first time, and `begin` once it resolves. Returns false if the document can begin
 * now.
 */
export function announce(document: PooledDocument, begin: () => void): boolean {
  const { onBegin } = document.options;
  if (document.isAnnounced || onBegin === undefined) return false;
  document.isAnnounced = true;
  onBegin().then(() => {
    if (!document.isSettled) begin();
  }, document.reject);
  return true;
}
