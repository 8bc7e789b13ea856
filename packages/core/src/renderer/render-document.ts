import type { Template } from "../docx/compile-template.ts";
import type { RenderData } from "../docx/program/scope.ts";
import { prepareImages } from "../docx/values/image/prepare-images.ts";
import type { DocumentOptions, RenderedDocument } from "./renderer.ts";

/** Renders one document with the images of its data. The way of every document, in whatever process. */
export async function renderDocument(
  template: Template,
  data: RenderData,
  { readFile, signal, ...options }: DocumentOptions,
): Promise<RenderedDocument> {
  // Forms hold no pictures of the data.
  if ("pages" in template) return template.render(data, options);
  const images = await prepareImages(data, {
    ...(readFile === undefined ? {} : { readFile }),
    ...(signal === undefined ? {} : { signal }),
  });
  return template.render(data, { ...options, images });
}
