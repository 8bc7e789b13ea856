import { pointerStep } from "@quire/contracts";
import {
  type Expression,
  hasPlace,
  type PathExpression,
  pathsOf,
} from "../../../language/grammar/expression.ts";
import { type ElementPlace, Entry, elementPlace, Group } from "./origins.ts";
import {
  along,
  type Environment,
  hasOwn,
  holderOf,
  INDEX,
  type RenderData,
  type Scope,
  turnNamed,
} from "./scope.ts";

/**
 * Returns a JSON Pointer to the place of a path, even if the value is missing. A path that crosses a list means all
 * elements at once, which a pointer cannot express. In that case, the pointer omits the index, and {@link leavesOf}
 * gives the elements.
 */
export function pointerOf(path: PathExpression, env: Environment): string {
  const { keys, pointer } = startOf(path, env);
  return pointerTo(pointer, keys);
}

/** The value at a path in one of the elements of its lists. */
export interface Leaf {
  /** Undefined or null if the element has no value. */
  readonly value: unknown;
  /** A JSON Pointer to the value, or to the element that lacks it. */
  readonly pointer: string;
  /** Whether `resolve` returns it. For a list at the end of the path, that includes all elements, even null. */
  readonly isGiven: boolean;
}

/**
 * Returns the values at a path that crosses lists, or ends at one, each with its place, in the order of `resolve`.
 * There are none for a path with an index after a crossed list, such as `items.tags[0]`.
 */
export function leavesOf(path: PathExpression, env: Environment): Iterable<Leaf> {
  const { value, keys, pointer } = startOf(path, env);
  return leavesIn(value, keys, pointer, false);
}

function* leavesIn(
  value: unknown,
  keys: readonly string[],
  pointer: string,
  crossed: boolean,
): Generator<Leaf> {
  const [key, ...rest] = keys;
  if (Array.isArray(value) && (key === undefined || !INDEX.test(key))) {
    for (let index = 0; index < value.length; index++) {
      const place = `${pointer}/${index}`;
      if (key === undefined) yield { value: value[index], pointer: place, isGiven: true };
      else yield* leavesIn(value[index], keys, place, true);
    }
  } else if (key === undefined || value === undefined || value === null) {
    yield { value, pointer, isGiven: value !== undefined && value !== null };
  } else if (!crossed || !INDEX.test(key)) {
    const inner = hasOwn(value, key) ? value[key] : undefined;
    yield* leavesIn(inner, rest, pointerTo(pointer, [key]), crossed);
  }
}

/**
 * Returns the place in the data for a message about an expression: its first path or, if there is none, the iteration
 * around it. `element` is the index in the list of the path. Returns undefined if there is no place.
 */
export function placeOf(
  expression: Expression,
  env: Environment,
  element?: number,
): string | undefined {
  const [path] = pathsOf(expression);
  if (path === undefined) return env.scope === null ? undefined : turnPointer(env.scope, env.data);
  if (expression.kind === "path" && element !== undefined) {
    let left = element;
    for (const { isGiven, pointer } of leavesOf(path, env)) {
      if (isGiven && left === 0) return pointer;
      if (isGiven) left -= 1;
    }
  }
  return pointerOf(path, env);
}

/** Returns the start of a path in the data: a value with its place, and the remaining keys. */
function startOf(
  path: PathExpression,
  { scope, data }: Environment,
): { readonly value: unknown; readonly keys: readonly string[]; readonly pointer: string } {
  const { head, rest, source } = path;
  const named = head === null ? scope : turnNamed(head, scope);
  if (head === null || named !== null) {
    if (named === null) return { value: data, keys: rest, pointer: "" };
    return inMade(named.item, rest, turnPointer(named, data));
  }
  const section = holderOf(path, scope);
  const value = section === null ? data : section.item;
  // A key that exists nowhere counts as missing in the item of the innermost block, if that is a section.
  const isNowhere = section === null && !hasOwn(data, head) && !hasOwn(data, source);
  const place = isNowhere && scope?.alias === null ? scope : section;
  const keys = isFlat(path, value) ? [source] : [head, ...rest];
  const isMade = value instanceof Group || value instanceof Entry;
  if (isMade && place !== null) return inMade(value, keys, turnPointer(place, data));
  return { value, keys, pointer: place === null ? "" : turnPointer(place, data) };
}

