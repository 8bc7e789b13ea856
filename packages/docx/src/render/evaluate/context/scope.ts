import { QuireError } from "@quire/contracts";
import { elementsOf } from "../../../format/elements.ts";
import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Spend } from "../../../values/budget.ts";
import type { BookmarkNames } from "../../references/bookmarks.ts";

/** The data of one document: a JSON object, or the same shape built in memory. */
export type RenderData = Readonly<Record<string, unknown>>;

/** One iteration of a block: its item, and the item's place in the data. */
export interface Scope {
  /** The name that the block gives to its item; null in a section, where the item's own keys are names. */
  readonly alias: string | null;
  readonly item: unknown;
  /** The list whose element the item is; null for a section that shows an object. */
  readonly items: readonly unknown[] | null;
  /**
   * The path of the list, or of the section's object, as the tag names it. If functions shape the list, the path that
   * they begin with.
   */
  readonly path: PathExpression;
  /** The index, from 0. Null if the item is not an element of a list. */
  readonly index: number | null;
  /**
   * Set while a function evaluates an argument for the item. Returns whether other items of the list have a name. Such a name has no
   * value outside the list.
   */
  readonly siblings?: Siblings;
  /** The number of iterations. */
  readonly length: number;
  /** The block around this one, or null for an outermost block. */
  readonly outer: Scope | null;
  /** The names of the template's bookmarks in this iteration. */
  readonly bookmarks: ReadonlySet<string>;
  /** The numbers of the template's marks and drawings in this iteration. Created at first use. */
  ids: Map<string, number> | null;
  /** The names of the bookmarks of this iteration. Created at first use. */
  names: BookmarkNames | null;
}

/** Creates an iteration. The first argument has the parts that all iterations of the block share. */
export function newTurn(
  { alias, path, items, length, outer, bookmarks }: Omit<Scope, "item" | "index" | "ids" | "names">,
  item: unknown,
  index: number | null,
): Scope {
  return { alias, item, items, path, index, length, outer, bookmarks, ids: null, names: null };
}

/** Whether any item of a list has the first name of a path, or the whole path as one key with dots. */
export type Siblings = (path: PathExpression) => boolean;

/** What a tag needs to look up values in the data. */
export interface Environment {
  readonly data: RenderData;
  readonly scope: Scope | null;
  /** Counts list elements as they are read, and other work. Throws above the limit. */
  readonly spend: Spend;
  /** Counts the elements that a path skips because they do not have its key. Absent: not counted. */
  readonly gaps?: { count: number };
}

/** Matches list indexes in canonical form: `007` and `1e3` do not match. */
export const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Follows a path. Its first name is looked up among the names of the blocks, innermost first, then among the own keys
 * of the items of the surrounding sections, then among the keys of the data. The search ends at the first of these that
 * has the name, even if the value is `null`: an employee without an IBAN does not get the company's. Only own
 * properties count, so `constructor` or `length` are missing unless the data has them. A path that crosses a list
 * continues in each of its elements and gives the list of the values found. A missing value gives `undefined`; so does
 * `null`.
 */
export function resolve(path: PathExpression, env: Environment): unknown {
  const { head, rest, source } = path;
  const named = head === null ? env.scope : turnNamed(head, env.scope);
  if (head === null || named !== null) {
    return along(rest, named === null ? env.data : named.item, env) ?? undefined;
  }
  const holder = holderOf(path, env.scope)?.item ?? env.data;
  let value = along(rest, ownValue(holder, head), env);
  if (rest.length > 0 && (value === undefined || value === null)) value = ownValue(holder, source);
  return value ?? undefined;
}

/**
 * Returns what the first name of a path means: the item of a block, or a value of the data. Null means the current
 * item.
 */
export function resolveHead(head: string | null, { scope, data }: Environment): unknown {
  if (head === null) return scope === null ? data : scope.item;
  const named = turnNamed(head, scope);
  if (named !== null) return named.item;
  return ownValue(holderOf({ head, rest: [], source: head }, scope)?.item ?? data, head);
}

/** Returns the iteration of the innermost block that gives its item this name. */
export function turnNamed(name: string, scope: Scope | null): Scope | null {
  let at = scope;
  while (at !== null && at.alias !== name) at = at.outer;
  return at;
}

/** Returns the iteration of the innermost block that repeats. */
export function turnIn(scope: Scope | null): Scope | null {
  let turn = scope;
  while (turn !== null && turn.index === null) turn = turn.outer;
  return turn;
}

