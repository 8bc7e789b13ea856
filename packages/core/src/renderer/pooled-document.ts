import type { RenderData } from "../docx/program/scope.ts";
import type { PooledTemplate } from "./pooled-template.ts";
import type { DocumentOptions, RenderedDocument } from "./renderer.ts";

/** A document from its acceptance to its end. */
export interface PooledDocument {
  readonly template: PooledTemplate;
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
