import { basename } from "node:path";
import { cutPointer, duplicateKey, parseExactly, QuireError } from "@quire/core/host";
import { jsonMistake } from "./json-problem.ts";

/** One entry of a data file: its data, and its own name, locale and time zone. */
export interface DataEntry {
  readonly data: Readonly<Record<string, unknown>>;
  /** The name of the document; null if the entry has no name of its own. */
  readonly name: string | null;
  /** The locale (language and region) and the time zone of the document. */
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

/** An item of a data file: an entry, or the reason why it cannot be read. */
export interface DataItem {
  /** The line where the item begins, from 1; null if the line is unknown or the file has only one line. */
  readonly line: number | null;
  /** The position of the item, for messages that do not name it themselves: `Line 5 of data.csv`. */
  readonly where?: string;
  /** The entry, or why it cannot be read. */
  readonly entry: DataEntry | QuireError;
}

/** The entries of a data file. */
export interface DataSource {
  /** The number of blank rows that the last reading or counting skipped. */
  readonly blankRows: number;
  /**
   * Counts the entries, including invalid entries. Returns null if the file ends unexpectedly after some entries, and
   * rejects if it does so before the first entry.
   */
  count(): Promise<number | null>;
  /**
   * Reads the entries on demand. Throws if the rest of the file cannot be read.
   */
  items(): AsyncIterable<DataItem>;
}

/** Returns the error for a data file without an entry. */
export function noEntries(path: string): QuireError {
  return new QuireError(
    "invalid_data",
    `The data file ${JSON.stringify(path)} contains no entries. Add one: an object of a JSON list, such as [{"name": "Ann"}], or a row below the names of the columns.`,
  );
}

/**
 * Converts a JSON item to an entry. An item of a batch request, `{"generated_file_name": …, "user_input": {…}}`, has
 * its own file name and may have `locale` and `time_zone`. Any other object is the data itself.
 */
export function toEntry(item: unknown, where: string): DataEntry | QuireError {
  if (!isObject(item)) {
    return new QuireError(
      "invalid_data",
      `${where} is not a JSON object, so it contains no data. Write one, such as {"name": "Ann"}${Array.isArray(item) ? ', and for a list one with its name, such as {"items": [ … ]}' : ""}.`,
    );
  }
  const isRequested = REQUIRED.every((key) => Object.hasOwn(item, key));
  if (isRequested && Object.keys(item).every((key) => REQUESTED.has(key))) {
    return toRequestedEntry(item, where);
  }
  return { data: item, name: null };
}

const REQUIRED = ["generated_file_name", "user_input"] as const;
const REQUESTED: ReadonlySet<string> = new Set([...REQUIRED, "locale", "time_zone"]);

/**
 * Converts an item of `document_generation_data` in a batch request. Only `user_input` is data: an item without
 * `user_input` is an error, and unknown fields are ignored.
 */
export function toRequestedEntry(item: unknown, where: string): DataEntry | QuireError {
  const fields = isObject(item) ? item : {};
  const { user_input: data } = fields;
  if (!isObject(data)) {
    return new QuireError("invalid_data", `${where} has no object for 'user_input'.`);
  }
  for (const key of ["generated_file_name", "locale", "time_zone"]) {
    if (fields[key] === undefined || typeof fields[key] === "string") continue;
    return new QuireError("invalid_data", `${where} has a '${key}' that is not a string.`);
  }
  const { generated_file_name: name, locale, time_zone: timeZone } = fields as RequestedFields;
  return { data, name: name ?? null, locale, timeZone };
}

/** The optional fields of an item of a batch request, all strings. */
interface RequestedFields {
  readonly generated_file_name?: string;
  readonly locale?: string;
  readonly time_zone?: string;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON. Throws `invalid_data` for invalid JSON and for an object with duplicate keys, because it is unclear
 * which value is meant. A number with more digits than a JavaScript number can represent, such as an account number,
 * becomes a string of the same digits, so that it is printed as written. The error names the position but does not
 * quote data.
 */
export function parseJson(text: string, where: string): unknown {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    // The parser's own message may quote the data.
    throw new QuireError("invalid_data", `${where} is not valid JSON${jsonMistake(text)}`);
  }
  const pointer = duplicateKey(text, value);
  if (pointer !== null) throw keyTwice(where, pointer, value);
  return value;
}

function keyTwice(where: string, pointer: string, value: unknown): QuireError {
  const entry = entryOf(pointer, value);
  const message = `${where} has the key ${cutPointer(pointer)} twice${entry}. Quire cannot know which one is meant. Remove one.`;
  return new QuireError("invalid_data", message, {
    diagnostics: [{ severity: "error", code: "duplicate_key", message, pointer }],
  });
}

/** Names the entry that contains the target of a pointer, for messages; empty if the value is not a list of entries. */
function entryOf(pointer: string, value: unknown): string {
  const list = isObject(value) ? value.document_generation_data : value;
  const start = list === value ? "" : "/document_generation_data";
  const index = pointer.startsWith(start) ? /^\/(\d+)\//.exec(pointer.slice(start.length)) : null;
  return Array.isArray(list) && index !== null ? ` (in its entry ${Number(index[1]) + 1})` : "";
}

/** The length of a UTF-8 byte order mark, in bytes. */
export const BOM_LENGTH = 3;

/** Whether UTF-8 text starts with a byte order mark. */
export function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Returns the name of the file, for messages. */
export function fileLabel(path: string): string {
  return basename(path);
}
