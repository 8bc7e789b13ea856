import { QuireError } from "@quire/core";
import { readInput } from "../files.ts";
import {
  type DataSource,
  fileLabel,
  isObject,
  parseJson,
  toEntry,
  toRequestedEntry,
} from "./entry.ts";

/**
 * A JSON file: a list of entries, one object (one entry), or a whole batch request, of which the
 * `document_generation_data` counts. It is read whole; for many entries use JSON lines.
 */
export async function jsonEntries(path: string): Promise<DataSource> {
  const content = await readJson(path);
  const requested = isObject(content) ? content.document_generation_data : undefined;
  const [list, parse]: [readonly unknown[], typeof toEntry] = Array.isArray(requested)
    ? [requested, toRequestedEntry]
    : [Array.isArray(content) ? content : [content], toEntry];
  return {
    count: async () => list.length,
    async *entries() {
      for (const [index, item] of list.entries()) {
        yield parse(item, `Entry ${index + 1} of ${fileLabel(path)}`);
      }
    },
  };
}

/** Reads a JSON file whole. Rejects `not_found` or `invalid_data`. */
export async function readJson(path: string): Promise<unknown> {
  const bytes = await readInput(path);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new QuireError("invalid_data", `The file ${fileLabel(path)} is not UTF-8 text.`, {
      cause,
    });
  }
  return parseJson(text, `The file ${fileLabel(path)}`);
}
