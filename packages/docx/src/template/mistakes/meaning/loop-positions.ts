import type { Diagnostic } from "@quire/contracts";
import { type Directive, expressionsOf } from "../../../language/directive.ts";
import {
  allOf,
  type Expression,
  itemArgumentsOf,
  loopsAskedBy,
  operandsOf,
  pathsOf,
  sourceOf,
} from "../../../language/grammar/expression.ts";
import { isOfList } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { CountedTag } from "../../nodes/counted-tag.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { Place, TagNode } from "../../nodes/nodes.ts";

type LoopDirective = Extract<Directive, { readonly alias: string }>;

/** An open block. */
interface OpenBlock {
  readonly tag: TagNode;
  /** Null for a block that is not a loop. */
  readonly loop: LoopDirective | null;
  /** The blocks directly in a loop. */
  readonly blocks: TagNode[];
  /** Whether a loop has other tags than those within one block, or its condition has several branches. */
  isMixed: boolean;
  /** The first tag within that block that uses the position in the loop, or a running total. */
  counted: { readonly tag: TagNode; readonly name: CountedTag["name"] } | null;
}

/**
 * Adds to each loop whose items are all within one `if` the tag there that counts positions: `{{$number}}` in
 * `{{for i in items}}{{if i.shown}} … {{endif}}{{endfor}}`. The renderer finds out whether the condition hides items, so
 * that numbers are missing. Returns warnings about positions that are certainly not meant, for any data. The blocks of the part must be valid.
 * `tags`: all tags of the part, in document order.
 */
export function loopPositions(tags: readonly TagNode[]): Diagnostic[] {
  const open: OpenBlock[] = [];
  const columns: Columns[] = [];
  for (const tag of tags) {
    const { kind } = tag.directive;
    if (kind.startsWith("end")) {
      const block = open.pop();
      settle(block);
      // The columns of `{{tablecolumn if show}}` have no item, and do not repeat.
      if (block?.loop?.kind === "tablecolumn" && block.loop.alias !== "") {
        const { alias, collection } = block.loop;
        const ofFirst = /\[0\]\./.test(collection.source);
        columns.push({ begin: block.tag.place, end: tag.place, alias, ofFirst });
      }
    } else {
      note(tag, open);
      if (BEGINS.test(kind)) open.push(opened(tag));
    }
  }
  for (const tag of columns.length === 0 ? [] : tags) {
    const column = columns.find((each) => isIn(tag, each));
    if (column === undefined) continue;
    tag.column = column.alias;
    if (column.ofFirst) tag.ofFirst = true;
  }
  return tags.flatMap((tag) => [
    ...indexInColumns(tag),
    ...sameInColumns(tag),
    ...mergeInColumns(tag),
  ]);
}

/** The columns that a `tablecolumn` repeats. */
interface Columns {
  readonly begin: Place;
  readonly end: Place;
  readonly alias: string;
  /** Whether the list belongs to the first item of another list. */
  readonly ofFirst: boolean;
}

function isIn({ place }: TagNode, { begin, end }: Columns): boolean {
  const { part, table, cell } = place;
  if (cell === undefined || part !== begin.part || table !== begin.table) return false;
  return cell >= (begin.cell ?? 0) && cell <= (end.cell ?? 0);
}

const BEGINS = /^(?:for|tablerow|tablecolumn|if|section)$/;

function opened(tag: TagNode): OpenBlock {
  const { directive } = tag;
  const loop = "alias" in directive ? directive : null;
  return { tag, loop, blocks: [], isMixed: false, counted: null };
}

function note(tag: TagNode, open: readonly OpenBlock[]): void {
  const inner = open.at(-1);
  if (inner === undefined) return;
  const { kind } = tag.directive;
  if (inner.loop !== null) {
    if (kind === "if") inner.blocks.push(tag);
    else inner.isMixed = true;
    return;
  }
  // A tag directly in the block of a loop, or in the blocks within it.
  const at = open.findLastIndex(({ loop }) => loop !== null);
  const around = open[at];
  if (around === undefined || around.loop === null) return;
  if (open.length - 1 === at + 1 && (kind === "else" || kind === "elseif")) around.isMixed = true;
  const { alias } = around.loop;
  const found = expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((each) => countedBy(each, alias));
  const [name] = found;
  if (name !== undefined) around.counted ??= { tag, name };
}

