import type { Outcome } from "@quire/ooxml/internal/picture/outcome";

/** An SVG to draw. */
export interface RasterizeRequest {
  /** The cleaned SVG, which refers to nothing outside itself. */
  readonly svg: string;
  /** The longer side of the PNG, in pixels. */
  readonly side: number;
  /** Whether the longer side is the width. */
  readonly isWide: boolean;
  /** Font files (TrueType or OpenType); empty for an SVG without text. */
  readonly fonts: readonly Uint8Array[];
}

/** A PNG, or the problem with the SVG, which completes a sentence, such as "is an SVG that cannot be drawn". */
export type RasterizeReply = Outcome<{
  /** A PNG whose longer side has the requested number of pixels. */
  readonly png: Uint8Array;
}>;

/**
 * Draws an SVG as PNG. An SVG of a few hundred bytes can keep a renderer busy for hours or fill all memory, so it needs
 * limits of time and memory. Rejects with `aborted` if the signal is aborted, with `timeout` if drawing takes too long,
 * and with `unavailable` for failures that are not the fault of the SVG.
 */
export type Rasterize = (
  request: RasterizeRequest,
  signal: AbortSignal | undefined,
) => Promise<RasterizeReply>;
