import type { Rasterize } from "@quire/docx/internal/values/image/rasterize";

/** Like `rasterize` of `rasterize.ts`, which is loaded with the first SVG: few documents have any. */
export const rasterize: Rasterize = async (request, signal) => {
  const svg = await import("./rasterize.ts");
  return svg.rasterize(request, signal);
};
