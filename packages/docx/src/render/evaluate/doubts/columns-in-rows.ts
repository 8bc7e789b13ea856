import { withTags } from "../../../language/delimiters/wording.ts";
import { type PathExpression, pathsOf, spellKey } from "../../../language/grammar/expression.ts";
import type { TagOrigin, TextOp } from "../../../program/tag-ops.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Group } from "../context/origins.ts";
import { pointerOf } from "../context/pointers.ts";
import { along, type Scope, turnNamed } from "../context/scope.ts";

type Valued = Pick<TextOp, "origin" | "expression" | "modifiers">;

/** Warns about a repeated column that prints the same value in each row, although the rows have different values. */
export function noteColumnInRow(
  tag: Valued,
  value: unknown,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const { column } = tag.origin;
  const turn = column === undefined ? null : turnNamed(column, env.scope);
  if (column === undefined || turn === null || turn.index === null) return;
  const { expression } = tag;
  if (!pathsOf(expression).every(({ head }) => head === column)) return;
  for (let row = turn.outer; row !== null; row = row.outer) {
    if (!row.alias || row.items === null || row.length < 2) continue;
    if (expression.kind === "path")
      noteFirstItem(tag, expression, value, [turn, row], env, diagnostics);
    else noteGroupItems(tag, [turn, row], env, diagnostics);
  }
}

/** `{{p.amount}}` in the rows of `halls`, for `{{tablecolumn p in halls[0].prices}}`. */
function noteFirstItem(
  { origin }: Valued,
  path: PathExpression,
  value: unknown,
  [column, row]: readonly [Scope, Scope],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const list = row.path.source;
  const { source } = column.path;
  if (list === "" || row.index === 0 || !source.startsWith(`${list}[0].`)) return;
  const key = source.slice(list.length + 4);
  const keys = [...key.split("."), String(column.index), ...path.rest];
  const own = along(keys, row.item, { spend: env.spend });
  if (own === undefined || own === null || own === value) return;
  diagnostics.warn(
    origin,
    "same_for_all_items",
    `In the tag ${origin.text}, '${column.alias}' comes from the first item of '${list}', so it is the same for all rows.`,
    pointerOf(path, env),
    () => {
      const own = `${row.alias}.${key}[$index]${path.rest.map(spellKey).join("")}`;
      return withTags`Write {{${contentOf(origin).replace(path.source, own)}}}.`;
    },
  );
}

/** `{{m.items.sum(amount)}}` in the rows of `sales.group(city)`, for `{{tablecolumn m in sales.group(month)}}`. */
function noteGroupItems(
  { origin, expression }: Valued,
  [column, row]: readonly [Scope, Scope],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const paths = pathsOf(expression);
  if (!(column.item instanceof Group) || !(row.item instanceof Group)) return;
  if (column.path.source !== row.path.source) return;
  const [path] = paths;
  if (path === undefined || !paths.every(({ rest }) => rest[0] === "items")) return;
  const opened = env.opened?.get(column.alias ?? "") ?? "";
  const [, by] = /\.group\(((?:[^()]|\(\))+)\)[^()]*$/.exec(opened) ?? [];
  const items = `${column.alias}.items`;
  const all = `${row.alias}.items.where(${by ?? "key"} == ${column.alias}.key)`;
  diagnostics.warn(
    origin,
    "same_for_all_items",
    `In the tag ${origin.text}, '${items}' has the items of all rows.`,
    pointerOf(path, env),
    () =>
      withTags`To use only the items of this row, write {{${contentOf(origin).replaceAll(items, all)}}}.`,
  );
}

function contentOf({ text, delimiters }: TagOrigin): string {
  return text.slice(delimiters.start.length, -delimiters.end.length).trim();
}
