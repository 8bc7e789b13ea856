import {
  type CallExpression,
  type Expression,
  isArgumentPerItem,
  isSectionValue,
  operandsOf,
  type PathExpression,
} from "../language/grammar/expression.ts";
import { type FunctionName, isConditionOf, isOfList } from "../language/grammar/functions.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { Op } from "../program/ops.ts";
import type { Programs } from "../program/programs.ts";

/** How a template uses a place in the data. The elements of a list share one `Usage`. */
export interface Usage {
  /** Whether the value itself is used, including everything in it. */
  whole: boolean;
  readonly keys: Map<string, Usage>;
}

/** A name or a section around a tag, and the places in the data that it may mean. */
interface UsageScope {
  readonly alias: string | null;
  readonly usages: readonly Usage[];
}

/**
 * Maximum number of places that a name may mean. The number grows with the nesting of sections. Above this maximum, all
 * of the data counts as used.
 */
const MAX_PLACES = 64;

/**
 * Returns all places in the data that the programs of a template use. The paths in a note or a copied part are resolved at
 * each reference to it.
 */
export function usageOf({ programs, notes, copied = [] }: Programs): Usage {
  const walk = new UsageWalk(notes, copied);
  const nothing: readonly UsageScope[] = [];
  for (const { ops } of programs) walk.ops(ops, nothing);
  for (const { referenced, notes: all } of notes) {
    for (const { special, body } of all) if (special || !referenced) walk.ops(body, nothing);
  }
  return walk.root;
}

/** Maximum number of blocks for which a note or a copied part is examined. Above this number, all of the data counts as used. */
const MAX_VISITS = 64;

/** The content of a note or a copied part, and the blocks around each known reference. */
interface Visited {
  readonly body: readonly Op[];
  readonly visits: Set<readonly UsageScope[]>;
}

class UsageWalk {
  readonly root: Usage = { whole: false, keys: new Map() };
  readonly #visited = new Map<string, Visited>();

  constructor(notes: Programs["notes"], copied: NonNullable<Programs["copied"]>) {
    for (const [part, own] of Map.groupBy(copied, ({ original }) => original)) {
      const body = own.flatMap(({ ops }) => ops);
      this.#visited.set(part, { body, visits: new Set() });
    }
    for (const { kind, notes: all } of notes) {
      for (const { id, body } of all)
        this.#visited.set(`${kind}${id}`, { body, visits: new Set() });
    }
  }

  ops(ops: readonly Op[], scopes: readonly UsageScope[]): void {
    for (const op of ops) this.#op(op, scopes);
  }

  #op(op: Op, scopes: readonly UsageScope[]): void {
    const { root } = this;
    switch (op.op) {
      case "text":
        useTag(op, scopes, root);
        break;
      case "picture":
        useTag(op, scopes, root);
        for (const other of op.shape.others) this.#op(other, scopes);
        break;
      case "chartPoint":
        useTag(op.value, scopes, root);
        break;
      case "link":
        for (const piece of op.pieces) if (typeof piece !== "string") this.#op(piece, scopes);
        break;
      case "note":
        this.#visit(`${op.kind}${op.id}`, scopes);
        break;
      case "chart":
        this.#visit(op.part, scopes);
        break;
      case "repeat": {
        const usages = usagesOf(op.shape ?? op.collection, scopes, root);
        this.ops(op.body, [...scopes, { alias: op.alias, usages }]);
        break;
      }
      case "section":
        this.#section(op, scopes);
        break;
      case "choose":
        this.#choose(op, scopes);
        break;
      case "look":
      case "decide":
      case "numbering":
      case "chartColor":
      case "cell":
      case "gridColumn":
      case "shrink":
        for (const { modifiers } of op.tags) useArguments(modifiers, scopes, root);
        if ("body" in op) this.ops(op.body, scopes);
        break;
      case "columns":
        for (const { collection, shape } of op.repeated)
          usagesOf(shape ?? collection, scopes, root);
        break;
      default:
        if ("body" in op) this.ops(op.body, scopes);
    }
  }

  #visit(key: string, scopes: readonly UsageScope[]): void {
    const visited = this.#visited.get(key);
    if (visited === undefined || visited.visits.has(scopes)) return;
    if (visited.visits.size === MAX_VISITS) {
      this.root.whole = true;
      return;
    }
    visited.visits.add(scopes);
    this.ops(visited.body, scopes);
  }

  #choose({ branches }: Extract<Op, { op: "choose" }>, scopes: readonly UsageScope[]): void {
    for (const { condition, body } of branches) {
      if (condition !== null) useTested(condition, scopes, this.root);
      this.ops(body, scopes);
    }
  }

  #section(op: Extract<Op, { op: "section" }>, scopes: readonly UsageScope[]): void {
    useTested(op.condition, scopes, this.root);
    const scoped = isSectionValue(op.condition) && !op.inverted;
    const usages = scoped ? usagesOf(op.condition, scopes, this.root) : null;
    this.ops(op.body, usages === null ? scopes : [...scopes, { alias: null, usages }]);
  }
}

/** Records the use of the value that a tag prints, and of the arguments of its modifiers. */
function useTag(
  { expression, modifiers }: Extract<Op, { op: "text" | "picture" }>,
  scopes: readonly UsageScope[],
  root: Usage,
): void {
  useWhole(expression, scopes, root);
  useArguments(modifiers, scopes, root);
}

function useArguments(
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
function useTested(expression: Expression, scopes: readonly UsageScope[], root: Usage): void {
  if (expression.kind === "path") usagesAt(expression, scopes, root);
  else useWhole(expression, scopes, root);
}

/**
 * Returns the places that the value of an expression comes from. Records the data that its computation reads, but not
 * the use of the value itself.
 */
function usagesOf(
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
  return [root, ...sections].map((usage) => keyOf(usage, head));
}

function keyOf(usage: Usage, key: string): Usage {
  let inner = usage.keys.get(key);
  if (inner === undefined) {
    inner = { whole: false, keys: new Map() };
    usage.keys.set(key, inner);
  }
  return inner;
}
