import { readBmp } from "./bmp.ts";
import { readGif } from "./gif.ts";
import { readJpeg } from "./jpeg.ts";
import type { Outcome, RasterFacts, Resolution } from "./outcome.ts";
import { readPng } from "./png.ts";

/** Maximum number of bytes of one image. */
export const MAX_IMAGE_BYTES = 20_000_000;

/** Maximum number of pixels of one image. A program that opens the document needs four bytes for each pixel. */
const MAX_PIXELS = 100_000_000;

const DEFAULT_DPI = 96;

/** A resolution outside these limits is a mistake of the program that wrote the file, and is ignored. */
const MIN_DPI = 10;
const MAX_DPI = 10_000;

/** What the file of an image declares, as stored: before the orientation is applied. */
export interface Raster {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Dots per inch along the rows. */
  readonly dpiX: number;
  /** Dots per inch along the columns. */
  readonly dpiY: number;
  /** The EXIF orientation, 1 to 8; 1 is upright. */
  readonly orientation: number;
}

/** The pixel formats that Word shows. */
export type RasterType = "png" | "jpeg" | "gif" | "bmp";

const READERS: Readonly<Record<RasterType, (bytes: Uint8Array) => Outcome<RasterFacts>>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  bmp: readBmp,
};

/** Whether a kind of picture has pixels that Word shows. */
export function isRaster(type: string): type is RasterType {
  return Object.hasOwn(READERS, type);
}

/** Reads the header of an image of a known type and checks that the file is complete. Never throws. */
export function readRaster(type: RasterType, bytes: Uint8Array): Outcome<Raster> {
  return rasterOf(READERS[type](bytes));
}

/** Checks what the file of an image declares, and replaces missing and invalid values. */
export function rasterOf(facts: Outcome<RasterFacts>, maxPixels = MAX_PIXELS): Outcome<Raster> {
  if ("problem" in facts) return facts;
  const { width, height, orientation } = facts;
  if (width === 0 || height === 0) return { problem: "is an image without pixels" };
  if (width * height > maxPixels) {
    return { problem: `is an image of more than ${maxPixels / 1_000_000} million pixels` };
  }
  const dpi = facts.dpi !== null && isSane(facts.dpi) ? facts.dpi : null;
  return {
    width,
    height,
    dpiX: dpi?.x ?? DEFAULT_DPI,
    dpiY: dpi?.y ?? DEFAULT_DPI,
    orientation: orientation !== null && orientation >= 1 && orientation <= 8 ? orientation : 1,
  };
}

function isSane({ x, y }: Resolution): boolean {
  return x >= MIN_DPI && x <= MAX_DPI && y >= MIN_DPI && y <= MAX_DPI;
}
