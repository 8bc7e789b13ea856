import { escapeAttribute } from "@quire/ooxml/internal/xml/escape";
import { parseXml } from "@quire/ooxml/internal/xml/xml";
import type { Indents } from "./nodes/paragraph-properties.ts";

/** What the compiler must know about a template's styles. */
export interface Styles {
  /** The ids of paragraph styles for headings. */
  readonly headings: ReadonlySet<string>;
  /** Returns the list of a paragraph style, its own or inherited; null if the style has no list. */
  readonly numberingOf: (style: string) => StyleNumbering | null;
  /** Returns the indents of a numbered paragraph style that override those of its list. */
  readonly indentsOf: (style: string) => Indents;
  /** The default size of text, in half points; null if the template does not define it. */
  readonly fontSize: number | null;
  /** Returns the id of the style with this name, regardless of upper and lower case, or null. */
  readonly idOf: (name: string, type: "paragraph" | "character" | "table") => string | null;
  /** Returns the names and the ids of all styles of a type. */
  readonly ofType: (
    type: "paragraph" | "character",
  ) => readonly { readonly name: string; readonly id: string }[];
}

/** The list of a paragraph style. */
interface StyleNumbering {
  readonly numId: number;
  /** The level that the style defines or inherits; null if only the list's definition may name it. */
  readonly level: number | null;
  /** The ids of the style and of its base styles, up to the style that names the list. */
  readonly through: readonly string[];
}

interface Style {
  readonly id: string;
  readonly type: string;
  name: string;
  basedOn: string | null;
  outline: number | null;
  numId: number | null;
  level: number | null;
  indents: Indents;
}

/** Reads the styles part. A template without such a part has no styles. */
export function readStyles(part: string, xml: string | null): Styles {
  const styles = new Map<string, Style>();
  if (xml !== null) collect(part, xml, styles);
  const defaults = /<w:docDefaults>.*?<\/w:docDefaults>/s.exec(xml ?? "")?.[0] ?? "";
  const size = /<w:sz w:val="(\d{1,4})"/.exec(defaults)?.[1];
  const byName = new Map<string, string>();
  for (const { id, type, name } of styles.values()) byName.set(`${type} ${name.toLowerCase()}`, id);
  const headings = new Set<string>();
  for (const style of styles.values()) {
    const outline = chainOf(style.id, styles).find((each) => each.outline !== null)?.outline;
    if (typeof outline === "number" && outline < 9) headings.add(style.id);
    else if (/^(?:heading \d|title)$/i.test(style.name)) headings.add(style.id);
  }
  return {
    headings,
    fontSize: size === undefined ? null : Number(size),
    numberingOf(id) {
      const chain = chainOf(id, styles);
      const first = chain.findIndex(({ numId }) => numId !== null);
      const numId = chain[first]?.numId ?? 0;
      if (numId === 0) return null;
      const level = chain.find((style) => style.level !== null)?.level ?? null;
      return { numId, level, through: chain.slice(0, first + 1).map((style) => style.id) };
    },
    indentsOf: (id) => indentsOf(id, styles),
    ofType: (wanted) => [...styles.values()].filter(({ type }) => type === wanted),
    idOf: (name, type) => byName.get(`${type} ${name.toLowerCase()}`) ?? null,
  };
}

function collect(part: string, xml: string, styles: Map<string, Style>): void {
  let style: Style | null = null;
  parseXml(part, xml, {
    open(name, attributes) {
      if (name !== "w:style") {
        if (style !== null) readProperty(style, name, attributes);
        return;
      }
      style = {
        id: attributes["w:styleId"] ?? "",
        type: attributes["w:type"] ?? "paragraph",
        name: "",
        basedOn: null,
        outline: null,
        numId: null,
        level: null,
        indents: {},
      };
      styles.set(style.id, style);
    },
    close(name) {
      if (name === "w:style") style = null;
    },
  });
}

function readProperty(
  style: Style,
  name: string,
  attributes: Readonly<Record<string, string>>,
): void {
  const value = attributes["w:val"] ?? "";
  if (name === "w:name") style.name = value;
  else if (name === "w:basedOn") style.basedOn = value;
  else if (name === "w:outlineLvl") style.outline = Number(value);
  else if (name === "w:numId") style.numId = Number(value);
  else if (name === "w:ilvl") style.level = Number(value);
  else if (name === "w:ind") style.indents = escaped(attributes);
}

function escaped(attributes: Readonly<Record<string, string>>): Indents {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, escapeAttribute(value)]),
  );
}

/** Returns the indents of a style and the styles that it is based on, up to the style that names the list. */
function indentsOf(id: string, styles: ReadonlyMap<string, Style>): Indents {
  let indents: Indents = {};
  for (const style of chainOf(id, styles)) {
    indents = { ...style.indents, ...indents };
    if (style.numId !== null) return indents;
  }
  return {};
}

/**
 * Maximum length of a chain of base styles in Word. In a damaged file, styles may also be based on each other in a
 * cycle.
 */
const MAX_CHAIN = 100;

/** Returns a style and the styles that it is based on, nearest first. */
function chainOf(id: string, styles: ReadonlyMap<string, Style>): Style[] {
  const chain: Style[] = [];
  let at = styles.get(id);
  while (at !== undefined && chain.length < MAX_CHAIN) {
    chain.push(at);
    at = at.basedOn === null ? undefined : styles.get(at.basedOn);
  }
  return chain;
}
