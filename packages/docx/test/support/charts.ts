/** Charts as Word writes them, and what their documents show. */
import { expect } from "vitest";
import { docx } from "../../../ooxml/test/support/docx.ts";
import { withParts } from "./add-parts.ts";
import { CHART, chart } from "./figures.ts";

export const CHART_PART = "word/charts/chart1.xml";

/** The first cell of the categories. */
export const MONTHS = "{{for m in months}}{{m.name}}{{endfor}}";

const cache = (kind: "str" | "num", text: string): string =>
  `<c:${kind}Ref><c:f>Sheet1!$A$1</c:f><c:${kind}Cache>${kind === "num" ? "<c:formatCode>General</c:formatCode>" : ""}<c:ptCount val="1"/><c:pt idx="0"><c:v>${text}</c:v></c:pt></c:${kind}Cache></c:${kind}Ref>`;

/** Returns a color of the theme, or another color if it is not a number. */
const colored = (color: number | string): string =>
  typeof color === "string"
    ? color
    : `<a:solidFill><a:schemeClr val="accent${color}"/></a:solidFill>`;

/** The looks of a series in each kind of chart. */
const LOOKS = {
  barChart: (color: string) =>
    `<c:spPr>${color}<a:ln><a:noFill/></a:ln></c:spPr><c:invertIfNegative val="0"/>`,
  lineChart: (color: string) =>
    `<c:spPr><a:ln w="28575">${color}<a:round/></a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:spPr>${color}<a:ln w="9525">${color}</a:ln></c:spPr></c:marker>`,
  areaChart: (color: string) => `<c:spPr>${color}</c:spPr>`,
  pieChart: () => "",
  doughnutChart: () => "",
  stockChart: () => "",
} as const;
export type ChartKind = keyof typeof LOOKS;

export interface SeriesOptions {
  readonly kind?: ChartKind;
  /** The place among the series, from 0. */
  readonly at?: number;
  readonly category?: string;
  /** The number of an accent, or the XML of a fill; null for no properties at all. */
  readonly color?: number | string | null;
  /** Elements before the categories, and at the end. */
  readonly inner?: string;
  readonly end?: string;
}

/** Returns a series with this text in its name. */
export function series(name: string, options: SeriesOptions = {}): string {
  const { kind = "barChart", at = 0, category = MONTHS, inner = "", end = "" } = options;
  const { color = at + 1 } = options;
  const look = color === null ? "" : LOOKS[kind](colored(color));
  const smooth = kind === "lineChart" ? '<c:smooth val="0"/>' : "";
  return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${cache("str", name)}</c:tx>${look}${inner}<c:cat>${cache("str", category)}</c:cat><c:val>${cache("num", "0")}</c:val>${smooth}${end}</c:ser>`;
}

/** Returns a template with a chart of these series. */
export function charted(
  all: readonly string[],
  kind: ChartKind = "barChart",
  rest = "",
): Uint8Array {
  return withParts(docx({ body: CHART }), [
    chart(`<c:plotArea><c:${kind}>${all.join("")}</c:${kind}></c:plotArea>${rest}`),
  ]);
}

/** A series of a document. */
export interface ShownSeries {
  readonly number: number;
  readonly name: string;
  readonly categories: readonly string[];
  /** A gap is null. */
  readonly values: readonly (number | null)[];
  /** Every color in the series, in order. */
  readonly colors: readonly string[];
  readonly xml: string;
}

/** Reads the series of a chart. Checks their numbers, the number of their points, and the order of their elements. */
export function seriesIn(xml: string): ShownSeries[] {
  return [...xml.matchAll(/<c:ser>(.*?)<\/c:ser>/gs)].map(([all, inner = ""]) => {
    const [, number] = /^<c:idx val="(\d+)"\/><c:order val="\1"\/>/.exec(inner) ?? [];
    expect(number).toBeDefined();
    const [name = [], categories = [], values = []] = cachesIn(inner);
    checkOrder(inner);
    return {
      number: Number(number),
      name: name[0] ?? "",
      categories: categories.map((text) => text ?? ""),
      values: values.map((text) => (text === null ? null : Number(text))),
      colors: [
        ...inner.matchAll(/<a:(?:scheme|srgb)Clr val="(.*?)"(?:\/>|>(.*?)<\/a:\w+Clr>)/g),
      ].map(([, color = "", changes = ""]) => [color, ...changesIn(changes)].join(" ")),
      xml: all,
    };
  });
}

/** Returns changes of a color: `lumMod 60000`. */
function changesIn(xml: string): string[] {
  return [...xml.matchAll(/<a:(\w+) val="(\d+)"\/>/g)].map(([, name, value]) => `${name} ${value}`);
}

/** Returns the points of each cache; null for a point that is missing. */
function cachesIn(xml: string): (string | null)[][] {
  return [...xml.matchAll(/<c:(?:str|num)Cache>(.*?)<\/c:(?:str|num)Cache>/gs)].map(
    ([, inner = ""]) => {
      const count = Number(/<c:ptCount val="(\d+)"\/>/.exec(inner)?.[1]);
      const found = [...inner.matchAll(/<c:pt idx="(\d+)"><c:v>(.*?)<\/c:v><\/c:pt>/g)];
      expect(found.length).toBe([...inner.matchAll(/<c:pt\b/g)].length);
      const points = new Map(found.map(([, index, text = ""]) => [Number(index), text]));
      expect([...points.keys()].every((index) => index < count)).toBe(true);
      return Array.from({ length: count }, (_, index) => points.get(index) ?? null);
    },
  );
}

/** The elements of a series in the order of the schema (ECMA-376 part 1, A.5.1: CT_BarSer and the others). */
const ORDER = [
  ...["idx", "order", "tx", "spPr", "invertIfNegative", "pictureOptions", "marker", "explosion"],
  ...["dPt", "dLbls", "trendline", "errBars", "cat", "val", "smooth", "shape", "extLst"],
];

function checkOrder(inner: string): void {
  let depth = 0;
  const names: string[] = [];
  for (const [, close, name = "", empty] of inner.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (close === "/") depth -= 1;
    else {
      if (depth === 0) names.push(name.replace("c:", ""));
      if (empty !== "/") depth += 1;
    }
  }
  const ranks = names.map((name) => ORDER.indexOf(name));
  expect(ranks).not.toContain(-1);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
}
