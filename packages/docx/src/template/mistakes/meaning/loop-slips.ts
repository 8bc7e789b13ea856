import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../../language/delimiters/wording.ts";
import { type Directive, expressionsOf } from "../../../language/directive.ts";
import {
  type CallExpression,
  type Expression,
  itemArgumentsOf,
  loopsAskedBy,
  operandsOf,
  type PathExpression,
  pathsOf,
  sourceOf,
} from "../../../language/grammar/expression.ts";
import { isOfList } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

type LoopDirective = Extract<Directive, { readonly alias: string }>;

/** A loop, with the tags within it. */
interface Loop {
  readonly tag: TagNode;
  readonly directive: LoopDirective;
  readonly tags: TagNode[];
  /** The tags in conditions and sections within it: `{{if $last}} … {{endif}}`. */
  readonly sometimes: Set<TagNode>;
  /** The names of the items of the loops around it. */
  readonly around: readonly string[];
}

/**
 * Warns about loops whose tags probably mean the item of the loop: functions on a list within all items, rows with
 * totals that are repeated, and an inner loop with the name of the outer one. The blocks of the part must be valid.
 * `tags`: all tags of the part, in document order.
 */
export function loopSlips(tags: readonly TagNode[]): Diagnostic[] {
  const open: (Loop | null)[] = [];
  const warnings: Diagnostic[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    if (directive.kind.startsWith("end")) {
      const loop = open.pop() ?? null;
      if (loop !== null) warnings.push(...slipsIn(loop));
    }
    add(tag, open);
    if ("alias" in directive) {
      const around = open.flatMap((loop) => (loop === null ? [] : [loop.directive.alias]));
      open.push({ tag, directive, tags: [], sometimes: new Set(), around });
    } else if (directive.kind === "if" || directive.kind === "section") open.push(null);
  }
  return warnings;
}

function add(tag: TagNode, open: readonly (Loop | null)[]): void {
  let isSometimes = false;
  for (const loop of open.toReversed()) {
    if (loop === null) isSometimes = true;
    loop?.tags.push(tag);
    if (isSometimes) loop?.sometimes.add(tag);
  }
}

function slipsIn(loop: Loop): Diagnostic[] {
  const ofLists = [...deepLists(loop), ...wholeList(loop), ...fixedItem(loop)];
  return [...sameName(loop), ...totalRows(loop), ...ofLists];
}

/**
 * Warns about `{{for i in i.parts}}` in a loop over `i`, if a paragraph prints the same value of `i` twice: one of them
 * is probably meant as a value of the outer item.
 */
function sameName({ tag, directive, tags, around }: Loop): Diagnostic[] {
  const { alias, collection } = directive;
  if (!around.includes(alias) || collection.head !== alias) return [];
  const printed = tags.flatMap(({ directive: inner, place }) => {
    const isValue = inner.kind === "value" && inner.expression.kind === "path";
    if (!isValue || inner.expression.head !== alias) return [];
    return [`${place.part} ${place.paragraph} ${inner.expression.source}`];
  });
  if (new Set(printed).size === printed.length) return [];
  const key = collection.rest.at(-1) ?? "";
  const name = key.startsWith(alias) || !/^\p{L}/u.test(key) ? "each" : key.slice(0, 1);
  const message = `${tag.text} gives its items the name '${alias}', which the loop around it has, so a tag within it cannot name the item of that loop.`;
  const hint = withTags`Choose another name, as in {{${directive.kind} ${name} in ${collection.source}}}.`;
  return [warning(tag, "hidden_key", message, hint)];
}

/** Warns about a row of totals of the whole list that a `tablerow` of several rows repeats for each item. */
function totalRows({ tag, directive, tags }: Loop): Diagnostic[] {
  if (directive.kind !== "tablerow") return [];
  const { part, table, row: first } = tag.place;
  const rows = new Map<number, TagNode[]>();
  for (const each of tags) {
    const { row } = each.place;
    if (row === undefined || row === first) continue;
    if (each.place.table !== table || each.place.part !== part) continue;
    const own = rows.get(row) ?? [];
    rows.set(row, own);
    own.push(each);
  }
  return [...rows.values()].flatMap((row) => {
    const [total] = row;
    if (total === undefined || !row.every((each) => isTotal(each.directive, directive))) return [];
    const message = `The row with ${total.text} uses nothing of '${directive.alias}', but it is repeated for each item.`;
    const hint = withTags`To print it once, put {{endtablerow}} into the row before it.`;
    return [warning(total, "list_in_loop", message, hint)];
  });
}

/** Whether a tag prints the result of a function on the list of a loop. */
function isTotal(directive: Directive, { alias, collection }: LoopDirective): boolean {
  if (directive.kind !== "value" || directive.expression.kind === "path") return false;
  const { expression } = directive;
  const isOwn = namesIn(expression).some((path) => path.head === alias);
  if (isOwn || loopsAskedBy(expression).length > 0) return false;
  return pathsOf(expression).some(({ source }) => source === collection.source);
}

