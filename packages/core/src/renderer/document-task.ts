import { Buffer } from "node:buffer";
import type { RenderedDocument, TemplateFacts } from "./renderer.ts";

/** What is asked for: a document, what rendering it would tell, or what the template itself tells. */
export type DocumentTask = "render" | "check" | "inspect";

/** The facts in what an inspection gave. */
export function readFacts({ bytes, warnings }: RenderedDocument): TemplateFacts {
  const { buffer, byteOffset, byteLength } = bytes;
  const facts = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString("utf8"));
  return { ...facts, warnings };
}
