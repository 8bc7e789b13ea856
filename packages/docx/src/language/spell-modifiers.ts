import { spellExpression } from "./grammar/spell.ts";
import type { ModifierCall } from "./modifiers.ts";

/** Returns modifiers as an author may write them after `::`. */
export function spellModifiers(calls: readonly ModifierCall[]): string {
  return calls.map(spellModifier).join(", ");
}

/** Returns a modifier as an author may write it: `currency("EUR")`. */
export function spellModifier({ name, arguments: given }: ModifierCall): string {
  if (given.length === 0) return name;
  const texts = given.map(({ kind, value, expression }) => {
    if (expression !== undefined) return spellExpression(expression);
    return kind === "string" ? spellExpression({ kind: "literal", value }) : value;
  });
  return `${name}(${texts.join(", ")})`;
}
