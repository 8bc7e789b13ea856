import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Directive } from "../../language/directive.ts";
import { type Expression, loopsAskedBy } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { withoutList } from "../../language/mistakes/read-calls.ts";
import { closest, descendants, type ElementNode } from "../nodes/nodes.ts";
import type { Block } from "./blocks.ts";

/**
 * Returns the hint for columns within columns or rows; null for other columns. `{{tablecolumn q in y.quarters}}` within
 * the loop over `years`: one block over the quarters of all years, or of a row.
 */
export function columnsWithin(block: Block, around: Block, table: ElementNode): Wording | null {
  const [inner, outer] = [block.open.directive, around.open.directive];
  const condition = columnCondition(inner);
  if (condition !== null && outer.kind === "tablecolumn" && outer.alias !== "") {
    const all = spellExpression(outer.shape ?? outer.collection);
    return withTags`Repeat only some of the columns: {{tablecolumn ${outer.alias} in ${all}.where(${spellExpression(condition)})}}, without ${block.open.text} and its end.`;
  }
  if (condition !== null && outer.kind === "tablerow") {
    const all = spellExpression(outer.shape ?? outer.collection);
    const ofItem = spellExpression(condition);
    const ofItems = withoutList(ofItem, outer.alias);
    return withTags`To show the column if any row has it, write {{tablecolumn if ${all}.where(${ofItems})}}. To show only the value of a row, write {{if ${ofItem}}} … {{endif}} into its cell.`;
  }
  if (inner.kind !== "tablecolumn" || !("alias" in outer)) return null;
  if (inner.shape !== null || outer.shape !== null) return null;
  const { source } = inner.collection;
  const [list, item] = [outer.collection.source, outer.alias];
  if (!source.startsWith(`${item}.`)) return null;
  const key = source.slice(item.length + 1);
  if (outer.kind !== "tablecolumn") {
    const heading = closest(block.open, "w:tr");
    if (heading !== closest(around.open, "w:tr")) {
      const own = keyPrinted(table, inner.alias, "", heading);
      return withTags`Write {{tablecolumn ${inner.alias} in ${list}[0].${key}}} in the heading, and {{${source}[$index]${own}}} in place of {{${inner.alias}${own}}} in the row.`;
    }
    return withTags`Write {{tablecolumn ${inner.alias} in ${list}[0].${key}}}{{${source}[$index]${keyPrinted(table, inner.alias, "")}}}{{endtablecolumn}}: the first row decides how many columns there are, and $index takes the value of each row. If rows have more values, write all of them into one cell: {{for ${inner.alias} in ${source}}} … {{endfor}}.`;
  }
  const heading = keyPrinted(table, item);
  // The items may be equal texts, so the heading is found by the position, and not by `contains`.
  const own = `${list}.map(${key}.map(outer${heading}))[$index]`;
  return withTags`Repeat the columns of all of them: {{tablecolumn ${inner.alias} in ${list}.${key}}}. For one heading over the columns of each, write {{${own} :: mergeAcross}}.`;
}

/** Returns the condition of `{{tablecolumn if condition}}`, unless it asks for a position in a loop; otherwise null. */
export function columnCondition(directive: Directive): Expression | null {
  if (directive.kind !== "tablecolumn" || directive.alias !== "") return null;
  const [condition] = directive.shape?.kind === "call" ? directive.shape.arguments : [];
  return condition === undefined || loopsAskedBy(condition).length > 0 ? null : condition;
}

/** Returns the key of an item that a tag of a table prints, after a dot. Skips the tags of the row `except`. */
function keyPrinted(
  table: ElementNode,
  item: string,
  otherwise = ".name",
  except: ElementNode | null = null,
): string {
  for (const node of descendants(table)) {
    if (node.kind !== "tag" || node.directive.kind !== "value") continue;
    if (except !== null && closest(node, "w:tr") === except) continue;
    const { expression } = node.directive;
    if (expression.kind === "path" && expression.head === item && expression.rest.length > 0)
      return expression.source.slice(item.length);
  }
  return otherwise;
}
