import { QuireError } from "@quire/core";
import {
  type DataItem,
  type DataSource,
  fileLabel,
  isObject,
  parseJson,
  toEntry,
  toRequestedEntry,
} from "../entries/entry.ts";
import { readInput } from "../files/command-files.ts";
import { isDataName } from "../terminal/command-line.ts";
import type { Io } from "../terminal/io.ts";
import { itemLines } from "./item-lines.ts";

/**
 * Returns the entries of a JSON file, which is a list of entries, one object (one entry), or a whole batch request with
 * entries in `document_generation_data`. The first access reads the whole file into memory. Use JSON lines for many
 * entries.
 */
export function jsonEntries(io: Pick<Io, "cwd">, path: string): DataSource {
  let items: Promise<readonly DataItem[]> | null = null;
  const read = (): Promise<readonly DataItem[]> => {
    items ??= readItems(io, path);
    return items;
  };
  return {
    blankRows: 0,
    count: async () => (await read()).length,
    async *items() {
      yield* await read();
    },
  };
}

async function readItems(io: Pick<Io, "cwd">, path: string): Promise<readonly DataItem[]> {
  const text = await readText(io, path);
  const content = parseJson(text, `The file ${fileLabel(path)}`);
  const lines = text.trimEnd().includes("\n") ? itemLines(text) : [];
  const requested = isObject(content) ? content.document_generation_data : undefined;
  const [list, parse]: [readonly unknown[], typeof toEntry] = Array.isArray(requested)
    ? [requested, toRequestedEntry]
    : [Array.isArray(content) ? content : [content], toEntry];
  return list.map((item, index) => ({
    line: lines[index] ?? null,
    entry: parse(item, `Entry ${index + 1} of ${fileLabel(path)}`),
  }));
}

/** Reads a whole JSON file. Rejects `not_found` or `invalid_data`. */
export async function readJson(io: Pick<Io, "cwd">, path: string): Promise<unknown> {
  return parseJson(await readText(io, path), `The file ${fileLabel(path)}`);
}

async function readText(io: Pick<Io, "cwd">, path: string): Promise<string> {
  const bytes = await readInput(io, path, isDataName);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new QuireError(
      "invalid_data",
      `The file ${fileLabel(path)} is not UTF-8 text. Save it as UTF-8 in your editor.`,
      {
        cause,
      },
    );
  }
}
