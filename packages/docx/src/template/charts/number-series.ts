import {
  attributesOf,
  childNamed,
  descendants,
  detach,
  type ElementNode,
  type SpanNumber,
} from "../nodes/nodes.ts";
import { countedBy, type LoopTags, repeat } from "./loop-marks.ts";
import type { ListedSeries } from "./read-series.ts";

/** Maximum number of series of a chart in Word. */
export const MAX_SERIES = 255;

/** Numbers all series of a chart in which a series repeats, and the entries of the legend that belong to series. */
export function numberSeries(
  root: ElementNode,
  all: readonly ElementNode[],
  found: readonly ListedSeries[],
): void {
  const loops = new Map(found.flatMap(({ series, loop }) => (loop ? [[series, loop]] : [])));
  if (loops.size === 0) return;
  const ordered = all.toSorted(
    (a, b) => (numberIn(a, "c:order") ?? 0) - (numberIn(b, "c:order") ?? 0),
  );
  const opens = ordered.map((series) => loops.get(series) ?? null);
  for (const [rank, series] of ordered.entries()) {
    const number = numberAt(rank, opens);
    setNumber(series, "c:idx", number);
    setNumber(series, "c:order", number);
  }
  for (const node of [...descendants(root)]) {
    if (node.kind !== "element") continue;
    if (node.name === "c:legendEntry") numberEntry(node, opens);
    if (node.name === "c:ext" && isOfOneSeries(node, [...loops.keys()])) detach(node);
  }
}

/** Returns the number of a series by its rank in the template. `loops`: the loop of each series of the template. */
function numberAt(rank: number, loops: readonly (LoopTags | null)[]): SpanNumber {
  const before = loops.slice(0, rank).flatMap((loop) => loop?.open ?? []);
  const own = loops[rank]?.open;
  return {
    kind: "span",
    others: rank - before.length,
    repeated: countedBy(before),
    ...(own !== undefined && { series: own }),
  };
}

/** Numbers an entry of the legend, which belongs to the series with its index; further entries are trend lines. */
function numberEntry(entry: ElementNode, loops: readonly (LoopTags | null)[]): void {
  const rank = numberIn(entry, "c:idx");
  if (rank === null) return;
  setNumber(entry, "c:idx", numberAt(rank, loops));
  const loop = loops[rank] ?? null;
  if (loop !== null) repeat(entry, loop.open);
}

function numberIn(parent: ElementNode, name: string): number | null {
  const { val = "" } = attributesOf(childNamed(parent, name)?.attributes ?? "");
  return /^\d{1,9}$/.test(val) ? Number(val) : null;
}

function setNumber(parent: ElementNode, name: string, number: SpanNumber): void {
  const child = childNamed(parent, name);
  if (child === null) return;
  child.attributes = ' val="0"';
  child.computed = number;
}

/** Whether an extension has the id of a series that repeats, or hidden series, whose numbers could occur twice. */
function isOfOneSeries(extension: ElementNode, repeated: readonly ElementNode[]): boolean {
  const names = [...descendants(extension)].flatMap((node) =>
    node.kind === "element" ? [node.name.replace(/^.*:/, "")] : [],
  );
  if (names.some((name) => /^filtered\w*Series$/.test(name))) return true;
  return names.includes("uniqueId") && repeated.some((series) => isIn(extension, series));
}

function isIn(node: ElementNode, around: ElementNode): boolean {
  for (let at: ElementNode | null = node; at !== null; at = at.parent)
    if (at === around) return true;
  return false;
}
