// The decoder is libwebp of 2020, which has known faults with malicious files (such as CVE-2023-4863). It runs as a
// WebAssembly module that can call nothing outside itself and has limited memory. Each image gets its own instance, so
// a malicious file can only change its own pixels.
import { readFile } from "node:fs/promises";
import type { RasterizeReply, WebpRequest } from "@quire/docx/internal/values/image/rasterize";
import { MAX_PAGES, withMemoryLimit } from "./wasm-memory.ts";
import { writePng } from "./write-png.ts";

/** The part of the API that this file uses. TypeScript declares it only with the API of browsers. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What the module exports. Pointers and lengths are in bytes. */
interface Decoder {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Returns 0 if there is not enough memory. */
  malloc(length: number): number;
  /** Writes the width and the height. Returns the pixels, four bytes (RGBA) for each, or 0. */
  WebPDecodeRGBA(file: number, length: number, width: number, height: number): number;
}

const wasm = await readFile(new URL(import.meta.resolve("@cwasm/webp/webp.wasm")));
const module = await WebAssembly.compile(withMemoryLimit(wasm, MAX_PAGES));

/** The module imports these functions, but decoding does not call them. */
const IMPORTS = {
  wasi_snapshot_preview1: { fd_close: refuse, fd_seek: refuse, fd_write: refuse },
};

function refuse(): never {
  throw new Error("The decoder of WebP images tried to use a file.");
}

/** Decodes a WebP image as PNG, in the thread that calls it. */
export function decodeWebp(request: WebpRequest): RasterizeReply {
  try {
    return { png: decode(request) };
  } catch {
    // The file is damaged, or the image is too large for the memory.
    return { problem: "is a WebP image that cannot be decoded" };
  }
}

function decode({ webp, width, height }: WebpRequest): Uint8Array {
  const { exports } = new WebAssembly.Instance(module, IMPORTS);
  const { memory, malloc, WebPDecodeRGBA } = exports as Decoder;
  const file = malloc(webp.length);
  const size = malloc(8);
  if (file === 0 || size === 0) throw new Error("The image does not fit into the memory.");
  new Uint8Array(memory.buffer, file, webp.length).set(webp);
  const pixels = WebPDecodeRGBA(file, webp.length, size, size + 4);
  // The memory may have grown, so its old buffer is no longer valid.
  const view = new DataView(memory.buffer);
  const isAsDeclared =
    pixels !== 0 &&
    view.getUint32(size, true) === width &&
    view.getUint32(size + 4, true) === height;
  if (!isAsDeclared) throw new Error("The image is damaged.");
  return writePng(new Uint8Array(memory.buffer, pixels, width * height * 4), width, height);
}
