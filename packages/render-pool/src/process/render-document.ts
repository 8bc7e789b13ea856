import { QuireError } from "@quire/contracts";
import type { Template } from "@quire/docx/internal/compile-template";
import { throwIfInvalid } from "@quire/docx/internal/render/evaluate/context/document-diagnostics";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import {
  type PreparedImages,
  type PrepareOptions,
  prepareImages,
} from "@quire/docx/internal/values/image/prepare-images";
import type { PdfForm } from "@quire/pdf/internal/form/pdf-form";
import { withMetadata } from "@quire/pdf/internal/metadata/metadata";
import { metadataDate } from "@quire/pdf/internal/metadata/metadata-date";
import { rasterize } from "../drawing/lazy.ts";
import type { DocumentCheck, DocumentOptions, RenderedDocument } from "../protocol/renderer.ts";

/** Options of the caller and of the renderer. */
export interface RenderingOptions extends DocumentOptions {
  /** The fonts for the text of SVGs; undefined to draw no text. */
  readonly svgFonts?: PrepareOptions["fonts"] | undefined;
}

/** Renders one document with the images of its data. All documents are rendered by this function, in all processes. */
export async function renderDocument(
  template: Template,
  data: RenderData,
  given: RenderingOptions,
): Promise<RenderedDocument> {
  const { readFile, signal, svgFonts, metadata, options } = partsOf(given);
  if (isForm(template)) {
    const form = template.render(data, options);
    if (metadata === undefined) return form;
    return { ...form, bytes: await withMetadata(form.bytes, metadata) };
  }
  const images = await imagesOf(data, { readFile, signal, svgFonts, ...options });
  return template.render(data, { ...options, images });
}

/**
 * Like {@link renderDocument}, but does not create a document. Throws the same errors and returns the same warnings.
 */
export async function checkDocument(
  template: Template,
  data: RenderData,
  given: RenderingOptions,
): Promise<DocumentCheck> {
  const { readFile, signal, svgFonts, metadata, options } = partsOf(given);
  const pages = isForm(template) ? { pages: template.pages } : {};
  const images = isForm(template)
    ? undefined
    : await imagesOf(data, { readFile, signal, svgFonts, ...options });
  const warnings = template.check(data, { ...options, images });
  // If a limit is exceeded, rendering fails even if there are no other problems.
  const last = warnings.at(-1);
  if (last?.code === "limit_exceeded") throw new QuireError("limit_exceeded", last.message);
  throwIfInvalid(warnings, options.onMissing ?? "keep");
  if (isForm(template) && metadata !== undefined) metadataDate(metadata);
  return { warnings, ...pages };
}

/** Separates the options for the template from the options for this module. */
function partsOf({
  readFile,
  signal,
  svgFonts,
  metadata,
  preemptible: _,
  mayBegin: __,
  onBegin: ___,
  ...options
}: RenderingOptions) {
  return { readFile, signal, svgFonts, metadata, options };
}

/** Whether a template is a PDF form. A form has no images from the data. */
export function isForm(template: Template): template is PdfForm {
  return "pages" in template;
}

function imagesOf(
  data: RenderData,
  {
    readFile,
    limits,
    signal,
    svgFonts,
  }: Pick<RenderingOptions, "readFile" | "limits" | "signal" | "svgFonts">,
): Promise<PreparedImages> {
  return prepareImages(data, {
    rasterize,
    ...(readFile === undefined ? {} : { readFile }),
    ...(svgFonts === undefined ? {} : { fonts: svgFonts }),
    steps: limits?.steps,
    ...(signal === undefined ? {} : { signal }),
  });
}
