import type { CompileOptions, RenderOptions } from "../docx/compile-options.ts";
import type { RenderResult } from "../docx/compile-template.ts";
import type { RenderData } from "../docx/program/scope.ts";
import type { PrepareOptions } from "../docx/values/image/prepare-images.ts";

/** How one document is rendered, and where the files come from that its data refer to. */
export interface DocumentOptions extends Omit<RenderOptions, "images"> {
  /** Reads the images `{type: "file", id}` of the data. Without it such a value is a problem. */
  readonly readFile?: PrepareOptions["readFile"];
  /** Gives the document up: it rejects with `aborted` at once. */
  readonly signal?: AbortSignal | undefined;
}

/** A document that was rendered. */
export interface RenderedDocument extends RenderResult {
  /** The number of pages of a filled PDF form; absent for a `.docx`, whose pages only a layout knows. */
  readonly pages?: number;
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
}

/** Where documents are rendered: {@link renderPool} or {@link renderInProcess}. */
export interface Renderer {
  /**
   * Takes a template: a Word file, or a PDF with form fields. It is compiled once for all its documents (in each process that renders them), and
   * what it includes is read once. The bytes are copied.
   */
  open(bytes: Uint8Array, options?: CompileOptions): OpenTemplate;

  /**
   * Refuses new documents, finishes the accepted ones and ends every process of its own. Closing twice
   * is not an error. The engine that was given a renderer closes it.
   */
  close(): Promise<void>;
}
