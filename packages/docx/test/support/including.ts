import PizZip from "pizzip";
import { p } from "../../../ooxml/test/support/docx.ts";
import { type CompileOptions, compileTemplate, type RenderResult } from "../../src/index.ts";

/** Returns options with templates by name. */
export function from(files: Readonly<Record<string, Uint8Array>>): CompileOptions {
  return {
    readTemplate: async (name) => {
      const file = files[name];
      if (file === undefined) throw new Error("The file does not exist.");
      return file;
    },
  };
}

/** A paragraph that includes the template `t`. */
export const include: string = p('{{include "t"}}');

/** Renders a template that includes a second template as `t`. */
export async function renderIncluding(
  host: Uint8Array,
  t: Uint8Array,
  data: Record<string, unknown> = {},
): Promise<RenderResult> {
  const template = await compileTemplate(host, from({ t }));
  return template.render(data);
}

/** Changes, adds or, with null, removes parts of a file. A function gets the current part. */
export function edited(
  bytes: Uint8Array,
  parts: Readonly<Record<string, string | Uint8Array | null | ((xml: string) => string)>>,
): Uint8Array {
  const zip = new PizZip(bytes);
  for (const [name, part] of Object.entries(parts)) {
    if (part === null) zip.remove(name);
    else if (typeof part === "function") zip.file(name, part(zip.file(name)?.asText() ?? ""));
    else zip.file(name, part);
  }
  return zip.generate({ type: "uint8array" });
}

/** Adds relationships to a part. */
export function related(relationships: string): (xml: string) => string {
  return (xml) => {
    const whole =
      xml === ""
        ? '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
        : xml;
    return whole.replace("</Relationships>", `${relationships}</Relationships>`);
  };
}
