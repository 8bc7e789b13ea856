import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import { allOf, type CallExpression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about `name.lowercase().startsWith("A")` and `name.lowercase().replace("GmbH", "")`, which find nothing. */
export function otherLetters(tag: TagNode): Diagnostic[] {
  return expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((expression) => {
      const meant = expression.kind === "call" ? inSameLetters(expression) : null;
      if (meant === null) return [];
      const [of, call] = [meant.letters, meant.call.name.slice(1)];
      const message = `In the tag ${tag.text}, '${call}' looks in ${of} letters for text with other letters, so it finds nothing.`;
      const hint = `Write ${spellExpression(meant.call)}.`;
      return [
        {
          ...tagProblem(tag, "doubtful_comparison", message, hint),
          severity: "warning" as const,
        },
      ];
    });
}

/** Returns a call with its text in the letters of its value; null if it has them, or if the value may have others. */
function inSameLetters(
  call: CallExpression,
): { readonly call: CallExpression; readonly letters: "small" | "capital" } | null {
  if (!/^\$(?:startsWith|endsWith|replace)$/.test(call.name)) return null;
  const [of, sought, ...others] = call.arguments;
  if (of?.kind !== "call" || sought?.kind !== "literal" || typeof sought.value !== "string")
    return null;
  const isSmall = of.name === "$lowercase";
  if (!isSmall && of.name !== "$uppercase") return null;
  const value = isSmall ? sought.value.toLowerCase() : sought.value.toUpperCase();
  if (value === sought.value) return null;
  return {
    call: { ...call, arguments: [of, { ...sought, value }, ...others] },
    letters: isSmall ? "small" : "capital",
  };
}