/** Returns what an expression counts of all items of a loop. `alias`: the name of its item. */
function countedBy(each: Expression, alias: string): readonly CountedTag["name"][] {
  if (each.kind === "call") return each.name === "$running" ? [each.name] : [];
  const isOfLoop = each.kind === "variable" && (each.of === null || each.of === alias);
  return isOfLoop && each.name !== "$length" ? [each.name] : [];
}

function settle(block: OpenBlock | undefined): void {
  if (block === undefined || block.loop === null || block.isMixed) return;
  const [only, more] = block.blocks;
  const { counted } = block;
  if (counted === null || only?.directive.kind !== "if" || more !== undefined) return;
  const { condition } = only.directive;
  // The author counts positions, not items.
  if (loopsAskedBy(condition).length > 0) return;
  const { kind, alias, collection, shape } = block.loop;
  const list = `${spellExpression(shape ?? collection)}.where(${spellExpression(condition)})`;
  const marked: CountedTag = {
    tag: counted.tag.text,
    name: counted.name,
    condition,
    hint: `${kind} ${alias} in ${list}`,
    block: only.text,
  };
  block.tag.counted = marked;
}

/** Warns about `{{rows.sum(w[$index])}}` in a column that repeats: the position is the one in `rows`. */
function indexInColumns(tag: TagNode): Diagnostic[] {
  const { column: alias } = tag;
  if (alias === undefined || tag.directive.kind !== "value") return [];
  const calls = expressionsOf(tag.directive).flatMap(allOf);
  const wrong = calls.find((each) => each.kind === "call" && itemArgumentsOf(each).some(takesOwn));
  if (wrong?.kind !== "call") return [];
  const list = sourceOf(wrong)?.source ?? "the list";
  return [
    {
      ...tagProblem(
        tag,
        "list_in_loop",
        `In the tag ${tag.text}, $index is the position in '${list}', not the one of the column.`,
        `For the position of the column write ${alias}.$index.`,
      ),
      severity: "warning",
    },
  ];
}

/** Warns about a result of a list, such as `{{rows.w.sum()}}`, that is the same in each of the repeated columns. */
function sameInColumns(tag: TagNode): Diagnostic[] {
  const { column: alias, directive } = tag;
  if (alias === undefined || directive.kind !== "value") return [];
  const { expression } = directive;
  if (expression.kind !== "call" || !isOfList(expression.name)) return [];
  const parts = allOf(expression);
  const usesColumn = parts.some((each) => {
    return each.kind === "variable" || (each.kind === "path" && each.head === alias);
  });
  const [list] = expression.arguments;
  if (usesColumn || list?.kind !== "path") return [];
  return [
    {
      ...tagProblem(
        tag,
        "list_in_loop",
        `The tag ${tag.text} prints the same in each of the repeated columns.`,
        `For the values of the column use '${alias}', as in rows.sum(values[${alias}.$index]).`,
      ),
      severity: "warning",
    },
  ];
}

/** Warns about `merge`, which merges rows, in a tag of a repeated column whose value depends only on the column. */
function mergeInColumns(tag: TagNode): Diagnostic[] {
  const { column: alias, directive } = tag;
  if (alias === undefined || directive.kind !== "value") return [];
  const paths = pathsOf(directive.expression);
  const isOfColumn = paths.length > 0 && paths.every(({ head }) => head === alias);
  if (!isOfColumn || !directive.modifiers.some(({ name }) => name === "merge")) return [];
  return [
    {
      ...tagProblem(
        tag,
        "modifier_without_effect",
        `In the tag ${tag.text}, 'merge' merges rows, but the value depends only on the column.`,
        "To merge columns with equal values write 'mergeAcross' in its place.",
      ),
      severity: "warning",
    },
  ];
}

/** Whether an expression takes an element of a key of the item by the item's own position: `w[$index]`. */
function takesOwn(expression: Expression): boolean {
  if (expression.kind === "element" && expression.of.kind === "path") {
    const { key } = expression;
    if (key.kind === "variable" && key.name === "$index" && key.of === null) return true;
  }
  return operandsOf(expression).some(takesOwn);
}
