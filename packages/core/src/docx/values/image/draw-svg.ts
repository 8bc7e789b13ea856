import { Buffer } from "node:buffer";
import type { Outcome } from "../../picture/outcome.ts";
import { readRaster } from "../../picture/raster.ts";
import { cleanSvg } from "./svg.ts";
import { rasterize } from "./svg-renderer.ts";

export { TOO_SLOW } from "./svg-renderer.ts";

/** The longer side of the PNG in pixels, for each pixel of the natural size, within these bounds. */
const SCALE = 3;
const MIN_SIDE = 1200;
const MAX_SIDE = 2400;

/** An SVG that can go into a document. */
export interface DrawnSvg {
  /** Safe, in UTF-8. */
  readonly svg: Uint8Array;
  readonly png: Uint8Array;
  /** The natural size in pixels of CSS, of which 96 are an inch. */
  readonly width: number;
  readonly height: number;
}

/**
 * Makes an SVG safe and draws it as PNG, or tells why that is not possible. Rejects with `aborted`, and
 * with `unavailable` when the renderer cannot be started.
 */
export async function drawSvg(
  bytes: Uint8Array,
  fonts: readonly Uint8Array[],
  signal: AbortSignal | undefined,
): Promise<Outcome<DrawnSvg>> {
  const safe = cleanSvg(bytes);
  if ("problem" in safe) return safe;
  const { svg, width, height, hasText } = safe;
  if (hasText && fonts.length === 0) {
    return {
      problem:
        "is an SVG with text, for which no font was given: turn its text into paths, or give fonts",
    };
  }
  const longer = Math.max(width, height);
  const side = Math.min(MAX_SIDE, Math.max(MIN_SIDE, Math.round(longer * SCALE)));
  const drawn = await rasterize(
    { svg, side, isWide: width >= height, fonts: hasText ? fonts : [] },
    signal,
  );
  if ("problem" in drawn) return drawn;
  const raster = readRaster("png", drawn.png);
  if ("problem" in raster) return { problem: "is an SVG that cannot be drawn" };
  return { svg: Buffer.from(svg), png: drawn.png, width, height };
}
