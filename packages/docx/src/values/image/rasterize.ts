import type { Outcome } from "@quire/ooxml/internal/picture/outcome";

/** An SVG to draw. */
export interface SvgRequest {
  /** The cleaned SVG, which refers to nothing outside itself. The size of text without `font-size` is 16 pixels. */
  readonly svg: string;
  /** The longer side of the PNG, in pixels. */
  readonly side: number;
  /** Whether the longer side is the width. */
  readonly isWide: boolean;
  /**
   * Font files (TrueType or OpenType); empty for an SVG without text. All text has a family of theirs. A list that is
   * the same object as for an earlier picture has the same files.
   */
  readonly fonts: readonly Uint8Array[];
}

/** A WebP image to decode. */
export interface WebpRequest {
  /** The file, which is not an animation. Only its headers have been checked. */
  readonly webp: Uint8Array;
  /** The width of the image and of the PNG, in pixels. */
  readonly width: number;
  /** The height of the image and of the PNG, in pixels. */
  readonly height: number;
}

/** An image that becomes a PNG. */
export type RasterizeRequest = SvgRequest | WebpRequest;

/** A PNG, or the problem with the image, which completes a sentence, such as "is an SVG that cannot be drawn". */
export type RasterizeReply = Outcome<{
  /** A PNG of the requested size. */
  readonly png: Uint8Array;
}>;

/**
 * Draws an SVG or decodes a WebP image, as PNG. An SVG of a few hundred bytes can keep a renderer busy for hours or
 * fill all memory, so it needs limits of time and memory. Rejects with `aborted` if the signal is aborted, with
 * `timeout` if drawing takes too long, and with `unavailable` for failures that are not the fault of the image.
 */
export type Rasterize = (
  request: RasterizeRequest,
  signal: AbortSignal | undefined,
) => Promise<RasterizeReply>;
