// Imported first: it reports a Node version that is too old.
import "@quire/contracts";

export { type AnnotateOptions, annotateTemplate } from "./annotate/annotate.ts";
export { type Condition, type ConditionResult, compileCondition } from "./compile-condition.ts";
export type { CompileOptions, Compression, RenderOptions } from "./compile-options.ts";
export { compileTemplate, type RenderResult, type Template } from "./compile-template.ts";
export { compileText, type TextTemplate } from "./compile-text.ts";
export {
  type PreparedImages,
  type PrepareOptions,
  prepareImages,
} from "./values/image/prepare-images.ts";
export type {
  Rasterize,
  RasterizeReply,
  RasterizeRequest,
  SvgRequest,
  WebpRequest,
} from "./values/image/rasterize.ts";
