import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { type Directive, expressionsOf } from "../../../language/directive.ts";
import {
  type Expression,
  itemArgumentsOf,
  operandsOf,
  type PathExpression,
  sourceOf,
} from "../../../language/grammar/expression.ts";
import { isOfList } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** An open block with the tags within it. */
interface Block {
  readonly tag: TagNode;
  /** The name of its items; null for sections and conditions. */
  readonly alias: string | null;
  /** The list whose groups it repeats; null for other blocks. */
  readonly groupsOf: string | null;
  readonly tags: TagNode[];
  /** The tags in conditions and sections within it. */
  readonly sometimes: Set<TagNode>;
  /** The groups whose whole list it repeats; null for other blocks. */
  readonly within: Block | null;
}

/**
 * Warns about the whole list in a section of its groups, `{{#pupils}}`, `{{for p in pupils}}` and
 * `{{pupils.sum(fee)}}` in `{{#pupils.group(class)}}`, and about the section `{{#pupils}}` in a loop over groups. The
 * blocks of the part must be valid. `tags`: all tags of the part, in document order.
 */
export function groupSections(tags: readonly TagNode[]): Diagnostic[] {
  const open: Block[] = [];
  const warnings: Diagnostic[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    if (directive.kind.startsWith("end")) {
      const block = open.pop();
      if (block !== undefined) warnings.push(...slipsIn(block, directive));
    }
    add(tag, open);
    if (directive.kind === "if" || directive.kind === "section" || "alias" in directive)
      open.push(blockOf(tag, open));
  }
  return warnings;
}

function add(tag: TagNode, open: readonly Block[]): void {
  let isSometimes = false;
  for (const block of open.toReversed()) {
    block.tags.push(tag);
    if (isSometimes) block.sometimes.add(tag);
    if (block.alias === null) isSometimes = true;
  }
}

function blockOf(tag: TagNode, open: readonly Block[]): Block {
  const { directive } = tag;
  const alias = "alias" in directive ? directive.alias : null;
  const list = repeatedBy(directive);
  const source = list !== null && isWholeList(list) ? (sourceOf(list)?.source ?? null) : null;
  return {
    tag,
    alias,
    groupsOf: list !== null && givesGroups(list) ? source : null,
    tags: [],
    sometimes: new Set(),
    within: list === null || source === null ? null : groupsAround(list, source, alias, open),
  };
}

/** Returns the groups around a block that repeats their whole list; null for other blocks. */
function groupsAround(
  list: Expression,
  source: string,
  alias: string | null,
  open: readonly Block[],
): Block | null {
  const at = open.findLastIndex(({ groupsOf }) => groupsOf === source);
  const groups = open[at];
  // Another check covers loops in loops.
  if (groups === undefined || (groups.alias !== null && alias !== null)) return null;
  const isOther = givesGroups(list) || namesGroup(list, groups);
  // The items of a section between them may have a list of that name.
  const isHidden = open.slice(at + 1).some(({ tag }) => tag.directive.kind === "section");
  return isOther || isHidden || isOfGroup(source, groups) ? null : groups;
}

/** `{{#items}}` in `{{#items.group(city)}}` is the list of the group. */
function isOfGroup(source: string, { alias }: Block): boolean {
  return alias === null && /^(?:items|key)\b/.test(source);
}

/** Returns the list of a block that may repeat its content. */
function repeatedBy(directive: Directive): Expression | null {
  if ("alias" in directive) return directive.shape ?? directive.collection;
  return directive.kind === "section" && !directive.inverted ? directive.condition : null;
}

/** Whether an expression is a list of the data, perhaps with functions that keep its items. */
function isWholeList(expression: Expression): boolean {
  if (expression.kind !== "call") return expression.kind === "path";
  const [list] = expression.arguments;
  return KEEP_ITEMS.test(expression.name) && list !== undefined && isWholeList(list);
}

const KEEP_ITEMS = /^\$(?:group|sort|where|reverse|limit|skip|nonEmpty)$/;

