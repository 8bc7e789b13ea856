import { parseXml } from "../package/xml.ts";

/** The styles of a template, as far as the compiler needs them. */
export interface Styles {
  /** The ids of paragraph styles that make a heading. */
  readonly headings: ReadonlySet<string>;
  /**
   * The list and level that a paragraph style brings, its own or inherited; null for none. Where the
   * style names no level, the list's definition may.
   */
  readonly numberingOf: (
    style: string,
  ) => { readonly numId: number; readonly level: number | null } | null;
  /** The size of text that says nothing of it, in half points; null when the template does not tell. */
  readonly fontSize: number | null;
  /** The id of the style with a name, whatever its case; null when there is none. */
  readonly idOf: (name: string, type: "paragraph" | "character" | "table") => string | null;
}

interface Style {
  readonly id: string;
  readonly type: string;
  name: string;
  basedOn: string | null;
  outline: number | null;
  numId: number | null;
  level: number | null;
}

/** Reads the styles part; a template without one has no styles. */
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
    idOf: (name, type) => byName.get(`${type} ${name.toLowerCase()}`) ?? null,
  };
}

function collect(part: string, xml: string, styles: Map<string, Style>): void {
  let style: Style | null = null;
  parseXml(part, xml, {
    open(name, attributes) {
      const value = attributes["w:val"] ?? "";
      switch (name) {
        case "w:style":
          style = {
            id: attributes["w:styleId"] ?? "",
            type: attributes["w:type"] ?? "paragraph",
            name: "",
            basedOn: null,
            outline: null,
            numId: null,
            level: null,
          };
          styles.set(style.id, style);
          break;
        case "w:name":
          if (style !== null) style.name = value;
          break;
        case "w:basedOn":
          if (style !== null) style.basedOn = value;
          break;
        case "w:outlineLvl":
          if (style !== null) style.outline = Number(value);
          break;
        case "w:numId":
          if (style !== null) style.numId = Number(value);
          break;
        case "w:ilvl":
          if (style !== null) style.level = Number(value);
      }
    },
    close(name) {
      if (name === "w:style") style = null;
    },
  });
}

/** Word knows no longer chains; and styles may be based on each other in a circle. */
const MAX_CHAIN = 100;

/** A property of a style or of the nearest one that it is based on. */
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
