import { Buffer } from "node:buffer";
import { boundedDiagnostics, QuireError } from "@quire/contracts";
import type { Template } from "@quire/docx/internal/compile-template";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import { withMetadata } from "@quire/pdf/internal/metadata/metadata";
import { findText } from "@quire/pdf/internal/search/find-text";
import type { PageStamp } from "@quire/pdf/internal/stamp/page-stamp";
import { stampPages } from "@quire/pdf/internal/stamp/stamp";
import type {
  DocumentTask,
  Held,
  PdfTask,
  readFacts,
  readPlaces,
  TemplateTask,
} from "../protocol/document-task.ts";
import type { RenderedDocument, TemplateFacts } from "../protocol/renderer.ts";
import { checkDocument, isForm, type RenderingOptions, renderDocument } from "./render-document.ts";

/** Maximum size in bytes of the JSON result of an inspection. */
const MAX_FACTS_BYTES = 16_000_000;

/**
 * Performs a task, in any process. A check returns no bytes. {@link readFacts} parses the bytes of an inspection, and
 * {@link readPlaces} parses the bytes of a search.
 */
export async function performTask(
  task: DocumentTask,
  held: Held,
  data: RenderData,
  options: RenderingOptions,
): Promise<RenderedDocument> {
  if ("pdf" in held) {
    return { bytes: await performOnPdf(task as PdfTask, held.pdf, data), warnings: [] };
  }
  return performOnTemplate(task as TemplateTask, held, data, options);
}

async function performOnPdf(task: PdfTask, pdf: Uint8Array, data: object): Promise<Uint8Array> {
  switch (task) {
    case "metadata":
      return withMetadata(pdf, data);
    case "stamp":
      return stampPages(pdf, data as PageStamp);
    case "find": {
      const { sentinels } = data as { readonly sentinels: readonly string[] };
      return Buffer.from(JSON.stringify(await findText(pdf, sentinels)));
    }
  }
}

async function performOnTemplate(
  task: TemplateTask,
  template: Template,
  data: RenderData,
  options: RenderingOptions,
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

/** Limits the warnings of a document, because they may be sent to another process. */
function bounded(document: RenderedDocument): RenderedDocument {
  if (document.warnings.length === 0) return document;
  return { ...document, warnings: boundedDiagnostics(document.warnings) };
}

function tooManyFacts(): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The tags of the template and the schema of its data take more than ${MAX_FACTS_BYTES / 1e6} MB, so they cannot be listed. Use fewer or shorter tags.`,
  );
}

function factsOf(template: Template): TemplateFacts {
  const pages = isForm(template) ? { pages: template.pages } : {};
  return { tags: template.tags, schema: template.schema(), warnings: template.warnings, ...pages };
}
