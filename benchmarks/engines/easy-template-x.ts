import type { TemplateData } from "easy-template-x";
import { IMAGE_SIDE_CM, withImages } from "../scenarios/scenario.ts";
import { CURLY } from "../word/syntax.ts";
import type { Engine } from "./engine.ts";

const PIXELS_PER_CM = 96 / 2.54;

/** easy-template-x with one handler for all documents, as in its README. */
export const easyTemplateX: Engine = {
  name: "easy-template-x",
  title: "easy-template-x",
  syntax: CURLY,
  can: new Set(["images"]),
  load: async () => {
    const { MimeType, TemplateHandler } = await import("easy-template-x");
    const side = Math.round(IMAGE_SIDE_CM * PIXELS_PER_CM);
    return {
      adapt: (data) =>
        withImages(data, ({ pngBase64 }) => ({
          _type: "image",
          source: Buffer.from(pngBase64, "base64"),
          format: MimeType.Png,
          width: side,
          height: side,
        })),
      open: async (template) => {
        const handler = new TemplateHandler();
        const source = Buffer.from(template);
        return (data) => handler.process(source, data as TemplateData);
      },
    };
  },
};
