import type { CompiledParts } from "../compile-parts.ts";
import type { Op, TagOrigin } from "../program/ops.ts";
import type { Expression, PathExpression } from "../template/expression.ts";
import type { ModifierCall } from "../template/modifiers.ts";
import { hasModifier } from "../values/modifiers.ts";
import { type DataNode, itemOf, keyOf, noteTag, rootNode, type Use } from "./data-node.ts";
import { readCondition, type UseReader } from "./read-expression.ts";
import { readAddress, readTag } from "./read-tag.ts";
import { type Aggregate, balancePeers, placeAggregates, readingOf } from "./settle.ts";

/** What a template uses of its data. */
export interface Gathered {
  readonly root: DataNode;
  /** The place that each path in a tag names. */
  readonly places: ReadonlyMap<PathExpression, DataNode>;
  /** The expressions of tags that print pictures. */
  readonly pictures: ReadonlySet<Expression>;
}

/** The programs of a template. */
export type Programs = Pick<CompiledParts, "programs" | "notes">;

/** What is learnt about sections settles in two or three surveys; after these it is taken as it is. */
const MAX_SURVEYS = 5;

/**
 * Finds what the programs of a template use of the data. A name in a section means a key of the innermost
 * section's item, unless a tag outside of all sections has the same name: then it is a key of the data.
 * To know that, the programs are surveyed more than once.
 */
export function gather(parts: Programs): Gathered {
  let survey = new Survey(parts, null);
  for (let count = 1; count < MAX_SURVEYS && survey.isUnsettled(); count++) {
    survey = new Survey(parts, survey);
  }
  survey.finish();
  return survey;
}

/** A block around a tag. */
interface Scope {
  /** The name of its item; null in a section. */
  readonly alias: string | null;
  /** The item that the name stands for, or what the section is over. */
  readonly node: DataNode;
  readonly outer: Scope | null;
  /** How many conditions stand around what is in the block. */
  readonly conditions: number;
}

/** Where a path leads. */
interface Found {
  readonly node: DataNode;
  /** The places on its way that it names with a key, the last one included. */
  readonly way: readonly DataNode[];
  /** How many conditions stand around the block in which it begins; null when it may begin elsewhere. */
  readonly conditions: number | null;
}

/** A note is read with the data of so many places that refer to it; more of them tell nothing new. */
const MAX_VISITS = 16;

class Survey implements UseReader, Gathered {
  readonly root: DataNode;
  readonly places = new Map<PathExpression, DataNode>();
  readonly pictures = new Set<Expression>();
  /** The names that tags outside of all sections use; the ones of the survey before decide. */
  readonly #outside = new Set<string>();
  readonly #outsideBefore: ReadonlySet<string>;
  readonly #sections = new Set<DataNode>();
  readonly #aggregates: Aggregate[] = [];
  readonly #peers = new Map<DataNode, Set<DataNode>>();
  readonly #notes = new Map<string, { readonly body: readonly Op[]; visits: number }>();
  #scope: Scope | null = null;
  #conditions = 0;
  #tag = "";
  #optional = false;
  #inNote = false;

  constructor({ programs, notes }: Programs, before: Survey | null) {
    this.root = rootNode(before?.root ?? null);
    this.#outsideBefore = before === null ? new Set() : before.#outside;
    for (const { kind, notes: each } of notes) {
      for (const { id, body } of each) this.#notes.set(`${kind} ${id}`, { body, visits: 0 });
    }
    for (const { ops } of programs) this.#list(ops);
    for (const { body, visits } of this.#notes.values()) if (visits === 0) this.#list(body);
  }

  /** Whether another survey would read a section, or a name in one, in another way. */
  isUnsettled(): boolean {
    let changed = false;
    for (const node of this.#sections) {
      const reading = readingOf(node);
      changed ||= reading !== node.reading;
      node.reading = reading;
    }
    return changed || (this.#sections.size > 0 && !sameSets(this.#outside, this.#outsideBefore));
  }

  /** Settles what can be known only when everything was read. */
  finish(): void {
    balancePeers(this.#peers);
    placeAggregates(this.#aggregates);
  }

  #list(ops: readonly Op[]): void {
    for (const op of ops) this.#op(op);
  }

  #op(op: Op): void {
    switch (op.op) {
      case "text":
      case "picture":
        this.#value(op);
        break;
      case "link":
        readAddress(op, this, ({ origin, modifiers }) =>
          this.#begin(origin, isOptional(modifiers)),
        );
        break;
      case "repeat":
        this.#repeat(op);
        break;
      case "section":
        this.#section(op);
        break;
      case "choose":
        this.#choose(op);
        break;
      case "note":
        this.#note(op);
        break;
      default:
        if ("body" in op) this.#list(op.body);
    }
  }

  #value(op: Extract<Op, { op: "text" | "picture" }>): void {
    const { expression, modifiers, origin } = op;
    this.#begin(origin, isOptional(modifiers));
    const mode = op.op === "picture" ? "picture" : op.mode;
    const flows = op.op === "text" && op.flow !== null;
    const inLoop = this.#scope !== null;
    const isPicture = readTag({ expression, modifiers, mode, flows, inLoop }, this);
    if (isPicture) this.pictures.add(expression);
  }

  #repeat({ origin, alias, collection, optional, body }: Extract<Op, { op: "repeat" }>): void {
    this.#begin(origin, optional);
    const node = itemOf(this.use(collection, "repeated"));
    this.#within({ alias, node, outer: this.#scope, conditions: this.#conditions }, body);
  }

