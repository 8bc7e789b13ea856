import type { SvgRequest, WebpRequest } from "@quire/docx/internal/values/image/rasterize";

/** An image to draw. */
export type DrawingTask = (Omit<SvgRequest, "fonts"> & { readonly hasText: boolean }) | WebpRequest;

/** A message to the drawing thread: an image, or the fonts for all following SVGs with text. */
export type DrawingMessage = DrawingTask | { readonly fonts: readonly Uint8Array[] };
