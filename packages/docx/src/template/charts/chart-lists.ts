import type { Diagnostic } from "@quire/contracts";
import {
  childNamed,
  descendants,
  detach,
  type ElementNode,
  indexInParent,
  insertAt,
  type TagNode,
} from "../nodes/nodes.ts";
import { relationshipIdsIn } from "../relationship-ids.ts";
import type { PartTree } from "../tree.ts";
import { tooManySeries } from "./chart-problems.ts";
import { countedBy, repeat, repeated } from "./loop-marks.ts";
import { MAX_SERIES, numberSeries } from "./number-series.ts";
import { type ListedSeries, pointsOf, readSeries, tagsIn } from "./read-series.ts";
import { placeColors, placePointColors } from "./series-colors.ts";

/**
 * Makes a chart show a list. Its data in Word has one row: the category has the tags of a loop, as in
 * `{{for m in months}}{{m.name}}{{endfor}}`, and the name of each series ends with the tag of its value, as in
 * `Sales {{m.sales}}`. Word keeps both as text; other cells are numbers. If the name of a series is a loop, too, the
 * series repeats. Word would read the values of the workbook again, so the chart loses its link to the workbook.
 * Returns the tree without the tags of the loops, or the problems of the loops.
 */
export function placeChartLists(tree: PartTree): {
  readonly tree: PartTree;
  readonly problems: readonly Diagnostic[];
} {
  const all = tree.root.name === "c:chartSpace" ? elementsNamed(tree.root, "c:ser") : [];
  const found: ListedSeries[] = [];
  const problems: Diagnostic[] = [];
  for (const each of all) {
    const read = readSeries(each);
    if (read === null) continue;
    if ("series" in read) found.push(read);
    else problems.push(...read);
  }
  const [loop] = found.flatMap((each) => each.loop ?? []);
  if (loop !== undefined && all.length > MAX_SERIES) {
    problems.push(tooManySeries(loop.open, MAX_SERIES));
  }
  // A tag with a syntax error may be the missing tag.
  if (problems.length > 0) return { tree, problems: tree.problems[0] ? tree.problems : problems };
  if (found.length === 0) return { tree, problems };
  const removed = new Set(found.flatMap(takeTags));
  const inLoops = found.flatMap(tagsInOrder);
  const others = [...new Set(tree.tags).difference(new Set(inLoops))];
  placeColors(all, found);
  for (const each of found) if (each.fill === "points") placePointColors(each);
  numberSeries(tree.root, all, found);
  for (const { series, categories, categoryCache, valueCache, value, loop } of found) {
    repeatCategory(categoryCache, categories.open);
    repeatValue(valueCache, categories.open, value);
    if (loop !== null) repeat(series, loop.open);
  }
  const list = { tags: [...others, ...inLoops], unlinked: unlinkWorkbook(tree.root) };
  const tags = tree.tags.filter((tag) => !removed.has(tag));
  return { tree: { ...tree, tags, changed: true, list }, problems };
}

/** Removes the tags of the loops and of the value from a series. Returns them. */
function takeTags({ categories, value, loop }: ListedSeries): TagNode[] {
  const before = value.parent?.children[indexInParent(value) - 1];
  // The space between the name of a series and its tag.
  if (before?.kind === "text") before.xml = before.xml.trimEnd();
  const ofLoop = loop === null ? [] : [loop.open, loop.close];
  const tags = [categories.open, categories.close, value, ...ofLoop];
  for (const tag of tags) detach(tag);
  return tags;
}

/** Returns the tags of a series that depend on its loops, in the order of the loops. */
function tagsInOrder({ series, categories, categoryCache, value, loop }: ListedSeries): TagNode[] {
  const { open, close } = categories;
  const inner = [open, ...tagsIn(categoryCache), value, close];
  const name = childNamed(series, "c:tx");
  return loop === null || name === null
    ? inner
    : [loop.open, ...tagsIn(name), ...inner, loop.close];
}

/** Repeats the only point of a cache of categories. */
function repeatCategory(cache: ElementNode, open: TagNode): void {
  const [point] = pointsOf(cache);
  if (point === undefined) return;
  const expression = { kind: "variable", name: "$index", of: null } as const;
  const directive = { kind: "value", expression, modifiers: [] } as const;
  point.tagged = new Map([["idx", [{ ...open, directive, parent: null }]]]);
  countPoints(cache, open);
  repeat(point, open);
}

/** Replaces the points of a cache of numbers with the tag of their value. */
function repeatValue(cache: ElementNode, open: TagNode, value: TagNode): void {
  const [first, ...others] = pointsOf(cache);
  const count = childNamed(cache, "c:ptCount");
  const at = first ?? count;
  const index = at === null ? 0 : cache.children.indexOf(at) + (first === undefined ? 1 : 0);
  for (const each of first === undefined ? [] : [first, ...others]) detach(each);
  const point = first?.attributes.replace(/ idx="[^"]*"/, "") ?? "";
  insertAt(cache, index, ...repeated({ ...value, point, parent: null }, open));
  countPoints(cache, open);
}

function countPoints(cache: ElementNode, open: TagNode): void {
  const count = childNamed(cache, "c:ptCount");
  if (count !== null) count.computed = { kind: "span", others: 0, repeated: countedBy([open]) };
}

/** Removes the links to the workbook. Returns their relationships. */
function unlinkWorkbook(root: ElementNode): ReadonlySet<string> {
  const unlinked = new Set<string>();
  for (const link of elementsNamed(root, "c:externalData")) {
    for (const id of relationshipIdsIn(link.attributes) ?? []) unlinked.add(id);
    detach(link);
  }
  return unlinked;
}

function elementsNamed(root: ElementNode, name: string): ElementNode[] {
  return [...descendants(root)].filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === name;
  });
}
