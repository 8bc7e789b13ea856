import {
  type Expression,
  noPlace,
  type PathExpression,
  sourceOf,
} from "../../../language/grammar/expression.ts";
import type { Scope } from "./scope.ts";

/** The elements of a list that a function made: their indexes in the list that the function was called on. */
interface Origin {
  readonly list: readonly unknown[];
  readonly indexes: readonly number[];
}

/** The path that led to a list, and the block in which it was looked up. */
export interface Source {
  readonly path: PathExpression;
  readonly scope: Scope | null;
}

/** The place of an element in the data: the list of a path, and an index in it. */
export interface ElementPlace extends Source {
  /** Null for an element that was made of the value at the path. */
  readonly index: number | null;
}

/** The paths of the elements of a list that the template makes, and the block in which they were looked up. */
interface Made {
  readonly pathOf: (index: number) => PathExpression;
  readonly scope: Scope | null;
  /** The elements as written in the template; null for a list that a function makes. */
  readonly elements: readonly Expression[] | null;
}

const origins = new WeakMap<readonly unknown[], Origin>();
const sources = new WeakMap<readonly unknown[], Source>();
const made = new WeakMap<readonly unknown[], Made>();

/** Returns a list of some elements of another list, and records where they come from. */
export function pick(list: readonly unknown[], indexes: readonly number[]): readonly unknown[] {
  const picked = indexes.map((index) => list[index]);
  origins.set(picked, { list, indexes });
  return picked;
}

/** Records the path that led to a list. */
export function noteSource(
  list: readonly unknown[],
  path: PathExpression,
  scope: Scope | null,
): void {
  if (!origins.has(list)) sources.set(list, { path, scope });
}

/** Records the paths from which the template made the elements of a list. */
export function noteMade(
  list: readonly unknown[],
  pathOf: Made["pathOf"],
  scope: Scope | null,
  elements: Made["elements"] = null,
): void {
  made.set(list, { pathOf, scope, elements });
}

/** Records the paths of the elements of a list that a tag writes out. */
export function noteElements(
  list: readonly unknown[],
  { items }: Extract<Expression, { kind: "list" }>,
  scope: Scope | null,
): void {
  const pathOf = (index: number): PathExpression => {
    const item = items[index];
    return (item === undefined ? null : sourceOf(item)) ?? noPlace();
  };
  noteMade(list, pathOf, scope, items);
}

/** Returns an element of a list that the template writes out, as written, and where it was evaluated; or null. */
export function madeOf(
  list: readonly unknown[],
  index: number,
): { readonly element: Expression; readonly scope: Scope | null } | null {
  const { from, element } = sourceOfElement(list, index);
  const own = made.get(from);
  const written = own?.elements?.[element];
  return own === undefined || written === undefined ? null : { element: written, scope: own.scope };
}

/** Returns a list that an expression chose, and records its path, so that its elements have their places. */
export function chosenList(
  list: readonly unknown[],
  path: PathExpression,
  scope: Scope | null,
): readonly unknown[] {
  noteSource(list, path, scope);
  return pick(
    list,
    list.map((_item, index) => index),
  );
}

/** An element of a list of entries: a key of an object, and its value. */
export class Entry {
  readonly key: string;
  readonly value: unknown;

  constructor(key: string, value: unknown) {
    this.key = key;
    this.value = value;
  }
}

/** Returns the entries of the object at a path (null for an object without a path), and records their places. */
export function entriesOf(
  object: Readonly<Record<string, unknown>>,
  path: PathExpression | null,
  scope: Scope | null,
): readonly unknown[] {
  const entries = Object.keys(object).map((key) => new Entry(key, object[key]));
  return path === null ? entries : chosenList(entries, path, scope);
}

/** Records that the groups of a list are in the places of their first items. */
export function noteGroups(
  groups: readonly Group[],
  list: readonly unknown[],
  firsts: readonly number[],
): void {
  origins.set(groups, { list, indexes: firsts });
}

/** Returns the list from which functions selected or ordered the elements of a list, and the index of an element there. */
function sourceOfElement(
  list: readonly unknown[],
  index: number,
): { readonly from: readonly unknown[]; readonly element: number } {
  let element = index;
  let from = list;
  for (let at = origins.get(from); at !== undefined; at = origins.get(from)) {
    element = at.indexes[element] ?? 0;
    from = at.list;
  }
  return { from, element };
}

/** Returns the index of an element of a list in the list from which functions selected or ordered the elements. */
export function sourceIndex(list: readonly unknown[], index: number): number {
  return sourceOfElement(list, index).element;
}

/** Returns the place of an element of a list that a function, or the template, made; null for any other list. */
export function elementPlace(list: readonly unknown[], index: number): ElementPlace | null {
  const { from, element } = sourceOfElement(list, index);
  const own = made.get(from);
  if (own !== undefined) return { path: own.pathOf(element), scope: own.scope, index: null };
  const source = from === list ? undefined : sources.get(from);
  return source === undefined ? null : { ...source, index: element };
}

/** One group of a list: the value that its items share, and the items. */
export class Group {
  readonly key: unknown;
  readonly items: readonly unknown[];

  constructor(key: unknown, items: readonly unknown[]) {
    this.key = key;
    this.items = items;
  }
}
