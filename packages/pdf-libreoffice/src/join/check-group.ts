import { counts, type Numbering, sameList } from "./joined-numbering.ts";
import { type Entry, type PartReader, partOfKind, type StoryPart } from "./read-entry.ts";
import { refuse } from "./refusal.ts";
import { OWN_KINDS } from "./relationships.ts";
import { checkSettings } from "./settings.ts";
import { readStyles, type Style } from "./styles.ts";
import { sameContent } from "./zip.ts";

/** Up to this number of pages, an entry with tables was always laid out in the same way (measured). */
const PAGES_OF_TABLES = 4;

/**
 * Refuses an entry that cannot be joined with the first entry of its group. Both may be the same entry. Returns the
 * number of pages up to which the entry is trusted. LibreOffice starts with a guess at the page breaks, which depends
 * on the preceding content. Different guesses do not always lead to the same result. This happens with rows that are
 * kept together or repeat on each page, with large tables, and with borders or a background of paragraphs that continue
 * on the next page.
 */
export function checkEntry(entry: Entry, first: Entry, reader: PartReader): number {
  checkParts(entry, first);
  checkRelations(entry, first);
  checkHeaders(entry, first);
  const { parts, main } = entry;
  const settings = partOfKind(main.relations, main.name, "settings");
  if (settings !== null) {
    reader.read(parts, settings, (xml, { tags }) => checkSettings(xml, tags));
  }
  const styles = stylesOf(entry, [main, ...entry.headers.values()], reader);
  checkLists(entry, first, styles);
  const { tables, keeps, borders } = main.story;
  const own = stylesOf(entry, [main], reader);
  if (borders || own.some((style) => style.borders)) return 1;
  if (tables === 0) return Number.POSITIVE_INFINITY;
  return keeps || own.some((style) => style.keeps) ? 1 : PAGES_OF_TABLES;
}

/** Checks that shared parts are the same in each entry: styles, settings, themes, fonts, properties. */
function checkParts(entry: Entry, first: Entry): void {
  if (entry === first) return;
  for (const [name, part] of entry.parts) {
    if (entry.own.has(name)) continue;
    const other = first.parts.get(name);
    if (other === undefined || !sameContent(part, other)) refuse("parts that differ");
  }
  for (const name of first.parts.keys()) {
    if (!first.own.has(name) && !entry.parts.has(name)) refuse("parts that differ");
  }
  if (entry.main.name !== first.main.name) refuse("parts that differ");
  const rootOf = ({ main }: Entry): string => main.story.xml.slice(0, main.story.start);
  if (rootOf(entry) !== rootOf(first)) refuse("parts that differ");
}

/** Checks that relationships are the same if their kind is not copied into the joined document. */
function checkRelations(entry: Entry, first: Entry): void {
  if (entry.main.relations === first.main.relations) return;
  const shared = ({ main }: Entry): string =>
    [...main.relations.values()]
      .filter(({ kind }) => !OWN_KINDS.has(kind))
      .map(({ kind, target }) => `${kind} ${target}`)
      .toSorted()
      .join("\n");
  if (shared(entry) !== shared(first)) refuse("parts that differ");
}

/**
 * Checks that the first section of each entry names every kind of header that an earlier entry may have named. A
 * section without a header inherits the header of the section before it.
 */
function checkHeaders({ main }: Entry, first: Entry): void {
  const kindsOf = (entry: Entry["main"]): string[][] =>
    entry.story.sections.map(({ references }) => references.map(({ kind }) => kind).toSorted());
  const [own = [], ...others] = kindsOf(main);
  const [expected = []] = kindsOf(first.main);
  if (new Set(own).size < own.length) refuse("a section with two headers of one kind");
  if (own.join() !== expected.join()) refuse("sections with different kinds of headers");
  if (others.flat().some((kind) => !own.includes(kind))) {
    refuse("sections with different kinds of headers");
  }
}

/** Returns the styles that an entry uses. */
function stylesOf(
  { parts, main }: Entry,
  stories: readonly StoryPart[],
  reader: PartReader,
): readonly Style[] {
  const name = partOfKind(main.relations, main.name, "styles");
  if (name === null) return [];
  const styles = reader.read(parts, name, (xml, { tags }) => readStyles(xml, tags));
  return styles.usedBy(stories.flatMap(({ story }) => [...story.styles]));
}

function checkLists(entry: Entry, first: Entry, styles: readonly Style[]): void {
  const { main, headers, numbering } = entry;
  for (const { story } of headers.values()) {
    if (story.edits.some(({ kind }) => kind === "list")) refuse("a list in a header");
  }
  for (const edit of main.story.edits) {
    if (edit.kind !== "list") continue;
    if (numbering === null || first.numbering === null) refuse("a list without list definitions");
    counts(numbering, edit.id);
  }
  for (const { lists, framed } of styles) {
    if (framed) refuse("a style with a frame");
    for (const id of lists) checkStyleList(id, numbering, first.numbering);
  }
}

/** Checks that a list that a style defines is not numbered, because all entries share such lists. */
function checkStyleList(id: string, own: Numbering | null, base: Numbering | null): void {
  if (own === null || base === null || !own.lists.has(id)) return;
  if (counts(own, id) || !sameList(own, base, id)) refuse("a list defined by a style");
}
