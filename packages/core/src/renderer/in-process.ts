import type { RenderData } from "../docx/program/scope.ts";
import { throwIfAborted } from "../errors.ts";
import { closedError } from "./closed-error.ts";
import { readJsonData } from "./document-data.ts";
import { type DocumentTask, readFacts } from "./document-task.ts";
import { openTemplate } from "./open-template.ts";
import { performTask } from "./perform-task.ts";
import type { DocumentOptions, RenderedDocument, Renderer } from "./renderer.ts";

/**
 * A renderer in the caller's own process, for templates and data that are trusted: nothing is started and
 * nothing is sent, but a document that takes long holds up everything else, and one that needs too much
 * memory ends the process. There is no deadline.
 */
export function renderInProcess(): Renderer {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    open(bytes, options) {
      const template = openTemplate(bytes, options);
      // Whether it is wrong is told document by document; nobody else may be listening.
      template.catch(() => {});
      const perform = async (
        task: DocumentTask,
        data: RenderData | Uint8Array,
        documentOptions: DocumentOptions = {},
      ): Promise<RenderedDocument> => {
        if (isClosed) throw closedError("renderInProcess");
        throwIfAborted(documentOptions.signal);
        const performing = template.then((compiled) =>
          performTask(
            task,
            compiled,
            data instanceof Uint8Array ? readJsonData(data) : data,
            documentOptions,
          ),
        );
        running.add(performing);
        try {
          return await performing;
        } finally {
          running.delete(performing);
        }
      };
      return {
        render: (data, documentOptions) => perform("render", data, documentOptions),
        async check(data, documentOptions) {
          const { bytes: _, ...checked } = await perform("check", data, documentOptions);
          return checked;
        },
        inspect: async (documentOptions) =>
          readFacts(await perform("inspect", {}, documentOptions)),
      };
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}
