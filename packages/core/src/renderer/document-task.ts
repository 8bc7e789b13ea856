import { Buffer } from "node:buffer";
import type { Template } from "../docx/compile-template.ts";
import type { TextPlace } from "../pdf/find-text.ts";
import type { RenderedDocument, TemplateFacts } from "./renderer.ts";

/** What is asked of a template: a document, what rendering it would tell, or what it tells itself. */
export type TemplateTask = "render" | "check" | "inspect";

/** What is asked of a PDF, with its data: metadata, a stamp, or `{sentinels}`. */
export type PdfTask = "metadata" | "stamp" | "find";

export type DocumentTask = TemplateTask | PdfTask;

/** What a process holds under a number: a template that is compiled, or a PDF as it came. */
export type Held = Template | HeldPdf;

/** A PDF as it came. */
export interface HeldPdf {
  readonly pdf: Uint8Array;
}

/** The facts in what an inspection gave. */
export function readFacts({ bytes, warnings }: RenderedDocument): TemplateFacts {
  const facts = parsed<Omit<TemplateFacts, "warnings">>(bytes);
  return { ...facts, warnings };
}

/** The places in what a search gave. */
export function readPlaces({ bytes }: RenderedDocument): TextPlace[] {
  return parsed<TextPlace[]>(bytes);
}

function parsed<T>({ buffer, byteOffset, byteLength }: Uint8Array): T {
  const value: T = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString("utf8"));
  return value;
}
