import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { Op } from "../program/ops.ts";
import type { Programs } from "../program/programs.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import { addChoice, spreadChoices } from "./choices.ts";
import { type DataNode, itemOf, keyOf, noteTag, rootNode, type Use } from "./data-node.ts";
import { type Gathered, isOptional, noteUse, VisitedBodies } from "./gathering.ts";
import { type Found, isWithin, Names, type Scope } from "./name-scope.ts";
import { readBranch } from "./read-choice.ts";
import { READING, readCondition } from "./read-expression.ts";
import { listIn, readList } from "./read-list.ts";
import { readAddress, readArguments, readLooks, readPoint, readTag } from "./read-tag.ts";
import { type Aggregate, balancePeers, placeAggregates, readingOf } from "./settle.ts";
import type { UseReader } from "./use-reader.ts";

/**
 * Maximum number of surveys. Two or three are usually enough to read all sections. After the maximum, the last result
 * is used.
 */
const MAX_SURVEYS = 5;

/**
 * Finds the data that the programs of a template use. A name in a section means a key of the innermost
 * section's item, unless a tag outside all sections has the same name: then it is a key of the data. To find
 * such tags, the programs are surveyed more than once.
 */
export function gather(parts: Programs): Gathered {
  let survey = new Survey(parts, null);
  for (let count = 1; count < MAX_SURVEYS && survey.isUnsettled(); count++) {
    survey = new Survey(parts, survey);
  }
  survey.finish();
  return survey;
}

class Survey implements UseReader, Gathered {
  readonly root: DataNode;
  readonly #names: Names;
  readonly places = new Map<PathExpression, DataNode>();
  readonly pictures = new Set<Expression>();
  readonly choices = new Map<DataNode, readonly DataNode[]>();
  readonly #sections = new Set<DataNode>();
  readonly #aggregates: Aggregate[] = [];
  readonly #peers = new Map<DataNode, Set<DataNode>>();
  readonly #visited: VisitedBodies;
  readonly #choicesBefore: readonly DataNode[];
  /** The scopes of loops around section breaks whose headers use items, by their numbers. */
  readonly #paged = new Map<number, Scope | null>();
  #scope: Scope | null = null;
  #conditions = 0;
  #tag = "";
  #optional = false;
  #inNote = false;

