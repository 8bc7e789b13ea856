import { Buffer } from "node:buffer";
import type { Template } from "../docx/compile-template.ts";
import type { RenderData } from "../docx/program/scope.ts";
import { checkDocument, isForm, renderDocument } from "./render-document.ts";
import type { DocumentOptions, RenderedDocument, TemplateFacts } from "./renderer.ts";

/** What is asked for: a document, what rendering it would tell, or what the template itself tells. */
export type DocumentTask = "render" | "check" | "inspect";

/**
 * Does it, in whatever process. What comes back of a check has no bytes; of an inspection, those that
 * {@link readFacts} reads.
 */
export async function performTask(
  task: DocumentTask,
  template: Template,
  data: RenderData,
  options: DocumentOptions,
): Promise<RenderedDocument> {
  switch (task) {
    case "render":
      return renderDocument(template, data, options);
    case "check":
      return { bytes: new Uint8Array(), ...(await checkDocument(template, data, options)) };
    case "inspect": {
      const { warnings, ...facts } = factsOf(template);
      return { bytes: Buffer.from(JSON.stringify(facts)), warnings };
    }
  }
}

/** The facts in what an inspection gave. */
export function readFacts({ bytes, warnings }: RenderedDocument): TemplateFacts {
  const { buffer, byteOffset, byteLength } = bytes;
  const facts = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString("utf8"));
  return { ...facts, warnings };
}

function factsOf(template: Template): TemplateFacts {
  const pages = isForm(template) ? { pages: template.pages } : {};
  return { tags: template.tags, schema: template.schema(), warnings: template.warnings, ...pages };
}