/**
 * Groups and entries are not in the data. The place of a group is the one of its first item, and the place of an entry
 * is the one of its value.
 */
function inMade(
  value: unknown,
  keys: readonly string[],
  pointer: string,
): { readonly value: unknown; readonly keys: readonly string[]; readonly pointer: string } {
  if (value instanceof Entry) {
    return { value: value.value, keys: keys.slice(keys[0] === "value" ? 1 : keys.length), pointer };
  }
  if (!(value instanceof Group)) return { value, keys, pointer };
  return {
    value: value.items[0],
    keys: keys.slice(keys[0] === "items" ? 1 : keys.length),
    pointer,
  };
}

/** Whether an object has the whole path as one key with dots, and no value at the separate keys. */
function isFlat({ head, rest, source }: PathExpression, holder: unknown): boolean {
  if (head === null || rest.length === 0 || !hasOwn(holder, source)) return false;
  const nested = along([head, ...rest], holder, QUIET);
  return nested === undefined || nested === null;
}

/** Reading data for a message does not count towards the budget. */
const QUIET = { spend(): void {} };

/** Returns a JSON Pointer to the item of an iteration. */
function turnPointer({ path, outer, items, item, index }: Scope, data: RenderData): string {
  if (index === null) return pointerOf(path, { data, scope: outer, ...QUIET });
  const place = (items === null ? null : elementPlace(items, index)) ?? {
    path,
    scope: outer,
    index: hasPlace(path) ? index : null,
  };
  return elementPointer(place, item, data);
}

/** Returns a JSON Pointer to an element of a list that a function made; null for any other list. */
export function madeElementPointer(
  list: readonly unknown[],
  index: number,
  { data }: Environment,
): string | null {
  const place = elementPlace(list, index);
  return place === null ? null : elementPointer(place, list[index], data);
}

/** `item`: the element, which may be an entry of an object. */
function elementPointer(
  { path, scope, index }: ElementPlace,
  item: unknown,
  data: RenderData,
): string {
  const env = { data, scope, ...QUIET };
  if (index === null) return pointerOf(path, env);
  const element = crossesLists(path, env) ? gatheredAt(path, env, index) : null;
  const key = item instanceof Entry ? item.key : String(index);
  return element ?? pointerTo(pointerOf(path, env), [key]);
}

function crossesLists(path: PathExpression, env: Environment): boolean {
  let { value, keys } = startOf(path, env);
  for (const key of keys) {
    if (Array.isArray(value) && !INDEX.test(key)) return true;
    value = hasOwn(value, key) ? value[key] : undefined;
  }
  return false;
}

/** The progress of reading a list. */
interface Reader {
  readonly path: PathExpression;
  readonly outer: Scope | null;
  readonly leaves: Iterator<Leaf>;
  next: number;
  pointer: string | null;
}

/** The last reader of each document. It is kept because a loop may report each of its iterations, in order. */
const readers = new WeakMap<RenderData, Reader>();

/** Forgets cached places. Call this when a document begins, because the data may have changed. */
export function forgetPlaces(data: RenderData): void {
  readers.delete(data);
}

/** Returns the place of an element that was collected from several lists, or null if unknown. */
function gatheredAt(path: PathExpression, env: Environment, index: number): string | null {
  let reader = readers.get(env.data);
  if (reader?.path !== path || reader.outer !== env.scope || reader.next > index + 1) {
    const leaves = leavesOf(path, env)[Symbol.iterator]();
    reader = { path, outer: env.scope, leaves, next: 0, pointer: null };
    readers.set(env.data, reader);
  }
  while (reader.next <= index) {
    const { done, value } = reader.leaves.next();
    if (done) return null;
    if (!value.isGiven) continue;
    reader.next += 1;
    reader.pointer = value.pointer;
  }
  return reader.pointer;
}

function pointerTo(from: string, keys: readonly string[]): string {
  return from + keys.map((key) => `/${pointerStep(key)}`).join("");
}
