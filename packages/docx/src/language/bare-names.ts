import { withTags } from "./delimiters/wording.ts";
import type { PathExpression } from "./grammar/expression.ts";
import { isBlockTag } from "./keyword-hints.ts";
import { TagSyntaxError } from "./tokens.ts";

/** Returns the name of a section without spaces, with quotes and dashes normalized. */
export function sectionName(text: string): string {
  return text
    .replace(/[\s\u00a0\u200b\u2060\ufeff]+/g, "")
    .replace(/[“”„‟«»″'‘’‚‛‹›′]/g, '"')
    .replace(/[–−]/g, "-");
}

/** Returns a key with spaces or hyphens, as in docxtemplater; null for an expression. */
export function bareName(source: string): PathExpression | null {
  const name = source.trim();
  if (!isSpacedKey(name) || isBlockTag(name)) return null;
  return { kind: "path", source: name, head: name, rest: [] };
}

/** Whether a string has the form of a key with spaces or hyphens. */
function isSpacedKey(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ -]*$/u.test(name) && /[ -]/.test(name);
}

/** Adds the correct form to the error for a tag that may name a key with spaces or hyphens. */
export function orKey(error: TagSyntaxError, name: string): TagSyntaxError {
  if (!isSpacedKey(name)) return error;
  const key = withTags`For the value of the key '${name}', write {{this["${name}"]}}.`;
  return new TagSyntaxError(
    error.message,
    error.hint === undefined ? key : withTags`${error.hint} ${key}`,
  );
}