/**
 * Warns about a tag with a function on a list within all items of the loop, such as `{{orders.lines.sum(price)}}` in
 * `{{for o in orders}}`, unless the loop also uses the list of the item.
 */
function deepLists({ directive, tags, sometimes }: Loop): Diagnostic[] {
  const { alias, collection, shape } = directive;
  if (shape !== null || collection.head === null) return [];
  let known: ReadonlySet<string | undefined> | null = null;
  return tags.flatMap((tag) => {
    const { directive: own } = tag;
    if (own.kind !== "value" || own.expression.kind !== "call" || sometimes.has(tag)) return [];
    if (loopsAskedBy(own.expression).length > 0) return [];
    const path = sourceOf(own.expression);
    const key = path?.rest[collection.rest.length];
    if (path === null || key === undefined || /^\d/.test(key)) return [];
    if (!path.source.startsWith(`${collection.source}.`)) return [];
    known ??= keysOf(alias, tags);
    const namesItem = namesIn(own.expression).some(({ head }) => head === alias);
    if (namesItem || known.has(key)) return [];
    const meant = `${alias}${path.source.slice(collection.source.length)}`;
    const message = `'${path.source}' in ${tag.text} means the values of all items of '${collection.source}' at once, in every repetition.`;
    return [warning(tag, "list_in_loop", message, `Did you mean '${meant}'?`)];
  });
}

/**
 * Warns about a function on the whole list in each of its groups, `{{sales.sum(amount)}}` or
 * `{{sales.where(paid).sum(amount)}}` in `{{for g in sales.group(city)}}`, unless the loop also uses the items of the group.
 */
function wholeList({ directive, tags, sometimes }: Loop): Diagnostic[] {
  const { alias, collection, shape } = directive;
  // Rendering reports a list that has the name of the items of groups.
  if (shape?.kind !== "call" || shape.name !== "$group" || collection.source === "items") return [];
  let known: ReadonlySet<string | undefined> | null = null;
  return tags.flatMap((tag) => {
    const { directive: own } = tag;
    if (own.kind !== "value" || own.expression.kind !== "call" || sometimes.has(tag)) return [];
    const list = keptList(own.expression);
    if (list === null || namesIn(own.expression).some(({ head }) => head === alias)) return [];
    const isWhole = list.source === collection.source;
    if (!isWhole && !list.source.startsWith(`${collection.source}.`)) return [];
    known ??= keysOf(alias, tags);
    if (!isOfList(own.expression.name) || known.has("items")) return [];
    const rest = spellExpression(own.expression).slice(collection.source.length);
    const meant = `${alias}.items${rest}`;
    const message = `'${list.source}' in ${tag.text} means all items, not the items of the group, in every repetition.`;
    return [
      warning(
        tag,
        "list_in_loop",
        message,
        withTags`For the items of the group write {{${meant}}}.`,
      ),
    ];
  });
}

/** Returns the list that a function computes with, perhaps after functions that keep its items; null for others. */
function keptList({ arguments: [of] }: CallExpression): PathExpression | null {
  if (of?.kind === "call") return KEEP_ITEMS.test(of.name) ? keptList(of) : null;
  return of?.kind === "path" ? of : null;
}

const KEEP_ITEMS = /^\$(?:where|sort|reverse|limit|skip|nonEmpty|distinct)$/;

/** Warns about `{{items[0].name}}` in a loop over `items` that does not use its item. */
function fixedItem({ directive, tags }: Loop): Diagnostic[] {
  const { alias, collection, shape } = directive;
  const all = tags.flatMap(({ directive: own }) => expressionsOf(own));
  const isUsed = all.some((each) => loopsAskedBy(each).length > 0);
  if (shape !== null || isUsed || keysOf(alias, tags).size > 0) return [];
  return tags.flatMap((tag) => {
    const { directive: own } = tag;
    const path = own.kind === "value" && own.expression.kind === "path" ? own.expression : null;
    if (path === null || !path.source.startsWith(`${collection.source}[`)) return [];
    const [, keys] = /^\[\d+\](.*)$/.exec(path.source.slice(collection.source.length)) ?? [];
    if (keys === undefined) return [];
    const message = `${tag.text} prints the same item in every repetition.`;
    return [warning(tag, "list_in_loop", message, `Did you mean '${alias}${keys}'?`)];
  });
}

/** Returns the keys of the item with a name that tags use. */
function keysOf(alias: string, tags: readonly TagNode[]): ReadonlySet<string | undefined> {
  const names = tags.flatMap(({ directive }) => expressionsOf(directive).flatMap(namesIn));
  return new Set(names.filter(({ head }) => head === alias).map(({ rest }) => rest[0]));
}

/** Returns all paths of an expression, also within arguments for each item. */
function namesIn(expression: Expression): PathExpression[] {
  if (expression.kind === "path") return [expression];
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [...operandsOf(expression), ...items].flatMap(namesIn);
}

function warning(
  tag: TagNode,
  code: string,
  message: string,
  hint: Parameters<typeof tagProblem>[3],
): Diagnostic {
  return { ...tagProblem(tag, code, message, hint), severity: "warning" };
}
