import { expressionsOf } from "../../language/directive.ts";
import { type PathExpression, pathsOf } from "../../language/grammar/expression.ts";
import { isLook } from "../../language/looks.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** A path of a tag that does not begin with the item of its loop. */
interface OuterPath {
  readonly path: PathExpression;
  readonly tag: TagNode;
  /** Whether it decides about the look of a value (`look`) or about a block (`block`); null if it is printed. */
  readonly decides: "look" | "block" | null;
}

/** An open block. */
interface OpenBlock {
  readonly tag: TagNode;
  /** The name of the item of a loop; null for other blocks. */
  readonly alias: string | null;
  /** The path of a section; null for other blocks. */
  readonly list: string | null;
  /** By the path as written. */
  readonly outer: Map<string, OuterPath>;
  /** The keys of the item that the block uses. */
  readonly own: Set<string>;
}

/**
 * Adds to each loop the paths of its tags that do not begin with the name of the item: `total` in `{{for i in items}}`,
 * unless the loop also prints `i.total` and the path decides about nothing. Adds to each section the paths that begin
 * with the path of the section: `items.price` in `{{#items}}`. The renderer finds out from the data whether they are
 * mistakes. The blocks of the part must be valid. `tags`: all tags of the part, in document order.
 */
export function markOuterNames(tags: readonly TagNode[]): void {
  const open: OpenBlock[] = [];
  for (const tag of tags) {
    const { kind } = tag.directive;
    if (kind.startsWith("end")) settle(open.pop());
    else {
      note(tag, open);
      markInner(tag, open);
      if (REPEATS.test(kind) || BEGINS.test(kind)) open.push(opened(tag));
    }
  }
}

const REPEATS = /^(?:for|tablerow|tablecolumn)$/;
const BEGINS = /^(?:if|section)$/;

function opened(tag: TagNode): OpenBlock {
  const { directive } = tag;
  const condition = directive.kind === "section" && !directive.inverted && directive.condition;
  return {
    tag,
    alias: "alias" in directive ? directive.alias : null,
    list: condition && condition.kind === "path" ? condition.source : null,
    outer: new Map(),
    own: new Set(),
  };
}

function note(tag: TagNode, open: readonly OpenBlock[]): void {
  const inner = open.findLast(({ alias, list }) => alias !== null || list !== null);
  if (inner === undefined) return;
  for (const path of expressionsOf(tag.directive).flatMap(pathsOf)) {
    const { head, rest, source } = path;
    const [key] = rest;
    const loop = open.findLast(({ alias }) => alias !== null && alias === head);
    // An inner loop over `g.items` says nothing about the total of `items` beside it.
    const isInner = REPEATS.test(tag.directive.kind) && key === "items";
    if (loop !== undefined) loop.own.add(isInner ? "" : (key ?? "this"));
    if (loop !== undefined || head === null || inner.outer.has(source)) continue;
    // The list of a loop is checked elsewhere.
    if (REPEATS.test(tag.directive.kind)) continue;
    const isWhole = source.startsWith(`${inner.list}.`) && printsOnly(path, tag);
    if (inner.alias !== null || isWhole)
      inner.outer.set(source, { path, tag, decides: decisionOf(path, tag, inner.alias) });
  }
}

/** `{{if d.hotel}}{{for d in days}}`: the condition names the item of a loop that begins after it. */
function markInner({ directive, text }: TagNode, open: readonly OpenBlock[]): void {
  if (!("alias" in directive)) return;
  const { alias } = directive;
  const from = open.findLastIndex((block) => block.alias === alias) + 1;
  for (const { tag } of open.slice(from)) {
    if (!BEGINS.test(tag.directive.kind)) continue;
    const paths = expressionsOf(tag.directive).flatMap(pathsOf);
    if (paths.some(({ head }) => head === alias)) tag.innerLoop ??= { alias, text };
  }
}

/** Returns what a path decides about, unless the same condition also names that key of the item: `i.total > total`. */
function decisionOf(
  path: PathExpression,
  { directive }: TagNode,
  alias: string | null,
): OuterPath["decides"] {
  const isBlock = directive.kind === "if" || directive.kind === "elseif";
  const calls = directive.kind === "value" ? directive.modifiers : [];
  const conditions = isBlock
    ? [directive.condition]
    : calls
        .filter(({ name }) => isLook(name))
        .flatMap(({ arguments: given }) => given.flatMap(({ expression }) => expression ?? []));
  const paths = conditions.map(pathsOf).find((each) => each.includes(path));
  if (paths === undefined) return null;
  const isKnown = paths.some(({ head, rest }) => head === alias && rest[0] === path.head);
  return isKnown ? null : isBlock ? "block" : "look";
}

/** Whether a tag only prints a path, which may be a list by mistake. */
function printsOnly(path: PathExpression, { directive }: TagNode): boolean {
  return (
    directive.kind === "value" &&
    directive.expression === path &&
    !directive.modifiers.some(({ name }) => name.endsWith("delimiter"))
  );
}

function settle(block: OpenBlock | undefined): void {
  if (block === undefined) return;
  const { own, alias } = block;
  // A loop that also uses this key of its item means the other value. Groups are often printed with all items.
  const outer = [...block.outer.values()].filter(
    ({ path, decides }) =>
      alias === null ||
      !own.has(path.head ?? "") ||
      (path.head === "items" && !own.has("items")) ||
      decides !== null,
  );
  if (outer.length > 0) block.tag.outer = new Map(outer.map(({ path, tag }) => [path, tag]));
}