/**
 * Returns the iteration of the innermost section whose item has the first name of a path as its own key. In flat data,
 * the whole path may be one key with dots. Returns null when no item has it.
 */
export function holderOf(
  { head, rest, source }: Pick<PathExpression, "head" | "rest" | "source">,
  scope: Scope | null,
): Scope | null {
  for (let at = scope; at !== null; at = at.outer) {
    if (at.alias !== null || head === null) continue;
    if (hasOwn(at.item, head) || (rest.length > 0 && hasOwn(at.item, source))) return at;
  }
  return null;
}

function ownValue(holder: unknown, key: string): unknown {
  return hasOwn(holder, key) ? holder[key] : undefined;
}

/** Follows keys from a value, one after the other. */
export function along(
  keys: readonly string[],
  from: unknown,
  env: Pick<Environment, "spend" | "gaps">,
): unknown {
  let value = from;
  for (const key of keys) value = step(value, key, env);
  return value;
}

/** Paths do not lead into lists that are nested deeper than this. */
const MAX_LISTS = 64;

/** Returns the value of a key; for a list, the values of the key in each element. */
export function step(
  value: unknown,
  key: string,
  env: Pick<Environment, "spend" | "gaps">,
  depth = 0,
): unknown {
  if (depth > MAX_LISTS) return undefined;
  if (!Array.isArray(value) || INDEX.test(key)) return hasOwn(value, key) ? value[key] : undefined;
  env.spend(value.length);
  const found: unknown[] = [];
  // If all lists are empty, the value is not missing.
  let there = value.length === 0;
  for (const item of elementsOf(value)) {
    const inner = step(item, key, env, depth + 1);
    if (inner === undefined || inner === null) {
      if (env.gaps !== undefined) env.gaps.count += 1;
      continue;
    }
    there = true;
    if (Array.isArray(inner)) for (const each of elementsOf(inner)) found.push(each);
    else found.push(inner);
  }
  return there ? found : undefined;
}

/** Whether a value is an object with this own key, or a list with this index. */
export function hasOwn(value: unknown, key: string): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) && !INDEX.test(key)) return false;
  return Object.hasOwn(value, key);
}

/** Number of items that {@link otherItemsHave} looks at. */
const MAX_ITEMS = 500;

/** Whether other items of a surrounding list have the name that the item lacks, so that the name is right. Looks at the first items. */
export function otherItemsHave({ head, rest }: PathExpression, scope: Scope | null): boolean {
  for (let at = scope; at !== null; at = at.outer) {
    const isNamed = head === null || at.alias === head;
    if (!isNamed && at.alias !== null) continue;
    const key = isNamed ? rest[0] : head;
    if (at.items === null || key === undefined || hasOwn(at.item, key)) return false;
    if (at.items.slice(0, MAX_ITEMS).some((item) => hasOwn(item, key))) return true;
    if (isNamed) return false;
  }
  return false;
}

/** Whether this is the first iteration of every surrounding loop. */
export function isFirstTurn(scope: Scope | null): boolean {
  for (let at = scope; at !== null; at = at.outer)
    if (at.index !== null && at.index > 0) return false;
  return true;
}

/**
 * Whether a path has the same meaning in every iteration of all surrounding blocks, and for every item of the functions
 * around it, because it begins at the root of the data.
 */
export function isFromRoot(path: PathExpression, scope: Scope | null): boolean {
  const { head } = path;
  for (let at = scope; at !== null; at = at.outer) {
    if (head === null || at.alias === head) return false;
    if (at.alias !== null) continue;
    // In a section, another item may have the name as a key. For the items of a function, this is known.
    if (at.siblings === undefined || at.siblings(path)) return false;
  }
  return true;
}

/** Checks the type of the data of a document. Throws `invalid_data` if the data is not an object. */
export function renderData(data: unknown): RenderData {
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as RenderData;
  const ofList = " For a list, render each of its entries, or give it a name: { items: [ … ] }.";
  const message = `The data of a document must be an object: { … }.${Array.isArray(data) ? ofList : ""}`;
  throw new QuireError("invalid_data", message);
}

/** Whether a name is known, even with the value null. */
export function isThere(head: string, env: Environment): boolean {
  if (resolveHead(head, env) !== undefined || hasOwn(env.data, head)) return true;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias === head || (at.alias === null && hasOwn(at.item, head))) return true;
  }
  return false;
}
