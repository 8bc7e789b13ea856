import { withTags } from "../../../language/delimiters/wording.ts";
import type { PathExpression } from "../../../language/grammar/expression.ts";
import { columnOf } from "../../../language/mistakes/read-calls.ts";
import type { TagOrigin, TextOp } from "../../../program/tag-ops.ts";
import { hasModifier } from "../../../values/modifiers.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn, resolve } from "../context/scope.ts";

/**
 * Warns about two cells of a row that print the values of all items of a list: `{{items.name}}` and `{{items.price}}`.
 * `env.lists` has the list of the last cell.
 */
export function noteListInRow(
  { origin }: Pick<TextOp, "origin">,
  path: PathExpression,
  list: readonly unknown[],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const { place, column } = origin;
  if (list.length > 1 && /\/charts\//.test(place.part)) {
    noteListInChart(origin, path, env, diagnostics);
    return;
  }
  if (column !== undefined && list.length > 1 && noteListInColumn(origin, path, env, diagnostics)) {
    return;
  }
  const key = path.rest.at(-1);
  if (place.cell === undefined || key === undefined || list.length < 2) return;
  // An element of a list of lists is a list itself.
  if (!path.source.endsWith(`.${key}`)) return;
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

/** Warns about `{{tickets.code :: qrcode}}`, one code with the values of all items. */
export function noteListInCode(
  { origin, modifiers }: Pick<TextOp, "origin" | "modifiers">,
  path: PathExpression,
  list: readonly unknown[],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (!hasModifier(modifiers, "qrcode") && !hasModifier(modifiers, "barcode")) return;
  if (list.length < 2) return;
  const column = columnOf(path.source);
  const whole = column?.list ?? path.source;
  const item = /(?:^|\.)(\p{L})[^.]*$/u.exec(whole)?.[1] ?? "i";
  const [, code = ":: qrcode"] =
    /(::.*)$/s.exec(origin.text.slice(0, -origin.delimiters.end.length)) ?? [];
  const value = `${item}${column === null ? "" : `.${column.key}`} ${code.trim()}`;
  diagnostics.warn(
    origin,
    "list_in_cell",
    `The code of the tag ${origin.text} contains all values of the list.`,
    pointerOf(path, env),
    () =>
      withTags`For a code for each item write {{for ${item} in ${whole}}}{{${value}}}{{endfor}}. For one code with all of them write ${path.source}.join(", ") in place of ${path.source}.`,
  );
}

/** Warns about a chart in which one category or one series has the values of all items. */
function noteListInChart(
  origin: TagOrigin,
  path: PathExpression,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const key = path.rest.at(-1);
  const [list, item] =
    key === undefined ? [path.source, "i"] : [path.source.slice(0, -key.length - 1), `i.${key}`];
  diagnostics.warn(
    origin,
    "list_in_cell",
    `The tag ${origin.text} prints the values of all items in one text of the chart.`,
    pointerOf(path, env),
    () => withTags`To repeat the categories write {{for i in ${list}}}{{${item}}}{{endfor}}.`,
  );
}

/** Warns about a cell of a repeated column that prints a whole list, unless the list depends on the column. */
function noteListInColumn(
  origin: TagOrigin,
  path: PathExpression,
  env: Evaluation,
  diagnostics: Diagnostics,
): boolean {
  const { column = "" } = origin;
  if (path.head === column) return false;
  diagnostics.warn(
    origin,
    "list_in_cell",
    `The tag ${origin.text} prints the whole list in each of the repeated columns.`,
    pointerOf(path, env),
    () => withTags`For the element of the column write {{${path.source}[${column}.$index]}}.`,
  );
  return true;
}

/** The least number of items whose texts are compared with each other, and the greatest number. */
const [MIN_ITEMS, MAX_ITEMS] = [4, 500];

/**
 * Warns about `{{gifts.count(purpose)}}` where all items have a purpose and most purposes occur again: it is the number
 * of items. Text that also names the number of all items compares both.
 */
export function noteRepeatedCount(
  { origin, expression }: Pick<TextOp, "origin" | "expression">,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (expression.kind !== "call" || expression.name !== "$count") return;
  const [of, key] = expression.arguments;
  if (of?.kind !== "path" || key?.kind !== "path" || key.rest.length > 0) return;
  const list = resolve(of, env);
  const name = key.head;
  if (!Array.isArray(list) || list.length < MIN_ITEMS || name === null) return;
  const all = `${of.source}.count()`;
  if (origin.near.includes(all)) return;
  const items = list.slice(0, MAX_ITEMS);
  env.spend(items.length);
  const texts = items.map((item) => (hasOwn(item, name) ? item[name] : undefined));
  if (!texts.every((text) => typeof text === "string" && text.trim() !== "")) return;
  const { size } = new Set(texts);
  if (size < 2 || size > items.length / 2) return;
  diagnostics.warn(
    origin,
    "doubtful_count",
    `The tag ${origin.text} counts the items that have a '${name}', which all have.`,
    pointerOf(of, env),
    () =>
      `For the number of different ones write ${of.source}.distinct(${name}).count(), and for all items ${all}.`,
  );
}
