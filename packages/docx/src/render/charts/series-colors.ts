import type { SeriesColorOp } from "../../program/chart-ops.ts";

/**
 * Returns the XML of a color in a series of a chart. `fill`: the color that a tag sets, or null. `made`: the number of
 * series that loops have made, up to this one; null if the series has the color of the template.
 */
export function seriesColorXml(
  { original, changes, free }: SeriesColorOp,
  fill: string | null,
  made: number | null,
): string {
  if (fill !== null) {
    const [transparency = ""] = /<a:alpha [^<>]*>/.exec(changes) ?? [];
    return `<a:srgbClr val="${fill}">${transparency}</a:srgbClr>`;
  }
  if (made === null) return original;
  const [accent, variation] = themeColor(made - 1, free);
  return `<a:schemeClr val="accent${accent}">${changes}${variation}</a:schemeClr>`;
}

/** Returns the look of a point of a chart. `color`: as RRGGBB; `outline`: as XML. */
export function pointColorXml(index: number, color: string, outline: string): string {
  const fill = `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`;
  return `<c:dPt><c:idx val="${index}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/><c:spPr>${fill}${outline}</c:spPr></c:dPt>`;
}

/** Returns the accent and its variation for a series: first the accents that are free, then variations of all six. */
function themeColor(index: number, free: readonly number[]): readonly [number, string] {
  const accent = free[index];
  if (accent !== undefined) return [accent, ""];
  const further = index - free.length;
  const round = Math.floor(further / ACCENTS) % VARIATIONS.length;
  return [(further % ACCENTS) + 1, VARIATIONS[round] ?? ""];
}

/** The number of accents of a theme. */
const ACCENTS = 6;

/** The variations of the accents in the order in which Word uses them for further series. */
const VARIATIONS = [
  '<a:lumMod val="60000"/>',
  '<a:lumMod val="80000"/><a:lumOff val="20000"/>',
  '<a:lumMod val="80000"/>',
  '<a:lumMod val="60000"/><a:lumOff val="40000"/>',
  '<a:lumMod val="50000"/>',
  '<a:lumMod val="70000"/><a:lumOff val="30000"/>',
  '<a:lumMod val="70000"/>',
  '<a:lumMod val="50000"/><a:lumOff val="50000"/>',
];
