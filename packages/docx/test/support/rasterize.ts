import { png } from "../../../ooxml/test/support/pictures.ts";
import type { RasterizeReply, RasterizeRequest } from "../../src/values/image/rasterize.ts";

/** Draws every SVG as an empty square. Real drawing is tested in render-pool. */
export async function rasterize({ side }: RasterizeRequest): Promise<RasterizeReply> {
  return { png: png(side, side) };
}
