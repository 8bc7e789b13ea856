import { isUtf8 } from "node:buffer";
import { createTurns, duplicateKey, pointerStep } from "@quire/contracts";
import { parseExactly } from "@quire/render-pool/internal/protocol/exact-json";
import { JsonBounds, JsonError, type JsonLimits } from "./json-bounds.ts";

/** The size of the pieces in which longer JSON is parsed, in bytes. Each takes one or two milliseconds. */
const PIECE_BYTES = 64 * 1024;
const BOM = Buffer.from("\ufeff");
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/** The list in the outermost object whose items are passed to {@link ParseOptions.readEntry}. */
const ENTRIES = "document_generation_data";

/** How JSON is parsed. */
export interface ParseOptions {
  /**
   * Called with each entry of a long batch request and its index, as soon as the entry is parsed. The result is kept
   * instead of the entry. If it throws, parsing ends with that error. Default: entries are kept.
   */
  readonly readEntry?: (entry: unknown, index: number) => unknown;
  /** The size of the pieces in which longer JSON is parsed, in bytes. Default 64 KiB. */
  readonly pieceBytes?: number;
}

/**
 * Parses JSON within limits, taking turns with other requests. A number with more digits than JavaScript can represent
 * becomes a string of the same digits. Throws a {@link JsonError} if the text exceeds a limit, is not valid UTF-8 or
 * JSON, or contains a duplicate key.
 */
export async function parseJson(
  bytes: Buffer,
  limits: JsonLimits,
  options: ParseOptions = {},
): Promise<unknown> {
  if (!isUtf8(bytes)) {
    throw new JsonError("", "not_utf8", "The body is not valid UTF-8.");
  }
  return new Parser(bytes, limits, options).parse();
}

/** An open list or object. It is parsed with the text around it, or separately once it is long. */
interface Container {
  readonly isList: boolean;
  /** The byte offset of its opening bracket. */
  readonly start: number;
  /** The members that have been parsed, if it is parsed separately; otherwise null. */
  value: unknown[] | Record<string, unknown> | null;
  /** The byte offset of its unparsed text, after a comma or the opening bracket. */
  from: number;
  /** The byte offset of the last member in that text, after a comma or the opening bracket. */
  member: number;
  /** Whether a nested container has just been parsed and the following comma or bracket has not been reached. */
  isAfterInner: boolean;
  /** Its key or index in the parent container, once it is parsed separately. */
  step: string | number;
}

/**
 * Scans the text and keeps track of its open lists and objects. `JSON.parse` parses pieces of complete members of one
 * container. Once the unparsed members of a container are long enough, they are parsed and added to it.
 */
class Parser {
  readonly #bytes: Buffer;
  readonly #bounds: JsonBounds;
  readonly #pieceBytes: number;
  readonly #readEntry: ParseOptions["readEntry"];
  readonly #turns = createTurns();
  /**
   * The open containers, outermost first. The first one is not in the text: it is a list that holds the parsed value.
   */
  readonly #open: Container[] = [];

  constructor(
    bytes: Buffer,
    limits: JsonLimits,
    { pieceBytes = PIECE_BYTES, readEntry }: ParseOptions,
  ) {
    this.#readEntry = readEntry;
    this.#bytes = bytes;
    this.#bounds = new JsonBounds(limits);
    this.#pieceBytes = pieceBytes;
    const start = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    this.#open.push({ ...opened(true, start - 1), value: [] });
  }

  async parse(): Promise<unknown> {
    const bytes = this.#bytes;
    const isLong = bytes.length > this.#pieceBytes;
    if (isLong) await this.#turns.begin();
    for (let at = this.#inner.from, end = at; at < bytes.length; ) {
      if (at >= end) {
        end = Math.min(bytes.length, at + PIECE_BYTES);
        if (isLong) await this.#turn();
      }
      const found = this.#bounds.next(bytes, at, end);
      if (found < end && this.#goesOn(found)) await this.#parseLong(found);
      at = Math.min(end, found + 1);
    }
    if (this.#open.length > 1) throw notJson();
    this.#parseMembers(this.#inner, bytes.length, true);
    const [value] = this.#inner.value as unknown[];
    return value;
  }

  /** The innermost open container. */
  get #inner(): Container {
    return this.#open.at(-1) as Container;
  }

  async #turn(): Promise<void> {
    if (this.#turns.isOver) await this.#turns.begin();
  }

  /** Handles a bracket or a comma. Returns true if the text before it must be parsed now. */
  #goesOn(at: number): boolean {
    const byte = this.#bytes[at];
    const inner = this.#inner;
    const { isAfterInner, value, from } = inner;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (isAfterInner) throw notJson();
      this.#open.push(opened(byte === OPEN_BRACKET, at));
      return false;
    }
    if (this.#open.length === 1) throw notJson();
    const isLong = at - from >= this.#pieceBytes;
    if (byte === COMMA) {
      if (isAfterInner || isLong) return true;
      inner.member = at + 1;
      return false;
    }
    if (inner.isList !== (byte === CLOSE_BRACKET)) throw notJson();
    if (value !== null || isLong) return true;
    this.#open.pop();
    return false;
  }

