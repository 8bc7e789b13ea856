import { QuireError } from "@quire/core";
import { type Cell, type CellProblem, isBlank, isProblem } from "./types/cell.ts";

/** The columns of a table. */
export interface Header {
  /** The keys that lead to the value of each column; null for a column without a name. The last one has a name. */
  readonly columns: readonly (readonly string[] | null)[];
  /** The data of a row, given a value for each column. An object of nothing but nulls is null itself. */
  toData(values: readonly Cell[]): Record<string, unknown>;
}

/** Templates refuse deeper data, too. */
const MAX_KEYS = 100;

/**
 * Reads the names of columns. Throws `invalid_data` for names that no data can have: a repeated name, a name with an
 * empty key in it, and a name that is both a text and an object.
 */
export function parseHeader(cells: readonly (Cell | CellProblem)[], label: string): Header {
  const wrong = (why: string): QuireError =>
    new QuireError("invalid_data", `The first line of ${label} does not name its columns: ${why}.`);
  const problem = cells.find(isProblem);
  if (problem !== undefined) throw wrong(`a cell ${problem.problem}`);
  const last = cells.findLastIndex((cell) => !isBlank(cell));
  const columns = cells
    .slice(0, last + 1)
    .map((cell) => (isBlank(cell) ? null : String(cell).trim().split(".")));
  const named = columns.filter((column) => column !== null);
  const seen = new Set<string>();
  for (const column of named) {
    const name = column.join(".");
    if (column.some((key) => key === "")) {
      throw wrong(
        `${JSON.stringify(name)} is not a name. A dot separates the names of nested objects, and there is nothing before or after one. Rename the column`,
      );
    }
    if (column.length > MAX_KEYS) throw wrong(`a name has more than ${MAX_KEYS} dots`);
    if (seen.has(name)) throw wrong(`${JSON.stringify(name)} occurs twice`);
    seen.add(name);
  }
  for (const column of named) {
    for (let length = 1; length < column.length; length++) {
      const outer = column.slice(0, length).join(".");
      if (seen.has(outer)) {
        throw wrong(
          `${JSON.stringify(outer)} cannot be a text and contain ${JSON.stringify(column.join("."))}`,
        );
      }
    }
  }
  const root = treeOf(columns);
  return { columns, toData: (values) => objectOf(root, values).object };
}

/** Where the value of each key comes from: a column, or keys below it. */
type Tree = Map<string, number | Tree>;

function treeOf(columns: Header["columns"]): Tree {
  const root: Tree = new Map();
  for (const [index, column] of columns.entries()) {
    let tree = root;
    for (const key of column?.slice(0, -1) ?? []) {
      const inner = tree.get(key);
      const next = inner instanceof Map ? inner : new Map();
      tree.set(key, next);
      tree = next;
    }
    const key = column?.at(-1);
    if (key !== undefined) tree.set(key, index);
  }
  return root;
}

function objectOf(
  tree: Tree,
  values: readonly Cell[],
): { readonly object: Record<string, unknown>; readonly isEmpty: boolean } {
  const object: Record<string, unknown> = {};
  let isEmpty = true;
  for (const [key, at] of tree) {
    let value: unknown;
    if (typeof at === "number") value = values[at] ?? null;
    else {
      const inner = objectOf(at, values);
      value = inner.isEmpty ? null : inner.object;
    }
    if (value !== null) isEmpty = false;
    setOwn(object, key, value);
  }
  return { object, isEmpty };
}

/** Sets an own property, also one called `__proto__`. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
