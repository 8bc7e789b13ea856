import { compileTemplate, type Template } from "@quire/core";
import { readInput } from "./files.ts";
import { besideFile } from "./folder-files.ts";
import type { CompileFlags } from "./print-options.ts";

/** A template of a file, compiled. */
export interface LoadedTemplate {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly template: Template;
  /** The templates that it includes, by the names it gives them: files of its folder or below. */
  readonly included: ReadonlyMap<string, Uint8Array>;
}

/** Reads and compiles a template. Rejects what `compileTemplate` does, and `not_found`. */
export async function loadTemplate(
  path: string,
  { delimiters }: CompileFlags,
): Promise<LoadedTemplate> {
  const bytes = await readInput(path);
  const included = new Map<string, Uint8Array>();
  const read = besideFile(path);
  const template = await compileTemplate(bytes, {
    delimiters,
    readTemplate: async (name) => {
      const content = await read(name);
      included.set(name, content);
      return content;
    },
  });
  return { path, bytes, template, included };
}
