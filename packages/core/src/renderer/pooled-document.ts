import type { RenderData } from "../docx/program/scope.ts";
import type { Sharer } from "../sharing/fair-line.ts";
import type { DocumentTask } from "./document-task.ts";
import type { PooledTemplate } from "./pooled-template.ts";
import type { DocumentOptions, RenderedDocument } from "./renderer.ts";

/** A document, or what is asked for in its place, from its acceptance to its end. */
export interface PooledDocument {
  readonly task: DocumentTask;
  readonly template: PooledTemplate;
  /** The template's. */
  readonly sharer: Sharer;
  readonly data: RenderData | Uint8Array;
  readonly options: DocumentOptions;
  /** Tells the caller; the first time only. */
  resolve(result: RenderedDocument): void;
  reject(error: unknown): void;
  /** Whether the caller has been told. */
  isSettled: boolean;
  /** How many processes ended while they rendered it. */
  ends: number;
}
