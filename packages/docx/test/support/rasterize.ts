import { png } from "../../../ooxml/test/support/pictures.ts";
import type { RasterizeReply, RasterizeRequest } from "../../src/values/image/rasterize.ts";

/** Returns an empty picture of the requested size: a square for an SVG. Real drawing is tested in render-pool. */
export async function rasterize(request: RasterizeRequest): Promise<RasterizeReply> {
  if ("webp" in request) return { png: png(request.width, request.height) };
  return { png: png(request.side, request.side) };
}
