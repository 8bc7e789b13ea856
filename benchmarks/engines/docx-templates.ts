import { IMAGE_SIDE_CM, withImages } from "../scenarios/scenario.ts";
import { PLUSES } from "../word/syntax.ts";
import type { Engine } from "./engine.ts";

/** docx-templates with its defaults, but without its sandbox, which would make it several times slower. */
export const docxTemplates: Engine = {
  name: "docx-templates",
  title: "docx-templates",
  syntax: PLUSES,
  can: new Set(["images", "html"]),
  load: async () => {
    const { createReport } = await import("docx-templates");
    return {
      adapt: (data) =>
        withImages(data, ({ pngBase64 }) => ({
          width: IMAGE_SIDE_CM,
          height: IMAGE_SIDE_CM,
          data: Buffer.from(pngBase64, "base64"),
          extension: ".png",
        })),
      open: async (template) => (data) =>
        createReport({
          template,
          data,
          noSandbox: true,
        }),
    };
  },
};
