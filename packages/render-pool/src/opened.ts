import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import {
  type PdfTask,
  readFacts,
  readPlaces,
  type TemplateTask,
} from "./protocol/document-task.ts";
import type {
  DocumentOptions,
  OpenPdf,
  OpenTemplate,
  RenderedDocument,
} from "./protocol/renderer.ts";

/** Performs a task on a file that was passed to a renderer. */
type Perform<Task, Data> = (
  task: Task,
  data: Data,
  options?: DocumentOptions,
) => Promise<RenderedDocument>;

/** Returns an open template that performs each task with `perform`. */
export function openedTemplate(
  perform: Perform<TemplateTask, RenderData | Uint8Array>,
): OpenTemplate {
  return {
    render: (data, options) => perform("render", data, options),
    check: async (data, options) => {
      const { bytes: _, ...checked } = await perform("check", data, options);
      return checked;
    },
    inspect: async (options) => readFacts(await perform("inspect", {}, options)),
  };
}

/** Returns an open PDF that performs each task with `perform`. */
export function openedPdf(perform: Perform<PdfTask, RenderData>): OpenPdf {
  return {
    withMetadata: async (metadata, options) =>
      (await perform("metadata", { ...metadata }, options)).bytes,
    stampPages: async (stamp, options) => (await perform("stamp", { ...stamp }, options)).bytes,
    findText: async (sentinels, options) =>
      readPlaces(await perform("find", { sentinels }, options)),
  };
}
