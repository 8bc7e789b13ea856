import { escapeText } from "@quire/ooxml/internal/xml/escape";
import { attributeList } from "@quire/ooxml/internal/xml/xml";
import { SaxesParser } from "saxes";
import { type FontStyle, fontStyle, replaceFonts, replaceFontsOfSheet } from "./css-fonts.ts";
import { FontFindings, type SvgWarning } from "./font-findings.ts";
import type { FontSet } from "./font-set.ts";
import { TextLine } from "./text-line.ts";

/** An SVG to draw with the given fonts, and how the drawing differs. */
export interface PlacedFonts {
  readonly svg: string;
  readonly warnings: readonly SvgWarning[];
}

/**
 * Rewrites a cleaned SVG so that it names only given fonts: the renderer compares names exactly, has one font for all
 * generic families, does not know the property `font`, and replaces a missing font silently.
 */
export function placeFonts(svg: string, set: FontSet): PlacedFonts {
  return new FontPlacer(set).place(svg);
}

/** An open element. */
interface OpenElement {
  readonly name: string;
  readonly style: FontStyle;
  /** Whether its text is drawn. */
  readonly isText: boolean;
  readonly isSpaced: boolean;
}

/** The elements in a `text` whose text is drawn. */
const TEXT_PARTS = new Set(["tspan", "textPath", "a", "tref"]);

/** Attributes with a value for each letter, if they have several values. */
const PER_LETTER = ["x", "y", "dx", "dy", "rotate"];

class FontPlacer {
  readonly #findings: FontFindings;
  readonly #out: string[] = [];
  readonly #open: OpenElement[] = [];
  readonly #lines: TextLine[] = [];
  /** What style sheets say. It is not determined to which text a rule applies. */
  readonly #sheet: FontStyle[] = [];
  /** The families of the text, as far as attributes determine them. */
  readonly #families = new Set<string>();
  #css = "";
  #isSpacedBySheet = false;

  constructor(set: FontSet) {
    this.#findings = new FontFindings(set);
  }

  place(svg: string): PlacedFonts {
    const parser = new SaxesParser();
    parser.on("opentag", ({ name, attributes }) => this.#openTag(name, attributes));
    parser.on("closetag", ({ name }) => this.#closeTag(name));
    parser.on("text", (text) => this.#text(text));
    parser.write(svg).close();
    this.#finish();
    return { svg: this.#out.join(""), warnings: this.#findings.warnings };
  }

  #openTag(name: string, attributes: Readonly<Record<string, string>>): void {
    const outer = this.#open.at(-1);
    const { written, style } = this.#attributes(attributes);
    const isText = name === "text" || (outer?.isText === true && TEXT_PARTS.has(name));
    this.#open.push({
      name,
      style: { ...outer?.style, ...style },
      isText,
      isSpaced: outer?.isSpaced === true || isSpaced(attributes),
    });
    this.#out.push("<", name, attributeList(written), ">");
    const isMoved = attributes.x !== undefined || attributes.y !== undefined;
    if (isText && (name === "text" || name === "textPath" || isMoved)) {
      this.#lines.push(new TextLine());
    }
    // Text in a used element may inherit the font of the `use`.
    if (name === "use") this.#findings.use(this.#open.at(-1)?.style ?? {});
  }

  /** Returns the attributes with given fonts, and the font that they set. */
  #attributes(attributes: Readonly<Record<string, string>>): {
    readonly written: Readonly<Record<string, string>>;
    readonly style: FontStyle;
  } {
    // Without a family, text has the font that the renderer would choose for itself.
    const isRoot = this.#open.length === 0;
    const given = isRoot ? { "font-family": "", ...attributes } : attributes;
    const written: Record<string, string> = {};
    let style: FontStyle = {};
    for (const [name, value] of Object.entries(given)) {
      const said = name === "style" ? {} : fontStyle(name, value);
      style = { ...style, ...said };
      written[name] =
        said.families === undefined ? value : `'${this.#findings.familyFor(said.families)}'`;
    }
    if (given.style === undefined) return { written, style };
    const replaced = replaceFonts(given.style, (each) => this.#findings.familyFor(each));
    return {
      written: { ...written, style: replaced.css },
      style: { ...style, ...replaced.style },
    };
  }

  #closeTag(name: string): void {
    if (name === "style") this.#closeSheet();
    this.#open.pop();
    this.#out.push(`</${name}>`);
    if (name === "textPath" && this.#open.at(-1)?.isText === true) this.#lines.push(new TextLine());
  }

  #closeSheet(): void {
    const { css, styles } = replaceFontsOfSheet(this.#css, (each) =>
      this.#findings.familyFor(each),
    );
    this.#out.push(escapeText(css));
    for (const style of styles) this.#sheet.push(style);
    this.#isSpacedBySheet ||= css.includes("letter-spacing");
    this.#css = "";
  }

  #text(text: string): void {
    const element = this.#open.at(-1);
    if (element?.name === "style") {
      this.#css += text;
      return;
    }
    const line = this.#lines.at(-1);
    if (element?.isText !== true || line === undefined) {
      this.#out.push(escapeText(text));
      return;
    }
    const { style, isSpaced } = element;
    const isBlank = !/\S/.test(text);
    const family = isBlank ? this.#findings.familyFor(style.families) : this.#findings.use(style);
    if (!isBlank) this.#families.add(family);
    const place = this.#out.push("") - 1;
    if (isSpaced) line.isSpaced = true;
    line.add({
      text,
      font: `${family} ${style.isBold === true} ${style.isItalic === true}`,
      family,
      write: (written) => {
        this.#out[place] = escapeText(written);
      },
    });
  }

  /** Adds the fonts of style sheets, and writes the text. */
  #finish(): void {
    const said = this.#sheet.filter((style) => Object.keys(style).length > 0);
    const sheet: string[] = [];
    for (const style of said) {
      if (style.families !== undefined) sheet.push(this.#findings.use(style));
      else for (const family of this.#families) this.#findings.styled(family, style);
    }
    for (const line of this.#lines) {
      if (this.#isSpacedBySheet) line.isSpaced = true;
      line.finish(this.#findings, said.length === 0 ? null : [...new Set(sheet)]);
    }
  }
}

function isSpaced(attributes: Readonly<Record<string, string>>): boolean {
  return (
    attributes["letter-spacing"] !== undefined ||
    attributes.textLength !== undefined ||
    /letter-spacing/i.test(attributes.style ?? "") ||
    PER_LETTER.some((name) => /[\s,]/.test(attributes[name]?.trim() ?? ""))
  );
}
