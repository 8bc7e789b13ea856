import { Buffer } from "node:buffer";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { readRaster } from "@quire/ooxml/internal/picture/raster";
import type { Rasterize } from "./rasterize.ts";
import { cleanSvg } from "./svg.ts";

/** The number of PNG pixels for each pixel of the natural size, within these limits for the longer side. */
const SCALE = 3;
const MIN_SIDE = 1200;
const MAX_SIDE = 2400;

/** The steps for each element, and the pixels drawn in the time of a step. */
const ELEMENT_STEPS = 16;
const PIXELS_OF_STEP = 32;

/** An SVG that can be used in a document. */
export interface DrawnSvg {
  /** Cleaned, in UTF-8. */
  readonly svg: Uint8Array;
  /** The same picture for programs without SVG support. Its longer side has 1,200 to 2,400 pixels. */
  readonly png: Uint8Array;
  /** The natural size in CSS pixels, 96 for an inch. */
  readonly width: number;
  /** In CSS pixels, like `width`. */
  readonly height: number;
}

/** What drawing an SVG needs. */
export interface DrawOptions {
  readonly rasterize: Rasterize;
  readonly fonts: readonly Uint8Array[];
  /** Receives a number of steps before drawing, and returns false to reject them. */
  readonly spend: (steps: number) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** Cleans an SVG and draws it as PNG, or returns its problem. Rejects like `rasterize`. */
export async function drawSvg(
  bytes: Uint8Array,
  { rasterize, fonts, spend, signal }: DrawOptions,
): Promise<Outcome<DrawnSvg>> {
  const safe = cleanSvg(bytes);
  if ("problem" in safe) return safe;
  const { svg, width, height, hasText, weight } = safe;
  if (hasText && fonts.length === 0) {
    return {
      problem:
        "is an SVG with text, for which no font was given: turn its text into paths, or give fonts",
    };
  }
  const longer = Math.max(width, height);
  const side = Math.min(MAX_SIDE, Math.max(MIN_SIDE, Math.round(longer * SCALE)));
  const pixels = (side * side * Math.min(width, height)) / longer;
  if (!spend(weight * ELEMENT_STEPS + Math.ceil(pixels / PIXELS_OF_STEP))) return TOO_MUCH;
  const drawn = await rasterize(
    { svg, side, isWide: width >= height, fonts: hasText ? fonts : [] },
    signal,
  );
  if ("problem" in drawn) return drawn;
  const raster = readRaster("png", drawn.png);
  if ("problem" in raster) return { problem: "is an SVG that cannot be drawn" };
  return { svg: Buffer.from(svg), png: drawn.png, width, height };
}

const TOO_MUCH = {
  problem:
    "is an SVG that takes more steps to draw than the document has left: simplify it, or raise the limit 'steps' (documentSteps of renderPool())",
} as const;
