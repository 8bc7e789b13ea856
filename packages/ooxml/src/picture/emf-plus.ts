import { Buffer } from "node:buffer";

/** Whether bytes within a metafile, which readers open by their content, are a picture that is allowed there. */
export type IsPicture = (bytes: Uint8Array) => boolean;

const RECORD_HEADER = 12;

const OBJECT = 0x4008;
const IS_CONTINUED = 0x8000;

const BRUSH = 1;
const IMAGE = 5;

const TEXTURE_BRUSH = 2;
const HAS_TRANSFORM = 0x2;
const TRANSFORM_LENGTH = 24;

const BITMAP = 1;
const METAFILE = 2;

/** The offset of the picture file in an image object, after its header. */
const BITMAP_START = 28;
const METAFILE_START = 16;

/**
 * The EMF+ records in the comments of an EMF (MS-EMFPLUS 2.3). They may contain whole picture files, which readers open
 * by their content.
 */
export class EmfPlusRecords {
  readonly #isPicture: IsPicture;
  /** An object that is split over several records, and the flags that they share. */
  #parts: { readonly flags: number; readonly pieces: Uint8Array[] } | null = null;

  constructor(isPicture: IsPicture) {
    this.#isPicture = isPicture;
  }

  /**
   * Reads the records of one comment. Returns false if one is invalid or embeds a file that is not an allowed picture.
   */
  read(bytes: Uint8Array): boolean {
    const view = viewOf(bytes);
    let at = 0;
    while (at + RECORD_HEADER <= bytes.length) {
      const type = view.getUint16(at, true);
      const flags = view.getUint16(at + 2, true);
      const size = view.getUint32(at + 4, true);
      const length = view.getUint32(at + 8, true);
      const end = at + size;
      if (size < RECORD_HEADER || end > bytes.length || length > size - RECORD_HEADER) return false;
      const data = bytes.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length);
      if (!this.#record(type, flags, data)) return false;
      at = end;
    }
    return true;
  }

  /** Checks an object that was still open after the last record. */
  end(): boolean {
    const parts = this.#parts;
    this.#parts = null;
    return parts === null || this.#object(parts.flags, Buffer.concat(parts.pieces));
  }

  #record(type: number, flags: number, data: Uint8Array): boolean {
    const isContinued = (flags & IS_CONTINUED) !== 0;
    const isSame = ((this.#parts?.flags ?? 0) ^ (flags & ~IS_CONTINUED)) === 0;
    if (type === OBJECT && (isContinued || (this.#parts !== null && isSame))) {
      if (this.#parts !== null && !isSame && !this.end()) return false;
      this.#parts ??= { flags: flags & ~IS_CONTINUED, pieces: [] };
      // The first four bytes are the size of the whole object.
      this.#parts.pieces.push(data.subarray(4));
      return true;
    }
    return this.end() && (type !== OBJECT || this.#object(flags, data));
  }

  #object(flags: number, data: Uint8Array): boolean {
    const kind = (flags >> 8) & 0x7f;
    if (kind === IMAGE) return this.#image(data);
    return kind !== BRUSH || this.#brush(data);
  }

  /** Checks a brush, which may paint with a picture. */
  #brush(data: Uint8Array): boolean {
    const view = viewOf(data);
    if (data.length < 16 || view.getUint32(4, true) !== TEXTURE_BRUSH) return true;
    const hasTransform = (view.getUint32(8, true) & HAS_TRANSFORM) !== 0;
    const image = data.subarray(16 + (hasTransform ? TRANSFORM_LENGTH : 0));
    return image.length === 0 || this.#image(image);
  }

  #image(data: Uint8Array): boolean {
    const view = viewOf(data);
    if (data.length < 8) return false;
    const type = view.getUint32(4, true);
    if (type === METAFILE) return this.#isPicture(data.subarray(METAFILE_START));
    if (type !== BITMAP) return true;
    if (data.length < BITMAP_START) return false;
    const isFile = view.getUint32(8, true) === 0 || view.getUint32(24, true) !== 0;
    return !isFile || this.#isPicture(data.subarray(BITMAP_START));
  }
}

/** Returns a view of the same bytes, to read numbers. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
