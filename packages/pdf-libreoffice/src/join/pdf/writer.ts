import { hash } from "node:crypto";
import type { PdfFile, PdfObject } from "../../pdf/pdf-file.ts";
import {
  PdfName,
  PdfOperator,
  PdfRef,
  PdfText,
  type PdfValue,
  unusual,
} from "../../pdf/pdf-syntax.ts";

/** Writes a PDF from objects of another PDF. */
export class PdfWriter {
  readonly #source: PdfFile;
  readonly #pieces: Uint8Array[] = [];
  readonly #offsets: number[] = [];
  /** The requested objects of the source, with their numbers in the new file. */
  readonly #ids = new Map<number, number>();
  readonly #waiting: number[] = [];
  readonly #forbidden: ReadonlySet<number>;
  #next = 1;
  #size = 0;

  /** `forbidden` are objects that belong to the whole source. Copying a reference to one throws `UnsupportedPdf`. */
  constructor(source: PdfFile, version: string, forbidden: ReadonlySet<number>) {
    this.#source = source;
    this.#forbidden = forbidden;
    this.#push(Buffer.from(`${version}\n%\u00e4\u00fc\u00f6\u00df\n`, "latin1"));
  }

  /** Reserves a number for an object that is written later. */
  reserve(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /** Redirects references to this object of the source to the object `id`. */
  replace(sourceId: number, id: number): void {
    this.#ids.set(sourceId, id);
  }

  /** Writes an object. `text` is its value, one character per byte. */
  add(id: number, text: string): void {
    this.#begin(id);
    this.#push(Buffer.from(`${text}\nendobj\n`, "latin1"));
  }

  /** Returns the PDF with all referenced objects. The Info dictionary comes last, as in LibreOffice's files. */
  finish(root: number, infoText: string): Uint8Array {
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift())
      this.#copy(id);
    const info = this.reserve();
    this.add(info, infoText);
    const sign = hash("sha256", Buffer.concat(this.#pieces), "hex").slice(0, 32).toUpperCase();
    let table = `xref\n0 ${this.#next}\n0000000000 65535 f \n`;
    for (let id = 1; id < this.#next; id++) {
      const offset = this.#offsets[id] ?? unusual("an object that was not written");
      table += `${String(offset).padStart(10, "0")} 00000 n \n`;
    }
    const trailer = `trailer\n<</Size ${this.#next}/Root ${root} 0 R/Info ${info} 0 R/ID[<${sign}><${sign}>]>>\n`;
    const end = `startxref\n${this.#size}\n%%EOF\n`;
    return Buffer.concat([...this.#pieces, Buffer.from(table + trailer + end, "latin1")]);
  }

  #push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  #begin(id: number): void {
    this.#offsets[id] = this.#size;
    this.#push(Buffer.from(`${id} 0 obj\n`, "latin1"));
  }

  #idOf(sourceId: number): number {
    const known = this.#ids.get(sourceId);
    if (known !== undefined) return known;
    if (this.#forbidden.has(sourceId)) unusual("a reference to the whole file");
    const id = this.reserve();
    this.#ids.set(sourceId, id);
    this.#waiting.push(sourceId);
    return id;
  }

  /** Copies an object, replacing only the numbers in its references. */
  #copy(sourceId: number): void {
    const object = this.#source.object(sourceId);
    this.#begin(this.#ids.get(sourceId) ?? 0);
    const { bytes } = this.#source;
    const length = lengthRef(object);
    let at = object.start;
    for (const { id, start, end } of object.refs) {
      this.#push(bytes.subarray(at, start));
      const text = id === length ? String(object.stream?.length) : `${this.#idOf(id)} 0 R`;
      this.#push(Buffer.from(text, "latin1"));
      at = end;
    }
    this.#push(bytes.subarray(at, object.end));
    this.#push(END);
  }

  /** Returns the text of a value of the source in the new file. */
  text(value: PdfValue): string {
    if (value instanceof Map)
      return dictText([...value].map(([name, each]) => [name, this.text(each)]));
    if (Array.isArray(value)) return `[${value.map((item) => this.text(item)).join(" ")}]`;
    if (value instanceof PdfName) return `/${value.name}`;
    if (value instanceof PdfText) return value.written;
    if (value instanceof PdfRef) return `${this.#idOf(value.id)} 0 R`;
    if (value instanceof PdfOperator) return value.name;
    return typeof value === "number" ? numberText(value) : String(value);
  }
}

/** Returns the text of a dictionary. */
export function dictText(entries: readonly (readonly [name: string, text: string])[]): string {
  const text = entries.map(([name, value]) => `/${name}${/^\w/.test(value) ? " " : ""}${value}`);
  return `<<${text.join("")}>>`;
}

const END = Buffer.from("\nendobj\n");

/** Returns the id of the object with a stream's length; -1 if the length is direct. The copy has the number instead. */
function lengthRef({ value, stream }: PdfObject): number {
  const length = stream === null || !(value instanceof Map) ? null : value.get("Length");
  return length instanceof PdfRef ? length.id : -1;
}

function numberText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(10) : text;
}
