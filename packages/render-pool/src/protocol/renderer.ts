import type { Diagnostic, PdfMetadata } from "@quire/contracts";
import type { CompileOptions, RenderOptions } from "@quire/docx/internal/compile-options";
import type { RenderResult } from "@quire/docx/internal/compile-template";
import type { JsonSchema } from "@quire/docx/internal/inspect/schema";
import type { TemplateTag } from "@quire/docx/internal/inspect/tags";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import type { PrepareOptions } from "@quire/docx/internal/values/image/prepare-images";
import type { TextPlace } from "@quire/pdf/internal/search/find-text";
import type { PageStamp } from "@quire/pdf/internal/stamp/page-stamp";

/** Options for rendering one document, including access to the files that its data refers to. */
export interface DocumentOptions extends Omit<RenderOptions, "images"> {
  /**
   * Reads the images `{type: "file", id}` in the data. Without this function, such a value is reported as a problem.
   */
  readonly readFile?: PrepareOptions["readFile"];
  /** The metadata of a filled PDF form, as `withMetadata` sets it. Ignored for a Word file. */
  readonly metadata?: PdfMetadata | undefined;
  /** Cancels the document, which then immediately rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Allows a renderer with processes to stop the document if it has been running for long and other documents wait. The
   * document then rejects with a {@link preemptedError}. Default false.
   */
  readonly preemptible?: boolean | undefined;
  /**
   * Called when the document is about to begin. If it returns false, the document does not begin and rejects with a
   * {@link preemptedError}. Default: every document begins.
   */
  readonly mayBegin?: (() => boolean) | undefined;
  /**
   * Called when a process is ready for the document. The document is begun when the promise resolves; if it rejects,
   * the document rejects with that error. Not for `check`. Default: the document is begun at once.
   */
  readonly onBegin?: (() => Promise<void>) | undefined;
}

/** A rendered document. */
export interface RenderedDocument extends RenderResult {
  /** Number of pages of a filled PDF form. Absent for a `.docx`, whose number of pages depends on the layout. */
  readonly pages?: number;
}

/** The result of {@link OpenTemplate.render}, without the document. */
export type DocumentCheck = Omit<RenderedDocument, "bytes">;

/** Properties of a template that do not depend on data. */
export interface TemplateFacts {
  /** Every tag in document order, with the paths in the data that it uses. */
  readonly tags: readonly TemplateTag[];
  /** The JSON Schema (draft 2020-12) of the data that the template expects. */
  readonly schema: JsonSchema;
  /** Reports of content that was removed because no document may contain it, such as macros and remote links. */
  readonly warnings: readonly Diagnostic[];
  /** Number of pages of a PDF form; absent for a Word file. */
  readonly pages?: number;
}

/** Options for compiling a template, and its owner. */
export interface OpenOptions extends CompileOptions {
  /**
   * The tenant that owns the template. Each tenant gets a fair share of the renderer's time, so that many or slow
   * documents of one tenant do not delay other tenants. Nothing that is cached for one tenant is used for another.
   * Default `""`: one tenant for all templates.
   */
  readonly tenant?: string | undefined;
  /** The weight of the tenant's share: a tenant of weight 2 gets twice the time of a tenant of weight 1. Default 1. */
  readonly weight?: number | undefined;
  /**
   * Reads the same bytes again. May be called at any time. If set, `readTemplate` must also always return the same
   * bytes. With this function, a renderer with processes does not keep large files, but reads them again for each
   * process.
   */
  readonly readAgain?: (() => Promise<Uint8Array>) | undefined;
}

/** A template in a renderer. It does not need to be closed. */
export interface OpenTemplate {
  /**
   * Renders one document, byte for byte like `prepareImages` and `Template.render`, or fills a PDF form like
   * `PdfForm.render`. `data` is an object, or the bytes of its JSON. Any number of calls may run at the same time.
   *
   * Rejects with the errors of these functions and of `compileTemplate` or `compilePdfForm`. If the template is
   * invalid, each document rejects with the same error. A renderer with limits also rejects with `timeout`,
   * `limit_exceeded` and `render_failed`, without affecting other documents. A renderer that is closed or cannot run
   * rejects with `unavailable`.
   */
  render(data: RenderData | Uint8Array, options?: DocumentOptions): Promise<RenderedDocument>;

  /**
   * Like {@link render}, with the same errors and warnings, but does not create a document. It cannot report errors
   * that only occur when the document is created, such as insufficient memory.
   */
  check(data: RenderData | Uint8Array, options?: DocumentOptions): Promise<DocumentCheck>;

  /** Describes the data that the template expects. Rejects like {@link render} if the template is invalid. */
  inspect(options?: Pick<DocumentOptions, "signal">): Promise<TemplateFacts>;
}

/**
 * A PDF in a renderer. It does not need to be closed. Each method rejects with the errors of the function with the same
 * name, and with `timeout`, `limit_exceeded`, `render_failed` and `unavailable`, like {@link OpenTemplate.render}.
 */
export interface OpenPdf {
  /** Returns the PDF with this metadata; see `withMetadata`. */
  withMetadata(
    metadata: PdfMetadata,
    options?: Pick<DocumentOptions, "signal">,
  ): Promise<Uint8Array>;
  /** Returns the PDF with the stamp on its pages; see `stampPages`. */
  stampPages(stamp: PageStamp, options?: Pick<DocumentOptions, "signal">): Promise<Uint8Array>;
  /** Finds the positions of these strings; see `findText`. Does not change the PDF. */
  findText(
    sentinels: readonly string[],
    options?: Pick<DocumentOptions, "signal">,
  ): Promise<TextPlace[]>;
}

/** Reads and changes untrusted PDFs that are not templates. */
export interface PdfReader {
  /** Opens a PDF and copies the bytes. The PDF is parsed when the first task begins. */
  openPdf(bytes: Uint8Array): OpenPdf;
}

/** Renders documents. Created by {@link renderPool} or {@link renderInProcess}. */
export interface Renderer {
  /**
   * Opens a template: a Word file, or a PDF with form fields. It is compiled once for all its documents, in each
   * process that renders them. The templates that it includes are read once. The bytes are copied.
   */
  open(bytes: Uint8Array, options?: OpenOptions): OpenTemplate;

  /**
   * Rejects new documents, finishes the accepted ones and ends all processes. May be called more than once. An engine
   * closes the renderer that was passed to it.
   */
  close(): Promise<void>;
}
