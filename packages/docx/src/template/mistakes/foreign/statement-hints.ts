import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { directiveOf } from "../../../language/directive.ts";
import { statementOf } from "../../../language/foreign.ts";
import { hintMeant } from "../../../language/meant.ts";

/**
 * Returns the hint for a statement of Jinja, `{% set total = 0 %}`, or of BI Publisher, `<?end when?>`, that no tag has
 * the meaning of as it is written; null if none is known.
 */
export function hintForStatement(text: string): Wording | null {
  const content = text.slice(1, -1);
  const body = text.startsWith("<?") ? text.slice(2, -2).trim() : statementOf(content);
  // A pattern with nines would print the nines.
  if (body === null || /^format-number:.*['"][^'"]*9/.test(body)) return null;
  return hintMeant(body, (each) => directiveOf(each) !== null);
}

/** Returns the hint for a statement alone in a cell, `{%tc for m in months %}`; null for other text. */
export function hintForCell(text: string, meant: string | null): Wording | null {
  if (meant === null || !/^\{%[-+]?tc\s/.test(text) || !/^(?:end)?tablecolumn/.test(meant))
    return null;
  return withTags`Write {{${meant}}} into the cell that repeats, and delete the cells with {%tc … %}.`;
}
