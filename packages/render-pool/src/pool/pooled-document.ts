import type { Sharer } from "@quire/contracts";
import type { RenderData } from "@quire/docx/internal/render/evaluate/scope";
import type { DocumentTask } from "../protocol/document-task.ts";
import type { DocumentOptions, RenderedDocument } from "../protocol/renderer.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/** A task that the pool has accepted: a document to render, or another {@link DocumentTask}. */
export interface PooledDocument {
  readonly task: DocumentTask;
  readonly template: PooledTemplate;
  /** The tenant and flow of the template. */
  readonly sharer: Sharer;
  readonly data: RenderData | Uint8Array;
  readonly options: DocumentOptions;
  /** Resolves the caller's promise. Later calls have no effect. */
  resolve(result: RenderedDocument): void;
  reject(error: unknown): void;
  /** Whether the caller's promise is settled. */
  isSettled: boolean;
  /** Number of processes that ended while they worked on this task. */
  ends: number;
}
