import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { type Raster, rasterOf, readRaster } from "@quire/ooxml/internal/picture/raster";
import { readWebp } from "@quire/ooxml/internal/picture/webp";
import type { DrawOptions } from "./draw-svg.ts";

/** Maximum number of pixels of a WebP image. Decoding takes up to twelve bytes of memory for each pixel. */
const MAX_PIXELS = 40_000_000;

/** Number of pixels decoded and compressed again per step. */
const PIXELS_OF_STEP = 3;

/** A WebP image that can be used in a document. */
export interface DrawnWebp {
  /** The same pixels, because older versions of Word do not show WebP. */
  readonly png: Uint8Array;
  /** The size, resolution and orientation in the WebP image. */
  readonly raster: Raster;
}

/** Decodes a WebP image as PNG, or returns the problem with it. Rejects like `rasterize`. */
export async function drawWebp(
  bytes: Uint8Array,
  { rasterize, spend, signal }: Omit<DrawOptions, "fonts">,
): Promise<Outcome<DrawnWebp>> {
  const raster = rasterOf(readWebp(bytes), MAX_PIXELS);
  if ("problem" in raster) return raster;
  const { width, height } = raster;
  if (!spend(Math.ceil((width * height) / PIXELS_OF_STEP))) return TOO_MUCH;
  const drawn = await rasterize({ webp: bytes, width, height }, signal);
  if ("problem" in drawn) return drawn;
  const { png } = drawn;
  const decoded = readRaster("png", png);
  if ("problem" in decoded || decoded.width !== width || decoded.height !== height) {
    return { problem: "is a WebP image that cannot be decoded" };
  }
  return { png, raster };
}

const TOO_MUCH = {
  problem:
    "is a WebP image that takes more steps to decode than the document has left: make it smaller, or raise the limit 'steps' (documentSteps of renderPool())",
} as const;
