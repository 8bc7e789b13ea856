import { QuireError } from "@quire/core";
import { type Cell, type CellProblem, isBlank, isProblem } from "../entries/cell.ts";

/** The columns of a table. */
export interface Header {
  /** The path of keys of each column; null for a column without a name. The last column has a name. */
  readonly columns: readonly (readonly string[] | null)[];
  /** Returns the data of a row from a value for each column. An object with only nulls becomes null. */
  toData(values: readonly Cell[]): Record<string, unknown>;
}

/** The maximum number of keys in a path. Templates also reject deeper data. */
const MAX_KEYS = 100;

/**
 * Reads the names of the columns. Throws `invalid_data` for a cell that cannot be read, a duplicate name, a name with
 * an empty key or too many keys, and a name that would be both a value and an object.
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
        `${JSON.stringify(name)} is not a valid name. A dot separates the names of nested objects, so it needs a name before and after it. Rename the column`,
      );
    }
    if (column.length > MAX_KEYS) throw wrong(`a name has ${MAX_KEYS} or more dots`);
    if (seen.has(name))
      throw wrong(`${JSON.stringify(name)} occurs twice. Rename one of the columns`);
    seen.add(name);
  }
  for (const column of named) {
    for (let length = 1; length < column.length; length++) {
      const outer = column.slice(0, length).join(".");
      if (seen.has(outer)) {
        throw wrong(
          `${JSON.stringify(outer)} cannot be both text and the parent of ${JSON.stringify(column.join("."))}. Rename one of the columns`,
        );
      }
    }
  }
  const root = treeOf(columns);
  return { columns, toData: (values) => objectOf(root, values).object };
}

/** Maps each key to the index of the column with its value, or to a tree of further keys. */
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

/** Sets an own property, even if its name is `__proto__`. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
