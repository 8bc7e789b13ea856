import { unescapeXml } from "@quire/ooxml/internal/xml/escape";
import type { RunFonts, Surroundings } from "./surroundings.ts";
import { isSymbolFont, isSymbolPlace } from "./symbol-fonts.ts";
import { newTable, readLook, type Table, tablePlace } from "./table-place.ts";
import { TextUse } from "./text-use.ts";
import { attributeOf, endOfTag, isEmptyTag } from "./xml.ts";

/**
 * Collects the fonts and characters that a reader of the PDF sees from a part with running text. Skips field
 * instructions and hidden text. Includes deleted text of tracked changes, because LibreOffice shows it.
 */
export function scanStory(xml: string, surroundings: Surroundings): TextUse {
  const scan = new StoryScan(xml, surroundings);
  scan.run();
  return scan.use;
}

/** The context of the current text. Saved on a stack when a text box begins. */
interface Place {
  /** The content of the paragraph's `w:pPr`. */
  paragraph: string;
  style: string | null;
  fonts: RunFonts | null;
  tables: Table[];
}

const COMMENT = "<!--";
const CDATA = "<![CDATA[";

class StoryScan {
  readonly use = new TextUse();
  readonly #xml: string;
  readonly #surroundings: Surroundings;
  readonly #numbered = new Set<string>();
  readonly #outer: Place[] = [];
  /** End tags that do not occur in the rest of the part. They are remembered to avoid repeated searches. */
  readonly #missing = new Set<string>();
  #place: Place = newPlace();
  /** The index of the next entity. It is remembered to avoid a search to the end for each piece of text. */
  #entity = -1;
  /** Whether a `w:r` has just started. */
  #runBegins = false;

  constructor(xml: string, surroundings: Surroundings) {
    this.#xml = xml;
    this.#surroundings = surroundings;
  }

  run(): void {
    const xml = this.#xml;
    let at = xml.indexOf("<");
    while (at >= 0) {
      at = xml.indexOf("<", this.#take(at));
    }
  }

  /** Processes the tag at an index, and returns an index after the tag. */
  #take(at: number): number {
    const xml = this.#xml;
    let end = at + 1;
    for (let code = xml.charCodeAt(end); code > 0x20 && code !== 0x3e; ) {
      end += 1;
      code = xml.charCodeAt(end);
      if (code === 0x2f) break;
    }
    switch (xml.slice(at + 1, end)) {
      case "w:p":
        return this.#beginParagraph(at);
      case "w:pPr":
        return this.#takeParagraphFormat(at);
      case "w:r":
        this.#runBegins = true;
        this.#place.fonts = null;
        return end;
      case "w:rPr":
        return this.#takeRunFormat(at, end);
      case "w:t":
      case "w:delText":
        return this.#takeText(at);
      case "w:sym":
        return this.#takeSymbol(at);
      case "m:t":
        return this.#takeFormula(at);
      case "w:txbxContent":
        return this.#beginBox(at, end);
      case "/w:txbxContent":
        this.#place = this.#outer.pop() ?? newPlace();
        return end;
      case "v:textpath":
        return this.#takeTextPath(at);
      default:
        return this.#takeTable(xml.slice(at + 1, end), at, end);
    }
  }

  #takeTable(name: string, at: number, end: number): number {
    const { tables } = this.#place;
    const table = tables.at(-1);
    switch (name) {
      case "w:tbl":
        tables.push(newTable());
        return end;
      case "/w:tbl":
        tables.pop();
        return end;
      case "w:tblStyle":
        if (table !== undefined) table.style = attributeOf(this.#tagAt(at), "w:val");
        return end;
      case "w:tblLook":
        if (table !== undefined) readLook(this.#tagAt(at), table);
        return end;
      case "w:tr":
        if (table !== undefined) {
          table.rows += 1;
          table.cells = 0;
        }
        return end;
      case "w:tc":
        if (table !== undefined) table.cells += 1;
        return end;
      default:
        return this.#skip(name, at, end);
    }
  }

  #skip(name: string, at: number, end: number): number {
    if (!name.startsWith("!")) return end;
    const xml = this.#xml;
    const close = xml.startsWith(COMMENT, at) ? "-->" : xml.startsWith(CDATA, at) ? "]]>" : ">";
    return placeOf(close, xml, at);
  }

  #beginParagraph(at: number): number {
    this.#place.paragraph = "";
    this.#place.style = null;
    this.#place.fonts = null;
    const end = endOfTag(this.#xml, at);
    if (!this.#xml.startsWith("<w:pPr", end + 1)) this.#addNumber();
    return end;
  }

  #takeParagraphFormat(at: number): number {
    const { content, end } = this.#elementAt(at, "</w:pPr>");
    this.#place.paragraph = content;
    this.#place.style = this.#surroundings.paragraphOf(content).style;
    this.#addNumber();
    return end;
  }

