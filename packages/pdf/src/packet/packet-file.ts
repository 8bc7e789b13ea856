import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** An object of a PDF as it is written: its text, followed by the bytes if it is a stream. */
export interface PacketObject {
  readonly number: number;
  /** In Latin-1, like all text in this file. */
  readonly text: string;
  readonly stream: Uint8Array | null;
}

/**
 * Number of objects in an object stream. Larger streams compress better, but readers decompress more to get one object.
 */
const OBJECTS_PER_STREAM = 200;
const WRITE_AT = 256 * 1024;
const HEADER = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
const LARGEST_INDEX = 256;

/**
 * A PDF that is written sequentially: an object cannot change after `put`. Objects other than streams are compressed
 * together in object streams. This makes letters that contain their own fonts about 6% smaller, and letters whose fonts
 * are already in the packet 90% smaller.
 */
export class PacketFile {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  /**
   * A hash of all bytes before the cross-reference stream. The file's id is derived from it, so equal bytes give the
   * same id.
   */
  readonly #hash = createHash("sha256");
  /**
   * For each object number, a byte offset, or -1 - (stream * LARGEST_INDEX + index) for an object in an object stream.
   */
  #places = new Float64Array(1024);
  #next = 1;
  #size = 0;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #small: PacketObject[] = [];

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  /** The next free object number. */
  get next(): number {
    return this.#next;
  }

  get size(): number {
    return this.#size;
  }

  reserve(): number {
    const number = this.#next;
    this.#next += 1;
    return number;
  }

  /** Frees this object number and all higher ones. Their objects must not have been written. */
  giveBack(from: number): void {
    this.#next = from;
  }

  async put(object: PacketObject): Promise<void> {
    if (object.stream === null) {
      this.#small.push(object);
      if (this.#small.length === OBJECTS_PER_STREAM) await this.#putSmall();
      return;
    }
    this.#begin(object.number);
    this.#append(Buffer.from(`${object.number} 0 obj\n${object.text}\nstream\n`, "latin1"));
    this.#append(object.stream);
    this.#append(Buffer.from("\nendstream\nendobj\n", "latin1"));
    if (this.#waitingBytes >= WRITE_AT) await this.#flush();
  }

  /** Writes the cross-reference stream and the trailer. Returns the size of the file in bytes. */
  async end(root: number, info: number): Promise<number> {
    await this.#putSmall();
    const table = this.reserve();
    this.#begin(table);
    const id = this.#hash.digest("hex").slice(0, 32);
    const rows = deflateSync(this.#tableRows());
    this.#appendText(
      `${table} 0 obj\n<</Type/XRef/Size ${this.#next}/W[1 5 1]/Root ${root} 0 R/Info ${info} 0 R` +
        `/ID[<${id}><${id}>]/Filter/FlateDecode/Length ${rows.length}>>\nstream\n`,
    );
    const offset = this.#places[table];
    this.#waiting.push(rows);
    this.#size += rows.length;
    this.#appendText(`\nendstream\nendobj\nstartxref\n${offset}\n%%EOF\n`);
    await this.#flush();
    return this.#size;
  }

  async #putSmall(): Promise<void> {
    const objects = this.#small;
    if (objects.length === 0) return;
    this.#small = [];
    const number = this.reserve();
    let head = "";
    let body = "";
    for (const [index, object] of objects.entries()) {
      head += `${object.number} ${body.length} `;
      body += `${object.text}\n`;
      this.#place(object.number, -1 - (number * LARGEST_INDEX + index));
    }
    const stream = deflateSync(Buffer.from(head + body, "latin1"));
    const text =
      `<</Type/ObjStm/N ${objects.length}/First ${head.length}/Filter/FlateDecode` +
      `/Length ${stream.length}>>`;
    await this.put({ number, text, stream });
  }

  #tableRows(): Uint8Array {
    const rows = Buffer.alloc(this.#next * 7);
    rows[6] = 255; // the head of the list of free objects
    for (let number = 1; number < this.#next; number++) {
      const at = number * 7;
      const place = this.#places[number] ?? 0;
      if (place === 0) continue; // reserved and never put: a free object
      rows[at] = place > 0 ? 1 : 2;
      const within = -1 - place;
      rows.writeUIntBE(place > 0 ? place : Math.floor(within / LARGEST_INDEX), at + 1, 5);
      if (place < 0) rows[at + 6] = within % LARGEST_INDEX;
    }
    return rows;
  }

  #begin(number: number): void {
    if (this.#size === 0) this.#append(Buffer.from(HEADER, "latin1"));
    this.#place(number, this.#size);
  }

  #place(number: number, place: number): void {
    if (number >= this.#places.length) {
      const places = new Float64Array(Math.max(number + 1, this.#places.length * 2));
      places.set(this.#places);
      this.#places = places;
    }
    this.#places[number] = place;
  }

  #append(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#size += bytes.length;
  }

  /** Appends text without hashing it, because the digest has already been computed. */
  #appendText(text: string): void {
    const bytes = Buffer.from(text, "latin1");
    this.#waiting.push(bytes);
    this.#size += bytes.length;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#write(bytes);
  }
}
