import { Buffer } from "node:buffer";
import { boundedDiagnostics } from "../bounded-diagnostics.ts";
import type { Template } from "../docx/compile-template.ts";
import type { RenderData } from "../docx/program/scope.ts";
import { QuireError } from "../errors.ts";
import type { DocumentTask, readFacts } from "./document-task.ts";
import { checkDocument, isForm, renderDocument } from "./render-document.ts";
import type { DocumentOptions, RenderedDocument, TemplateFacts } from "./renderer.ts";

/** What an inspection gives is no longer than this, as JSON: nobody could read it. */
const MAX_FACTS_BYTES = 16_000_000;

/**
 * Does what is asked for, in whatever process. What comes back of a check has no bytes; of an inspection,
 * those that {@link readFacts} reads.
 */
export async function performTask(
  task: DocumentTask,
  template: Template,
  data: RenderData,
  options: DocumentOptions,
): Promise<RenderedDocument> {
  switch (task) {
    case "render":
      return bounded(await renderDocument(template, data, options));
    case "check":
      return bounded({
        bytes: new Uint8Array(),
        ...(await checkDocument(template, data, options)),
      });
    case "inspect": {
      const { warnings, ...facts } = factsOf(template);
      const bytes = Buffer.from(JSON.stringify(facts));
      if (bytes.length > MAX_FACTS_BYTES) throw tooManyFacts();
      return bounded({ bytes, warnings });
    }
  }
}

/** The warnings of a document stay within the bound of a job before they go to another process. */
function bounded(document: RenderedDocument): RenderedDocument {
  if (document.warnings.length === 0) return document;
  return { ...document, warnings: boundedDiagnostics(document.warnings) };
}

function tooManyFacts(): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The tags of the template and the schema of its data take more than ${MAX_FACTS_BYTES / 1e6} MB, so that they cannot be listed. Make its tags shorter, or fewer.`,
  );
}

function factsOf(template: Template): TemplateFacts {
  const pages = isForm(template) ? { pages: template.pages } : {};
  return { tags: template.tags, schema: template.schema(), warnings: template.warnings, ...pages };
}
