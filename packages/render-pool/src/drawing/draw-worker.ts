// The code of the thread that rasterize.ts starts.
import { parentPort } from "node:worker_threads";
import type { RasterizeReply, RasterizeRequest } from "@quire/docx/internal/values/image/rasterize";

// If the package of a module is missing, the rejection ends the thread with an error, which rasterize.ts reports.
parentPort?.on("message", async (request: RasterizeRequest) => {
  parentPort?.postMessage(await reply(request));
});

/** Loads only the module for this kind of image. */
async function reply(request: RasterizeRequest): Promise<RasterizeReply> {
  if ("svg" in request) return (await import("./draw-svg.ts")).drawSvg(request);
  return (await import("./decode-webp.ts")).decodeWebp(request);
}
