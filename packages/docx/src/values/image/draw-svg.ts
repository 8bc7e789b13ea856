import { Buffer } from "node:buffer";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { readRaster } from "@quire/ooxml/internal/picture/raster";
import type { SvgWarning } from "./fonts/font-findings.ts";
import { readFonts } from "./fonts/font-set.ts";
import { placeFonts } from "./fonts/place-fonts.ts";
import type { Rasterize } from "./rasterize.ts";
import { cleanSvg } from "./svg.ts";

/** PNG pixels for each CSS pixel of the natural size, and the limits for the longer side in PNG pixels. */
const SCALE = 3;
const MIN_SIDE = 1200;
const MAX_SIDE = 2400;

/** Number of steps for each element, and number of pixels drawn per step. */
const ELEMENT_STEPS = 16;
const PIXELS_OF_STEP = 32;

/** An SVG that can be used in a document. */
export interface DrawnSvg {
  /** The cleaned SVG in UTF-8. */
  readonly svg: Uint8Array;
  /** The same picture for programs without SVG support. Its longer side has 1,200 to 2,400 pixels. */
  readonly png: Uint8Array;
  /** The natural width in CSS pixels (96 per inch). */
  readonly width: number;
  /** The natural height in CSS pixels. */
  readonly height: number;
  /** Differences between the text of the PNG and of the SVG, because of the given fonts. */
  readonly warnings: readonly SvgWarning[];
}

/** Options for {@link drawSvg}. */
export interface DrawOptions {
  readonly rasterize: Rasterize;
  /** Returns the font files. Called if the SVG has text. */
  readonly fonts: () => Promise<readonly Uint8Array[]>;
  /** Called with the number of steps before drawing. Returns false to reject the SVG. */
  readonly spend: (steps: number) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** Cleans an SVG and draws it as PNG, or returns the problem with it. Rejects like `rasterize`. */
export async function drawSvg(
  bytes: Uint8Array,
  { rasterize, fonts, spend, signal }: DrawOptions,
): Promise<Outcome<DrawnSvg>> {
  const safe = cleanSvg(bytes);
  if ("problem" in safe) return safe;
  const { svg, width, height, hasText, weight } = safe;
  const files = hasText ? await fonts() : NO_FONTS;
  if (hasText && files.length === 0) return NO_FONT_GIVEN;
  const longer = Math.max(width, height);
  const side = Math.min(MAX_SIDE, Math.max(MIN_SIDE, Math.round(longer * SCALE)));
  const pixels = (side * side * Math.min(width, height)) / longer;
  if (!spend(weight * ELEMENT_STEPS + Math.ceil(pixels / PIXELS_OF_STEP))) return TOO_MUCH;
  const placed = hasText ? placeFonts(svg, readFonts(files, OPTION)) : { svg, warnings: [] };
  const drawn = await rasterize(
    { svg: placed.svg, side, isWide: width >= height, fonts: files },
    signal,
  );
  if ("problem" in drawn) return drawn;
  const raster = readRaster("png", drawn.png);
  if ("problem" in raster) return { problem: "is an SVG that cannot be drawn" };
  return { svg: Buffer.from(svg), png: drawn.png, width, height, warnings: placed.warnings };
}

const NO_FONTS: readonly Uint8Array[] = [];
const OPTION = "fonts of prepareImages()";

const NO_FONT_GIVEN = {
  problem:
    "is an SVG with text, for which no font was given: give fonts with --svg-fonts (svgFonts in a program), or turn its text into paths",
} as const;

const TOO_MUCH = {
  problem:
    "is an SVG that takes more steps to draw than the document has left: simplify it, or raise the limit 'steps' (documentSteps of renderPool())",
} as const;
