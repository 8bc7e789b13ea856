import {
  type Expression,
  isSectionValue,
  type PathExpression,
  sourceOf,
} from "../../language/grammar/expression.ts";
import type { FunctionName } from "../../language/grammar/functions.ts";
import { isColumnList } from "../../template/blocks/column-list.ts";
import type { TagNode } from "../../template/nodes/nodes.ts";
import { around, type Frame } from "./frames.ts";

/** A block with items: its tag, its list, and the blocks in which the names of the list are looked up. */
export interface Block {
  readonly tag: TagNode;
  /** The path of the list in each iteration: see `Scope.path`. */
  readonly path: PathExpression;
  readonly list: Expression;
  /** Null for a section, where the keys of the item are names. */
  readonly alias: string | null;
  /** Whether the block is a `tablecolumn` with a condition, which is not repeated. */
  readonly isCondition: boolean;
  readonly outer: Block | null;
  /** The innermost block in which the names of the list are looked up. */
  readonly lookedUpIn: Block | null;
}

/** Functions that select or order items of a list. */
const PICKS: ReadonlySet<FunctionName> = new Set([
  "$where",
  "$sort",
  "$reverse",
  "$limit",
  "$skip",
  "$distinct",
  "$nonEmpty",
]);

/** The list from which a block takes its items, before functions select or order them. */
interface Base {
  readonly list: Expression;
  readonly lookedUpIn: Block | null;
}

/** Finds the blocks with items around the frames of a template. */
export class ItemBlocks {
  // Each block has one object, so that objects can be compared.
  readonly #known = new Map<Frame, Block | null>();

