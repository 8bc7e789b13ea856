import type { Rasterize } from "@quire/docx/internal/values/image/rasterize";

/** Like `rasterize` in `rasterize.ts`. Loads that file with the first SVG, because few documents contain any. */
export const rasterize: Rasterize = async (request, signal) => {
  const svg = await import("./rasterize.ts");
  return svg.rasterize(request, signal);
};
