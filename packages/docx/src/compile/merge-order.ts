import { directiveOf, expressionsOf } from "../language/directive.ts";
import {
  type Expression,
  isPlainName,
  operandsOf,
  type PathExpression,
  pathsOf,
  quotedKey,
  spellKey,
} from "../language/grammar/expression.ts";
import { spellExpression } from "../language/grammar/spell.ts";
import type { MergeOrder } from "../program/ops.ts";
import { otherValue } from "../template/merge-tags.ts";
import { closest, contentOf, type ElementNode, type TagNode } from "../template/nodes/nodes.ts";
import { formats } from "../values/modifiers.ts";

/**
 * Returns the list whose order decides which cells a tag with `merge` merges, and the tag that sorts it. Null if the
 * author chose an order, or if another value of the item is to the left: then the list may be in the order of that one.
 * `loop`: the tag of the loop that repeats the row.
 */
export function mergeOrder(tag: TagNode, row: ElementNode, loop: TagNode): MergeOrder | null {
  const { directive } = tag;
  if (directive.kind !== "value" || formats(directive.modifiers)) return null;
  const call = directive.modifiers.find(({ name }) => name === "merge");
  const by = call?.arguments[0]?.expression ?? directive.expression;
  if (by.kind !== "path" || isMeant(tag, call?.arguments[0]?.expression)) return null;
  if (isBehindValue(tag, row)) return null;
  const key = keyOfItem(by, loop);
  return key === null ? null : { loop: loop.text, sorted: sortedLoop(loop, key) };
}

/**
 * Whether the argument of a tag is the tag's own value: `{{r.label :: merge(r.label)}}`. This says that the order is
 * meant, unless the cell prints another value, so that the tag needs an argument.
 */
function isMeant(tag: TagNode, argument: Expression | undefined): boolean {
  const { directive } = tag;
  const cell = closest(tag, "w:tc");
  if (argument === undefined || directive.kind !== "value" || cell === null) return false;
  return (
    spellExpression(argument) === spellExpression(directive.expression) &&
    otherValue(tag, cell, "merge") === null
  );
}

/** Whether a cell to the left prints a value of the data. */
function isBehindValue(tag: TagNode, row: ElementNode): boolean {
  const cell = closest(tag, "w:tc");
  for (const node of contentOf(row)) {
    if (node === cell) break;
    if (node.kind !== "tag" || node.directive.kind !== "value") continue;
    if (pathsOf(node.directive.expression).length > 0) return true;
  }
  return false;
}

/** Returns the argument of `sort` for a value of a loop's item; null if it is another value, or the list is sorted. */
function keyOfItem({ head, rest }: PathExpression, { directive }: TagNode): string | null {
  if ("alias" in directive) {
    const { alias, shape } = directive;
    if (head !== alias || (shape !== null && isSorted(shape))) return null;
    // A key with the name of the item needs 'this'.
    return rest[0] === alias ? `this${rest.map(spellKey).join("")}` : spelled(rest);
  }
  if (directive.kind !== "section" || directive.inverted || isSorted(directive.condition))
    return null;
  return spelled(head === null ? rest : [head, ...rest]);
}

function isSorted(list: Expression): boolean {
  if (list.kind === "call" && list.name === "$sort") return true;
  return operandsOf(list).some(isSorted);
}

function spelled([first, ...rest]: readonly string[]): string {
  if (first === undefined) return "";
  return `${isPlainName(first) ? first : quotedKey(first)}${rest.map(spellKey).join("")}`;
}

/** Returns the tag of a loop with a sorted list; null if it cannot be written in this way. */
function sortedLoop({ text, delimiters, directive }: TagNode, key: string): string | null {
  const { start, end } = delimiters;
  const content = text.slice(start.length, -end.length);
  const parts = /^(\s*(?:#|\w+\s+[^\s]+\s+in\s))(.*?)((?:\s*::\s*optional)?\s*)$/s.exec(content);
  const [, before = "", list = "", after = ""] = parts ?? [];
  const shape = "shape" in directive ? directive.shape : null;
  const isOneValue = shape === null || ["path", "call", "member"].includes(shape.kind);
  const sorted = `${isOneValue ? list.trim() : `(${list.trim()})`}.sort(${key})`;
  const written = `${before}${sorted}${after}`;
  const meant = directiveOf(written);
  const [made] = meant === null ? [] : expressionsOf(meant);
  if (made?.kind !== "call" || made.name !== "$sort") return null;
  const opening = `${start}${written}${end}`;
  return meant?.kind === "section" ? `${opening} … ${start}/${sorted}${end}` : opening;
}
