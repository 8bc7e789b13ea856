import type { Docx } from "@quire/core/docx";
import { NO_LISTS, readLists } from "./numbering.ts";
import { createPartCache, type PartCache, type StoredPart } from "./part-cache.ts";
import { scanStory } from "./scan-story.ts";
import { NO_STYLES, readStyleSheet } from "./style-sheet.ts";
import { Surroundings } from "./surroundings.ts";
import { TextUse } from "./text-use.ts";
import { readThemeFonts, readThemeLanguages } from "./theme-fonts.ts";
import { attributeOf, elementsIn, withWordPrefix } from "./xml.ts";

/** What a document needs of fonts. Plain data. */
export interface FontNeeds {
  /** Families in which a text stands, as LibreOffice asks for them. */
  readonly families: readonly FamilyNeed[];
  /** Characters that are to be seen, in ascending order. */
  readonly codePoints: readonly number[];
  /** Characters of fonts of symbols, which mean nothing in another font. */
  readonly symbols: readonly SymbolNeed[];
  /** Families that the document brings with it. */
  readonly embedded: readonly string[];
}

/** A family that a text asks for. */
export interface FamilyNeed {
  /** As it is written. */
  readonly family: string;
  /** A character that stands in it. */
  readonly sample: number;
}

/** What a document needs of a font of symbols. */
export interface SymbolNeed {
  readonly family: string;
  /** In ascending order; U+F020 to U+F0FF for most. */
  readonly codePoints: readonly number[];
}

/** What is read of a document; `entries`, where there are any, tell equal parts without inflating them. */
export type FontSource = Pick<Docx, "mainPart" | "readText" | "relationshipsOf" | "partByKind"> & {
  readonly entries?: readonly StoredPart[];
};

/** Kinds of relationships of the main part whose targets are printed. */
const STORY_KINDS: ReadonlySet<string> = new Set(["header", "footer", "footnotes", "endnotes"]);

const SURROUNDING_KINDS = ["styles", "theme", "settings", "numbering", "fontTable"] as const;

/** No text of JavaScript is longer, and LibreOffice converts no such document. */
const LONGEST_PART = 2 ** 29 - 25;

/** What the parts say that all documents of a template share. */
interface Common {
  readonly surroundings: Surroundings;
  readonly embedded: readonly string[];
  /** What headers, footers and notes need in these surroundings: many are the same in each document. */
  readonly stories: PartCache<TextUse>;
}

const COMMONS = createPartCache<Common>({ entries: 16, bytes: 1024 * 1024 });
const STORIES = { entries: 16, bytes: 64 * 1024 };

/**
 * Which fonts a document asks for, and for which characters. Shapes of DrawingML, charts, pictures and
 * embedded objects are not looked at. What the parts of a template say is remembered over documents.
 */
export function fontNeedsOf(document: FontSource): FontNeeds {
  const stored = new Map(document.entries?.map((entry) => [entry.name, entry]));
  const { surroundings, embedded, stories } = commonOf(document, stored);
  const use = new TextUse();
  for (const part of storiesOf(document)) {
    const entry = stored.get(part);
    if (entry !== undefined && entry.size > LONGEST_PART) continue;
    const scan = (): TextUse => scanStory(withWordPrefix(document.readText(part)), surroundings);
    // The main part is another one in each document.
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
 * Whether a document may bring fonts with it. LibreOffice keeps them for all documents that follow: another
 * one in a font of that name would be shown in it.
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
