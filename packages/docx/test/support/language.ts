import { type Diagnostic, isQuireError } from "@quire/contracts";
import { docx, linesOf, p, type TestDocument } from "../../../ooxml/test/support/docx.ts";
import { type CompileOptions, compileTemplate, type RenderOptions } from "../../src/index.ts";

type Data = Readonly<Record<string, unknown>>;

/** The outcome of one rendering. A rejection has its code and its diagnostics instead of lines. */
export interface Outcome {
  readonly error: string | null;
  readonly bytes: Uint8Array;
  /** The body, with one line per paragraph. */
  readonly lines: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/** The options for compiling and for rendering. */
export type TestOptions = RenderOptions & Pick<CompileOptions, "delimiters" | "readTemplate">;

/** Compiles a template or the XML of its body, and renders it once. */
export async function outcome(
  template: TestDocument | string,
  data: Data,
  { delimiters, readTemplate, ...options }: TestOptions = {},
): Promise<Outcome> {
  const source = typeof template === "string" ? { body: template } : template;
  try {
    const compiled = await compileTemplate(docx(source), { delimiters, readTemplate });
    const { bytes, warnings } = compiled.render(data, options);
    return { error: null, bytes, lines: linesOf(bytes), warnings };
  } catch (error) {
    if (!isQuireError(error)) throw error;
    const { code, diagnostics } = error;
    return { error: code, bytes: new Uint8Array(), lines: [], warnings: diagnostics };
  }
}

/**
 * Returns the output of a paragraph with this text: its lines (joined by ` / `), or the code of the error and the codes
 * of its diagnostics, such as `invalid_data: invalid_value`.
 */
export async function printed(
  text: string,
  data: Data,
  options: TestOptions = {},
): Promise<string> {
  return print(await outcome(p(text), data, options));
}

/** Like {@link printed}, for a body of several paragraphs. */
export async function printedBody(
  body: string,
  data: Data,
  options: TestOptions = {},
): Promise<string> {
  return print(await outcome(body, data, options));
}

function print({ error, lines, warnings }: Outcome): string {
  if (error === null) return lines.join(" / ");
  return `${error}: ${[...new Set(warnings.map(({ code }) => code))].join(", ")}`;
}

/** Returns the warnings and errors of a body, each as its code and its hint, without those about unused values. */
export async function hintsIn(body: string, data: Data): Promise<string[]> {
  const { warnings } = await outcome(body, data);
  return warnings
    .filter(({ code }) => code !== "unused_value")
    .map(({ code, hint }) => `${code}: ${hint}`);
}

/** Returns the diagnostics of a rendering, each as `severity code`. */
export async function told(text: string, data: Data, options: TestOptions = {}): Promise<string[]> {
  const { warnings } = await outcome(p(text), data, options);
  return warnings.map(({ severity, code }) => `${severity} ${code}`);
}
