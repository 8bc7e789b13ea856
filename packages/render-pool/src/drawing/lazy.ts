import type { Rasterize } from "@quire/docx/internal/values/image/rasterize";

/** Like `rasterize` in `rasterize.ts`. Loads that file with the first image to draw, because few documents have any. */
export const rasterize: Rasterize = async (request, signal) => {
  const drawing = await import("./rasterize.ts");
  return drawing.rasterize(request, signal);
};
