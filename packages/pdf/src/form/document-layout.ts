import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { type PDFContext, type PDFObject, PDFRef, PDFStream } from "../read/pdf-lib.ts";
import { reachable } from "../read/reachable.ts";

/** The input of a layout. */
export interface LayoutSource {
  readonly context: PDFContext;
  /** Objects that replace the context's objects in every document. */
  readonly replaced: ReadonlyMap<PDFRef, PDFObject>;
  /** Objects that are written although no other object refers to them yet. */
  readonly needed: readonly PDFRef[];
  /** Objects that are different in each document, or missing from it. */
  readonly own: ReadonlySet<PDFRef>;
  /** Identifies the template. The ids of the documents are derived from it. */
  readonly id: string;
}

/** Length in bytes of an entry in the cross-reference stream: its type and two numbers (ISO 32000-2, table 18). */
const ENTRY_LENGTH = 7;
const IN_FILE = 1;
const IN_STREAM = 2;

/** Maximum number of objects in an object stream. */
const STREAM_MEMBERS = 100;

/**
 * A PDF whose constant parts are laid out and compressed only once. Each document adds its own objects and the complete
 * cross-reference stream. The same objects give the same bytes.
 */
export class DocumentLayout {
  readonly #static: StaticPart;
  readonly #id: Buffer;
  /** The cross-reference entries of the constant objects; each document fills in the rest. */
  readonly #table: Buffer;
  /** For each object that documents write themselves, the position of its entry in the table. */
  readonly #slots = new Map<PDFRef, number>();
  readonly #tableNumber: number;
  readonly #trailer: string;

