import type { ImageValue } from "./read-image.ts";

/** English Metric Units per unit of length that an author may use. */
const EMU: ReadonlyMap<string, number> = new Map([
  ["cm", 360_000],
  ["mm", 36_000],
  ["in", 914_400],
  ["pt", 12_700],
  ["pc", 152_400],
  ["px", 9_525],
]);

const LENGTH = /^\s*(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})\s*(cm|mm|in|pt|pc|px)\s*$/i;

/** Maximum width and height of a picture in Word: 22 inches. */
const MAX_SIDE = 20_116_800;

/**
 * How an image fills a box of another shape: `contain` shows all of it, `cover` crops it, and `stretch` distorts it.
 */
export type Fit = "contain" | "cover" | "stretch";

/** The cropped part of an image on each side, in thousandths of a percent, as in `a:srcRect`. */
export interface Crop {
  readonly l: number;
  readonly t: number;
  readonly r: number;
  readonly b: number;
}

/** The size at which an image is shown. */
export interface Box {
  /** The width as shown, after the rotation. */
  readonly widthEmu: number;
  readonly heightEmu: number;
  /** Applies to the stored pixels, before the rotation. Null if the whole image is shown. */
  readonly crop: Crop | null;
}

/**
 * Reads a length such as `4cm`, `1.5in` or `100px` in EMU. Returns null for anything else. Percentages are not allowed,
 * because their base depends on where the picture is. Numbers without a unit are not allowed, either.
 */
export function parseLength(text: string): number | null {
  const [, number, unit = ""] = LENGTH.exec(text) ?? [];
  const factor = EMU.get(unit.toLowerCase());
  if (number === undefined || factor === undefined) return null;
  const emu = Math.round(Number(number) * factor);
  return emu > 0 ? emu : null;
}

/**
 * Returns the size of an image. If only a width or only a height (in EMU) is wanted, the other side keeps the
 * proportions. If both are wanted, the image fits into them, by default as `contain`. Otherwise it has its natural
 * size, scaled down if that exceeds `maxWidthEmu` or `maxHeightEmu`. No side exceeds Word's limit.
 */
export function boxFor(
  image: ImageValue,
  wanted: { readonly width?: number; readonly height?: number; readonly fit?: Fit },
  maxWidthEmu: number | null,
  maxHeightEmu: number | null = null,
): Box {
  const { width, height, fit = "contain" } = wanted;
  if (width !== undefined && height !== undefined) return fitIntoBox(image, width, height, fit);
  if (width !== undefined) return fitIntoBox(image, width, MAX_SIDE, "contain");
  if (height !== undefined) return fitIntoBox(image, MAX_SIDE, height, "contain");
  return fitIntoBox(
    image,
    Math.min(image.widthEmu, maxWidthEmu ?? MAX_SIDE),
    Math.min(image.heightEmu, maxHeightEmu ?? MAX_SIDE),
    "contain",
  );
}

/** Returns the size and crop of an image that fills a box (EMU, as shown), such as a placeholder's box. */
export function fitIntoBox(
  image: ImageValue,
  boxWidthEmu: number,
  boxHeightEmu: number,
  fit: Fit,
): Box {
  const width = side(boxWidthEmu);
  const height = side(boxHeightEmu);
  if (fit === "stretch") return { widthEmu: width, heightEmu: height, crop: null };
  const scaleX = width / image.widthEmu;
  const scaleY = height / image.heightEmu;
  if (fit === "cover") {
    const scale = Math.max(scaleX, scaleY);
    const crop = cropOf(image, scaleX / scale, scaleY / scale);
    return { widthEmu: width, heightEmu: height, crop };
  }
  const scale = Math.min(scaleX, scaleY);
  return {
    widthEmu: side(image.widthEmu * scale),
    heightEmu: side(image.heightEmu * scale),
    crop: null,
  };
}

function side(emu: number): number {
  return Math.min(MAX_SIDE, Math.max(1, Math.round(emu)));
}

/** Crops equal parts from opposite sides, so that only these shares of the width and height remain. */
function cropOf({ rotation }: ImageValue, widthShare: number, heightShare: number): Crop | null {
  const x = Math.round((1 - widthShare) * 50_000);
  const y = Math.round((1 - heightShare) * 50_000);
  if (x === 0 && y === 0) return null;
  const [l, t] = rotation === 90 || rotation === 270 ? [y, x] : [x, y];
  return { l, t, r: l, b: t };
}