  #takeRunFormat(at: number, behind: number): number {
    if (!this.#runBegins) return behind;
    const { content, end } = this.#elementAt(at, "</w:rPr>");
    this.#place.fonts = this.#fontsOf(content);
    this.#runBegins = false;
    return end;
  }

  #takeText(at: number): number {
    const xml = this.#xml;
    const begin = endOfTag(xml, at);
    if (isEmptyTag(xml, begin)) return begin;
    const end = placeOf("<", xml, begin);
    this.#place.fonts ??= this.#fontsOf("");
    this.#runBegins = false;
    if (this.#place.fonts.hidden) return end;
    if (this.#entity < begin) this.#entity = placeOf("&", xml, begin);
    if (this.#entity < end) {
      this.use.add(unescapeXml(xml.slice(begin + 1, end)), this.#place.fonts);
    } else this.use.add(xml, this.#place.fonts, begin + 1, end);
    return end;
  }

  #takeSymbol(at: number): number {
    const tag = this.#tagAt(at);
    const family = attributeOf(tag, "w:font") ?? "";
    const codePoint = Number.parseInt(attributeOf(tag, "w:char") ?? "", 16);
    this.#place.fonts ??= this.#fontsOf("");
    this.#runBegins = false;
    const isCharacter = codePoint > 0 && codePoint <= 0x10ffff;
    if (isCharacter && !this.#place.fonts.hidden) this.#addSymbol(family, codePoint);
    return at + tag.length;
  }

  #addSymbol(family: string, codePoint: number): void {
    if (isSymbolFont(family) || isSymbolPlace(codePoint)) this.use.addSymbol(family, codePoint);
    else this.use.add(String.fromCodePoint(codePoint), oneFont(family));
  }

  /** Adds the characters of a formula without a font, because LibreOffice uses its own fonts for formulas. */
  #takeFormula(at: number): number {
    const { content, end } = this.#elementAt(at, "</m:t>");
    this.use.addCharacters(unescapeXml(content));
    return end;
  }

  /** Handles text along a path, as in watermarks. */
  #takeTextPath(at: number): number {
    const tag = this.#tagAt(at);
    const style = attributeOf(tag, "style") ?? "";
    const begin = style.indexOf("font-family:");
    const family = begin < 0 ? "" : (style.slice(begin + 12).split(";", 1)[0] ?? "");
    const name = family.replaceAll(/["']/g, "").trim();
    this.use.add(attributeOf(tag, "string") ?? "", oneFont(name));
    return at + tag.length;
  }

  /** Adds the list number of the paragraph, which is shown even if the paragraph has no text. */
  #addNumber(): void {
    const { paragraph } = this.#place;
    if (this.#numbered.has(paragraph)) return;
    this.#numbered.add(paragraph);
    const number = this.#surroundings.numberOf(paragraph);
    if (number === null || number.fonts.hidden) return;
    const { level, fonts } = number;
    if (level.numberFormat !== "bullet") {
      this.use.add(level.text.replaceAll(/%\d/g, digitOf(level.numberFormat)), fonts);
      return;
    }
    const family = fonts.latin ?? "";
    for (const character of level.text) this.#addSymbol(family, character.codePointAt(0) ?? 0);
  }

  #beginBox(at: number, end: number): number {
    if (isEmptyTag(this.#xml, endOfTag(this.#xml, at))) return end;
    this.#outer.push(this.#place);
    this.#place = newPlace();
    return end;
  }

  #fontsOf(format: string): RunFonts {
    const { style, tables } = this.#place;
    return this.#surroundings.fontsOf(format, style, tablePlace(tables.at(-1)));
  }

  #tagAt(at: number): string {
    return this.#xml.slice(at + 1, endOfTag(this.#xml, at));
  }

  #elementAt(at: number, close: string): { readonly content: string; readonly end: number } {
    const xml = this.#xml;
    const begin = endOfTag(xml, at);
    if (isEmptyTag(xml, begin) || this.#missing.has(close)) return { content: "", end: begin };
    const end = xml.indexOf(close, begin);
    if (end >= 0) return { content: xml.slice(begin + 1, end), end };
    this.#missing.add(close);
    return { content: "", end: begin };
  }
}

/** Returns the index of the next occurrence of a string; the length of the XML if there is none. */
function placeOf(text: string, xml: string, from: number): number {
  const place = xml.indexOf(text, from);
  return place < 0 ? xml.length : place;
}

function newPlace(): Place {
  return { paragraph: "", style: null, fonts: null, tables: [] };
}

function oneFont(family: string): { latin: string; asian: string; complex: string } {
  return { latin: family, asian: family, complex: family };
}

/** Returns a digit as a number format shows it. Formats that are not listed here use Latin letters and digits. */
function digitOf(numberFormat: string): string {
  if (
    /^(?:ideograph|chinese|japanese|korean|taiwanese|aiueo|iroha|decimalFullWidth)/.test(
      numberFormat,
    )
  ) {
    return "一";
  }
  if (numberFormat === "none") return "";
  return numberFormat.startsWith("hebrew") ? "א" : "1";
}
