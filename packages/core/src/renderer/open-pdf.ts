import type { RenderData } from "../docx/program/scope.ts";
import { type PdfTask, readPlaces } from "./document-task.ts";
import type { DocumentOptions, OpenPdf, RenderedDocument } from "./renderer.ts";

/** A PDF over what performs a task on it. */
export function openPdf(
  perform: (
    task: PdfTask,
    data: RenderData,
    options?: DocumentOptions,
  ) => Promise<RenderedDocument>,
): OpenPdf {
  return {
    withMetadata: async (metadata, options) =>
      (await perform("metadata", { ...metadata }, options)).bytes,
    stampPages: async (stamp, options) => (await perform("stamp", { ...stamp }, options)).bytes,
    findText: async (sentinels, options) =>
      readPlaces(await perform("find", { sentinels }, options)),
  };
}
