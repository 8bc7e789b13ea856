import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../language/delimiters/wording.ts";
import { type Expression, itemArgumentsOf, operandsOf } from "../language/grammar/expression.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import {
  childNamed,
  descendants,
  detach,
  type ElementNode,
  element,
  indexInParent,
  insertAt,
  type MarkerNode,
  type TagNode,
} from "./nodes/nodes.ts";
import { relationshipIdsIn } from "./relationship-ids.ts";
import type { PartTree } from "./tree.ts";

/** The list of a chart: one category, and one value of each series, for each item. */
export interface ChartLoop {
  readonly series: readonly ChartSeries[];
}

/** A series: the tags of its loop, its cached categories and values, and the tag with the value. */
interface ChartSeries {
  readonly open: TagNode;
  readonly close: TagNode;
  readonly categories: ElementNode;
  readonly values: ElementNode;
  readonly value: TagNode;
}

/** What {@link detachChartLoop} finds in a part. */
export interface DetachedLoop {
  /** The tree without the tags of the loop, whose other tags are checked as usual. */
  readonly tree: PartTree;
  readonly loop: ChartLoop | null;
  readonly problems: readonly Diagnostic[];
}

/**
 * Finds the list of a chart. Its data in Word has one row: the category has the tags of the loop, as in
 * `{{for m in months}}{{m.name}}{{endfor}}`, and the name of each series ends with the tag of its value, as in
 * `Sales {{m.sales}}`. Word keeps both as text; other cells are numbers.
 */
export function detachChartLoop(tree: PartTree): DetachedLoop {
  const all = tree.root.name === "c:chartSpace" ? [...descendants(tree.root)] : [];
  const series = all.filter((node) => node.kind === "element" && node.name === "c:ser");
  const problems: Diagnostic[] = [];
  const removed = new Set<TagNode>();
  const found: ChartSeries[] = [];
  for (const each of series) {
    const read = readSeries(each as ElementNode);
    if (read === null) continue;
    if ("severity" in read) problems.push(read);
    else found.push(read);
  }
  if (found.length === 0 || problems.length > 0) return { tree, loop: null, problems };
  for (const { open, close, value } of found) {
    trimBefore(value);
    for (const tag of [open, close, value]) {
      detach(tag);
      removed.add(tag);
    }
  }
  const tags = tree.tags.filter((tag) => !removed.has(tag));
  return {
    tree: { ...tree, tags },
    loop: { series: found },
    problems,
  };
}

/** Returns the loop of a series, the problem of an incomplete one, or null for a series without tags of a loop. */
function readSeries(series: ElementNode): ChartSeries | Diagnostic | null {
  const categories = cacheIn(series, "c:cat", "c:strCache");
  const points = categories === null ? [] : pointsOf(categories);
  const [point, ...others] = points;
  const tags = point === undefined ? [] : tagsIn(point);
  const open = tags.find(({ directive }) => directive.kind === "for");
  if (categories === null || point === undefined || open === undefined) return null;
  const { directive } = open;
  const close = tags.at(-1);
  if (directive.kind !== "for" || close?.directive.kind !== "endfor" || tags[0] !== open) {
    return problem(open, "does not begin and end in one category", ONE_CELL);
  }
  if (others.length > 0) {
    return problem(
      open,
      "is one of several categories",
      withTags`Delete the other rows of the chart's data in Word: the loop makes them.`,
    );
  }
  const values = cacheIn(series, "c:val", "c:numCache");
  const name = cacheIn(series, "c:tx", "c:strCache");
  const value = (name === null ? [] : tagsIn(name)).findLast(({ directive: own }) => {
    return own.kind === "value" && dependsOn(own.expression, directive.alias);
  });
  if (values === null || value === undefined) {
    return problem(
      open,
      "has a series without the tag of its value",
      withTags`Write the tag after the name of the series, as in Sales {{${directive.alias}.sales}}.`,
    );
  }
  if (value.directive.kind === "value" && value.directive.modifiers.length > 0) {
    return problem(
      value,
      "is the value of a series, whose format is the one of the axis",
      "Leave out the modifiers, and format the axis in Word.",
    );
  }
  return { categories, values, value, open, close };
}

