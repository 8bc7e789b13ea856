import {
  type FontName,
  NO_PARAGRAPH,
  type ParagraphFormat,
  type RunFormat,
  readParagraphFormat,
  readRunFormat,
} from "./formats.ts";
import { type ListLevel, type Lists, levelOf } from "./list-levels.ts";
import { chainOf, paragraphStyle, type Style, type StyleSheet } from "./style-sheet.ts";
import type { TextFonts } from "./text-use.ts";
import type { ThemeFonts } from "./theme-fonts.ts";

/** The position of text in a table. */
export interface TablePlace {
  readonly style: string | null;
  /** Whether the style's format for the first row, or the first column, applies here. */
  readonly firstRow: boolean;
  readonly firstColumn: boolean;
}

/** The fonts of a run. They are not relevant if the run is hidden. */
export interface RunFonts extends TextFonts {
  readonly hidden: boolean;
}

/** The number or bullet of a list paragraph. */
export interface ListNumber {
  readonly level: ListLevel;
  readonly fonts: RunFonts;
}

/** Limits of the caches. A document that exceeds them was designed to fill the memory. */
const KEPT = 500;
const LONGEST_KEY = 1_000;

/**
 * The styles, theme and lists that all text of a document shares. Documents of one template also share them, so results
 * are cached by the XML of the format of a run or paragraph.
 */
export class Surroundings {
  readonly #sheet: StyleSheet;
  readonly #theme: ThemeFonts;
  readonly #lists: Lists;
  readonly #runs = new Map<string, RunFonts>();
  readonly #paragraphs = new Map<string, ParagraphFormat>();
  readonly #numbers = new Map<string, ListNumber | null>();

  constructor(sheet: StyleSheet, theme: ThemeFonts, lists: Lists) {
    this.#sheet = sheet;
    this.#theme = theme;
    this.#lists = lists;
  }

  /** Reads the content of a `w:pPr`. */
  paragraphOf(xml: string): ParagraphFormat {
    return remembered(this.#paragraphs, xml, () =>
      xml === "" ? NO_PARAGRAPH : readParagraphFormat(xml),
    );
  }

  /** Returns the fonts of a run. `xml` is the content of its `w:rPr`. */
  fontsOf(xml: string, paragraph: string | null, table: TablePlace | null): RunFonts {
    const key = `${table === null ? "" : tableKey(table)}\n${paragraph ?? ""}\n${xml}`;
    return remembered(this.#runs, key, () => this.#resolve(readRunFormat(xml), paragraph, table));
  }

  /** Returns the number or bullet of a paragraph; null if it is not in a list. `xml` is the content of its `w:pPr`. */
  numberOf(xml: string): ListNumber | null {
    return remembered(this.#numbers, xml, () => {
      const { style, mark, list } = this.paragraphOf(xml);
      const styles = chainOf(this.#sheet, paragraphStyle(this.#sheet, style));
      const level = levelOf(this.#lists, this.#sheet, list, styles);
      if (level === null) return null;
      const formats = [level.format, ...this.#characterFormats(level.format)];
      return { level, fonts: this.#resolve(mark, style, null, formats) };
    });
  }

  #resolve(
    own: RunFormat,
    paragraph: string | null,
    table: TablePlace | null,
    nearer: readonly RunFormat[] = [],
  ): RunFonts {
    const formats = [
      ...nearer,
      own,
      ...this.#characterFormats(own),
      ...formatsOf(chainOf(this.#sheet, paragraphStyle(this.#sheet, paragraph))),
      ...this.#tableFormats(table),
      this.#sheet.defaults,
    ];
    const named = (slot: "latin" | "asian" | "complex"): string | null =>
      this.#nameOf(formats.find((format) => format[slot] !== null)?.[slot] ?? null);
    return {
      latin: named("latin"),
      asian: named("asian"),
      complex: named("complex"),
      hidden: formats.find(({ hidden }) => hidden !== null)?.hidden ?? false,
    };
  }

  #characterFormats({ style }: RunFormat): RunFormat[] {
    const found = style === null ? undefined : this.#sheet.styles.get(style);
    return found?.type === "character" ? formatsOf(chainOf(this.#sheet, found)) : [];
  }

  #tableFormats(table: TablePlace | null): RunFormat[] {
    if (table === null || table.style === null) return [];
    const chain = chainOf(this.#sheet, this.#sheet.styles.get(table.style));
    return [
      ...(table.firstRow ? chain.map(({ firstRow }) => firstRow) : []),
      ...(table.firstColumn ? chain.map(({ firstColumn }) => firstColumn) : []),
      ...formatsOf(chain),
    ];
  }

  #nameOf(font: FontName | null): string | null {
    if (font === null) return null;
    const byTheme = font.theme === null ? null : this.#theme(font.theme);
    return byTheme || font.name || null;
  }
}

function formatsOf(chain: readonly Style[]): RunFormat[] {
  return chain.map(({ format }) => format);
}

function tableKey({ style, firstRow, firstColumn }: TablePlace): string {
  return `${firstRow ? "r" : ""}${firstColumn ? "c" : ""} ${style ?? ""}`;
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  // Copies the key, because a substring would keep the whole XML in memory.
  if (known.size < KEPT && key.length <= LONGEST_KEY) known.set(Buffer.from(key).toString(), made);
  return made;
}
