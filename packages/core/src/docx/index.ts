/**
 * Everything that a program needs to read and change Word documents without an engine. It loads in a tenth of
 * the time of `@quire/core`, which exports the same names.
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
