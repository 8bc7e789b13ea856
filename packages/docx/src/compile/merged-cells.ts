import type { Expression } from "../language/grammar/expression.ts";
import type { Op } from "../program/ops.ts";
import type { TextOp } from "../program/tag-ops.ts";
import {
  childNamed,
  descendants,
  type ElementNode,
  type MarkerNode,
  type TagNode,
} from "../template/nodes/nodes.ts";
import { gridCells } from "../template/nodes/table-grid.ts";
import { mergeOrder } from "./merge-order.ts";
import { textOpOf } from "./text-op.ts";

export type MergeOp = Extract<Op, { op: "merge" }>;

/**
 * The output for cells that are merged down a column, if blocks may omit their first row. The keys are the `w:vMerge`
 * that the output replaces, or the row or table that it precedes.
 */
export type Merges = ReadonlyMap<ElementNode, readonly MergeOp[]>;

/** A branch of a block around a row. */
interface Around {
  readonly open: TagNode;
  readonly branch: TagNode;
  readonly repeats: boolean;
}

interface Row {
  readonly row: ElementNode;
  readonly around: readonly Around[];
}

/**
 * A cell of a column: the first of several merged cells, a further one, or an independent one. `byValue`: the value
 * decides whether the cell continues the one above.
 */
interface ColumnCell extends Row {
  readonly kind: "first" | "further" | "byValue" | "other";
  readonly merge: ElementNode | null;
  /** The number of `tablecolumn` blocks around the cell. */
  readonly turns: number;
}

/** Finds the merged cells in the tables of a part, if the rows of a table depend on blocks. */
export function findMerges(root: ElementNode): Merges {
  const merges = new Map<ElementNode, MergeOp[]>();
  let columns = 0;
  let groups = 0;
  for (const table of descendants(root)) {
    if (table.kind !== "element" || table.name !== "w:tbl") continue;
    const rows = rowsWithBlocks(table);
    const isSettled = rows.every(({ around }) => around.length === 0);
    for (const cells of mergedColumns(rows)) {
      if (isSettled && cells.every(({ kind }) => kind !== "byValue")) continue;
      const ops = opsOfColumn(cells, columns, groups);
      if (ops === null) continue;
      add(merges, table, endOf(columns));
      for (const [element, op] of ops) add(merges, element, op);
      columns += 1;
      groups += cells.length;
    }
  }
  return merges;
}

/** Returns the op that ends the merged cells of a column and of each repetition of it. */
function endOf(column: number): MergeOp {
  return { op: "merge", column, turns: 0, group: null, above: null };
}

function add(merges: Map<ElementNode, MergeOp[]>, element: ElementNode, op: MergeOp): void {
  const ops = merges.get(element);
  if (ops === undefined) merges.set(element, [op]);
  else ops.push(op);
}

/** Returns the rows of a table, without the rows of nested tables. Each has the blocks around it, outermost first. */
function rowsWithBlocks(table: ElementNode): Row[] {
  const rows: Row[] = [];
  let around: readonly Around[] = [];
  const visit = (parent: ElementNode): void => {
    for (const node of parent.children) {
      if (node.kind === "marker") around = after(node, around);
      else if (node.kind !== "element") continue;
      else if (node.name === "w:tr") rows.push({ row: node, around });
      else visit(node);
    }
  };
  visit(table);
  return rows;
}

/** Returns the blocks around the content after a marker. */
function after({ tag }: MarkerNode, around: readonly Around[]): readonly Around[] {
  switch (tag.directive.kind) {
    case "for":
    case "tablerow":
    case "section":
      return [...around, { open: tag, branch: tag, repeats: true }];
    case "if":
      return [...around, { open: tag, branch: tag, repeats: false }];
    case "elseif":
    case "else": {
      const last = around.at(-1);
      return last === undefined ? around : [...around.slice(0, -1), { ...last, branch: tag }];
    }
    default:
      return around.slice(0, -1);
  }
}

/** Returns the columns with merged cells, each from the first row to the last. */
function mergedColumns(rows: readonly Row[]): ColumnCell[][] {
  const byRow = rows.map((each) => ({ ...each, cells: gridCells(each.row) }));
  const merged = byRow.map(({ row, cells }) => {
    const found = new Map<number, Pick<ColumnCell, "merge" | "turns">>();
    const turns = turnsIn(row);
    for (const { cell, from } of cells) {
      const merge = childNamed(childNamed(cell, "w:tcPr"), "w:vMerge");
      if (merge !== null && cell !== null) found.set(from, { merge, turns: turns.get(cell) ?? 0 });
    }
    return found;
  });
  const columns = new Set(merged.flatMap((found) => [...found.keys()]));
  return [...columns].map((column) =>
    rows.map(({ row, around }, index) => {
      const { merge, turns } = merged[index]?.get(column) ?? { merge: null, turns: 0 };
      return { row, around, kind: kindOf(merge), merge, turns };
    }),
  );
}

/** Returns the number of `tablecolumn` blocks around each cell of a row. */
function turnsIn(row: ElementNode): Map<ElementNode, number> {
  const turns = new Map<ElementNode, number>();
  let open = 0;
  for (const node of descendants(row)) {
    if (node.kind === "element" && node.name === "w:tc") turns.set(node, open);
    if (node.kind !== "marker") continue;
    const { kind } = node.tag.directive;
    if (kind === "tablecolumn") open += 1;
    else if (kind === "endtablecolumn") open -= 1;
  }
  return turns;
}

function kindOf(merge: ElementNode | null): ColumnCell["kind"] {
  if (merge === null) return "other";
  if (merge.mergedBy !== undefined) return "byValue";
  return begins(merge) ? "first" : "further";
}

function begins({ attributes }: ElementNode): boolean {
  return attributes.includes(' w:val="restart"');
}

