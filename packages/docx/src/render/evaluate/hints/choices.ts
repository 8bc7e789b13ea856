import type { Expression } from "../../../language/grammar/expression.ts";
import type { TagOrigin } from "../../../program/tag-ops.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";

/** Number of names that a hint lists. */
const MAX_NAMES = 8;

interface Branch {
  readonly condition: Expression | null;
}

/** Reports a value that names none of the templates of `{{include file in ["a.docx", "b.docx"]}}`. */
export function refuseChoice(
  origin: TagOrigin,
  branches: readonly Branch[],
  diagnostics: Diagnostics,
): void {
  const problem = "is missing, or is not one of the templates";
  diagnostics.invalid(origin, problem, undefined, () => hintForChoice(branches));
}

function hintForChoice(branches: readonly Branch[]): string | null {
  const names = branches.flatMap(({ condition }) => {
    const name = condition?.kind === "compare" ? condition.right : null;
    return name?.kind === "literal" ? [JSON.stringify(name.value)] : [];
  });
  if (names.length === 0) return null;
  const more = names.length > MAX_NAMES ? ", …" : "";
  return `Put one of these names into the data, with its ending: ${names.slice(0, MAX_NAMES).join(", ")}${more}. Or add the name to the list in the tag.`;
}
