import { spellExpression } from "./grammar/spell.ts";
import type { ModifierCall } from "./modifiers.ts";

/** Returns modifiers as an author writes them after `::`, for example `fill("red"), when(i.late)`. */
export function spellModifiers(modifiers: readonly ModifierCall[]): string {
  return modifiers.map(spellModifier).join(", ");
}

function spellModifier({ name, arguments: given }: ModifierCall): string {
  const values = given.map(({ kind, value, expression }) => {
    if (expression !== undefined) return spellExpression(expression);
    return kind === "string" ? JSON.stringify(value) : value;
  });
  return values.length === 0 ? name : `${name}(${values.join(", ")})`;
}