  #section({ origin, condition, inverted, body }: Extract<Op, { op: "section" }>): void {
    this.#begin(origin, true);
    let scope = this.#scope;
    if (condition.kind !== "path") readCondition(condition, !inverted, this);
    else {
      const node = this.use(condition, inverted ? "tested" : "section");
      node.facts.wish ??= inverted ? "false" : "true";
      if (!inverted) this.#sections.add(node);
      if (!inverted && node.reading !== "flag") {
        scope = { alias: null, node, outer: scope, conditions: this.#conditions + 1 };
      }
    }
    this.conditionally(() => this.#within(scope, body));
  }

  #within(scope: Scope | null, body: readonly Op[]): void {
    const before = this.#scope;
    this.#scope = scope;
    this.#list(body);
    this.#scope = before;
  }

  #choose({ branches }: Extract<Op, { op: "choose" }>): void {
    for (const [index, { origin, condition, body }] of branches.entries()) {
      this.#begin(origin, false);
      if (condition !== null && index === 0) readCondition(condition, true, this);
      else if (condition !== null) {
        this.conditionally(() => readCondition(condition, null, this));
      }
      this.conditionally(() => this.#list(body));
    }
  }

  #note({ kind, id }: Extract<Op, { op: "note" }>): void {
    const note = this.#notes.get(`${kind} ${id}`);
    // A note in a note would let a long chain of them become as many calls.
    if (note === undefined || note.visits === MAX_VISITS || this.#inNote) return;
    note.visits += 1;
    this.#inNote = true;
    this.#list(note.body);
    this.#inNote = false;
  }

  #begin({ text }: TagOrigin, optional: boolean): void {
    this.#tag = text;
    this.#optional = optional;
  }

  use(path: PathExpression, use: Use): DataNode {
    const { node, way, conditions } = this.#find(path);
    for (const each of way.slice(0, -1)) each.facts.uses.add("crossed");
    this.#noteUse(path, node, use);
    if (use !== "tested") this.#require(way, conditions);
    return node;
  }

  aggregate(path: PathExpression, use: Use): void {
    const { node, way, conditions } = this.#find(path);
    for (const each of way.slice(0, -2)) each.facts.uses.add("crossed");
    this.#noteUse(path, node, null);
    this.#require(way, conditions);
    this.#aggregates.push({ node, way, use });
  }

  #noteUse(path: PathExpression, node: DataNode, use: Use | null): void {
    this.places.set(path, node);
    noteTag(node.facts, this.#tag);
    if (use !== null) node.facts.uses.add(use);
  }

  /** Whatever the data is, this tag needs these: unless it says otherwise, or stands within a condition. */
  #require(way: readonly DataNode[], conditions: number | null): void {
    if (this.#optional || conditions !== this.#conditions) return;
    for (const { facts } of way) facts.required = true;
  }

  relate(one: DataNode, other: DataNode): void {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const peers = this.#peers.get(a) ?? new Set();
      this.#peers.set(a, peers.add(b));
    }
  }

  asksForLoop(): void {
    if (this.#scope?.alias === null) this.#scope.node.facts.uses.add("asked");
  }

  conditionally(read: () => void): void {
    this.#conditions += 1;
    read();
    this.#conditions -= 1;
  }

  #find({ head, rest }: PathExpression): Found {
    const { at, key, conditions } = this.#begins(head, rest.length === 0);
    const way: DataNode[] = [];
    let node = at;
    for (const each of key === null ? rest : [key, ...rest]) {
      node = keyOf(node, each);
      way.push(node);
    }
    return { node, way, conditions };
  }

  #begins(head: string | null, alone: boolean): Beginning {
    if (head === null) return this.#item(alone);
    let section: Scope | null = null;
    for (let at = this.#scope; at !== null; at = at.outer) {
      if (at.alias === head) return { at: at.node, key: null, conditions: at.conditions };
      if (at.alias === null && at.node.reading === "turns") section ??= at;
    }
    if (section === null) this.#outside.add(head);
    return section === null || this.#outsideBefore.has(head)
      ? { at: this.root, key: head, conditions: 0 }
      : { at: section.node, key: head, conditions: null };
  }

  /** Where `this` begins; `alone` when no key follows. */
  #item(alone: boolean): Beginning {
    const scope = this.#scope;
    if (scope === null) return { at: this.root, key: null, conditions: 0 };
    const { alias, node, conditions } = scope;
    if (alias !== null || !alone) return { at: node, key: null, conditions };
    node.facts.uses.add("listed");
    return { at: itemOf(node), key: null, conditions };
  }
}

/** Where a path begins: at a place, or at a key of it. */
interface Beginning extends Pick<Found, "conditions"> {
  readonly at: DataNode;
  readonly key: string | null;
}

function isOptional(modifiers: readonly ModifierCall[]): boolean {
  return hasModifier(modifiers, "optional") || hasModifier(modifiers, "default");
}

function sameSets(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}
