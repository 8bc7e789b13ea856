import { attributeXml } from "../text.ts";
import type { RichFormat } from "./model.ts";

/** Children of `w:rPr` or `w:pPr` by name, each as XML. */
export type Properties = ReadonlyMap<string, string>;

/** Parses children of `w:rPr` or `w:pPr` in canonical XML. */
export function readProperties(xml: string): Properties {
  const properties = new Map<string, string>();
  let depth = 0;
  let start = 0;
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", at)) {
    const end = xml.indexOf(">", at) + 1;
    if (end === 0) break;
    if (depth === 0) start = at;
    if (xml[at + 1] === "/") depth -= 1;
    else if (xml[end - 2] !== "/") depth += 1;
    if (depth === 0) properties.set(nameAt(xml, start), xml.slice(start, end));
    at = end;
  }
  return properties;
}

function nameAt(xml: string, start: number): string {
  return /^<([^\s/>]+)/.exec(xml.slice(start, start + 100))?.[1] ?? "";
}

function order(list: string): ReadonlyMap<string, number> {
  return new Map(list.split(" ").map((name, index) => [`w:${name}`, index]));
}

/** The order of run properties in the schema (ECMA-376 part 1, 17.3.2.28 and A.1), without tracked changes. */
export const RUN_ORDER = order(
  "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath",
);

/** The order of paragraph properties in the schema (17.3.1.26). */
export const PARAGRAPH_ORDER = order(
  "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr",
);

/** The order of cell properties in the schema (17.4.66), without tracked changes. */
export const CELL_ORDER = order(
  "cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark",
);

/** Word's extensions come after the elements of the schema. */
const LAST = 1000;

/** Returns a `w:rPr` with its properties in order, or an empty string. */
export function runPropertiesXml(properties: Properties): string {
  return element("w:rPr", properties, RUN_ORDER);
}

/** Returns a `w:pPr` with its properties in order, or an empty string. */
export function paragraphPropertiesXml(properties: Properties): string {
  return element("w:pPr", properties, PARAGRAPH_ORDER);
}

function element(
  name: string,
  properties: Properties,
  places: ReadonlyMap<string, number>,
): string {
  const xml = [...properties]
    .filter(([property]) => places.has(property) || !property.startsWith("w:"))
    .sort(([a], [b]) => (places.get(a) ?? LAST) - (places.get(b) ?? LAST))
    .map(([, property]) => property)
    .join("");
  return xml === "" ? "" : `<${name}>${xml}</${name}>`;
}

/** Returns an element with only the attribute `w:val`, whose value is escaped. */
export function valued(name: string, value: string | number): string {
  return `<${name} w:val="${attributeXml(String(value))}"/>`;
}

/** Converts a format to run properties. Relative sizes refer to `base`, in half points. */
export function formatProperties(
  format: RichFormat,
  base: number,
  around: Properties,
): [string, string][] {
  const { bold, italic, underline, strike, vertical, color, background, size, font, caps } = format;
  const properties: [string, string][] = [
    ...switches(bold, "w:b", "w:bCs"),
    ...switches(italic, "w:i", "w:iCs"),
    ...switches(strike, "w:strike"),
    ...(strike === undefined ? [] : switches(false, "w:dstrike").filter(([n]) => around.has(n))),
  ];
  const set = (name: string, value: string | number): void => {
    properties.push([name, valued(name, value)]);
  };
  if (underline !== undefined) set("w:u", underline ? "single" : "none");
  if (vertical !== undefined) set("w:vertAlign", vertical);
  if (color !== undefined) set("w:color", color);
  if (background !== undefined) {
    // A highlight would cover the background.
    if (around.has("w:highlight")) set("w:highlight", "none");
    properties.push(["w:shd", `<w:shd w:val="clear" w:color="auto" w:fill="${background}"/>`]);
  }
  if (size !== undefined) {
    const halfPoints = halfPointsOf(
      size.points === undefined ? size.scale * base : size.points * 2,
    );
    set("w:sz", halfPoints);
    set("w:szCs", halfPoints);
  }
  if (font !== undefined)
    properties.push(["w:rFonts", fontsXml(font, around.get("w:rFonts") ?? "")]);
  if (caps !== undefined) {
    properties.push(
      ...switches(caps === "all", "w:caps"),
      ...switches(caps === "small", "w:smallCaps"),
    );
  }
  return properties;
}

function switches(on: boolean | undefined, ...names: string[]): [string, string][] {
  if (on === undefined) return [];
  return names.map((name) => [name, on ? `<${name}/>` : `<${name} w:val="0"/>`]);
}

/** Rounds a size in half points, and limits it to 1 to 400 points. */
function halfPointsOf(value: number): number {
  return Math.min(800, Math.max(2, Math.round(value)));
}

/** Returns the font for all text except East Asian text, which keeps its font. */
function fontsXml(font: string, around: string): string {
  const name = attributeXml(font);
  const kept = around.match(/ w:(?:hint|eastAsia|eastAsiaTheme)="[^"]*"/g)?.join("") ?? "";
  return `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}"${kept}/>`;
}

/** Returns the size in a run's properties, in half points, or null if they do not set one. */
export function sizeOf(properties: Properties): number | null {
  const size = Number(/ w:val="(\d{1,4})"/.exec(properties.get("w:sz") ?? "")?.[1]);
  return Number.isNaN(size) ? null : size;
}
