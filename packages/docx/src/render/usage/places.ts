import {
  type CallExpression,
  type Expression,
  isArgumentPerItem,
  operandsOf,
  type PathExpression,
} from "../../language/grammar/expression.ts";
import { type FunctionName, isConditionOf, isOfList } from "../../language/grammar/functions.ts";
import type { ModifierCall } from "../../language/modifiers.ts";
import type { Op } from "../../program/ops.ts";

/** How a template uses a place in the data. The elements of a list share one `Usage`. */
export interface Usage {
  /** Whether the value itself is used, including everything in it. */
  whole: boolean;
  readonly keys: Map<string, Usage>;
  /** Whether a name that may mean keys of several places uses it, and no other name does. */
  isEither?: boolean;
}

/** A name or a section around a tag, and the places in the data that it may mean. */
export interface UsageScope {
  readonly alias: string | null;
  readonly usages: readonly Usage[];
}

/**
 * Maximum number of places that a name may mean. The number grows with the nesting of sections. Above this maximum, all
 * of the data counts as used.
 */
const MAX_PLACES = 64;

/** Records the use of the value that a tag prints, and of the arguments of its modifiers. */
export function useTag(
  { expression, modifiers }: Extract<Op, { op: "text" | "picture" }>,
  scopes: readonly UsageScope[],
  root: Usage,
): void {
  useWhole(expression, scopes, root);
  useArguments(modifiers, scopes, root);
}

export function useArguments(
  modifiers: readonly ModifierCall[],
  scopes: readonly UsageScope[],
  root: Usage,
): void {
  for (const { arguments: given } of modifiers) {
    for (const { expression: each } of given) {
      if (each !== undefined) useWhole(each, scopes, root);
    }
  }
}

function useWhole(expression: Expression, scopes: readonly UsageScope[], root: Usage): void {
  for (const usage of usagesOf(expression, scopes, root)) usage.whole = true;
}

/**
 * Records the use of a tested value. Testing a single path does not use the content of the value, but comparing and
 * computing do.
 */
export function useTested(
  expression: Expression,
  scopes: readonly UsageScope[],
  root: Usage,
): void {
  if (expression.kind === "path") usagesAt(expression, scopes, root);
  else useWhole(expression, scopes, root);
}

/**
 * Returns the places that the value of an expression comes from. Records the data that its computation reads, but not
 * the use of the value itself.
 */
export function usagesOf(
  expression: Expression,
  scopes: readonly UsageScope[],
  root: Usage,
): readonly Usage[] {
  switch (expression.kind) {
    case "path":
      return usagesAt(expression, scopes, root);
    case "call":
      return usagesOfCall(expression, scopes, root);
    case "member":
      return expression.keys.reduce<readonly Usage[]>(
        (usages, key) => followed(usages, key),
        usagesOf(expression.of, scopes, root),
      );
    case "element": {
      useWhole(expression.key, scopes, root);
      const usages = usagesOf(expression.of, scopes, root);
      // Any key of an object may be named.
      for (const usage of usages) if (expression.key.kind !== "variable") usage.whole = true;
      return usages;
    }
    case "fallback":
      return [
        ...usagesOf(expression.left, scopes, root),
        ...usagesOf(expression.right, scopes, root),
      ];
    case "list":
      return expression.items.flatMap((item) => usagesOf(item, scopes, root));
    default:
      for (const operand of operandsOf(expression)) useWhole(operand, scopes, root);
      return [];
  }
}

function usagesOfCall(
  call: CallExpression,
  scopes: readonly UsageScope[],
  root: Usage,
): readonly Usage[] {
  const [first, ...others] = call.arguments;
  if (first !== undefined && call.name === "$if") {
    useTested(first, scopes, root);
    return others.flatMap((other) => usagesOf(other, scopes, root));
  }
  if (first === undefined || !isOfList(call.name)) {
    for (const each of call.arguments) useWhole(each, scopes, root);
    return [];
  }
  const usages = usagesOf(first, scopes, root);
  const items: readonly UsageScope[] = [
    ...scopes,
    ...(call.alias === null ? [] : [{ alias: call.alias, usages }]),
    { alias: null, usages },
  ];
  for (const [index, other] of others.entries()) {
    const perItem = isArgumentPerItem(call, index + 1);
    if (perItem && isConditionOf(call.name)) useTested(other, items, root);
    else useWhole(other, perItem ? items : scopes, root);
  }
  if (call.name === "$group") return usages.map((usage) => groupUsage(usage));
  if (KEEPS_ITEMS.has(call.name)) return usages;
  if (others.length === 0) for (const usage of usages) usage.whole = true;
  return [];
}

/** Functions whose result consists of items of the list. */
const KEEPS_ITEMS: ReadonlySet<FunctionName> = new Set([
  ...(["$where", "$sort", "$distinct", "$limit", "$skip"] as const),
  ...(["$reverse", "$nonEmpty", "$first", "$last"] as const),
]);

/** Returns the use of the groups of a list. Their items are the items of the list. */
function groupUsage(list: Usage): Usage {
  return {
    whole: false,
    keys: new Map([
      ["items", list],
      ["key", { whole: false, keys: new Map() }],
    ]),
  };
}

/** Returns the places of a key. Digits mean either an index, in which case all elements share their keys, or a key. */
function followed(usages: readonly Usage[], key: string): Usage[] {
  const inner = usages.map((usage) => keyOf(usage, key));
  return /^\d+$/.test(key) ? [...usages, ...inner].slice(0, MAX_PLACES) : inner;
}

/** Returns the places that a path may mean: in a section, its first name may be a key of the item or of the data. */
function usagesAt(path: PathExpression, scopes: readonly UsageScope[], root: Usage): Usage[] {
  let at = headUsages(path.head, scopes, root);
  // The whole path may be one key with dots.
  if (path.head !== null && path.rest.length > 0) {
    for (const usage of headUsages(path.source, scopes, root)) usage.whole = true;
  }
  for (const key of path.rest) at = followed(at, key);
  return at;
}

function headUsages(head: string | null, scopes: readonly UsageScope[], root: Usage): Usage[] {
  if (head === null) return [...(scopes.at(-1)?.usages ?? [root])];
  const named = scopes.findLast(({ alias }) => alias === head);
  if (named !== undefined) return [...named.usages];
  const sections = scopes.filter(({ alias }) => alias === null).flatMap(({ usages }) => usages);
  if (sections.length > MAX_PLACES) {
    root.whole = true;
    return [];
  }
  return [root, ...sections].map((usage) => keyOf(usage, head, sections.length > 0));
}

function keyOf(usage: Usage, key: string, isEither = false): Usage {
  let inner = usage.keys.get(key);
  if (inner === undefined) {
    inner = { whole: false, keys: new Map(), isEither };
    usage.keys.set(key, inner);
  }
  if (!isEither) inner.isEither = false;
  return inner;
}
