import type { Docx } from "@quire/ooxml";
import { NO_LISTS, readLists } from "./list-levels.ts";
import { createPartCache, type PartCache, type StoredPart } from "./part-cache.ts";
import { scanStory } from "./scan-story.ts";
import { NO_STYLES, readStyleSheet } from "./style-sheet.ts";
import { Surroundings } from "./surroundings.ts";
import { TextUse } from "./text-use.ts";
import { readThemeFonts, readThemeLanguages } from "./theme-fonts.ts";
import { attributeOf, elementsIn, withWordPrefix } from "./xml.ts";

/** The fonts and characters that a document needs. Plain data. */
export interface FontNeeds {
  /** Families that the document's text uses, as LibreOffice requests them. */
  readonly families: readonly FamilyNeed[];
  /** Visible characters, in ascending order. */
  readonly codePoints: readonly number[];
  /** Characters of symbol fonts, which have no meaning in another font. */
  readonly symbols: readonly SymbolNeed[];
  /** Families that are embedded in the document. */
  readonly embedded: readonly string[];
}

/** A family that the document's text requests. */
export interface FamilyNeed {
  /** As written in the document. */
  readonly family: string;
  /** A character that uses the family. */
  readonly sample: number;
}

/** The characters that a document needs from a symbol font. */
export interface SymbolNeed {
  readonly family: string;
  /** In ascending order; usually U+F020 to U+F0FF. */
  readonly codePoints: readonly number[];
}

/** The document to read. `entries`, if present, make it possible to recognize equal parts without inflating them. */
export type FontSource = Pick<Docx, "mainPart" | "readText" | "relationshipsOf" | "partByKind"> & {
  readonly entries?: readonly StoredPart[];
};

/** Kinds of relationships of the main part whose targets are printed. */
const STORY_KINDS: ReadonlySet<string> = new Set(["header", "footer", "footnotes", "endnotes"]);

const SURROUNDING_KINDS = ["styles", "theme", "settings", "numbering", "fontTable"] as const;

/** The maximum length of a JavaScript string. LibreOffice does not convert documents with longer parts. */
const LONGEST_PART = 2 ** 29 - 25;

/** Data from the parts that all documents of a template share. */
interface Common {
  readonly surroundings: Surroundings;
  readonly embedded: readonly string[];
  /**
   * The fonts and characters that headers, footers and notes use in these surroundings. Cached, because many of these
   * parts are the same in each document.
   */
  readonly stories: PartCache<TextUse>;
}

const COMMONS = createPartCache<Common>({ entries: 16, bytes: 1024 * 1024 });
const STORIES = { entries: 16, bytes: 64 * 1024 };

/**
 * Finds the fonts that a document requests and the characters that it needs. Ignores pictures, embedded objects, and
 * text in DrawingML, such as in charts. Caches results from a template's parts for later documents.
 */
export function fontNeedsOf(document: FontSource): FontNeeds {
  const stored = new Map(document.entries?.map((entry) => [entry.name, entry]));
  const { surroundings, embedded, stories } = commonOf(document, stored);
  const use = new TextUse();
  for (const part of storiesOf(document)) {
    const entry = stored.get(part);
    if (entry !== undefined && entry.size > LONGEST_PART) continue;
    const scan = (): TextUse => scanStory(withWordPrefix(document.readText(part)), surroundings);
    // The main part differs from document to document.
    const isShared = part !== document.mainPart && entry !== undefined;
    use.addAll(isShared ? stories.get("story", [entry], scan) : scan());
  }
  return {
    families: [...use.families].map(([family, sample]) => ({ family, sample })),
    codePoints: use.codePoints().sort(ascending),
    symbols: [...use.symbols].map(([family, codePoints]) => ({
      family,
      codePoints: [...codePoints].sort(ascending),
    })),
    embedded,
  };
}

/**
 * Whether a document may embed fonts. LibreOffice keeps embedded fonts for all later documents, so another document
 * would use them wherever it names such a font.
 */
export function embedsFonts(document: Pick<Docx, "mainPart" | "relationshipsOf">): boolean {
  return document
    .relationshipsOf(document.mainPart)
    .some(
      ({ kind, part }) =>
        part !== null &&
        kind.toLowerCase() === "fonttable" &&
        document.relationshipsOf(part).length > 0,
    );
}

function storiesOf(document: FontSource): Set<string> {
  const stories = document
    .relationshipsOf(document.mainPart)
    .flatMap(({ kind, part }) => (part !== null && STORY_KINDS.has(kind) ? [part] : []));
  return new Set([document.mainPart, ...stories]);
}

function commonOf(document: FontSource, stored: ReadonlyMap<string, StoredPart>): Common {
  const kinds = SURROUNDING_KINDS.filter((kind) => document.partByKind(kind) !== null);
  const parts = kinds.flatMap((kind) => stored.get(document.partByKind(kind) ?? "") ?? []);
  const read = (): Common => readCommon(document);
  return parts.length < kinds.length ? read() : COMMONS.get(kinds.join(" "), parts, read);
}

function readCommon(document: FontSource): Common {
  const read = (kind: string): string | null => {
    const part = document.partByKind(kind);
    return part === null ? null : document.readText(part);
  };
  const styles = read("styles");
  const lists = read("numbering");
  const theme = readThemeFonts(read("theme") ?? "", readThemeLanguages(read("settings") ?? ""));
  return {
    surroundings: new Surroundings(
      styles === null ? NO_STYLES : readStyleSheet(styles),
      theme,
      lists === null ? NO_LISTS : readLists(lists),
    ),
    embedded: embeddedIn(read("fontTable") ?? ""),
    stories: createPartCache(STORIES),
  };
}

function embeddedIn(fontTable: string): string[] {
  return [...elementsIn(withWordPrefix(fontTable), "w:font")].flatMap(({ tag, content }) =>
    content.includes("<w:embed") ? [attributeOf(tag, "w:name") ?? ""] : [],
  );
}

function ascending(one: number, other: number): number {
  return one - other;
}
