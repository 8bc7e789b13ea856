import { Buffer } from "node:buffer";

/** A message between the pool and one of its processes: JSON, followed by bytes. */
export interface Frame {
  /** The kind of the message; see `messages.ts`. */
  readonly kind: number;
  /** The number of the document, template or question. */
  readonly id: number;
  /** JSON; may be empty. */
  readonly head: string;
  /** A view of the received bytes. Must be copied if it is kept. */
  readonly body: Buffer;
}

/**
 * A frame consists of the length of the rest, the kind, the id, the length of the head, the head, and the body. Numbers
 * are unsigned and little-endian.
 */
const LENGTH = 4;
const PREFIX = 1 + 4 + 4;

/**
 * Maximum size in bytes of a body that is copied, so that the frame is one piece, because a second write costs more.
 */
const ONE_PIECE = 32_768;

/** Maximum size of a frame, far above the size of any document. */
const MAX_FRAME_BYTES = 2 ** 30;

/**
 * Maximum size of a head, far above any real one: the problems of a document and the file names in questions are
 * limited.
 */
const MAX_HEAD_BYTES = 2 ** 20;

const NOTHING = new Uint8Array();

/** Returns the pieces of a frame, to be written in order. */
export function encodeFrame(
  kind: number,
  id: number,
  head = "",
  body: Uint8Array = NOTHING,
): readonly Uint8Array[] {
  const headLength = Buffer.byteLength(head);
  const start = LENGTH + PREFIX + headLength;
  const isOnePiece = body.length <= ONE_PIECE;
  const bytes = Buffer.allocUnsafe(isOnePiece ? start + body.length : start);
  bytes.writeUInt32LE(PREFIX + headLength + body.length, 0);
  bytes.writeUInt8(kind, LENGTH);
  bytes.writeUInt32LE(id, LENGTH + 1);
  bytes.writeUInt32LE(headLength, LENGTH + 5);
  bytes.write(head, LENGTH + PREFIX, "utf8");
  if (!isOnePiece) return [bytes, body];
  bytes.set(body, start);
  return [bytes];
}

/**
 * Returns a function that takes the chunks of a pipe and delivers each frame when it is complete. Throws for lengths
 * that no frame has. In that case, the other side is broken and must be ended.
 */
export function frameReader(deliver: (frame: Frame) => void): (chunk: Buffer) => void {
  /** The beginning of the next frame, as long as it is shorter than the length field. */
  let start: Buffer = Buffer.alloc(0);
  /** The frame whose length has been read but whose bytes are incomplete, and the number of bytes received. */
  let open: { readonly bytes: Buffer; filled: number } | null = null;

  const fill = (chunk: Buffer): Buffer => {
    if (open === null) return chunk;
    const part = chunk.subarray(0, open.bytes.length - open.filled);
    open.bytes.set(part, open.filled);
    open.filled += part.length;
    if (open.filled === open.bytes.length) {
      const { bytes } = open;
      open = null;
      deliver(decodeFrame(bytes));
    }
    return chunk.subarray(part.length);
  };

  return (chunk) => {
    let rest = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    rest = fill(rest);
    while (rest.length >= LENGTH) {
      const length = rest.readUInt32LE(0);
      if (length < PREFIX || length > MAX_FRAME_BYTES)
        throw new Error("The length of a frame is invalid.");
      rest = rest.subarray(LENGTH);
      if (rest.length >= length) {
        deliver(decodeFrame(rest.subarray(0, length)));
        rest = rest.subarray(length);
      } else {
        open = { bytes: Buffer.allocUnsafeSlow(length), filled: 0 };
        rest = fill(rest);
      }
    }
    start = rest;
  };
}

/** Returns received bytes that the caller may keep. Copies them unless they make up most of their buffer. */
export function ownBytes({ buffer, byteOffset, length }: Buffer): Uint8Array {
  const view = new Uint8Array(buffer, byteOffset, length);
  return length * 2 >= buffer.byteLength ? view : view.slice();
}

function decodeFrame(bytes: Buffer): Frame {
  const headLength = bytes.readUInt32LE(5);
  if (headLength > Math.min(bytes.length - PREFIX, MAX_HEAD_BYTES))
    throw new Error("The head of a frame is invalid.");
  return {
    kind: bytes.readUInt8(0),
    id: bytes.readUInt32LE(1),
    head: bytes.toString("utf8", PREFIX, PREFIX + headLength),
    body: bytes.subarray(PREFIX + headLength),
  };
}
