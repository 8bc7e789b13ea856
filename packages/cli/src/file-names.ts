import {
  compileText,
  type Diagnostic,
  isQuireError,
  QuireError,
  type RenderOptions,
  type TextTemplate,
} from "@quire/core";
import type { DataEntry } from "./data/entry.ts";

/** The names of the documents of a run. */
export interface FileNames {
  /** The name for an entry; the number is for one that has none of its own. Throws why there is none. */
  of(entry: DataEntry, number: string): string;
  /** Whether what a diagnostic calls unused has its use in the names. */
  use(diagnostic: Diagnostic): boolean;
}

/**
 * The names that `--name` makes; without a pattern those that the entries bring along, or else `base` with
 * the number. Throws `invalid_request` or `invalid_template` for a pattern that is none.
 */
export function fileNames(
  pattern: string | undefined,
  base: string,
  print: RenderOptions,
): FileNames {
  if (pattern === undefined) {
    return { of: ({ name }, number) => name ?? `${base}-${number}`, use: () => false };
  }
  const compiled = compilePattern(pattern);
  const used = namesIn(pattern);
  return {
    of({ data, locale = print.locale, timeZone = print.timeZone }) {
      try {
        return compiled.render(data, { locale, timeZone });
      } catch (error) {
        throw isQuireError(error) ? noName(error) : error;
      }
    },
    use({ code, pointer = "" }) {
      const path = pointer.slice(1).replaceAll("/", ".");
      return code === "unused_value" && used.some((name) => `${name}.`.startsWith(`${path}.`));
    },
  };
}

function compilePattern(pattern: string): TextTemplate {
  if (pattern.trim() === "") {
    throw new QuireError(
      "invalid_request",
      "The --name pattern is empty. Give one, or leave it out.",
    );
  }
  try {
    return compileText(pattern);
  } catch (error) {
    if (!isQuireError(error)) throw error;
    throw new QuireError(
      error.code,
      `The file names cannot be made of --name ${JSON.stringify(pattern)}.`,
      { diagnostics: error.diagnostics },
    );
  }
}

/** Every word that stands in a tag of a pattern, with those after its dots: more than its paths, never less. */
function namesIn(pattern: string): readonly string[] {
  const tags = pattern.match(/\{\{.*?\}\}/gs) ?? [];
  return tags.flatMap((tag) => tag.match(/[\p{L}_$][\p{L}\p{M}\p{N}_$.]*/gu) ?? []);
}

function noName(error: QuireError): QuireError {
  return new QuireError(error.code, `The file name cannot be made. ${error.message}`, {
    diagnostics: error.diagnostics.map((each) => ({
      ...each,
      message: `File name: ${each.message}`,
    })),
  });
}
