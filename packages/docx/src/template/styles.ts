import { escapeAttribute } from "@quire/ooxml/internal/xml/escape";
import { parseXml } from "@quire/ooxml/internal/xml/xml";
import type { Indents } from "./nodes/paragraph-properties.ts";

/** What the compiler must know about a template's styles. */
export interface Styles {
  /** The ids of paragraph styles for headings. */
  readonly headings: ReadonlySet<string>;
  /**
   * Returns the list and level of a paragraph style, its own or inherited; null if the style has no list. If the style
   * does not define its level, the list's definition may.
   */
  readonly numberingOf: (
    style: string,
  ) => { readonly numId: number; readonly level: number | null } | null;
  /** Returns the indents of a numbered paragraph style that override those of its list. */
  readonly indentsOf: (style: string) => Indents;
  /** The default size of text, in half points; null if the template does not define it. */
  readonly fontSize: number | null;
  /** Returns the id of the style with this name, regardless of upper and lower case, or null. */
  readonly idOf: (name: string, type: "paragraph" | "character" | "table") => string | null;
  /** Returns the names of all styles of a type. */
  readonly namesOf: (type: "paragraph" | "character") => readonly string[];
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
    const outline = inherited(style, styles, ({ outline: own }) => own);
    if (outline !== null && outline < 9) headings.add(style.id);
    else if (/^(?:heading \d|title)$/i.test(style.name)) headings.add(style.id);
  }
  return {
    headings,
    fontSize: size === undefined ? null : Number(size),
    numberingOf(id) {
      const style = styles.get(id);
      const numId = style === undefined ? null : inherited(style, styles, (each) => each.numId);
      if (style === undefined || numId === null || numId === 0) return null;
      return { numId, level: inherited(style, styles, (each) => each.level) };
    },
    indentsOf: (id) => indentsOf(id, styles),
    namesOf: (wanted) =>
      [...styles.values()].filter(({ type }) => type === wanted).map(({ name }) => name),
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
  let at = styles.get(id);
  for (let depth = 0; at !== undefined && depth < MAX_CHAIN; depth += 1) {
    indents = { ...at.indents, ...indents };
    if (at.numId !== null) return indents;
    at = at.basedOn === null ? undefined : styles.get(at.basedOn);
  }
  return {};
}

/**
 * Maximum length of a chain of base styles in Word. In a damaged file, styles may also be based on each other in a
 * cycle.
 */
const MAX_CHAIN = 100;

/** Returns a property of a style, or of its nearest base style that has the property; null if no style has it. */
function inherited<T>(
  style: Style,
  styles: ReadonlyMap<string, Style>,
  get: (style: Style) => T | null,
): T | null {
  let at: Style | undefined = style;
  for (let depth = 0; at !== undefined && depth < MAX_CHAIN; depth += 1) {
    const own = get(at);
    if (own !== null) return own;
    at = at.basedOn === null ? undefined : styles.get(at.basedOn);
  }
  return null;
}
