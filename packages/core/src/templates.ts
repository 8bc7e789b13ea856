import { copyBytes, type Diagnostic } from "@quire/contracts";
import type { AnnotateOptions } from "@quire/docx/internal/annotate/annotate";
import type { CompileOptions } from "@quire/docx/internal/compile-options";
import type { Template } from "@quire/docx/internal/compile-template";
import type {
  PreparedImages,
  PrepareOptions,
} from "@quire/docx/internal/values/image/prepare-images";

// The compiler is loaded with the first template: a program that only starts an engine never loads it.

/**
 * Compiles the bytes of a Word file (`.docx`, `.dotx`, `.docm`, `.dotm`) once, for any number of documents.
 * Rejects with `invalid_template` when the bytes are not a Word document or when tags have errors. `diagnostics`
 * then lists every problem of every part with its place. Rejects with `limit_exceeded` when the file is too
 * large. The bytes are copied. `Data`: see {@link Template}.
 */
export async function compileTemplate<Data extends object = object>(
  bytes: Uint8Array,
  options?: CompileOptions,
): Promise<Template<Data>> {
  const copy = copyBytes("compileTemplate()", bytes);
  const compiler = await import("@quire/docx/internal/compile-template");
  return compiler.compileTemplate(copy, options);
}

/**
 * Returns a copy of a template with a Word comment at each problem. A comment describes the problem and how to fix it.
 * It is anchored to the runs of the tag, or otherwise to the paragraph. The comment for a problem in an included
 * template is anchored where that template is included. In parts where Word allows no comments, such as headers, the
 * comment is anchored to the first paragraph of the body and says where the problem is. The template's own comments are
 * kept; comments of an earlier annotation are removed. Compiling the copy reports the same problems. As when compiling,
 * content that documents must not contain is removed. The same input gives the same bytes.
 *
 * Rejects with `invalid_template` when the bytes are not a Word document, and with `limit_exceeded` when they are too
 * large. The bytes are copied.
 */
export async function annotateTemplate(
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[],
  options?: AnnotateOptions,
): Promise<Uint8Array> {
  const copy = copyBytes("annotateTemplate()", bytes);
  const annotator = await import("@quire/docx/internal/annotate/annotate");
  return annotator.annotateTemplate(copy, diagnostics, options);
}

/**
 * Loads the files to which the data refers, draws its SVGs and decodes its WebP images, because rendering is
 * synchronous. A thread of this process draws and decodes, unless the option `rasterize` is set. A problem with an
 * image is reported only when the image is used. Rejects with `aborted`; with `limit_exceeded` for data that is too
 * large to search; with `invalid_request` for a font that cannot be used; with `timeout` for an image that takes 30 s;
 * and with retryable errors of a storage.
 */
export async function prepareImages(
  data: unknown,
  options: PrepareOptions,
): Promise<PreparedImages> {
  const [images, drawing] = await Promise.all([
    import("@quire/docx/internal/values/image/prepare-images"),
    import("@quire/render-pool/internal/drawing/lazy"),
  ]);
  return images.prepareImages(data, { rasterize: drawing.rasterize, ...options });
}
