import { toDecimal } from "../../format/decimal.ts";
import type { PathExpression } from "../../language/grammar/expression.ts";
import { withTags } from "../../language/wording.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { argumentOf, hasModifier } from "../../values/modifiers.ts";
import { hyphenatedKey } from "./computation-hints.ts";
import type { Diagnostics } from "./document-diagnostics.ts";
import type { Evaluation } from "./evaluation.ts";
import { pointerOf } from "./pointers.ts";

/** The parts of a tag that a doubt about its value needs. */
type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** Warns about a value that the tag probably does not print as its author means. */
export function checkPrinted(
  tag: Valued,
  value: unknown,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const { expression, modifiers } = tag;
  if (expression.kind === "compute") noteHyphen(tag, env, diagnostics);
  else if (expression.kind === "path" && Array.isArray(value)) {
    if (modifiers.length === 0) noteListInRow(tag, expression, value, env, diagnostics);
  } else if (value === "") {
    if (!hasModifier(modifiers, "checkbox")) noteEmpty(tag, diagnostics);
  } else if (expression.kind === "path" && hasModifier(modifiers, "percent")) {
    notePercentage(tag, value, diagnostics);
  }
}

/** Warns about a default for empty text, which is not missing. */
function noteEmpty({ origin, expression, modifiers }: Valued, diagnostics: Diagnostics): void {
  const instead = argumentOf(modifiers, "default");
  if (instead === undefined || instead === "") return;
  const name = expression.kind === "path" ? expression.source : "value";
  diagnostics.warn(
    origin,
    "empty_text",
    `The value for the tag ${origin.text} is empty text, which is not missing, so its default is not printed.`,
    undefined,
    () => withTags`To print it for empty text, too, write {{$if(${name}, ${name}, "…")}}.`,
  );
}

/** The least whole number that is probably a percentage already: 19 for 19%. */
const LEAST_PERCENTAGE = 5;

/** Warns about `percent` for a whole number such as 19, which prints 1,900%. */
function notePercentage(
  { origin, expression }: Valued,
  value: unknown,
  diagnostics: Diagnostics,
): void {
  const number = Number(toDecimal(value)?.toString() ?? Number.NaN);
  if (!Number.isInteger(number) || Math.abs(number) < LEAST_PERCENTAGE) return;
  const name = expression.kind === "path" ? expression.source : "rate";
  diagnostics.warn(
    origin,
    "doubtful_sign",
    `The tag ${origin.text} multiplies its value by 100, so 19 is printed as 1,900%.`,
    undefined,
    () =>
      withTags`If the value is a percentage already, write {{${name}}}% or {{${name} / 100 :: percent}}.`,
  );
}

/**
 * Warns about two cells of a row that print the values of all items of a list: `{{items.name}}` and `{{items.price}}`.
 * `env.lists` has the list of the last cell.
 */
function noteListInRow(
  { origin }: Valued,
  path: PathExpression,
  list: readonly unknown[],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const { place } = origin;
  const key = path.rest.at(-1);
  if (place.cell === undefined || key === undefined || list.length < 2) return;
  const source = path.source.slice(0, -key.length - 1);
  const cell = { row: `${place.part} ${place.table} ${place.row}`, cell: place.cell, source };
  const last = env.listInRow;
  env.listInRow = cell;
  if (last?.row !== cell.row || last.cell === cell.cell || last.source !== source) return;
  diagnostics.warn(
    origin,
    "list_in_cell",
    `The tag ${origin.text} prints the values of all items of '${source}' in one cell, and so does the cell before it.`,
    pointerOf(path, env),
    () =>
      withTags`For one row for each item, write {{tablerow i in ${source}}}{{i.key}} in the first cell and {{endtablerow}} at the end of the last.`,
  );
}

/** Warns about a difference of two values, if the data has a key with a hyphen of that name. */
function noteHyphen(
  { origin, expression }: Valued,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const key = /[\p{L}\p{N}_]-[\p{L}\p{N}_]/u.test(origin.text)
    ? hyphenatedKey(expression, env)
    : null;
  if (key === null) return;
  const message = `The tag ${origin.text} subtracts, although the data has a key with a hyphen of that name.`;
  const hint = withTags`For the key write {{${key}}}.`;
  diagnostics.warn(origin, "hidden_key", message, undefined, () => hint);
}
