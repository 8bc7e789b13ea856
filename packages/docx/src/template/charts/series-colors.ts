import {
  attributesOf,
  childNamed,
  descendants,
  detach,
  type ElementNode,
  element,
  insertAt,
  type SpanNumber,
  type TagNode,
} from "../nodes/nodes.ts";
import { insertInOrder, SHAPE_FILLS } from "../nodes/properties.ts";
import { SHAPE_PROPERTIES } from "../shape-fill.ts";
import { countedBy, repeated } from "./loop-marks.ts";
import type { ListedSeries } from "./read-series.ts";

/**
 * Notes which colors of a chart may change. A series that repeats, or has a tag with `fill`, changes its color: the
 * first one in its properties, which may also occur elsewhere, such as in its markers.
 */
export function placeColors(all: readonly ElementNode[], found: readonly ListedSeries[]): void {
  for (const { series, fill } of found) {
    if (fill === "series" && colorOf(series) === null) addColor(series, all.indexOf(series));
  }
  const taken = new Set(all.map((series) => accentOf(colorOf(series))));
  const free = ACCENTS.filter((accent) => !taken.has(accent));
  const loops: TagNode[] = [];
  for (const { series, loop, value, fill } of found) {
    const tag = fill === "series" ? value : null;
    const made = loop === null ? null : madeBy(loop.open, loops);
    if (tag === null && made === null) continue;
    for (const node of sameColors(series, colorOf(series))) node.seriesColor = { tag, made, free };
    if (loop !== null) loops.push(loop.open);
  }
}

/** Returns the number of series that a loop and those before it have made. */
function madeBy(open: TagNode, before: readonly TagNode[]): SpanNumber {
  return { kind: "span", others: 0, repeated: countedBy(before), series: open };
}

/** Returns all places of a color in a series. */
function sameColors(series: ElementNode, color: ElementNode | null): ElementNode[] {
  if (color === null) return [];
  const { name, attributes } = color;
  return [...descendants(series)].filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === name && node.attributes === attributes;
  });
}

/** Gives each point of a series the color that the tag of its value sets. */
export function placePointColors({ series, categories, value }: ListedSeries): void {
  const known = series.children.filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === "c:dPt";
  });
  const shape = childNamed(known[0] ?? series, "c:spPr");
  const outline = childNamed(shape, "a:ln");
  for (const point of known) detach(point);
  const behind = series.children.findIndex((node) => {
    return node.kind === "element" && BEHIND_POINTS.has(node.name);
  });
  const tag = { ...value, pointColor: { outline }, parent: null };
  insertAt(series, behind, ...repeated(tag, categories.open));
}

/** Elements of a series that come after the looks of its points (ECMA-376 part 1, 21.2.2.170). */
const BEHIND_POINTS: ReadonlySet<string> = new Set([
  ...["c:dLbls", "c:trendline", "c:errBars", "c:cat"],
]);

/** The numbers of the accents of a theme. */
const ACCENTS = [1, 2, 3, 4, 5, 6];

/** Elements that are colors (ECMA-376 part 1, 20.1.2.3). */
const COLORS: ReadonlySet<string> = new Set([
  ...["a:schemeClr", "a:srgbClr", "a:sysClr", "a:prstClr", "a:hslClr", "a:scrgbClr"],
]);

/** Returns the color of a series; null if Word chooses it. */
function colorOf(series: ElementNode): ElementNode | null {
  const shape = childNamed(series, "c:spPr");
  for (const node of shape === null ? [] : descendants(shape)) {
    if (node.kind === "element" && COLORS.has(node.name)) return node;
  }
  return null;
}

function accentOf(color: ElementNode | null): number {
  const { val = "" } = attributesOf(color?.attributes ?? "");
  return Number(/^accent([1-6])$/.exec(val)?.[1] ?? 0);
}

/** Adds the color to a series that Word would choose for it. */
function addColor(series: ElementNode, index: number): void {
  const known = childNamed(series, "c:spPr");
  const shape = known ?? element("c:spPr", "");
  if (known === null) {
    const name = childNamed(series, "c:tx");
    insertAt(series, name === null ? 0 : series.children.indexOf(name) + 1, shape);
  }
  const color = ` val="accent${(index % ACCENTS.length) + 1}"`;
  fillWith(shape, color);
  if (LINES.has(series.parent?.name ?? "")) {
    const line = childNamed(shape, "a:ln") ?? element("a:ln", "");
    if (line.parent === null) insertInOrder(shape, line, SHAPE_PROPERTIES);
    fillWith(line, color);
  }
}

/** Charts whose series are lines. */
const LINES: ReadonlySet<string> = new Set(["c:lineChart", "c:radarChart"]);

/** Gives a shape or a line a color in place of other fills. */
function fillWith(parent: ElementNode, color: string): void {
  for (const name of SHAPE_FILLS) {
    const other = childNamed(parent, name);
    if (other !== null) detach(other);
  }
  const fill = element("a:solidFill", "");
  insertAt(fill, 0, element("a:schemeClr", color));
  insertInOrder(parent, fill, SHAPE_PROPERTIES);
}
