import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import { expressionsOf } from "../../language/directive.ts";
import {
  allOf,
  type CallExpression,
  loopsAskedBy,
  pathsOf,
} from "../../language/grammar/expression.ts";
import { FUNCTIONS } from "../../language/grammar/functions.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { NO_LIST } from "../../language/mistakes/calls.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import { descendants, type ElementNode, type TagNode } from "../nodes/nodes.ts";
import { type Block, blockTags } from "./blocks.ts";
import { positionMeant } from "./position-meant.ts";

/** An open block, and the number of Word fields that were open where it began. */
interface OpenBlock {
  readonly block: Block;
  readonly fields: number;
}

/**
 * Checks blocks after they have been moved to where they take effect. At the edges of rows or paragraphs, blocks may
 * cross each other although their tags did not, and a block may omit one half of a field.
 */
export function checkNesting(root: ElementNode, blocks: readonly Block[]): Diagnostic[] {
  // A chart has no blocks, but marks of its loops.
  if (blocks.length === 0) return [];
  const blockOf = new Map<TagNode, Block>();
  for (const block of blocks) for (const tag of blockTags(block)) blockOf.set(tag, block);
  const open: OpenBlock[] = [];
  let fields = 0;
  for (const node of descendants(root)) {
    if (node.kind === "element") fields += fieldStep(node);
    if (node.kind !== "marker") continue;
    const block = blockOf.get(node.tag);
    if (block === undefined) throw new Error("A marker belongs to no block.");
    if (node.tag === block.open) {
      open.push({ block, fields });
      continue;
    }
    const innermost = open.at(-1);
    // Problems after a crossing are not reported, because all blocks around it would also be reported.
    if (innermost?.block !== block) return [crossing(node.tag, innermost?.block ?? block)];
    if (innermost.fields !== fields) return [cutField(node.tag)];
    if (node.tag === block.close) open.pop();
  }
  return [];
}

/** Returns how an element changes the number of open complex fields, which begin and end with a `w:fldChar`. */
export function fieldStep({ name, attributes }: ElementNode): number {
  if (name !== "w:fldChar") return 0;
  if (attributes.includes('w:fldCharType="begin"')) return 1;
  return attributes.includes('w:fldCharType="end"') ? -1 : 0;
}

function crossing(tag: TagNode, block: Block): Diagnostic {
  return tagProblem(
    tag,
    "crossed_block",
    `${tag.text} applies to whole rows or paragraphs, so it would take effect in the middle of ${block.open.text}.`,
    block.kind === "tablerow" && tag.directive.kind.endsWith("tablerow")
      ? "A row repeats one list: leave one of the loops out. For a loop within a loop, put the tags of the outer block into separate rows."
      : "Put the tags of the outer block into separate rows or paragraphs.",
  );
}

function cutField(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "block_crosses_element",
    `${tag.text} is inside a Word field and the beginning of its block is outside it, or vice versa.`,
    "Put all tags of the block inside the field, or all outside it.",
  );
}

/**
 * Finds tags that use the position in a loop (`$index` and similar) outside every loop. Call this after the blocks have
 * been moved to where they take effect. `around`: the tags that open the loops in which another part shows this one.
 */
export function checkLoops(root: ElementNode, around: readonly TagNode[]): Diagnostic[] {
  // A note or comment is in the same loops as its reference.
  if (isOfNotes(root)) return [];
  const problems: Diagnostic[] = [];
  const items = around.map(itemOf);
  const loops: TagNode[] = [...around];
  const check = (tag: TagNode): void => {
    problems.push(...problemsOutside(items, tag, loops));
  };
  for (const node of descendants(root)) {
    if (node.kind === "tag") check(node);
    if (node.kind === "marker") {
      check(node.tag);
      const step = loopStep(node.tag);
      if (step > 0) {
        items.push(itemOf(node.tag));
        loops.push(node.tag);
      } else if (step < 0) items.pop();
    }
    if (node.kind === "element") for (const tag of tagsOf(node)) check(tag);
  }
  return problems;
}

