import { contentHash } from "@quire/ooxml/internal/content-hash";
import { tooLarge } from "@quire/ooxml/internal/picture/base64";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import {
  isRaster,
  MAX_IMAGE_BYTES,
  type Raster,
  type RasterType,
  readRaster,
} from "@quire/ooxml/internal/picture/raster";
import { nameOf, sniff } from "@quire/ooxml/internal/picture/sniff";
import type { SvgWarning } from "./fonts/font-findings.ts";
import type { DrawnImage, PreparedImages } from "./prepare-images.ts";
import {
  bytesOfText,
  type Drawing,
  drawingOf,
  FILE_REFERENCE,
  isImageText,
  keyOf,
  referenceOf,
} from "./sources.ts";

/** English Metric Units per inch, the unit of DrawingML. */
const EMU_PER_INCH = 914_400;

/** An image in the form that a document needs. */
export interface ImageValue {
  readonly type: RasterType | "svg";
  /**
   * The content of the part. For an SVG, this is a rewritten version that cannot load or run anything. For a WebP
   * image, it is a PNG.
   */
  readonly bytes: Uint8Array;
  /** An equivalent PNG for programs without SVG support, or null for the other types. */
  readonly fallback: Uint8Array | null;
  /**
   * The natural width as shown, after {@link rotation}. It depends on the pixels and the resolution (96 dpi if the file
   * does not define one).
   */
  readonly widthEmu: number;
  /** The natural height as shown. */
  readonly heightEmu: number;
  /** The clockwise rotation that DrawingML must apply to the stored pixels, after the flip, because of EXIF. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Whether DrawingML must mirror the stored pixels, before the rotation. */
  readonly flip: "none" | "horizontal";
  /** Differences between the text of an SVG and of its {@link fallback}. Absent for other images. */
  readonly warnings?: readonly SvgWarning[];
  /** Equal for equal `bytes` and different otherwise. Each key becomes one part. */
  readonly key: string;
}

/** The transformation in DrawingML for each EXIF orientation, indexed by the orientation minus one. */
const TURNS: readonly (readonly [ImageValue["rotation"], ImageValue["flip"]])[] = [
  [0, "none"],
  [0, "horizontal"],
  [180, "none"],
  [180, "horizontal"],
  [270, "horizontal"],
  [90, "none"],
  [90, "horizontal"],
  [270, "none"],
];

/**
 * Whether a value is meant as an image: a data URI of an image, base64 that begins with the bytes of a PNG,
 * JPEG, GIF or SVG, or a reference `{type: "file", id}` or `{type: "url", url}`. {@link readImage} decides
 * whether it can be shown.
 */
export function isImageValue(value: unknown): boolean {
  return typeof value === "string" ? isImageText(value) : referenceOf(value) !== null;
}

/**
 * Returns the image in a value or at its reference. On failure, returns the reason, which completes the sentence "The
 * value for the tag … ". References, SVGs and WebP images must be in `prepared`. Never throws.
 */
export function readImage(
  value: unknown,
  prepared: PreparedImages | null,
): Outcome<{ readonly image: ImageValue }> {
  const source = bytesOf(value, prepared);
  if ("problem" in source) return source;
  const { bytes } = source;
  if (bytes.length > MAX_IMAGE_BYTES) return tooLarge();
  const drawing = drawingOf(bytes);
  if (drawing !== null) return drawnImage(drawing, prepared?.drawn.get(contentHash(bytes)));
  const type = sniff(bytes);
  if (type !== null && isRaster(type)) return rasterImage(type, bytes);
  const other = nameOf(bytes);
  return {
    problem: `${other === null ? "is not an image of a known kind" : `is ${other}`}: give a PNG, JPEG, GIF, BMP, WebP or SVG`,
  };
}

function bytesOf(
  value: unknown,
  prepared: PreparedImages | null,
): Outcome<{ readonly bytes: Uint8Array }> {
  if (typeof value === "string") return bytesOfText(value);
  const reference = referenceOf(value);
  if (reference === null) {
    return {
      problem: `is not an image: give base64 of a PNG, JPEG, GIF, BMP, WebP or SVG, or ${FILE_REFERENCE}`,
    };
  }
  const loaded = prepared?.loaded.get(keyOf(reference));
  if (loaded !== undefined) return loaded;
  return reference.kind === "file"
    ? { problem: "is a file reference, but no storage was given to read it from" }
    : {
        problem:
          "is a URL, but there is no function to fetch it (the option resolveUrl): give base64 instead",
      };
}

function rasterImage(type: RasterType, bytes: Uint8Array): Outcome<{ readonly image: ImageValue }> {
  const raster = readRaster(type, bytes);
  return "problem" in raster ? raster : { image: turnedImage(type, bytes, raster) };
}

function turnedImage(type: RasterType, bytes: Uint8Array, raster: Raster): ImageValue {
  const [rotation, flip] = TURNS[raster.orientation - 1] ?? [0, "none"];
  const stored = naturalSize(raster);
  const size =
    rotation === 90 || rotation === 270
      ? { widthEmu: stored.heightEmu, heightEmu: stored.widthEmu }
      : stored;
  return { type, bytes, fallback: null, ...size, rotation, flip, key: contentHash(bytes) };
}

function naturalSize({ width, height, dpiX, dpiY }: Raster): {
  readonly widthEmu: number;
  readonly heightEmu: number;
} {
  return {
    widthEmu: Math.max(1, Math.round((width / dpiX) * EMU_PER_INCH)),
    heightEmu: Math.max(1, Math.round((height / dpiY) * EMU_PER_INCH)),
  };
}

const NOT_DRAWN: Readonly<Record<Drawing, { readonly problem: string }>> = {
  svg: { problem: "is an SVG, which cannot be drawn here" },
  webp: { problem: "is a WebP image, which cannot be decoded here: give a PNG or JPEG" },
};

function drawnImage(
  drawing: Drawing,
  drawn: Outcome<DrawnImage> | undefined,
): Outcome<{ readonly image: ImageValue }> {
  if (drawn === undefined) return NOT_DRAWN[drawing];
  if ("problem" in drawn) return drawn;
  if (!("svg" in drawn)) return { image: turnedImage("png", drawn.png, drawn.raster) };
  const { svg, png, width, height, warnings } = drawn;
  return {
    image: {
      type: "svg",
      bytes: svg,
      fallback: png,
      ...naturalSize({ width, height, dpiX: 96, dpiY: 96, orientation: 1 }),
      rotation: 0,
      flip: "none",
      warnings,
      key: contentHash(svg),
    },
  };
}
