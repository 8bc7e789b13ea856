import { isQuireError, type QuireError } from "@quire/contracts";
import { docx, linesOf, type TestDocument } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate, type RenderResult } from "../../src/index.ts";

/** A template: its bytes, its parts, or only the XML within its body. */
export type TestTemplate = Uint8Array | TestDocument | string;

type Data = Readonly<Record<string, unknown>>;

/** Compiles a template and renders it once. */
export async function render(template: TestTemplate, data: Data): Promise<RenderResult> {
  const source = typeof template === "string" ? { body: template } : template;
  const bytes = source instanceof Uint8Array ? source : docx(source);
  return (await compileTemplate(bytes)).render(data);
}

/** Returns the text of the rendered body, with one line per paragraph. */
export async function lines(template: TestTemplate, data: Data): Promise<string[]> {
  return linesOf((await render(template, data)).bytes);
}

/** Returns the error that rejects a template. */
export async function refused(template: TestTemplate): Promise<QuireError> {
  const error: unknown = await render(template, {}).catch((reason: unknown) => reason);
  if (!isQuireError(error)) throw error;
  return error;
}