/** Whether an expression gives groups, perhaps with functions that order or select them. */
function givesGroups(expression: Expression): boolean {
  if (expression.kind !== "call") return false;
  if (expression.name === "$group") return true;
  const [list] = expression.arguments;
  return /^\$(?:sort|where|reverse)$/.test(expression.name) && list !== undefined
    ? givesGroups(list)
    : false;
}

/** Whether an expression names a value of the group: `pupils.where(class == key)`. */
function namesGroup(expression: Expression, { alias }: Block): boolean {
  return namesIn(expression).some(({ head, rest }) =>
    alias === null
      ? /^(?:key|items|outer)$/.test(head ?? rest[0] ?? "")
      : head === alias || head === "outer",
  );
}

function namesIn(expression: Expression): PathExpression[] {
  if (expression.kind === "path") return [expression];
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [...operandsOf(expression), ...items].flatMap(namesIn);
}

function slipsIn(block: Block, end: Directive): Diagnostic[] {
  const { within, groupsOf, alias } = block;
  if (within !== null) return wholeListIn(block, within, end);
  if (groupsOf === null || alias !== null || isOfGroup(groupsOf, block)) return [];
  const all = block.tags.flatMap(({ directive }) => expressionsOf(directive)).flatMap(namesIn);
  const usesItems = all.some(({ head, rest }) => (head ?? rest[0]) === "items");
  return usesItems ? [] : block.tags.flatMap((tag) => totalOf(tag, groupsOf, block));
}

/** Warns about a block that repeats the whole list in each group, unless it selects the items of the group. */
function wholeListIn({ tag, alias, tags }: Block, groups: Block, end: Directive): Diagnostic[] {
  const selects = tags.some(({ directive }) =>
    expressionsOf(directive).some((each) => each.kind !== "path" && namesGroup(each, groups)),
  );
  const list = repeatedBy(tag.directive);
  const source = groups.groupsOf ?? "";
  if (selects || list === null) return [];
  const meant = ofItems(list, source, groups);
  const isClosed = end.kind === "endsection" && end.name !== null;
  const section = isClosed
    ? withTags`For the items of the group write {{#${meant}}} … {{/${meant.replace(/\s/g, "")}}}.`
    : withTags`For the items of the group write {{#${meant}}}.`;
  const hint =
    alias === null
      ? section
      : withTags`For the items of the group write {{${tag.directive.kind} ${alias} in ${meant}}}.`;
  const message = `${tag.text} repeats all items of '${source}' in every group of ${groups.tag.text}.`;
  return [warning(tag, message, hint)];
}

/** Warns about a function on the whole list, and about its values, in a section of its groups. */
function totalOf(tag: TagNode, source: string, block: Block): Diagnostic[] {
  const { directive } = tag;
  if (directive.kind !== "value" || block.sometimes.has(tag)) return [];
  const { expression } = directive;
  const path = sourceOf(expression);
  if (path === null || namesGroup(expression, block)) return [];
  const isWhole = path.source === source;
  if (!isWhole && !path.source.startsWith(`${source}.`)) return [];
  const isMeant =
    expression.kind === "call"
      ? isOfList(expression.name)
      : expression.kind === "path" && !isWhole && !/\[|\.(?:count|length|size)$/.test(path.source);
  if (!isMeant) return [];
  const message = `'${path.source}' in ${tag.text} means all items, not the items of the group, in every repetition.`;
  const meant = ofItems(expression, source, block);
  return [warning(tag, message, withTags`For the items of the group write {{${meant}}}.`)];
}

/** Returns an expression as written, with the items of the group in place of the whole list. */
function ofItems(expression: Expression, source: string, { alias }: Block): string {
  const spelled = spellExpression(expression);
  const items = alias === null ? "items" : `${alias}.items`;
  return spelled.startsWith(source) ? `${items}${spelled.slice(source.length)}` : items;
}

function warning(tag: TagNode, message: string, hint: Wording): Diagnostic {
  return { ...tagProblem(tag, "list_in_loop", message, hint), severity: "warning" };
}
