import { Buffer } from "node:buffer";
import type { Template } from "@quire/docx/internal/compile-template";
import type { TextPlace } from "@quire/pdf/internal/search/find-text";
import { parseExactly } from "./exact-json.ts";
import type { RenderedDocument, TemplateFacts } from "./renderer.ts";

/** A task for a template: render a document, report the problems of rendering it, or list the tags and the schema. */
export type TemplateTask = "render" | "check" | "inspect";

/** A task for a PDF. The data of the task is the metadata, the stamp, or `{sentinels}`. */
export type PdfTask = "metadata" | "stamp" | "find";

export type DocumentTask = TemplateTask | PdfTask;

/** A compiled template, or a PDF that is not a template, in the memory of a process. */
export type Held = Template | HeldPdf;

/** The bytes of a PDF that is not a template. */
export interface HeldPdf {
  readonly pdf: Uint8Array;
}

/** Parses the result of an inspection. */
export function readFacts({ bytes, warnings }: RenderedDocument): TemplateFacts {
  const facts = parsed<Omit<TemplateFacts, "warnings">>(bytes);
  return { ...facts, warnings };
}

/** Parses the result of a search. */
export function readPlaces({ bytes }: RenderedDocument): TextPlace[] {
  return parsed<TextPlace[]>(bytes);
}

function parsed<T>({ buffer, byteOffset, byteLength }: Uint8Array): T {
  const value: T = parseExactly(Buffer.from(buffer, byteOffset, byteLength).toString("utf8")) as T;
  return value;
}
