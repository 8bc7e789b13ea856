/**
 * What a program needs that reads and changes Word documents and runs no engine: it loads in a tenth of the
 * time of the whole. Everything here is exported by `@quire/core`, too.
 */
import "../check-node.ts";

export { boundedDiagnostics } from "../bounded-diagnostics.ts";
export { cutSentence, cutText } from "../cut-text.ts";
export {
  abortedError,
  type Diagnostic,
  isQuireError,
  QuireError,
  throwIfAborted,
} from "../errors.ts";
export { type Docx, type OpenDocxOptions, openDocx } from "./package/docx.ts";