/** Returns the tags that belong to an element and are not in its text. */
function tagsOf(element: ElementNode): Set<TagNode> {
  const { tagged, changedBy = [], numberedBy = [], covers, sizing } = element;
  const inAttributes = tagged === undefined ? [] : [...tagged.values()].flat();
  const sizes = sizing?.kind === "column" ? sizing.tags : [];
  const looks = [...changedBy, ...numberedBy, ...(covers?.span ?? []), ...sizes];
  return new Set([...inAttributes.filter((piece) => typeof piece !== "string"), ...looks]);
}

/**
 * Does the check of {@link checkLoops} by the order of the tags. This works for a part with invalid blocks, so that all
 * mistakes are reported together. Does not check a part with a `tablecolumn`, because columns extend beyond their tags.
 */
export function checkLoopsByOrder(
  root: ElementNode,
  tags: readonly TagNode[],
  blocks: readonly Block[],
  around: readonly TagNode[],
): Diagnostic[] {
  const columns = tags.some(({ directive }) => directive.kind === "tablecolumn");
  if (columns || isOfNotes(root)) return [];
  const problems: Diagnostic[] = [];
  const ends = new Set(blocks.flatMap(({ kind, close }) => (LOOPS.has(kind) ? [close] : [])));
  const items = around.map(itemOf);
  for (const tag of tags) {
    problems.push(...problemsOutside(items, tag, tags));
    if (LOOPS.has(tag.directive.kind)) items.push(itemOf(tag));
    if (ends.has(tag)) items.pop();
  }
  return problems;
}

/** Whether a part contains notes or comments, which are written with the data at their references. */
function isOfNotes({ name }: ElementNode): boolean {
  return name === "w:footnotes" || name === "w:endnotes" || name === "w:comments";
}

