import type { Diagnostic } from "@quire/contracts";
import { type Directive, expressionsOf } from "../../../language/directive.ts";
import {
  allOf,
  type Expression,
  itemArgumentsOf,
  operandsOf,
  type PathExpression,
  sourceOf,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";
import { type LoopAround, ownPositions } from "./own-positions.ts";

type LoopDirective = Extract<Directive, { readonly alias: string }>;

/** An open block. `loop` is null for a section, which may be a loop or not. */
interface OpenBlock {
  readonly tag: TagNode;
  readonly loop: LoopDirective | null;
}

/** Functions after which an item has another position than in the list. */
const MOVING: ReadonlySet<string> = new Set(["$where", "$sort", "$skip", "$reverse"]);

/**
 * Warns about `{{r.sales[$index]}}` in `{{tablecolumn m in months.where(show)}}`: the position is the one among the shown
 * months, so the value belongs to another month. Only lists of items count: a list such as `labels` may be meant in the
 * order of the document. Warns about the position of an item in its own list, too. The blocks of the part must be valid, and the tags must know their columns. `tags`: all tags of
 * the part, in document order.
 */
export function shapedPositions(tags: readonly TagNode[]): Diagnostic[] {
  const columns = new Map<string, OpenBlock>();
  for (const tag of tags) {
    if (tag.directive.kind === "tablecolumn" && "alias" in tag.directive) {
      columns.set(tag.directive.alias, { tag, loop: tag.directive });
    }
  }
  const open: OpenBlock[] = [];
  const warnings: Diagnostic[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    if (directive.kind.startsWith("end")) open.pop();
    else {
      const column = tag.column === undefined ? undefined : columns.get(tag.column);
      const around = inOrder(tag, open, column);
      warnings.push(...expressionsOf(directive).flatMap((each) => warningsIn(tag, each, around)));
      const loop = "alias" in directive ? directive : null;
      if (loop !== null || BLOCKS.test(directive.kind)) open.push({ tag, loop });
    }
  }
  return warnings;
}

function loopAround({ loop }: OpenBlock): LoopAround | null {
  if (loop === null) return null;
  const { alias, kind } = loop;
  return { alias, isColumn: kind === "tablecolumn", isRow: kind === "tablerow" };
}

const BLOCKS = /^(?:if|section)$/;

/** Returns the loops around a tag, the innermost one last. A block in a cell is within the column of the cell. */
function inOrder(
  { place }: TagNode,
  open: readonly OpenBlock[],
  column: OpenBlock | undefined,
): readonly OpenBlock[] {
  const blocks = open.filter(({ tag }) => tag.directive.kind !== "if" && tag !== column?.tag);
  if (column === undefined) return blocks;
  const isInCell = ({ tag }: OpenBlock): boolean =>
    tag.directive.kind !== "tablerow" &&
    tag.place.table === place.table &&
    tag.place.row === place.row &&
    tag.place.cell === place.cell;
  return [...blocks.filter((each) => !isInCell(each)), column, ...blocks.filter(isInCell)];
}

function warningsIn(
  tag: TagNode,
  expression: Expression,
  around: readonly OpenBlock[],
): Diagnostic[] {
  const own = ownPositions(tag, expression, around.map(loopAround));
  const moved = elementsIn(expression, false).flatMap(({ list, of, isOfItem }) => {
    const index = around.findLastIndex(({ loop }) => of === null || loop?.alias === of);
    const loop = around[index]?.loop ?? null;
    if (loop === null || loop.shape === null || !isMoved(loop.shape)) return [];
    const { alias, collection } = loop;
    const others = around.flatMap((each) => (each.loop === null ? [] : [each.loop.alias]));
    const isOther = isOfItem || (list.head !== alias && others.includes(list.head ?? ""));
    if (!isOther) return [];
    const shaped = spellExpression(loop.shape);
    const name = of === null ? "$index" : `${alias}.$index`;
    const message = `In the tag ${tag.text}, ${name} is the position in '${shaped}', which is not the one in '${collection.source}'.`;
    const hint = `If '${list.source}' has a value for each item of '${collection.source}', make it an object with a key for each of them, and write ${list.source}[${alias}.key].`;
    return [{ ...tagProblem(tag, "list_in_loop", message, hint), severity: "warning" as const }];
  });
  return [...own, ...moved, ...limitsIn(tag, expression, around)];
}

/**
 * Warns about `items.limit($index)` in a loop over `items.sort(price)`: the position is the one in the sorted list, so
 * the same number of other items is taken.
 */
function limitsIn(
  tag: TagNode,
  expression: Expression,
  around: readonly OpenBlock[],
): Diagnostic[] {
  return allOf(expression).flatMap((each) => {
    if (each.kind !== "call" || !/^\$(?:limit|skip)$/.test(each.name)) return [];
    const [list, count] = each.arguments;
    const position = count === undefined ? undefined : allOf(count).find(isPosition);
    if (list === undefined || position === undefined) return [];
    const loop = around.findLast((one) => position.of === null || one.loop?.alias === position.of);
    const { shape, collection } = loop?.loop ?? { shape: null, collection: null };
    if (shape === null || collection === null || !isMoved(shape)) return [];
    if (sourceOf(each)?.source !== collection.source) return [];
    const [written, meant] = [spellExpression(list), spellExpression(shape)];
    // Another shape of the list: a part of the loop's own one.
    if (written === meant || !(meant.startsWith(`${written}.`) || written === collection.source))
      return [];
    const name = position.of === null ? position.name : `${position.of}.${position.name}`;
    const message = `In the tag ${tag.text}, ${name} is the position in '${meant}', which is not the one in '${written}'.`;
    const hint = `Write the list as the loop does: ${meant}.${each.name.slice(1)}(${name}).`;
    return [{ ...tagProblem(tag, "list_in_loop", message, hint), severity: "warning" as const }];
  });
}

function isPosition(each: Expression): each is Extract<Expression, { kind: "variable" }> {
  return each.kind === "variable" && (each.name === "$index" || each.name === "$number");
}

/** An element of a list at the position in a loop. */
interface Positioned {
  readonly list: PathExpression;
  /** The name that the loop gives its items; null for the innermost loop. */
  readonly of: string | null;
  /** Whether the list belongs to the items of a function. */
  readonly isOfItem: boolean;
}

function elementsIn(expression: Expression, isOfItem: boolean): Positioned[] {
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  const found = [
    ...operandsOf(expression).flatMap((each) => elementsIn(each, isOfItem)),
    ...items.flatMap((each) => elementsIn(each, true)),
  ];
  if (expression.kind !== "element" || expression.of.kind !== "path") return found;
  const { of: list, key } = expression;
  if (key.kind !== "variable" || key.name !== "$index") return found;
  // Within the parentheses of a function, $index alone is the position in the list of the function.
  if (isOfItem && key.of === null) return found;
  return [...found, { list, of: key.of, isOfItem }];
}

function isMoved(shape: Expression): boolean {
  if (shape.kind !== "call") return false;
  const [list] = shape.arguments;
  return MOVING.has(shape.name) || (list !== undefined && isMoved(list));
}
