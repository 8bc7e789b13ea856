// This import comes first, because it reports a Node version that is too old.
import "@quire/contracts";

export { readFontFolder } from "./drawing/read-font-folder.ts";
export { type RenderInProcessOptions, renderInProcess } from "./in-process.ts";
export { renderPool } from "./pool/pool.ts";
export type { RenderPoolOptions } from "./pool/pool-options.ts";
export type { OpenPdf, OpenTemplate, PdfReader, Renderer } from "./protocol/renderer.ts";