  constructor(parts: Programs, before: Survey | null) {
    this.root = rootNode(before?.root ?? null);
    this.#names = new Names(this.root, before === null ? new Set() : before.#names.outside);
    this.#choicesBefore = before === null ? [] : [...before.choices.keys()];
    this.#visited = new VisitedBodies(parts);
    for (const { part, ops } of parts.programs) {
      if (parts.omittable?.has(part)) this.conditionally(() => this.#list(ops));
      else this.#list(ops);
    }
    for (const body of this.#visited.others()) this.#list(body);
  }

  /** Whether another survey would read a section, or a name in one, differently. */
  isUnsettled(): boolean {
    let changed = false;
    for (const node of this.#sections) {
      const reading = readingOf(node);
      changed ||= reading !== node.reading;
      node.reading = reading;
    }
    return changed || (this.#sections.size > 0 && this.#names.isUnsettled);
  }

  /** Determines what can only be known after a complete survey. */
  finish(): void {
    balancePeers(this.#peers);
    placeAggregates(this.#aggregates);
    spreadChoices(this.choices);
  }

  #list(ops: readonly Op[]): void {
    for (const op of ops) this.#op(op);
  }

  #op(op: Op): void {
    switch (op.op) {
      case "text":
      case "picture":
        this.#value(op);
        if (op.op === "picture") this.#list(op.shape.others);
        break;
      case "chartPoint":
        readPoint(op.value, this, (tag) => this.#begin(tag.origin, isOptional(tag.modifiers)));
        break;
      case "link":
        readAddress(op, this, (tag) => this.#begin(tag.origin, isOptional(tag.modifiers)));
        break;
      case "look":
      case "decide":
      case "numbering":
      case "chartColor":
      case "cell":
      case "gridColumn":
      case "shrink":
        readLooks(op.tags, this, (tag) => this.#begin(tag.origin, isOptional(tag.modifiers)));
        if ("body" in op) this.#list(op.body);
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
      case "chart":
        this.#note(op.op === "chart" ? op.part : `${op.kind} ${op.id}`);
        break;
      case "headers":
        this.#headers(op);
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
    for (const call of modifiers) readArguments(call, this);
    const isPicture = readTag({ expression, modifiers, mode, flows, inLoop }, this);
    if (isPicture) this.pictures.add(expression);
  }

  #repeat(op: Extract<Op, { op: "repeat" }>): void {
    const { origin, alias, collection, shape, optional, paged, body } = op;
    this.#begin(origin, optional);
    const list = readList(shape ?? collection, "repeated", this, READING);
    const node = itemOf(list ?? rootNode(null));
    const scope = { alias, node, outer: this.#scope, conditions: this.#conditions + 1 };
    if (paged !== undefined) this.#paged.set(paged, scope);
    this.#within(scope, body);
  }

  #section({ origin, condition, inverted, paged, body }: Extract<Op, { op: "section" }>): void {
    this.#begin(origin, true);
    const conditions = this.#conditions + 1;
    let scope = this.#scope;
    if (condition.kind !== "path") {
      const list = inverted ? null : listIn(condition, this, READING);
      if (list === null) readCondition(condition, !inverted, this);
      else scope = { alias: null, node: itemOf(list), isItem: true, outer: scope, conditions };
    } else {
      const node = this.use(condition, inverted ? "tested" : "section");
      node.facts.uses.add("held");
      node.facts.wish ??= inverted ? "false" : "true";
      if (!inverted) this.#sections.add(node);
      if (!inverted && node.reading !== "flag") {
        scope = { alias: null, node, outer: scope, conditions };
      }
    }
    if (paged !== undefined) this.#paged.set(paged, scope);
    this.#within(scope, body);
  }

  /** Reads the content of a block, which may be shown zero times. */
  #within(scope: Scope | null, body: readonly Op[]): void {
    const before = this.#scope;
    this.#scope = scope;
    this.conditionally(() => this.#list(body));
    this.#scope = before;
  }

  #choose({ branches }: Extract<Op, { op: "choose" }>): void {
    for (const [index, { origin, condition, body }] of branches.entries()) {
      this.#begin(origin, false);
      readBranch(origin, condition, index === 0, this);
      this.conditionally(() => this.#list(body));
    }
  }

  /** Reads the headers of a section, which may end after the loop of its items. */
  #headers({ loops, references }: Extract<Op, { op: "headers" }>): void {
    const [before, conditions] = [this.#scope, this.#conditions];
    const own = this.#paged.get(loops.at(-1)?.number ?? -1);
    if (own !== undefined && !isWithin(before, own)) {
      this.#scope = own;
      this.#conditions = own?.conditions ?? conditions;
    }
    for (const { shown } of references) this.#list(this.#visited.visit(shown?.part ?? ""));
    this.#scope = before;
    this.#conditions = conditions;
  }

  /** Reads a note or a copied part with the names at a reference to it. */
  #note(key: string): void {
    // Notes within notes are not followed, because a long chain would nest calls too deeply.
    if (this.#inNote) return;
    this.#inNote = true;
    this.#list(this.#visited.visit(key));
    this.#inNote = false;
  }

  #begin({ text }: TagOrigin, optional: boolean): void {
    this.#tag = text;
    this.#optional = optional;
  }

  use(path: PathExpression, use: Use): DataNode {
    const found = this.#names.find(path, this.#scope);
    for (const { facts } of found.way.slice(0, -1)) facts.uses.add("crossed");
    found.node.facts.uses.add(use);
    this.#noteUse(path, found, use);
    return found.node;
  }

  aggregate(path: PathExpression, use: Use): void {
    const found = this.#names.find(path, this.#scope);
    for (const { facts } of found.way.slice(0, -2)) facts.uses.add("crossed");
    this.#aggregates.push({ ...found, use });
    this.#noteUse(path, found, use);
  }

  #noteUse(path: PathExpression, found: Found, use: Use): void {
    this.places.set(path, found.node);
    const isFirm = found.conditions === this.#conditions;
    noteUse(found, { use, tag: this.#tag, optional: this.#optional, isFirm });
  }

  order(one: PathExpression, other: PathExpression): void {
    const [a, b] = [this.use(one, "ordered"), this.use(other, "ordered")];
    this.#peers.set(a, (this.#peers.get(a) ?? new Set()).add(b));
    this.#peers.set(b, (this.#peers.get(b) ?? new Set()).add(a));
  }

  within(list: DataNode, alias: string | null, read: () => void): void {
    const outer = this.#scope;
    const node = itemOf(list);
    const conditions = this.#conditions + 1;
    const named = alias === null ? outer : { alias, node, outer, conditions };
    this.#scope = { alias: null, node, isItem: true, outer: named, conditions };
    this.conditionally(read);
    this.#scope = outer;
  }

  follow(node: DataNode, keys: readonly string[], use: Use): DataNode {
    const at = keys.reduce((from, key) => {
      from.facts.uses.add("crossed");
      return keyOf(from, key);
    }, node);
    at.facts.uses.add(use);
    noteTag(at.facts, this.#tag);
    return at;
  }

  choice(first: DataNode, others: readonly DataNode[]): DataNode {
    return addChoice([first, ...others], this.choices, this.#choicesBefore);
  }

  asksForLoop(): void {
    if (this.#scope?.alias === null && this.#scope.isItem !== true)
      this.#scope.node.facts.uses.add("asked");
  }

  conditionally(read: () => void): void {
    this.#conditions += 1;
    read();
    this.#conditions -= 1;
  }
}
