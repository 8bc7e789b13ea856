import { readGif } from "./gif.ts";
import { readJpeg } from "./jpeg.ts";
import type { Outcome, RasterFacts, Resolution } from "./outcome.ts";
import { readPng } from "./png.ts";

/** The most bytes of one image. */
export const MAX_IMAGE_BYTES = 20_000_000;

/** The most pixels of one image: whoever opens the document has to hold four bytes for each. */
const MAX_PIXELS = 100_000_000;

const DEFAULT_DPI = 96;

/** A resolution beyond these is a mistake of the program that wrote the file, and does not count. */
const MIN_DPI = 10;
const MAX_DPI = 10_000;

/** What the file of an image tells of it, as it is stored: before it is turned by its orientation. */
export interface Raster {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  readonly dpiX: number;
  readonly dpiY: number;
  /** As EXIF counts it, 1 to 8; 1 is upright. */
  readonly orientation: number;
}

/** The formats that Word shows and that hold pixels. */
export type RasterType = "png" | "jpeg" | "gif";

const READERS: Readonly<Record<RasterType, (bytes: Uint8Array) => Outcome<RasterFacts>>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
};

/** Whether a kind of picture has pixels that Word shows. */
export function isRaster(type: string): type is RasterType {
  return Object.hasOwn(READERS, type);
}

/** Reads the head of an image of a known type and checks that the file is whole. Never throws. */
export function readRaster(type: RasterType, bytes: Uint8Array): Outcome<Raster> {
  const facts = READERS[type](bytes);
  if ("problem" in facts) return facts;
  const { width, height, orientation } = facts;
  if (width === 0 || height === 0) return { problem: "is an image without pixels" };
  if (width * height > MAX_PIXELS) {
    return { problem: `is an image of more than ${MAX_PIXELS / 1_000_000} million pixels` };
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
