import type { ImageValue } from "./read-image.ts";

/** English Metric Units in each unit of length that an author may write. */
const EMU: ReadonlyMap<string, number> = new Map([
  ["cm", 360_000],
  ["mm", 36_000],
  ["in", 914_400],
  ["pt", 12_700],
  ["pc", 152_400],
  ["px", 9_525],
]);

const LENGTH = /^\s*(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})\s*(cm|mm|in|pt|pc|px)\s*$/i;

/** The longest side that Word gives to a picture: 22 inches. */
const MAX_SIDE = 20_116_800;

/** How an image fills a box of another shape: within it, over it (what stands out is cut off), or distorted. */
export type Fit = "contain" | "cover" | "stretch";

/** How much is cut off an image on each side, in thousandths of a percent: as `a:srcRect` has it. */
export interface Crop {
  readonly l: number;
  readonly t: number;
  readonly r: number;
  readonly b: number;
}

/** How large an image is shown. */
export interface Box {
  /** As it is seen, so after the rotation. */
  readonly widthEmu: number;
  readonly heightEmu: number;
  /** Of the pixels as they are stored, so before the rotation. Null when all is shown. */
  readonly crop: Crop | null;
}

/**
 * A length such as `4cm`, `1.5in` or `100px` in EMU; null for anything else. A percentage is none: what
 * it would be a part of depends on the place. So is a number without a unit.
 */
export function parseLength(text: string): number | null {
  const [, number, unit = ""] = LENGTH.exec(text) ?? [];
  const factor = EMU.get(unit.toLowerCase());
  if (number === undefined || factor === undefined) return null;
  const emu = Math.round(Number(number) * factor);
  return emu > 0 ? emu : null;
}

/**
 * The size of an image. With a width or a height (EMU) the other side follows; with both the image fits
 * into them, by default `contain`. Without any it has its natural size, made smaller where it is wider
 * than `maxWidthEmu` or higher than `maxHeightEmu`. No side is ever longer than Word allows.
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

/** The size and crop of an image that is to fill a box (EMU, as it is seen), such as a placeholder's. */
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

/** Cuts the same off two opposite sides, so that only the shares of the width and height are left. */
function cropOf({ rotation }: ImageValue, widthShare: number, heightShare: number): Crop | null {
  const x = Math.round((1 - widthShare) * 50_000);
  const y = Math.round((1 - heightShare) * 50_000);
  if (x === 0 && y === 0) return null;
  const [l, t] = rotation === 90 || rotation === 270 ? [y, x] : [x, y];
  return { l, t, r: l, b: t };
}
