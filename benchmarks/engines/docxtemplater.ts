import { CURLY } from "../word/syntax.ts";
import type { Engine } from "./engine.ts";

/** docxtemplater as in its guide: all steps are repeated for each document. */
export const docxtemplater: Engine = {
  name: "docxtemplater",
  title: "docxtemplater",
  syntax: CURLY,
  // Pictures and HTML need paid modules.
  can: new Set(),
  load: async () => {
    const { default: Docxtemplater } = await import("docxtemplater");
    const { default: PizZip } = await import("pizzip");
    return {
      adapt: (data) => data,
      open: async (template) => (data) => {
        const zip = new PizZip(template);
        const document = new Docxtemplater(zip, { paragraphLoop: true, linebreaks: true });
        document.render(data);
        return document.getZip().generate({ type: "nodebuffer", compression: "DEFLATE" });
      },
    };
  },
};
