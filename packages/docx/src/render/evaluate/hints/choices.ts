import type { Expression } from "../../../language/grammar/expression.ts";
import type { TagOrigin } from "../../../program/tag-ops.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";

/** Number of names that a hint lists. */
const MAX_NAMES = 8;

interface Branch {
  readonly condition: Expression | null;
}

/** Reports a block of which no branch is shown, if it should show one. */
export function noteNoBranch(
  origin: TagOrigin,
  branches: readonly Branch[],
  diagnostics: Diagnostics,
): void {
  if (origin.mustHold) refuseChoice(origin, branches, diagnostics);
  const { emptyRow } = origin;
  if (emptyRow === undefined) return;
  diagnostics.warn(
    origin,
    "empty_row",
    `The block ${origin.text} is all content of its row, and hides only the content: the empty row remains.`,
    undefined,
    () => emptyRow,
  );
}

/** Reports a value that names none of the templates of `{{include file in ["a.docx", "b.docx"]}}`. */
function refuseChoice(
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
