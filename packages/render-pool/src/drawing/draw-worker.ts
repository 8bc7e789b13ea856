// The code of the thread that rasterize.ts starts.
import { parentPort } from "node:worker_threads";
import type { RasterizeReply } from "@quire/docx/internal/values/image/rasterize";
import type { DrawingMessage, DrawingTask } from "./messages.ts";

/** The fonts for all following SVGs with text. */
let fonts: readonly Uint8Array[] = [];

// If the package of a module is missing, the rejection ends the thread with an error, which rasterize.ts reports.
parentPort?.on("message", async (message: DrawingMessage) => {
  if ("fonts" in message) fonts = message.fonts;
  else parentPort?.postMessage(await reply(message));
});

/** Loads only the module for this kind of image. */
async function reply(task: DrawingTask): Promise<RasterizeReply> {
  if (!("svg" in task)) return (await import("./decode-webp.ts")).decodeWebp(task);
  const { drawSvg } = await import("./draw-svg.ts");
  return drawSvg({ ...task, fonts: task.hasText ? fonts : [] });
}
