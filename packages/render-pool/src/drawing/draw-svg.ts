import { readFile } from "node:fs/promises";
import type { RasterizeReply, SvgRequest } from "@quire/docx/internal/values/image/rasterize";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { MAX_PAGES, withMemoryLimit } from "./wasm-memory.ts";

const wasm = await readFile(new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm")));
await initWasm(withMemoryLimit(wasm, MAX_PAGES));

/** The size of text without `font-size`, in CSS pixels, as in browsers. */
const DEFAULT_FONT_SIZE = 16;

/** Draws an SVG as PNG, in the thread that calls it. */
export function drawSvg(request: SvgRequest): RasterizeReply {
  try {
    return { png: draw(request) };
  } catch {
    // resvg considers the SVG invalid, it contains nothing to draw, or it is too large for the memory.
    return { problem: "is an SVG that cannot be drawn" };
  }
}

function draw({ svg, side, isWide, fonts }: SvgRequest): Uint8Array {
  const resvg = new Resvg(svg, {
    fitTo: { mode: isWide ? "width" : "height", value: side },
    font: { fontBuffers: [...fonts], defaultFontSize: DEFAULT_FONT_SIZE },
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
