// Imported first: it reports a Node version that is too old.
import "@quire/contracts";

export { type Docx, type OpenDocxOptions, openDocx } from "./docx.ts";
export type { PackageLimits } from "./limits/limits.ts";
export { decodeWindows1252 } from "./xml/decode.ts";
