import {
  compileText,
  type Diagnostic,
  isQuireError,
  type PlaceUse,
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
  /** How the pattern uses a place in the data; null if it does not name it. */
  useOf(keys: readonly string[]): PlaceUse | null;
}

/**
 * The names that `--name`, or another option, makes; without a pattern those that the entries bring along, or else `base` with
 * the number. Throws `invalid_request` or `invalid_template` for a pattern that is none.
 */
export function fileNames(
  pattern: string | undefined,
  base: string,
  print: RenderOptions,
  option = "--name",
): FileNames {
  if (pattern === undefined) {
    return {
      of: ({ name }, number) => name ?? `${base}-${number}`,
      use: () => false,
      useOf: () => null,
    };
  }
  const compiled = compilePattern(pattern, option);
  return {
    useOf: compiled.useOf,
    of({ data, locale = print.locale, timeZone = print.timeZone }) {
      try {
        return compiled.render(data, { locale, timeZone });
      } catch (error) {
        throw isQuireError(error) ? noName(error) : error;
      }
    },
    use({ code, pointer = "" }) {
      return code === "unused_value" && compiled.paths.some((path) => leadsBy(path, pointer));
    },
  };
}

function compilePattern(pattern: string, option: string): TextTemplate {
  if (pattern.trim() === "") {
    throw new QuireError(
      "invalid_request",
      `The ${option} pattern is empty. Enter a pattern, or remove the option.`,
    );
  }
  try {
    return compileText(pattern);
  } catch (error) {
    if (!isQuireError(error)) throw error;
    throw new QuireError(
      error.code,
      `The ${option} pattern ${JSON.stringify(pattern)} is not valid.`,
      { diagnostics: error.diagnostics },
    );
  }
}

/**
 * Whether the way of a path leads by the place of an unused key. Such a key is told once for all elements of a
 * list, and a path names them all, or another one than the first: indexes on the way do not count.
 */
function leadsBy(path: readonly string[], pointer: string): boolean {
  const place = pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const keys = [...place.slice(0, -1).filter((key) => !isIndex(key)), ...place.slice(-1)];
  return [path, path.filter((key) => !isIndex(key))].some(
    (names) => begins(names, place) || begins(names, keys),
  );
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key);
}

function begins(names: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => key === names[index]);
}

function noName(error: QuireError): QuireError {
  return new QuireError(error.code, `The file name cannot be created. ${error.message}`, {
    diagnostics: error.diagnostics.map((each) => ({
      ...each,
      message: `File name: ${each.message}`,
    })),
  });
}
