import { createReadStream } from "node:fs";
import { decodeWindows1252, QuireError } from "@quire/core";

/** The encoding of a file. */
export interface Encoding {
  /** The name that `TextDecoder` uses. */
  readonly name: string;
  /** The length of the byte order mark, in bytes. */
  readonly markBytes: number;
}

/** The part of `TextDecoder` that is used. */
interface Decoder {
  decode(bytes: Uint8Array, options: { readonly stream: boolean }): string;
}

const EXAMPLES =
  "for example windows-1252 (Excel in Western Europe), windows-1250 (Central Europe) or iso-8859-15";

/**
 * Returns the encoding of a file. Precedence: its byte order mark, `named`, UTF-8. Throws `invalid_data` if `named` is
 * a single-byte encoding but the text is UTF-8, and for UTF-16 if neither a mark nor `named` declares it. Such a file
 * is recognized by the zero byte next to its first character.
 */
export function encodingOf(head: Buffer, label: string, named: string | undefined): Encoding {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: "utf-8", markBytes: 3 };
  if (first === 0xff && second === 0xfe) return { name: "utf-16le", markBytes: 2 };
  if (first === 0xfe && second === 0xff) return { name: "utf-16be", markBytes: 2 };
  if (named !== undefined) {
    if (OLDER.test(named) && isUtf8WithLetters(head)) {
      throw new QuireError(
        "invalid_data",
        `The file ${label} is UTF-8 text, but --encoding says ${named}. Remove the option.`,
      );
    }
    return { name: named, markBytes: 0 };
  }
  if (first !== 0 && second !== 0) return { name: "utf-8", markBytes: 0 };
  throw new QuireError(
    "invalid_data",
    `The file ${label} seems to be UTF-16 text without a byte order mark. Save it as UTF-8, or try --encoding utf-16le.`,
  );
}

/** Single-byte encodings. Non-ASCII text in these encodings is practically never valid UTF-8. */
const OLDER = /^(?:windows-|iso-8859-|koi8-|ibm|macintosh|x-mac-)/;

/** Whether the beginning of a file is UTF-8 with non-ASCII characters. `head` may end within a character. */
function isUtf8WithLetters(head: Buffer): boolean {
  if (head.every((byte) => byte < 0x80)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The end of error messages for text that is not UTF-8. */
export const NOT_UTF8 = `is not UTF-8 text. Save the file as UTF-8, or name its encoding with --encoding, ${EXAMPLES}.`;

/** Creates a decoder for a stream. Without `fatal`, invalid bytes become U+FFFD. */
export function decoderFor({ name }: Encoding, { fatal }: { readonly fatal: boolean }): Decoder {
  return name === "windows-1252"
    ? { decode: decodeWindows1252 }
    : new TextDecoder(name, { fatal, ignoreBOM: true });
}

/**
 * Yields the bytes of a file as UTF-8, without the byte order mark. Does not check the bytes of a UTF-8 file, because
 * the reader checks them row by row. Throws `invalid_data` for bytes that are invalid in any other encoding.
 */
export async function* utf8Chunks(
  path: string,
  { encoding, label, chunkBytes }: ChunkOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const stream = createReadStream(path, {
    start: encoding.markBytes,
    highWaterMark: chunkBytes,
  }) as AsyncIterable<Buffer>;
  if (encoding.name === "utf-8") {
    yield* stream;
    return;
  }
  const decoder = decoderFor(encoding, { fatal: true });
  const decode = (bytes: Uint8Array, more: boolean): Buffer => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream: more }));
    } catch (cause) {
      throw new QuireError(
        "invalid_data",
        `The file ${label} is not ${encoding.name} text. Name another encoding with --encoding, or save the file as UTF-8.`,
        { cause },
      );
    }
  };
  for await (const chunk of stream) yield decode(chunk, true);
  yield decode(new Uint8Array(), false);
}

interface ChunkOptions {
  readonly encoding: Encoding;
  /** The name of the file, for messages. */
  readonly label: string;
  readonly chunkBytes: number | undefined;
}