/** The first of several merged cells, and the number of their group. */
interface First extends ColumnCell {
  readonly index: number;
  readonly group: number;
}

/** The groups that may be continued by cells that are in the same blocks and below the same first cell. */
interface Known {
  readonly nearest: First;
  readonly around: readonly Around[];
  readonly above: MergeOp["above"];
}

/**
 * Returns the ops for one column; null if every continuation cell always has its first cell above it. Groups are
 * numbered from `next` in template order.
 */
function opsOfColumn(
  cells: readonly ColumnCell[],
  column: number,
  next: number,
): [ElementNode, MergeOp][] | null {
  const firsts = cells
    .map((cell, index) => ({ ...cell, index }))
    .filter(({ kind }) => kind === "first")
    .map((cell, index): First => ({ ...cell, group: next + index }));
  const byIndex = new Map(firsts.map((first) => [first.index, first]));
  const groups = new Groups(firsts);
  const ops: [ElementNode, MergeOp][] = [];
  let isAtRisk = false;
  let nearest: First | null = null;
  let known: Known | undefined;
  for (const [index, cell] of cells.entries()) {
    const { row, merge, turns } = cell;
    if (merge === null) {
      nearest = null;
      ops.push([row, endOf(column)]);
      continue;
    }
    if (merge.mergedBy !== undefined) {
      nearest = null;
      isAtRisk = true;
      ops.push([merge, byValue(merge.mergedBy, { ...cell, column }, next + index)]);
      continue;
    }
    nearest = byIndex.get(index) ?? nearest;
    if (nearest === null) continue;
    const { group } = nearest;
    if (nearest.index === index) {
      ops.push([merge, { op: "merge", column, turns, group, above: null }]);
      continue;
    }
    // Consecutive cells in the same blocks may continue the same groups.
    if (known?.nearest !== nearest || known.around !== cell.around) {
      isAtRisk ||= blockApart(nearest, cell) !== undefined;
      const above: MergeOp["above"] = [
        groups.earliest(nearest, cell),
        groups.latest(nearest, cell),
      ];
      known = { nearest, around: cell.around, above };
    }
    ops.push([merge, { op: "merge", column, turns, group, above: known.above }]);
  }
  return isAtRisk ? ops : null;
}

/** Returns the op of a cell that its value merges with the cell above, which has the same tag in the template. */
function byValue(
  tag: TagNode,
  { row, around, column, turns }: ColumnCell & Pick<MergeOp, "column">,
  index: number,
): MergeOp {
  // Groups of cells that the template merges have numbers from 0.
  const group = -1 - index;
  const decides = decidingOp(tag, "merge");
  const isKey = decides !== null && decides.expression !== printedBy(tag);
  const loop = around.findLast(({ repeats }) => repeats)?.open;
  const order = loop === undefined || turns > 0 ? null : mergeOrder(tag, row, loop);
  return {
    op: "merge",
    column,
    turns,
    group,
    above: [group, group],
    ...(decides !== null && { by: decides, isKey }),
    ...(order !== null && { order }),
  };
}

function printedBy({ directive }: TagNode): Expression | null {
  return directive.kind === "value" ? directive.expression : null;
}

/** Returns the value that decides whether a cell is merged with another: the key of the modifier, or the tag's own value. */
export function decidingOp(tag: TagNode, merge: "merge" | "mergeAcross"): TextOp | null {
  const by = textOpOf(tag, "plain", null);
  const call = by?.modifiers.find(({ name }) => name === merge);
  const key = call?.arguments[0]?.expression;
  if (by === null || key === undefined) return by;
  // The tag itself reports a missing key.
  return { ...by, expression: key, modifiers: [{ name: "optional", arguments: [] }] };
}

/** The groups of merged cells of one column. */
class Groups {
  readonly #firsts: readonly First[];
  /** The first and the last group that begins in a block, by its opening tag. */
  readonly #within = new Map<TagNode, { readonly first: First; last: First }>();

  constructor(firsts: readonly First[]) {
    this.#firsts = firsts;
    for (const first of firsts) {
      for (const { open } of first.around) {
        const known = this.#within.get(open);
        if (known === undefined) this.#within.set(open, { first, last: first });
        else known.last = first;
      }
    }
  }

  /**
   * Returns the earliest group that a cell may continue if the nearest group above is missing. Each branch of a block,
   * and each of several consecutive blocks, may begin a group.
   */
  earliest(nearest: First, cell: ColumnCell): number {
    const start = this.#firsts[0]?.group ?? 0;
    let earliest = nearest;
    for (;;) {
      const apart = blockApart(earliest, cell);
      if (apart === undefined) return earliest.group;
      earliest = this.#within.get(apart)?.first ?? earliest;
      const before = this.#firsts[earliest.group - start - 1];
      const isAbove = before !== undefined && before.index === earliest.index - 1;
      if (!isAbove || blockApart(before, cell) === undefined) return earliest.group;
      earliest = before;
    }
  }

  /**
   * Returns the latest group that a cell may continue. In a repeating block, a row further down in the template belongs
   * to the previous iteration and therefore comes earlier in the document.
   */
  latest(nearest: First, { around }: ColumnCell): number {
    const loop = around.find(({ repeats }) => repeats);
    const last = loop === undefined ? undefined : this.#within.get(loop.open)?.last;
    return Math.max(nearest.group, last?.group ?? 0);
  }
}

/** Returns the outermost block that contains `one` but not `other`, or undefined. */
function blockApart(one: Row, other: Row): TagNode | undefined {
  const apart = one.around.find(({ open, branch }, depth) => {
    const beside = other.around[depth];
    return beside?.open !== open || beside.branch !== branch;
  });
  return apart?.open;
}
