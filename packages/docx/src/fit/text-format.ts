import { parseXml } from "@quire/ooxml/internal/xml/xml";
import { attributeOf, childOf, numberOf, unescaped, type XmlElement } from "./xml-tree.ts";

/** The properties of text that change how wide or how high it is. Sizes are in half points. */
export interface RunFormat {
  /** The font of ASCII characters. */
  readonly font?: string;
  readonly size?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly caps?: boolean;
  readonly smallCaps?: boolean;
  readonly hidden?: boolean;
  /** Space after each character, in twentieths of a point. */
  readonly spacing?: number;
  /** The width of characters in percent. */
  readonly scale?: number;
  readonly isRaised?: boolean;
}

/** The properties of a paragraph that change how its text is broken into lines. Lengths are in twentieths of a point. */
export interface ParagraphFormat {
  readonly before?: number;
  readonly after?: number;
  /** The distance of lines: in 240ths of a line if the rule is `auto`, otherwise in twentieths of a point. */
  readonly line?: number;
  readonly rule?: "auto" | "exact" | "atLeast";
  readonly left?: number;
  readonly right?: number;
  /** The indent of the first line; negative for a hanging indent. */
  readonly first?: number;
  /** Whether paragraphs of the same style have no space between them. */
  readonly isContextual?: boolean;
  readonly isNumbered?: boolean;
  readonly hasTabs?: boolean;
}

/** Returns the name of a font of the theme, such as `minorHAnsi`; undefined if the theme names none. */
export type ThemeFont = (role: string) => string | undefined;

/** Reads the fonts of a theme for Latin text. Throws `invalid_template` if its XML is broken. */
export function readTheme(part: string, xml: string): ThemeFont {
  const fonts = new Map<string, string>();
  let role = "";
  parseXml(part, xml, {
    open(name, { typeface = "" }) {
      const local = name.slice(name.indexOf(":") + 1);
      if (local === "majorFont" || local === "minorFont") role = local.slice(0, "major".length);
      else if (local === "latin" && role !== "" && typeface !== "") fonts.set(role, typeface);
    },
    close(name) {
      if (/(?:major|minor)Font$/.test(name)) role = "";
    },
  });
  return (place) => fonts.get(place.startsWith("major") ? "major" : "minor");
}

/** Reads a `w:rPr`. */
export function readRunFormat(properties: XmlElement | undefined, theme: ThemeFont): RunFormat {
  if (properties === undefined) return {};
  const named = (name: string): XmlElement | undefined => childOf(properties, name);
  const fonts = named("w:rFonts");
  const role = attributeOf(fonts, "w:asciiTheme");
  const written = attributeOf(fonts, "w:ascii");
  const aligned = attributeOf(named("w:vertAlign"), "w:val");
  return given({
    font: (role === undefined ? undefined : theme(role)) ?? (written && unescaped(written)),
    size: numberOf(named("w:sz"), "w:val"),
    bold: toggle(named("w:b")),
    italic: toggle(named("w:i")),
    caps: toggle(named("w:caps")),
    smallCaps: toggle(named("w:smallCaps")),
    hidden: toggle(named("w:vanish")),
    spacing: numberOf(named("w:spacing"), "w:val"),
    scale: numberOf(named("w:w"), "w:val"),
    isRaised: aligned === undefined ? undefined : aligned !== "baseline",
  });
}

/** Reads a `w:pPr`. */
export function readParagraphFormat(properties: XmlElement | undefined): ParagraphFormat {
  if (properties === undefined) return {};
  const spacing = childOf(properties, "w:spacing");
  const indent = childOf(properties, "w:ind");
  const hanging = numberOf(indent, "w:hanging");
  const list = childOf(childOf(properties, "w:numPr"), "w:numId");
  const rule = attributeOf(spacing, "w:lineRule");
  return given({
    before: numberOf(spacing, "w:before"),
    after: numberOf(spacing, "w:after"),
    line: numberOf(spacing, "w:line"),
    rule: rule === "exact" || rule === "atLeast" || rule === "auto" ? rule : undefined,
    left: numberOf(indent, "w:start") ?? numberOf(indent, "w:left"),
    right: numberOf(indent, "w:end") ?? numberOf(indent, "w:right"),
    first: hanging === undefined ? numberOf(indent, "w:firstLine") : -hanging,
    isContextual: toggle(childOf(properties, "w:contextualSpacing")),
    isNumbered: list === undefined ? undefined : attributeOf(list, "w:val") !== "0",
    hasTabs: childOf(properties, "w:tabs") === undefined ? undefined : true,
  });
}

function toggle(element: XmlElement | undefined): boolean | undefined {
  if (element === undefined) return undefined;
  return !["0", "false", "off"].includes(attributeOf(element, "w:val") ?? "");
}

/** Returns the properties that have a value. */
function given<T extends object>(format: { readonly [K in keyof T]: T[K] | undefined }): T {
  const made: Partial<T> = {};
  for (const name in format) if (format[name] !== undefined) made[name] = format[name];
  return made as T;
}
