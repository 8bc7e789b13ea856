import { inflateSync } from "node:zlib";
import {
  type PdfDict,
  PdfName,
  PdfOperator,
  PdfReader,
  PdfRef,
  type PdfValue,
  type PlacedRef,
  unusual,
} from "./pdf-syntax.ts";

/** An object of a PDF, as written in the file. */
export interface PdfObject {
  readonly value: PdfValue;
  /** The range in bytes from the start of the value to `endobj`, including the stream. */
  readonly start: number;
  readonly end: number;
  readonly refs: readonly PlacedRef[];
  /** The raw bytes of the stream; null if the object has no stream. */
  readonly stream: Buffer | null;
}

const TAIL = 64;
const ENTRY_SIZE = 20;

/** Limit for an inflated stream, in bytes. Pages with drawings have about 100,000. */
const MAX_STREAM = 50_000_000;

/**
 * Reads a PDF as LibreOffice writes it: one object table, no object streams, no incremental updates, no encryption.
 * Throws `UnsupportedPdf` for any other PDF. pdf-lib, which creates an object for every value, takes about 12
 * times as long (`npm run bench:readers`). Here, most data is copied unchanged.
 */
export class PdfFile {
  readonly bytes: Buffer;
  readonly trailer: PdfDict;
  /** The file as text, one character per byte. */
  readonly #text: string;
  readonly #offsets: readonly number[];
  readonly #objects = new Map<number, PdfObject>();

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = this.bytes.toString("latin1");
    const tail = this.#text.slice(-TAIL);
    const start = /startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1] ?? unusual("no end");
    const table = /xref\n0 (\d{1,7})\n/y;
    table.lastIndex = Number(start);
    const count = Number(table.exec(this.#text)?.[1] ?? unusual("no cross-reference table"));
    const end = table.lastIndex + count * ENTRY_SIZE;
    const offsets: number[] = [];
    for (let at = table.lastIndex; at < end; at += ENTRY_SIZE) {
      offsets.push(this.#text[at + 17] === "n" ? Number(this.#text.slice(at, at + 10)) : -1);
    }
    if (!this.#text.startsWith("trailer", end)) unusual("no trailer");
    this.#offsets = offsets;
    this.trailer = dictOf(new PdfReader(this.#text, end + "trailer".length).read());
    if (this.trailer.has("Encrypt") || this.trailer.has("Prev")) unusual("an unusual trailer");
  }

  /** Yields all objects, each with a reference to it. */
  *objects(): Generator<PdfObject & { readonly ref: PdfRef }> {
    for (const [id, offset] of this.#offsets.entries()) {
      if (offset >= 0) yield { ...this.object(id), ref: new PdfRef(id) };
    }
  }

  /** Returns the content streams of a page, in order. */
  contentsOf(page: PdfDict): readonly PdfValue[] {
    const contents = page.get("Contents");
    const value = this.resolve(contents);
    if (Array.isArray(value)) return value;
    return contents === undefined ? [] : [contents];
  }

  /** Returns the object with this number. */
  object(id: number): PdfObject {
    const known = this.#objects.get(id);
    if (known !== undefined) return known;
    const object = this.#read(id);
    this.#objects.set(id, object);
    return object;
  }

  /** Returns the value itself, or the value that a reference points to; null for undefined. */
  resolve(value: PdfValue | undefined): PdfValue {
    return value instanceof PdfRef ? this.object(value.id).value : (value ?? null);
  }

  /** Returns the dictionary that a value is or refers to. */
  dict(value: PdfValue | undefined): PdfDict {
    return dictOf(this.resolve(value));
  }

  /** Returns the stream that a reference points to, inflated if it uses Flate compression. */
  contentOf(reference: PdfValue | undefined): Buffer {
    if (!(reference instanceof PdfRef)) return unusual("a missing stream");
    const { value, stream } = this.object(reference.id);
    const filter = this.resolve(dictOf(value).get("Filter"));
    if (stream === null) return unusual("an object without a stream");
    if (filter === null) return stream;
    if (!(filter instanceof PdfName) || filter.name !== "FlateDecode") return unusual("a filter");
    try {
      return inflateSync(stream, { maxOutputLength: MAX_STREAM });
    } catch {
      return unusual("a damaged stream");
    }
  }

  #read(id: number): PdfObject {
    const offset = this.#offsets[id] ?? -1;
    const head = `${id} 0 obj`;
    if (offset < 0 || !this.#text.startsWith(head, offset)) return unusual("a missing object");
    const start = offset + head.length;
    const reader = new PdfReader(this.#text, start);
    const value = reader.read();
    let end = reader.at;
    const next = reader.read();
    let stream: Buffer | null = null;
    if (next instanceof PdfOperator && next.name === "stream") {
      const from = reader.at + (this.#text.startsWith("\r\n", reader.at) ? 2 : 1);
      const length = this.resolve(dictOf(value).get("Length"));
      if (typeof length !== "number") return unusual("a stream without a length");
      stream = this.bytes.subarray(from, from + length);
      const close = /\s*endstream\s*endobj/y;
      close.lastIndex = from + length;
      if (close.exec(this.#text) === null) return unusual("a stream with the wrong length");
      end = this.#text.indexOf("endobj", from + length);
    } else if (!(next instanceof PdfOperator) || next.name !== "endobj") {
      return unusual("an object without an end");
    }
    return { value, start, end, refs: reader.refs, stream };
  }
}

/** Returns the value as a dictionary. Throws `UnsupportedPdf` for other values. */
export function dictOf(value: PdfValue): PdfDict {
  return value instanceof Map ? value : unusual("a missing dictionary");
}
