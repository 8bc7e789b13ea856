import { checkEntry } from "./check-group.ts";
import { writeEnd } from "./entry-ends.ts";
import { JoinedPackage } from "./joined-package.ts";
import { endMark, startMark } from "./pdf/marks.ts";
import { type Entry, PartReader, readEntry } from "./read-entry.ts";
import { NotJoinable, refuse } from "./refusal.ts";
import { type Section, type StoryReference, writeSection } from "./sections.ts";
import { type Edit, type Story, storyReaders } from "./story.ts";
import type { Candidate } from "./trust.ts";
import { readZip } from "./zip.ts";

/** Why documents are not joined, as the rest of a sentence. Contains none of their text. */
export interface NotJoined {
  readonly reason: string;
}

/** A document that can be joined with others from the same {@link JoinReader}. */
export interface JoinableDocument extends Candidate {
  readonly entry: Entry;
}

/** Reads documents of one template. */
export interface JoinReader {
  /** Reads a docx that `Template.render` produced. */
  read(document: Uint8Array): JoinableDocument | NotJoined;
}

/** Creates a reader for one group. It caches parts that the documents have in common. */
export function joinReader(): JoinReader {
  const reader = new PartReader(storyReaders());
  let first: Entry | null = null;
  return {
    read: (document) =>
      orReason(() => {
        const entry = readEntry(readZip(document), reader);
        const mostPages = checkEntry(entry, first ?? entry, reader);
        first ??= entry;
        const { xml, cells } = entry.main.story;
        return { forms: entry.forms, length: xml.length, cells, mostPages, entry };
      }),
  };
}

/**
 * Joins documents from one reader into one docx, in order. Each document starts on a new page with the number 1,
 * numbers its own pages and lists, and has bookmarks at its start and end.
 */
export function joinRead(
  documents: readonly JoinableDocument[],
): { readonly bytes: Uint8Array } | NotJoined {
  return orReason(() => ({ bytes: join(documents.map(({ entry }) => entry)) }));
}

/** Joins documents of one template, or returns why they cannot be joined. */
export function joinDocuments(
  documents: readonly { readonly bytes: Uint8Array }[],
): { readonly bytes: Uint8Array } | NotJoined {
  const reader = joinReader();
  const read: JoinableDocument[] = [];
  for (const { bytes } of documents) {
    const document = reader.read(bytes);
    if ("reason" in document) return document;
    read.push(document);
  }
  return joinRead(read);
}

function orReason<T>(work: () => T): T | NotJoined {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotJoinable) return { reason: error.message };
    throw error;
  }
}

function join(entries: readonly Entry[]): Uint8Array {
  const first = entries[0] ?? refuse("there are no documents");
  const { xml, start } = first.main.story;
  const joined = new JoinedPackage(first);
  const shared = sharedKinds(entries, joined);
  const ids = { next: FIRST_ID };
  const pieces = [xml.slice(0, start)];
  for (const [index, entry] of entries.entries()) {
    const last = index === entries.length - 1;
    const inherited = index === 0 ? NONE : shared;
    new EntryWriter({ joined, entry, index, last, inherited, ids }).write(pieces);
  }
  return joined.write(`${pieces.join("")}</w:body></w:document>`);
}

/**
 * Returns the kinds of headers and footers that all entries share, if each entry has a single section. Only the first
 * section names these headers and footers, so LibreOffice reads them once. For letters with a letterhead, reading them
 * is most of its work.
 */
function sharedKinds(entries: readonly Entry[], joined: JoinedPackage): ReadonlySet<string> {
  const [first] = entries;
  const kinds = new Map(referencesOf(first).map(({ kind, id }) => [kind, id]));
  for (const entry of entries) {
    if (entry.main.story.sections.length > 1) return new Set();
    const own = new Map(referencesOf(entry).map(({ kind, id }) => [kind, id]));
    for (const [kind, id] of kinds) {
      const counts = entry.headers.get(id)?.story.countsPages ?? true;
      const shares = entry === first || joined.sharesHeader(entry, id);
      if (own.get(kind) !== id || counts || !shares) kinds.delete(kind);
    }
  }
  return new Set(kinds.keys());
}

function referencesOf(entry: Entry | undefined): readonly StoryReference[] {
  return entry?.main.story.sections[0]?.references ?? [];
}

const NONE: ReadonlySet<string> = new Set();

/** The ids of bookmarks are higher than this. Other programs do not use such high ids. */
const FIRST_ID = 1_000_000_000;

/** An entry and its position in the joined document. */
interface EntryPlace {
  readonly joined: JoinedPackage;
  readonly entry: Entry;
  readonly index: number;
  readonly last: boolean;
  /** The kinds of headers and footers that the entry's section inherits from the section before it. */
  readonly inherited: ReadonlySet<string>;
  /** The last assigned bookmark id. */
  readonly ids: { next: number };
}

