import {
  compileText,
  type Diagnostic,
  isQuireError,
  type PlaceUse,
  pointerPath,
  QuireError,
  type RenderOptions,
  type TextTemplate,
} from "@quire/core";
import type { DataEntry } from "../entries/entry.ts";

/** The names of the documents of a run. */
export interface FileNames {
  /**
   * Returns the name for an entry. The name contains `number` if neither a pattern nor the entry determines the name.
   * Throws if the pattern gives no valid name.
   */
  of(entry: DataEntry, number: string): string;
  /** Whether the names use the value that a diagnostic reports as unused. */
  use(diagnostic: Diagnostic): boolean;
  /** Returns how the pattern uses the value at a path of keys in the data; null if it does not use the value. */
  useOf(keys: readonly string[]): PlaceUse | null;
}

/**
 * Creates names from the pattern of `--name` or another option. Without a pattern, documents get the names of their
 * entries, or else `base` with the number. Throws `invalid_request` or `invalid_template` for an invalid pattern.
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
        throw isQuireError(error) ? noText(error, option) : error;
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
 * Whether a path of a pattern leads to an unused key, or to a value below it. An unused key is reported once for all
 * elements of a list, but a path may name all elements or any single element, so indexes along the path are ignored.
 */
function leadsBy(path: readonly string[], pointer: string): boolean {
  const place = pointerPath(pointer);
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

function noText(error: QuireError, option: string): QuireError {
  const [what, label] =
    option === "--packet-order"
      ? [`The text of ${option}`, option]
      : ["The file name", "File name"];
  return new QuireError(error.code, `${what} cannot be created. ${error.message}`, {
    diagnostics: error.diagnostics.map((each) => ({
      ...each,
      message: `${label}: ${each.message}`,
    })),
  });
}