  constructor({ context, needed, replaced, own, id }: LayoutSource) {
    const all = reachable(context, { more: needed, replaced, leftOut: own });
    this.#static = staticPart(context, all);
    const { entries } = this.#static;
    this.#tableNumber = this.#static.nextNumber;
    const refs = [...entries.keys(), ...own].sort(byNumber);
    this.#table = Buffer.alloc((refs.length + 1) * ENTRY_LENGTH);
    for (const [index, ref] of refs.entries()) {
      const entry = entries.get(ref);
      if (entry === undefined) this.#slots.set(ref, index);
      else writeEntry(this.#table, index, entry);
    }
    this.#id = createHash("sha256").update(id).digest().subarray(0, 16);
    const { Root, Info } = context.trailerInfo;
    const ranges = rangesOf([...refs.map(({ objectNumber }) => objectNumber), this.#tableNumber]);
    const info = Info instanceof PDFRef ? ` /Info ${Info}` : "";
    this.#trailer = `/Type /XRef /Size ${this.#tableNumber + 1} /W [1 4 2] /Index [${ranges}] /Root ${Root}${info}`;
  }

  /** Writes a document with these objects. All of them must be in `own`. */
  write(objects: ReadonlyMap<PDFRef, PDFObject>): Uint8Array {
    const table = Buffer.from(this.#table);
    const pieces: Uint8Array[] = [this.#static.bytes];
    const hash = createHash("sha256").update(this.#id);
    let offset = this.#static.bytes.length;
    for (const [ref, slot] of this.#slots) {
      const object = objects.get(ref);
      if (object === undefined) continue;
      const bytes = indirect(ref, object);
      writeEntry(table, slot, [IN_FILE, offset, ref.generationNumber]);
      hash.update(bytes);
      pieces.push(bytes);
      offset += bytes.length;
    }
    writeEntry(table, table.length / ENTRY_LENGTH - 1, [IN_FILE, offset, 0]);
    const [filter, content] = table.length > LONG_TABLE ? [FLATE, deflateSync(table)] : ["", table];
    const ids = `[<${this.#id.toString("hex")}> <${hash.digest("hex").slice(0, 32)}>]`;
    pieces.push(
      Buffer.from(
        `${this.#tableNumber} 0 obj\n<< ${this.#trailer} /ID ${ids}${filter} /Length ${content.length} >>\nstream\n`,
        "latin1",
      ),
      content,
      Buffer.from(`\nendstream\nendobj\nstartxref\n${offset}\n%%EOF\n`, "latin1"),
    );
    return joined(pieces);
  }
}

/** Concatenates byte arrays in separate memory, because a small `Buffer` shares its memory with others. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Minimum length in bytes of a compressed table. For a shorter table, starting zlib takes longer than writing the
 * table.
 */
const LONG_TABLE = 20_000;
const FLATE = " /Filter /FlateDecode";

/** The part that all documents have in common. */
interface StaticPart {
  readonly bytes: Buffer;
  readonly entries: ReadonlyMap<PDFRef, Entry>;
  /** The first free object number. */
  readonly nextNumber: number;
}

function staticPart(context: PDFContext, objects: ReadonlyMap<PDFRef, PDFObject>): StaticPart {
  const entries = new Map<PDFRef, Entry>();
  const version = /%PDF-2\.\d/.exec(context.header.toString())?.[0] ?? "%PDF-1.7";
  const pieces: Uint8Array[] = [Buffer.from(`${version}\n%\u00e2\u00e3\u00cf\u00d3\n`, "latin1")];
  let offset = pieces[0]?.length ?? 0;
  let nextNumber = context.largestObjectNumber + 1;
  const add = (ref: PDFRef, bytes: Buffer): void => {
    entries.set(ref, [IN_FILE, offset, ref.generationNumber]);
    pieces.push(bytes);
    offset += bytes.length;
  };
  const packed: [PDFRef, PDFObject][] = [];
  for (const [ref, object] of [...objects].sort(([a], [b]) => byNumber(a, b))) {
    if (object instanceof PDFStream || ref.generationNumber !== 0) add(ref, indirect(ref, object));
    else packed.push([ref, object]);
  }
  for (let from = 0; from < packed.length; from += STREAM_MEMBERS) {
    const members = packed.slice(from, from + STREAM_MEMBERS);
    const stream = PDFRef.of(nextNumber);
    nextNumber += 1;
    for (const [index, [ref]] of members.entries()) {
      entries.set(ref, [IN_STREAM, stream.objectNumber, index]);
    }
    add(stream, objectStream(stream, members));
  }
  return { bytes: Buffer.concat(pieces), entries, nextNumber };
}

function objectStream(ref: PDFRef, members: readonly (readonly [PDFRef, PDFObject])[]): Buffer {
  let head = "";
  let offset = 0;
  const bodies = members.map(([{ objectNumber }, object]) => {
    const size = object.sizeInBytes();
    const body = Buffer.alloc(size + 1, "\n");
    object.copyBytesInto(body, 0);
    head += `${objectNumber} ${offset} `;
    offset += body.length;
    return body;
  });
  const content = deflateSync(Buffer.concat([Buffer.from(head, "latin1"), ...bodies]));
  return Buffer.concat([
    Buffer.from(
      `${ref.objectNumber} 0 obj\n<< /Type /ObjStm /N ${members.length} /First ${head.length} /Filter /FlateDecode /Length ${content.length} >>\nstream\n`,
      "latin1",
    ),
    content,
    Buffer.from("\nendstream\nendobj\n", "latin1"),
  ]);
}

type Entry = readonly [kind: number, first: number, second: number];

function writeEntry(table: Buffer, index: number, [kind, first, second]: Entry): void {
  const at = index * ENTRY_LENGTH;
  table[at] = kind;
  table.writeUInt32BE(first, at + 1);
  table.writeUInt16BE(second, at + 5);
}

function byNumber(one: PDFRef, other: PDFRef): number {
  return one.objectNumber - other.objectNumber || one.generationNumber - other.generationNumber;
}

/** Returns the start and the length of each run of consecutive numbers. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[0] + last[1] === number) last[1] += 1;
    else ranges.push([number, 1]);
  }
  return ranges.flat().join(" ");
}

/** Returns an indirect object as the bytes of a file. */
function indirect(ref: PDFRef, object: PDFObject): Buffer {
  const head = `${ref.objectNumber} ${ref.generationNumber} obj\n`;
  if (!(object instanceof PDFStream))
    return Buffer.from(`${head}${object.toString()}\nendobj\n`, "latin1");
  const size = object.sizeInBytes();
  const bytes = Buffer.alloc(head.length + size + 8);
  bytes.write(head, 0, "latin1");
  object.copyBytesInto(bytes, head.length);
  bytes.write("\nendobj\n", head.length + size, "latin1");
  return bytes;
}