/** Writes one entry into the joined document. */
class EntryWriter {
  readonly #joined: JoinedPackage;
  readonly #entry: Entry;
  readonly #index: number;
  readonly #last: boolean;
  readonly #inherited: ReadonlySet<string>;
  readonly #ids: { next: number };
  readonly #relations = new Map<string, string>();
  readonly #lists: (id: string) => string;
  /** Bookmarks that have started but not ended. */
  readonly #bookmarks = new Map<string, number>();

  constructor({ joined, entry, index, last, inherited, ids }: EntryPlace) {
    this.#joined = joined;
    this.#entry = entry;
    this.#index = index;
    this.#last = last;
    this.#inherited = inherited;
    this.#ids = ids;
    this.#lists = index === 0 ? (id) => id : joined.listsOf(entry.numbering);
  }

  write(pieces: string[]): void {
    const { story } = this.#entry.main;
    for (const piece of this.#piecesOf(story)) pieces.push(piece);
    if (this.#last) pieces.push(this.#finalSection());
    else if (!story.edits.some((edit) => edit.kind === "end" && edit.breaks)) {
      // LibreOffice does not show a paragraph that contains only the end of a section, unless the section starts with
      // a table.
      pieces.push(`<w:p><w:pPr>${this.#finalSection()}</w:pPr></w:p>`);
    }
  }

  /** Yields the XML of a story. A header keeps its relationship ids, because its relationships are copied unchanged. */
  *#piecesOf(story: Story, { inHeader = false } = {}): Generator<string> {
    let at = story.start;
    for (const edit of story.edits) {
      yield story.xml.slice(at, edit.start);
      yield inHeader && edit.kind === "relation" ? edit.id : this.#edited(edit);
      at = edit.end;
    }
    yield story.xml.slice(at, story.end);
  }

  #edited(edit: Edit): string {
    switch (edit.kind) {
      case "bookmark":
        return this.#bookmark(edit.starts, edit.id);
      case "relation":
        return this.#relation(edit.id);
      case "list":
        return this.#lists(edit.id);
      case "section":
        return this.#section(edit.index);
      case "start":
        return writeEnd(edit, null, this.#mark(startMark(this.#index)));
      case "end":
        return this.#end(edit);
      case "page count":
        return ` PAGEREF ${endMark(this.#index)} `;
    }
  }

  #section(index: number): string {
    const section: Section = this.#entry.main.story.sections[index] ?? refuse("a missing section");
    return writeSection(section, {
      first: index === 0,
      inherited: this.#inherited,
      idOf: (id) => this.#relation(id),
    });
  }

  #relation(id: string): string {
    const known = this.#relations.get(id);
    if (known !== undefined) return known;
    const given = this.#carry(id);
    this.#relations.set(id, given);
    return given;
  }

  #carry(id: string): string {
    const header = this.#entry.headers.get(id);
    if (header === undefined) {
      return this.#index === 0 ? id : this.#joined.addRelation(this.#entry, id);
    }
    const { story, name } = header;
    const shared = this.#index === 0 || this.#joined.sharesHeader(this.#entry, id);
    if (shared && !story.countsPages) return id;
    const pieces = [...this.#piecesOf(story, { inHeader: true })].join("");
    const xml = story.xml.slice(0, story.start) + pieces + story.xml.slice(story.end);
    if (this.#index === 0) {
      this.#joined.replace(name, xml);
      return id;
    }
    const { kind } = this.#entry.main.relations.get(id) ?? refuse("a missing header");
    return this.#joined.addHeader(this.#entry, header, kind, xml);
  }

  #bookmark(starts: boolean, id: string): string {
    if (!starts) return `<w:bookmarkEnd w:id="${this.#bookmarks.get(id)}"/>`;
    const given = this.#nextId();
    this.#bookmarks.set(id, given);
    return `<w:bookmarkStart w:id="${given}" w:name="quire${given}"/>`;
  }

  #end(edit: Edit & { readonly kind: "end" }): string {
    const section = edit.breaks && !this.#last ? this.#finalSection() : null;
    // The bookmark at the end is needed only for page counts.
    const mark = this.#entry.countsPages ? this.#mark(endMark(this.#index)) : "";
    return writeEnd(edit, section, mark);
  }

  #finalSection(): string {
    return this.#section(this.#entry.main.story.sections.length - 1);
  }

  #mark(name: string): string {
    const id = this.#nextId();
    return `<w:bookmarkStart w:id="${id}" w:name="${name}"/><w:bookmarkEnd w:id="${id}"/>`;
  }

  #nextId(): number {
    this.#ids.next += 1;
    return this.#ids.next;
  }
}
