import { signOfNumber } from "../../../format/text-forms.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";

/** Matches words that people write in place of a number. Hints repeat no other text of the data. */
const NOTHING = /^\s*(?:n\/?a|none|null|tbd|unknown|k\.? ?a\.?|[-–—]+)\s*$/i;

/** Returns the hint for keys of several kinds. `odd`: the key that differs. `by`: the key as the tag has it. */
export function hintForKinds(odd: unknown, hasNumbers: boolean, by: Expression | null): string {
  if (!hasNumbers || typeof odd !== "string") return "Give all items a key of the same kind.";
  const key = by === null ? "this" : spellExpression(by);
  const sign = signOfNumber(odd);
  if (sign !== null) return `Some keys are text: write sort(${key}.toNumber("${sign}")).`;
  const word = NOTHING.test(odd) ? odd : "…";
  return `Some keys are text. To leave these items out, write where(${key} != "${word}") before sort. To put them last, write sort(${key} == "${word}", $if(${key} == "${word}", 0, ${key})).`;
}
