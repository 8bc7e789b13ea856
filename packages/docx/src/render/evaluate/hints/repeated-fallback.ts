import type { Expression, PathExpression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";

/** The text in place of a missing list: `docs ?? "none"`, or `docs ?? ["none"]`, which is a key of the data. */
export interface RepeatedFallback {
  /** The key. Null for a text. */
  readonly key: PathExpression | null;
  readonly hint: string;
}

/** Returns the text in place of a missing list that a block repeats; null for other lists. */
export function repeatedFallback(shape: Expression | null): RepeatedFallback | null {
  if (shape?.kind !== "fallback") return null;
  const { left, right } = shape;
  const list = (text: string): string => `${spellExpression(left)} ?? [${text},]`;
  if (right.kind === "literal" && typeof right.value === "string") {
    const meant = list(spellExpression(right));
    return { key: null, hint: `Make a list of the text, with a comma in it: write ${meant}.` };
  }
  const text = right.kind === "path" ? /^\[(".*"|'.*')\]$/.exec(right.source)?.[1] : undefined;
  if (right.kind !== "path" || text === undefined) return null;
  return {
    key: right,
    hint: `[${text}] is a key of the data. For a list with this text write a comma in it: ${list(text)}.`,
  };
}
