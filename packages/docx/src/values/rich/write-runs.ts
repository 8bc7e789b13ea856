import { attributeXml, textXml } from "../text.ts";
import type { RichContext } from "./context.ts";
import type { RichFormat, RichRun } from "./model.ts";
import {
  formatProperties,
  type Properties,
  readProperties,
  runPropertiesXml,
  sizeOf,
  valued,
} from "./properties.ts";

/** Word's default size, in half points. */
const DEFAULT_SIZE = 22;

/** The default formatting of the text in a paragraph. */
export interface Look {
  readonly around: Properties;
  /** The size of the text in half points. */
  readonly size: number;
  /** The format of the block itself, such as a heading without a style. */
  readonly format: RichFormat;
  /** Whether the paragraph runs from right to left. */
  readonly rtl: boolean;
  /** The `w:rPr` of each format that was already written, for text and for links. */
  readonly written: Map<RichFormat, string>;
  readonly links: Map<RichFormat, string>;
}

/** Returns the formatting of plain text at the tag. */
export function plainLook(context: RichContext): Look {
  const around = readProperties(context.runProperties);
  return lookWith(around, sizeOf(around) ?? context.fontSize ?? DEFAULT_SIZE, {}, false);
}

/** Creates a look without cached run properties. */
export function lookWith(around: Properties, size: number, format: RichFormat, rtl: boolean): Look {
  return { around, size, format, rtl, written: new Map(), links: new Map() };
}

/** Returns the XML of runs. Consecutive runs of one link are in one `w:hyperlink`. */
export function writeRuns(runs: readonly RichRun[], context: RichContext, look: Look): string {
  const xml: string[] = [];
  let target: string | null = null;
  let id: string | null = null;
  for (const run of runs) {
    if (run.href !== target) {
      if (id !== null) xml.push("</w:hyperlink>");
      target = run.href;
      id = target === null ? null : context.link(target);
      if (id !== null) xml.push(`<w:hyperlink r:id="${attributeXml(id)}" w:history="1">`);
    }
    xml.push(runXml(run, context, look, id !== null));
  }
  if (id !== null) xml.push("</w:hyperlink>");
  return xml.join("");
}

function runXml(run: RichRun, context: RichContext, look: Look, linked: boolean): string {
  const properties = rPr(run.format, context, look, linked);
  if (run.kind === "text") return textRun(run.text, properties, look);
  const { dataUri, width, height, alt } = run;
  const drawing = context.image(dataUri, { width, height }, alt);
  if (drawing === null) return alt === "" ? "" : textRun(alt, properties, look);
  return `<w:r>${properties}${drawing}</w:r>`;
}

/** Letters that are written from right to left. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

function textRun(text: string, properties: string, look: Look): string {
  if (text === "") return "";
  const rPr = look.rtl && RTL.test(text) ? withRtl(properties) : properties;
  return `<w:r>${rPr}<w:t xml:space="preserve">${textXml(text)}</w:t></w:r>`;
}

function withRtl(properties: string): string {
  const inner = properties.replace(/^<w:rPr>|<\/w:rPr>$/g, "");
  return runPropertiesXml(new Map([...readProperties(inner), ["w:rtl", "<w:rtl/>"]]));
}

function rPr(format: RichFormat, context: RichContext, look: Look, linked: boolean): string {
  const cache = linked ? look.links : look.written;
  const known = cache.get(format);
  if (known !== undefined) return known;
  const said = { ...look.format, ...format };
  const properties = new Map(linked ? linkProperties(look.around, context) : look.around);
  for (const [name, xml] of formatProperties(said, look.size, look.around)) {
    properties.set(name, xml);
  }
  const xml = runPropertiesXml(properties);
  cache.set(format, xml);
  return xml;
}

/** Returns the properties of a link. The formatting of the tag must not override the style of the link. */
function linkProperties(around: Properties, context: RichContext): Properties {
  const properties = new Map(around);
  const style = context.style("hyperlink");
  properties.delete("w:color");
  properties.delete("w:u");
  if (style === null) {
    properties.set("w:color", valued("w:color", "0563C1"));
    properties.set("w:u", valued("w:u", "single"));
  } else {
    properties.set("w:rStyle", valued("w:rStyle", style));
  }
  return properties;
}