const RUNNING = /\$running\s*\(|\.running\s*\(/;

function outsideLoop(tag: TagNode, loops: readonly TagNode[]): Diagnostic {
  const end = /\[\s*\$(first|last)\s*\]/.exec(tag.text)?.[1];
  const hint =
    end !== undefined
      ? `For the ${end} item of a list write .${end}() in place of the brackets, as in items.${end}().name.`
      : RUNNING.test(tag.text)
        ? runningHint(tag, loops)
        : withTags`Put it between {{for item in items}} and {{endfor}}. For the number of all items write {{items.count()}}.`;
  const what = RUNNING.test(tag.text)
    ? "adds up the items of a loop"
    : `${isPosition(tag) ? "is" : "uses"} the position in a loop`;
  return tagProblem(tag, "tag_outside_loop", `${tag.text} ${what}, but it is not in a loop.`, hint);
}

/** Returns the hint for `{{$running(items.amount)}}` outside loops, with the list and the key of the tag. */
function runningHint({ directive }: TagNode, loops: readonly TagNode[]): Wording {
  const calls = expressionsOf(directive).flatMap(allOf);
  const [of] = calls.flatMap((each) => {
    return each.kind === "call" && each.name === "$running" ? each.arguments : [];
  });
  if (of?.kind === "call" && FUNCTIONS[of.name].of === "list") return runningCall(of, loops);
  const paths = of === undefined ? [] : pathsOf(of).map(({ source }) => source);
  const [prefix = ""] = paths.map(listIn);
  const isKnown =
    paths.every((path) => listIn(path) === prefix) && (prefix !== "" || paths.length === 1);
  const written = isKnown && of !== undefined ? spellExpression(of) : "price";
  const closed = loops.find((loop) => `${itemOf(loop)}.` === prefix)?.directive;
  if (closed !== undefined && "collection" in closed) {
    const repeated = spellExpression(
      ("shape" in closed ? closed.shape : null) ?? closed.collection,
    );
    return withTags`For the sum of all items write {{${repeated}.sum(${written.replaceAll(prefix, "")})}}. For the sum up to an item, put the tag into the loop over ${repeated}.`;
  }
  const list = prefix === "" || NO_LIST.test(prefix) || !isKnown ? "items" : prefix.slice(0, -1);
  const named = (start: string): string =>
    isKnown && prefix !== "" ? written.replaceAll(prefix, start) : `${start}${written}`;
  return withTags`For the sum of all items write {{${list}.sum(${named("")})}}. For the sum up to an item write {{$running(${named("i.")})}} between {{for i in ${list}}} and {{endfor}}.`;
}

/** Returns the hint for `$running(items.sum(amount))` outside loops. */
function runningCall(of: CallExpression, loops: readonly TagNode[]): Wording {
  const call = spellExpression(of);
  const [list = "items", key] = of.arguments.map(spellExpression);
  const item = key === undefined ? "i.amount" : `i.${key}`;
  return (
    overClosed(call, list, loops) ??
    withTags`For the sum of all items write {{${call}}}. For the sum up to an item write {{$running(${item})}} between {{for i in ${list}}} and {{endfor}}.`
  );
}

/** Returns the hint for `$running(t.hours.sum())` after the end of the loop over the items; null for other lists. */
function overClosed(call: string, list: string, loops: readonly TagNode[]): Wording | null {
  for (const { directive } of loops) {
    if (!("alias" in directive) || !("collection" in directive)) continue;
    const { alias, collection } = directive;
    if (directive.shape !== null || !list.startsWith(`${alias}.`)) continue;
    return withTags`For the sum of all items write {{${collection.source}${call.slice(alias.length)}}}. For the sum up to an item, put the tag into the loop over ${collection.source}.`;
  }
  return null;
}

/** Returns the beginning of a path before its last key, with its dot. */
function listIn(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

/** Whether a tag prints the position itself. */
function isPosition({ directive }: TagNode): boolean {
  return directive.kind === "value" && directive.expression.kind === "variable";
}

/**
 * Returns the problem of a tag that uses the position in a loop that is not around it. `items`: the names of the loops'
 * items. `loops`: tags of loops before it, and others.
 */
function problemsOutside(
  items: readonly (string | null)[],
  tag: TagNode,
  loops: readonly TagNode[],
): Diagnostic[] {
  const asked = loopsAskedByTag(tag);
  if (asked.length === 0) return [];
  if (items.length === 0) return [outsideLoop(tag, loops)];
  const unknown = asked.find((name) => name !== null && !items.includes(name));
  if (typeof unknown !== "string") return [];
  return [notAnItem(tag, unknown, items, positionMeant(tag, unknown, items, loops))];
}

function loopsAskedByTag({ directive }: TagNode): readonly (string | null)[] {
  if ("collection" in directive) return [];
  return expressionsOf(directive).flatMap((each) => loopsAskedBy(each));
}

/** Returns the name that a block gives to its item; null for a section. */
function itemOf({ directive }: TagNode): string | null {
  return "alias" in directive ? directive.alias : null;
}

function notAnItem(
  tag: TagNode,
  name: string,
  items: readonly (string | null)[],
  meant: Wording | null,
): Diagnostic {
  const known = items.filter((each) => each !== null && each !== "");
  return tagProblem(
    tag,
    "tag_outside_loop",
    `${tag.text} uses the position of '${name}', but no loop around it gives this name to its items.`,
    meant ??
      (known.length > 0
        ? `The items of the loops around it are ${known.join(", ")}, as in ${known[0]}.$index. For a key with a dollar sign, use brackets and quotes.`
        : withTags`Put it between {{for ${name} in items}} and {{endfor}}. For a key with a dollar sign, use brackets and quotes.`),
  );
}

const LOOPS = new Set<string>(["for", "tablerow", "tablecolumn", "section"]);

/** Returns how a tag changes the number of open loops. */
export function loopStep({ directive: { kind } }: TagNode): number {
  if (LOOPS.has(kind)) return 1;
  return LOOPS.has(kind.replace(/^end/, "")) ? -1 : 0;
}
