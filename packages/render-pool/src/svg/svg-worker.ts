// The code of the thread that rasterize.ts starts.
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import type { RasterizeReply, RasterizeRequest } from "@quire/docx/internal/values/image/rasterize";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { withMemoryLimit } from "./wasm-memory.ts";

/** Maximum memory in pages of 64 KiB: 512 MiB, which is enough for about thirty layers of the largest drawing. */
const MAX_PAGES = 8192;

const wasm = await readFile(new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm")));
await initWasm(withMemoryLimit(wasm, MAX_PAGES));

parentPort?.on("message", (request: RasterizeRequest) => {
  parentPort?.postMessage(reply(request));
});

function reply(request: RasterizeRequest): RasterizeReply {
  try {
    return { png: draw(request) };
  } catch {
    // resvg considers the SVG invalid, it contains nothing to draw, or it is too large for the memory.
    return { problem: "is an SVG that cannot be drawn" };
  }
}

function draw({ svg, side, isWide, fonts }: RasterizeRequest): Uint8Array {
  const resvg = new Resvg(svg, {
    fitTo: { mode: isWide ? "width" : "height", value: side },
    font: { fontBuffers: [...fonts] },
  });
  try {
    const drawing = resvg.render();
    try {
      return drawing.asPng();
    } finally {
      drawing.free();
    }
  } finally {
    resvg.free();
  }
}
