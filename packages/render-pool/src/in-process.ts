import {
  checkOptions,
  type OptionNames,
  preemptedError,
  throwIfAborted,
  unreadable,
} from "@quire/contracts";
import type { CompileOptions } from "@quire/docx/internal/compile-options";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import { assertFonts } from "@quire/docx/internal/values/image/fonts/font-set";
import { closedError } from "./closed-error.ts";
import { openedPdf, openedTemplate } from "./opened.ts";
import { readJsonData } from "./protocol/document-data.ts";
import type { DocumentTask, Held } from "./protocol/document-task.ts";
import type {
  DocumentOptions,
  PdfReader,
  RenderedDocument,
  Renderer,
} from "./protocol/renderer.ts";

/** Options of {@link renderInProcess}. */
export interface RenderInProcessOptions {
  /** Font files for the text of SVGs, as for `renderPool`. Default: none, and an SVG with text is a problem. */
  readonly svgFonts?: readonly Uint8Array[];
}

const NAMES: OptionNames<RenderInProcessOptions> = { svgFonts: true };

/**
 * Creates a renderer that works in the caller's process, for trusted templates and data. It starts no process and
 * copies no data to one. However, a slow document blocks everything else, and a document that needs too much memory
 * ends the process. There is no deadline.
 *
 * Throws `invalid_request` for an unknown option and for fonts that cannot be used.
 */
export function renderInProcess(given: RenderInProcessOptions = {}): Renderer & PdfReader {
  checkOptions("renderInProcess()", given, NAMES);
  const svgFonts = assertFonts(given.svgFonts ?? [], "svgFonts of renderInProcess()");
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  const perform = async (
    task: DocumentTask,
    held: Promise<Held>,
    data: RenderData | Uint8Array,
    options: DocumentOptions = {},
  ): Promise<RenderedDocument> => {
    if (isClosed) throw closedError("renderInProcess");
    throwIfAborted(options.signal);
    const performing = held.then(async (opened) => {
      try {
        if (options.mayBegin?.() === false) throw preemptedError(0);
        await options.onBegin?.();
        const { performTask } = await import("./process/perform-task.ts");
        const values = data instanceof Uint8Array ? readJsonData(data) : data;
        return await performTask(task, opened, values, { ...options, svgFonts });
      } catch (error) {
        throw unreadable(data, error);
      }
    });
    running.add(performing);
    try {
      return await performing;
    } finally {
      running.delete(performing);
    }
  };
  return {
    open(bytes, options) {
      const template = openCopy(new Uint8Array(bytes), options);
      // Each document reports whether the template is invalid. Without this handler, the rejection might be unhandled.
      template.catch(() => {});
      return openedTemplate((task, data, asked) => perform(task, template, data, asked));
    },
    openPdf(bytes) {
      const pdf = Promise.resolve({ pdf: new Uint8Array(bytes) });
      return openedPdf((task, data, options) => perform(task, pdf, data, options));
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}

/** Compiles a template. The compiler is loaded when it is first needed. */
async function openCopy(bytes: Uint8Array, options: CompileOptions | undefined): Promise<Held> {
  const { openTemplate } = await import("./process/open-template.ts");
  return openTemplate(bytes, options);
}