/** Whether the value of an expression may differ between the items of a loop. */
function dependsOn(expression: Expression, alias: string): boolean {
  if (expression.kind === "variable") return true;
  if (expression.kind === "path") return expression.head === alias;
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [...operandsOf(expression), ...items].some((each) => dependsOn(each, alias));
}

const ONE_CELL = withTags`Put all of it into the first cell of the categories: {{for m in months}}{{m.name}}{{endfor}}.`;

function problem(tag: TagNode, why: string, hint: Parameters<typeof tagProblem>[3]): Diagnostic {
  return tagProblem(tag, "chart_loop", `The tag ${tag.text} in a chart ${why}.`, hint);
}

function cacheIn(series: ElementNode, part: string, cache: string): ElementNode | null {
  const around = childNamed(series, part);
  for (const node of around === null ? [] : descendants(around)) {
    if (node.kind === "element" && node.name === cache) return node;
  }
  return null;
}

function pointsOf(cache: ElementNode): ElementNode[] {
  return cache.children.filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === "c:pt";
  });
}

function tagsIn(around: ElementNode): TagNode[] {
  return [...descendants(around)].filter((node): node is TagNode => node.kind === "tag");
}

/**
 * Makes the cached categories and values of a chart repeat. Word would read the values of the workbook again, so the
 * chart loses its link to the workbook.
 */
export function placeChartLoop(tree: PartTree, { series }: ChartLoop): PartTree {
  const unlinked = new Set<string>();
  const inLoops = series.map(({ categories, open, close, value }) => [
    open,
    ...tagsIn(categories),
    value,
    close,
  ]);
  const others = new Set(tree.tags).difference(new Set(inLoops.flat()));
  for (const { categories, values, value, open, close } of series) {
    repeatPoint(categories, open, close, null);
    repeatPoint(values, open, close, value);
  }
  for (const node of [...descendants(tree.root)]) {
    if (node.kind !== "element" || node.name !== "c:externalData") continue;
    for (const id of relationshipIdsIn(node.attributes) ?? []) unlinked.add(id);
    detach(node);
  }
  return { ...tree, list: { tags: [...others, ...inLoops.flat()], unlinked } };
}

/** Removes the space between the name of a series and its tag. */
function trimBefore(tag: TagNode): void {
  const before = tag.parent?.children[indexInParent(tag) - 1];
  if (before?.kind === "text") before.xml = before.xml.trimEnd();
}

/** Repeats the first point of a cache. `value`: the tag with its number; null if it has the tags of its text. */
function repeatPoint(
  cache: ElementNode,
  open: TagNode,
  close: TagNode,
  value: TagNode | null,
): void {
  const [point, ...others] = pointsOf(cache);
  for (const each of others) detach(each);
  const made = point ?? element("c:pt", ' idx="0"');
  if (point === undefined) insertAt(cache, cache.children.length, made);
  made.tagged = new Map([["idx", [indexOf(open)]]]);
  if (value !== null) {
    made.children.splice(0);
    const text = element("c:v", "");
    insertAt(made, 0, text);
    insertAt(text, 0, { ...value, isNumber: true });
  }
  const count = childNamed(cache, "c:ptCount");
  const begin = loopTag(open);
  if (count !== null) {
    count.computed = { kind: "span", others: 0, repeated: [{ columns: 1, tag: begin }] };
  }
  const at = cache.children.indexOf(made);
  insertAt(cache, at + 1, marker({ ...close, directive: { kind: "endtablecolumn" } }));
  insertAt(cache, at, marker(begin));
}

/** Returns the tag that opens the loop, as one whose items are counted. */
function loopTag(open: TagNode): TagNode {
  const { directive } = open;
  if (directive.kind !== "for") throw new Error("The tag opens no loop.");
  return { ...open, directive: { ...directive, kind: "tablecolumn" }, parent: null };
}

function indexOf(open: TagNode): TagNode {
  const expression = { kind: "variable", name: "$index", of: null } as const;
  return { ...open, directive: { kind: "value", expression, modifiers: [] }, parent: null };
}

function marker(tag: TagNode): MarkerNode {
  return { kind: "marker", tag: { ...tag, parent: null }, parent: null };
}