  /** Returns the innermost block with items that contains the frame, or begins it; null outside such blocks. */
  of(frame: Frame | null): Block | null {
    const passed: Frame[] = [];
    let at = frame;
    while (at !== null && !this.#known.has(at)) {
      passed.push(at);
      at = around(at);
    }
    let block = at === null ? null : (this.#known.get(at) ?? null);
    for (const each of passed.reverse()) {
      block = blockOf(each, block) ?? block;
      this.#known.set(each, block);
    }
    return block;
  }
}

/** Whether a block is certain to repeat its content. A section may also be a condition. */
export function isLoop({ alias, isCondition }: Block): boolean {
  return alias !== null && !isCondition;
}

/** Returns the blocks around a block and the block itself, outermost first. */
export function chainOf(block: Block | null): Block[] {
  const chain: Block[] = [];
  for (let at = block; at !== null; at = at.outer) chain.push(at);
  return chain.reverse();
}

function blockOf(frame: Frame, outer: Block | null): Block | null {
  const { tag } = frame;
  if (tag === null) return null;
  const { directive } = tag;
  switch (directive.kind) {
    case "for":
    case "tablerow":
    case "tablecolumn": {
      const { alias, collection: path, shape } = directive;
      let lookedUpIn = outer;
      if (isColumnList(path)) {
        while (lookedUpIn !== null && path.inTable.has(lookedUpIn.path))
          lookedUpIn = lookedUpIn.outer;
      }
      // A `tablecolumn` with a condition has no name for its item.
      const isCondition = alias === "";
      return { tag, path, list: shape ?? path, alias, isCondition, outer, lookedUpIn };
    }
    case "section": {
      const { condition: list, inverted } = directive;
      const path = sourceOf(list);
      if (inverted || path === null || !isSectionValue(list)) return null;
      return { tag, path, list, alias: null, isCondition: false, outer, lookedUpIn: outer };
    }
    default:
      return null;
  }
}

/** What the first name of a path means: the item of a block, or a key of the data or of the sections around it. */
interface Meaning {
  readonly block: Block | null;
  /** The sections whose items may have the name as a key; empty for the item of a block. */
  readonly sections: readonly Block[];
}

function meaningOf(head: string | null, lookedUpIn: Block | null): Meaning {
  if (head === null) return { block: lookedUpIn, sections: [] };
  const sections: Block[] = [];
  for (let at = lookedUpIn; at !== null; at = at.outer) {
    if (at.alias === head) return { block: at, sections: [] };
    if (at.alias === null) sections.push(at);
  }
  return { block: null, sections };
}

function baseOf({ list: whole, lookedUpIn: within }: Pick<Block, "list" | "lookedUpIn">): Base {
  let list = whole;
  let lookedUpIn = within;
  for (;;) {
    const [first] = list.kind === "call" ? list.arguments : [];
    if (list.kind === "call" && PICKS.has(list.name) && first !== undefined) {
      list = first;
      continue;
    }
    const grouped = groupedList(list, lookedUpIn);
    if (grouped === null) return { list, lookedUpIn };
    ({ list, lookedUpIn } = grouped);
  }
}

/** Returns the list that was grouped if an expression is the `items` of a group; otherwise null. */
function groupedList(list: Expression, lookedUpIn: Block | null): Base | null {
  if (list.kind !== "path" || list.rest.length !== 1 || list.rest[0] !== "items") return null;
  const { block } = meaningOf(list.head, lookedUpIn);
  if (block === null) return null;
  const base = baseOf(block);
  const [first] =
    base.list.kind === "call" && base.list.name === "$group" ? base.list.arguments : [];
  return first === undefined ? null : { list: first, lookedUpIn: base.lookedUpIn };
}

/** Returns the keys that lead from the data to the items of a block, or null if they are not known. */
function keysTo(block: Block): readonly string[] | null {
  const { list, lookedUpIn } = baseOf(block);
  if (list.kind !== "path") return null;
  const { block: of, sections } = meaningOf(list.head, lookedUpIn);
  if (sections.length > 0) return null;
  if (of === null) return list.head === null ? null : [list.head, ...list.rest];
  const keys = keysTo(of);
  return keys === null ? null : [...keys, ...list.rest];
}

/** Whether the items of two blocks are from the same place in the data, possibly from several lists. */
export function haveSameSource(one: Block, other: Block): boolean {
  const [keys, others] = [keysTo(one), keysTo(other)];
  return keys !== null && others !== null && isEqual(keys, others, () => false);
}

/**
 * Whether two blocks begin with the same list, apart from the selection and the order of its items. `areSame` compares
 * the blocks whose items the lists use.
 */
export function haveSameList(
  one: Block,
  other: Block,
  areSame: (one: Block, other: Block) => boolean,
): boolean {
  const [base, otherBase] = [baseOf(one), baseOf(other)];
  const isSameName = (head: string | null, otherHead: string | null): boolean => {
    if (head === null || otherHead === null) {
      if (head !== otherHead) return false;
    } else if (head === one.alias && otherHead === other.alias) {
      // In the tag of a loop, the name of its item.
      return true;
    }
    const [meaning, otherMeaning] = [
      meaningOf(head, base.lookedUpIn),
      meaningOf(otherHead, otherBase.lookedUpIn),
    ];
    if (meaning.block !== null && otherMeaning.block !== null) {
      return areSame(meaning.block, otherMeaning.block);
    }
    return (
      meaning.block === otherMeaning.block &&
      head === otherHead &&
      meaning.sections.length === otherMeaning.sections.length &&
      meaning.sections.every((each, at) => areSame(each, otherMeaning.sections[at] as Block))
    );
  };
  return isEqual(base.list, otherBase.list, isSameName);
}

/** Whether two expressions, or parts of them, have the same meaning. `isSameName` compares the first names of paths. */
function isEqual(
  one: unknown,
  other: unknown,
  isSameName: (one: string | null, other: string | null) => boolean,
): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((each, at) => isEqual(each, other[at], isSameName));
  }
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const [left, right] = [one, other] as [Expression, Expression];
  if (left.kind !== right.kind) return false;
  switch (left.kind) {
    case "variable":
      // The position in a loop around the list.
      return false;
    case "path": {
      const { head, rest } = right as PathExpression;
      return isEqual(left.rest, rest, isSameName) && isSameName(left.head, head);
    }
    default: {
      const [entries, others] = [entriesOf(left), new Map(entriesOf(right))];
      return (
        entries.length === others.size &&
        entries.every(([key, value]) => isEqual(value, others.get(key), isSameName))
      );
    }
  }
}

/** Returns the properties that decide the meaning of an expression. */
function entriesOf(expression: Expression): [string, unknown][] {
  return Object.entries(expression).filter(([key]) => key !== "alias");
}
