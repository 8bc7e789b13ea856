import type { CompileOptions, RenderOptions } from "../docx/compile-options.ts";
import type { RenderResult } from "../docx/compile-template.ts";
import type { JsonSchema } from "../docx/inspect/schema.ts";
import type { TemplateTag } from "../docx/inspect/tags.ts";
import type { RenderData } from "../docx/program/scope.ts";
import type { PrepareOptions } from "../docx/values/image/prepare-images.ts";
import type { Diagnostic } from "../errors.ts";
import type { TextPlace } from "../pdf/find-text.ts";
import type { PageStamp } from "../pdf/page-stamp.ts";
import type { PdfMetadata } from "../ports/converter.ts";

/** How one document is rendered, and where the files come from that its data refer to. */
export interface DocumentOptions extends Omit<RenderOptions, "images"> {
  /** Reads the images `{type: "file", id}` of the data. Without it such a value is a problem. */
  readonly readFile?: PrepareOptions["readFile"];
  /** For a PDF form, the metadata of the filled form, as `withMetadata` sets it. Ignored for a Word file. */
  readonly metadata?: PdfMetadata | undefined;
  /** Gives the document up: it rejects with `aborted` at once. */
  readonly signal?: AbortSignal | undefined;
}

/** A document that was rendered. */
export interface RenderedDocument extends RenderResult {
  /** The number of pages of a filled PDF form; absent for a `.docx`, whose pages only a layout knows. */
  readonly pages?: number;
}

/** What rendering a document would tell. */
export type DocumentCheck = Omit<RenderedDocument, "bytes">;

/** What is known of a template without data. */
export interface TemplateFacts {
  /** Every tag, in document order, with the places in the data that it names. */
  readonly tags: readonly TemplateTag[];
  /** The JSON Schema (draft 2020-12) of the data that the template wants. */
  readonly schema: JsonSchema;
  /** What was removed from the file because no document may carry it on: macros, remote links and the like. */
  readonly warnings: readonly Diagnostic[];
  /** The number of pages of a PDF form; absent for a Word file. */
  readonly pages?: number;
}

/** How a template is compiled, and for whom. */
export interface OpenOptions extends CompileOptions {
  /**
   * The tenant that owns it. Tenants share a renderer by the time that they have used, so that many or slow documents
   * of one tenant do not keep others waiting. Nothing cached for a template of one tenant is used for another. Default
   * `""`: one tenant for all.
   */
  readonly tenant?: string | undefined;
  /** The tenant's share: one of weight 2 gets twice the time of one of weight 1. Default 1. */
  readonly weight?: number | undefined;
  /**
   * Reads the same bytes again, at any time; `readTemplate` must then give the same bytes again, too. With it, a
   * renderer with processes does not keep long files, but reads them again for each process.
   */
  readonly readAgain?: (() => Promise<Uint8Array>) | undefined;
}

/** A template that a renderer was given. It needs not be closed. */
export interface OpenTemplate {
  /**
   * Renders one document, as `prepareImages` and `Template.render` do, byte for byte, or fills a PDF form, as
   * `PdfForm.render` does; `data` is an object,
   * or the bytes of its JSON text. May be called any number of times at once.
   *
   * Rejects what those and `compileTemplate` or `compilePdfForm` reject; when the template is wrong, each document with the
   * same error. A renderer with bounds of its own also rejects `timeout`, `limit_exceeded` and
   * `render_failed`, and that harms no other document; `unavailable` when it is closed or cannot run.
   */
  render(data: RenderData | Uint8Array, options?: DocumentOptions): Promise<RenderedDocument>;

  /**
   * All that {@link render} does and tells, but makes no document. Rejects what `render` rejects; what only
   * the making finds, such as that there is too little memory for it, stays unknown.
   */
  check(data: RenderData | Uint8Array, options?: DocumentOptions): Promise<DocumentCheck>;

  /** What the template asks for. Rejects like {@link render} when it is wrong. */
  inspect(options?: Pick<DocumentOptions, "signal">): Promise<TemplateFacts>;
}

/**
 * A PDF in a renderer. It does not have to be closed. Each method rejects with the errors of the function of the same
 * name, and the general ones of {@link OpenTemplate.render}.
 */
export interface OpenPdf {
  withMetadata(
    metadata: PdfMetadata,
    options?: Pick<DocumentOptions, "signal">,
  ): Promise<Uint8Array>;
  stampPages(stamp: PageStamp, options?: Pick<DocumentOptions, "signal">): Promise<Uint8Array>;
  findText(
    sentinels: readonly string[],
    options?: Pick<DocumentOptions, "signal">,
  ): Promise<TextPlace[]>;
}

/** Reads and changes untrusted PDFs that are not templates. */
export interface PdfReader {
  /** Takes a PDF and copies the bytes. It is not parsed before the first task. */
  openPdf(bytes: Uint8Array): OpenPdf;
}

/** Where documents are rendered: {@link renderPool} or {@link renderInProcess}. */
export interface Renderer {
  /**
   * Takes a template: a Word file, or a PDF with form fields. It is compiled once for all its documents (in each process that renders them), and
   * what it includes is read once. The bytes are copied.
   */
  open(bytes: Uint8Array, options?: OpenOptions): OpenTemplate;

  /**
   * Refuses new documents, finishes the accepted ones and ends every process of its own. Closing twice
   * is not an error. The engine that was given a renderer closes it.
   */
  close(): Promise<void>;
}