  /** Parses the innermost container up to a comma or its end. */
  async #parseLong(at: number): Promise<void> {
    await this.#parseAround();
    const inner = this.#inner;
    const isEnd = this.#bytes[at] !== COMMA;
    this.#parseMembers(inner, at, isEnd);
    if (!isEnd) {
      goOn(inner, at + 1, false);
      return;
    }
    this.#open.pop();
    this.#entryEnded();
    goOn(this.#inner, at + 1, true);
  }

  /** Whether a container is the list of entries. */
  #isEntries(container: Container): boolean {
    const [, root, entries] = this.#open;
    return container === entries && container.isList && !root?.isList && container.step === ENTRIES;
  }

  /** Passes the last item to `readEntry` if it is an entry that was parsed separately. */
  #entryEnded(): void {
    const { value } = this.#inner;
    if (!Array.isArray(value) || !this.#isEntries(this.#inner)) return;
    const index = value.length - 1;
    value[index] = this.#readEntry?.(value[index], index) ?? value[index];
  }

  /** Parses the members that precede each open container. From then on, each container is parsed separately. */
  async #parseAround(): Promise<void> {
    for (const [index, inner] of this.#open.entries()) {
      const around = this.#open[index - 1];
      if (around === undefined || inner.value !== null) continue;
      if (around.member > around.from) this.#parseMembers(around, around.member - 1, false);
      inner.step = this.#stepTo(around, inner);
      inner.value = inner.isList ? [] : {};
      this.#put(around, inner.step, inner.value);
      await this.#turn();
    }
  }

  /** Parses the members of a container up to a byte offset, and adds them to the container. */
  #parseMembers(container: Container, to: number, isEnd: boolean): void {
    const text = this.#bytes.toString("utf8", container.from, to);
    if (container.isAfterInner) {
      if (!isBlank(text)) throw notJson();
      return;
    }
    const isWhole = container.from === container.start + 1 && isEnd;
    // A comma needs a member before and after it.
    const isEmpty = isBlank(text);
    if (isEmpty && !(isWhole && this.#open.length > 1)) throw notJson();
    if (isEmpty) return;
    const { isList } = container;
    const json = isList ? `[${text}]` : `{${text}}`;
    const parsed = parse(json) as object;
    const duplicate = duplicateKey(json, parsed);
    if (duplicate !== null) throw duplicateKeyAt(this.#pointerTo(container, duplicate));
    if (Array.isArray(parsed)) this.#putItems(container, parsed);
    else for (const [key, item] of Object.entries(parsed)) this.#put(container, key, item);
  }

  #putItems(container: Container, items: readonly unknown[]): void {
    const read = this.#isEntries(container) ? this.#readEntry : undefined;
    let index = (container.value as unknown[]).length;
    for (const item of items) this.#put(container, -1, read?.(item, index++) ?? item);
  }

  /** Returns the key or index of an open container in its parent. */
  #stepTo(around: Container, inner: Container): string | number {
    const before = this.#bytes.toString("utf8", around.member, inner.start);
    if (Array.isArray(around.value)) {
      if (!isBlank(before)) throw notJson();
      return around.value.length;
    }
    const [key] = Object.keys(parse(`{${before}null}`) as object);
    return key as string;
  }

  #put(container: Container, key: string | number, item: unknown): void {
    const { value } = container;
    if (Array.isArray(value)) {
      value.push(item);
      return;
    }
    if (value === null)
      throw new Error("Only a container that is parsed by itself can get members.");
    if (Object.hasOwn(value, key))
      throw duplicateKeyAt(this.#pointerTo(container, `/${pointerStep(key)}`));
    // An assignment would change the object's prototype.
    if (key === "__proto__") {
      const property = { value: item, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(value, key, property);
    } else value[key] = item;
  }

  /** Converts a JSON Pointer into the text that was just parsed to a pointer into the whole JSON. */
  #pointerTo(container: Container, pointer: string): string {
    const steps = pointer.split("/").slice(1);
    if (Array.isArray(container.value)) {
      steps[0] = String(Number(steps[0]) + container.value.length);
    }
    const around = this.#open.slice(1, this.#open.indexOf(container) + 1);
    const all = [...around.map(({ step }) => pointerStep(step)), ...steps];
    // The first step is the index of the parsed value in the outermost list, which is not in the text.
    return all
      .slice(1)
      .map((step) => `/${step}`)
      .join("");
  }
}

function opened(isList: boolean, start: number): Container {
  const from = start + 1;
  return { isList, start, value: null, from, member: from, isAfterInner: false, step: 0 };
}

function goOn(container: Container, from: number, isAfterInner: boolean): void {
  container.from = from;
  container.member = from;
  container.isAfterInner = isAfterInner;
}

function parse(json: string): unknown {
  try {
    return parseExactly(json);
  } catch {
    // V8's message quotes the text, which may be a user's data.
    throw notJson();
  }
}

function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function notJson(): JsonError {
  return new JsonError("", "not_json", "The body is not valid JSON.");
}

/** Returns the error for a duplicate key. `path` is the JSON Pointer of the key. */
export function duplicateKeyAt(path: string): JsonError {
  const message =
    "An object contains this key twice, so its value is ambiguous. Send each key once.";
  return new JsonError(path, "duplicate_key", message);
}
