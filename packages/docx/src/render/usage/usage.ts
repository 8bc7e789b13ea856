import { isSectionValue } from "../../language/grammar/expression.ts";
import type { BlockOp, Op } from "../../program/ops.ts";
import type { Programs } from "../../program/programs.ts";
import {
  type Usage,
  type UsageScope,
  usagesOf,
  useArguments,
  useTag,
  useTested,
} from "./places.ts";

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
  /** The names in loops around section breaks whose headers use items, by the numbers of the loops. */
  readonly #paged = new Map<number, readonly UsageScope[]>();

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
      case "headers":
        this.#headers(op, scopes);
        break;
      case "repeat": {
        const usages = usagesOf(op.shape ?? op.collection, scopes, root);
        this.#within(op, [...scopes, { alias: op.alias, usages }]);
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
        for (const each of op.repeated) usagesOf(each.shape ?? each.collection, scopes, root);
        break;
      default:
        if ("body" in op) this.ops(op.body, scopes);
    }
  }

  /** Reads the headers of a section, which may end after the loop of its items. */
  #headers(
    { loops, references }: Extract<Op, { op: "headers" }>,
    scopes: readonly UsageScope[],
  ): void {
    const own = this.#paged.get(loops.at(-1)?.number ?? -1) ?? scopes;
    for (const { shown } of references) this.#visit(shown?.part ?? "", own);
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
    this.#within(op, usages === null ? scopes : [...scopes, { alias: null, usages }]);
  }

  #within({ paged, body }: BlockOp, scopes: readonly UsageScope[]): void {
    if (paged !== undefined) this.#paged.set(paged, scopes);
    this.ops(body, scopes);
  }
}
