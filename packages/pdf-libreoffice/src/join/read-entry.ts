import type { ArchiveEntry } from "@quire/ooxml/internal/package/archive";
import { type Numbering, readNumbering } from "./joined-numbering.ts";
import { readHeader, readMain } from "./read-story.ts";
import { refuse } from "./refusal.ts";
import {
  type ContentTypes,
  type Relation,
  readContentTypes,
  readRelations,
  relationsPartOf,
  targetOf,
  typeOf,
} from "./relationships.ts";
import type { Story, StoryReaders } from "./story.ts";
import { PICTURES } from "./whitelist.ts";
import { contentOf, sameContent } from "./zip.ts";

/** A document of a group, ready to be joined. */
export interface Entry {
  readonly parts: Parts;
  readonly types: ContentTypes;
  readonly main: StoryPart;
  /** The headers and footers of its sections, by relationship id. */
  readonly headers: ReadonlyMap<string, StoryPart>;
  readonly numbering: Numbering | null;
  readonly numberingPart: string | null;
  /** The names of the parts with its pictures. */
  readonly pictures: ReadonlySet<string>;
  /** The parts that other entries may lack, or may have with other content. */
  readonly own: ReadonlySet<string>;
  /** Whether the document shows its number of pages. */
  readonly countsPages: boolean;
  /** The numbers of its structural forms, see `formOf`. */
  readonly forms: ReadonlySet<number>;
}

/** The parts of a package by name. */
export type Parts = ReadonlyMap<string, ArchiveEntry>;

/** A story and the part that contains it. */
export interface StoryPart {
  readonly name: string;
  readonly story: Story;
  readonly relations: ReadonlyMap<string, Relation>;
}

export const CONTENT_TYPES_PART = "[Content_Types].xml";

/** The byte order mark that some programs write before UTF-8, one character per byte. */
const MARK = "\xef\xbb\xbf";

const NONE: ReadonlyMap<string, Relation> = new Map();

/** Reads parts. The result for a part of the first document is reused for all equal parts. */
export class PartReader {
  readonly #readers: StoryReaders;
  readonly #first = new Map<string, { readonly part: ArchiveEntry; readonly value: unknown }>();

  constructor(readers: StoryReaders) {
    this.#readers = readers;
  }

  /** Returns the result of `parse` for a part. Always pass the same function for parts with the same name. */
  read<T>(parts: Parts, name: string, parse: (xml: string, readers: StoryReaders) => T): T {
    const part = parts.get(name) ?? refuse("a part is missing");
    const first = this.#first.get(name);
    if (first !== undefined && sameContent(first.part, part)) return first.value as T;
    const xml = contentOf(part).toString("latin1");
    const value = parse(xml.startsWith(MARK) ? xml.slice(MARK.length) : xml, this.#readers);
    if (first === undefined) this.#first.set(name, { part, value });
    return value;
  }

  /** Returns the relationships of a part; empty if it has no relationships part. */
  relationsOf(parts: Parts, owner: string): ReadonlyMap<string, Relation> {
    const name = relationsPartOf(owner);
    if (!parts.has(name)) return NONE;
    return this.read(parts, name, (xml, { tags }) => readRelations(xml, tags));
  }
}

/** Reads a document. Refuses content that cannot be joined. */
export function readEntry(parts: Parts, reader: PartReader): Entry {
  const types = reader.read(parts, CONTENT_TYPES_PART, (xml, { tags }) =>
    readContentTypes(xml, tags),
  );
  const mainPart = partOfKind(reader.relationsOf(parts, ""), "", "officeDocument");
  if (mainPart === null) refuse("an unusual package");
  const main = {
    name: mainPart,
    story: reader.read(parts, mainPart, readMain),
    relations: reader.relationsOf(parts, mainPart),
  };
  const headers = readHeaders(parts, main, reader);
  const own = new Set([CONTENT_TYPES_PART]);
  const pictures = new Set<string>();
  const forms = new Set<number>();
  for (const story of [main, ...headers.values()]) {
    own.add(story.name).add(relationsPartOf(story.name));
    for (const form of story.story.forms) forms.add(form);
    for (const picture of picturesOf(story)) {
      pictures.add(picture);
      if (!PICTURES.has(typeOf(types, picture))) refuse("a picture that is not PNG, JPEG or GIF");
    }
  }
  for (const picture of pictures) own.add(picture);
  const numberingPart = partOfKind(main.relations, mainPart, "numbering");
  if (numberingPart !== null) own.add(numberingPart);
  const numbering =
    numberingPart === null
      ? null
      : reader.read(parts, numberingPart, (xml, { tags }) => readNumbering(xml, tags));
  const countsPages = [...headers.values()].some(({ story }) => story.countsPages);
  const all = { parts, types, main, headers, numbering, numberingPart, pictures, own };
  return { ...all, countsPages, forms };
}

function readHeaders(parts: Parts, main: StoryPart, reader: PartReader): Map<string, StoryPart> {
  const headers = new Map<string, StoryPart>();
  for (const { id, kind } of main.story.sections.flatMap(({ references }) => references)) {
    const relation = main.relations.get(id) ?? refuse("a missing relationship");
    if (kind !== `w:${relation.kind}Reference ${kind.split(" ")[1]}`) {
      refuse("a header reference to another kind of part");
    }
    const name = targetOf(main.name, relation);
    const story = reader.read(parts, name, readHeader);
    headers.set(id, { name, story, relations: reader.relationsOf(parts, name) });
  }
  return headers;
}

/** The kinds of relationships that an element may refer to. */
const KIND_OF: ReadonlyMap<string, string> = new Map([
  ["w:hyperlink", "hyperlink"],
  ["a:blip", "image"],
]);

/** Returns the parts with the pictures of a story. Refuses unexpected kinds of relationships. */
function picturesOf({ name, story, relations }: StoryPart): string[] {
  const pictures: string[] = [];
  for (const [id, element] of story.relations) {
    const relation = relations.get(id) ?? refuse("a missing relationship");
    const expected = KIND_OF.get(element);
    if (relation.kind !== expected || relation.external !== (expected === "hyperlink")) {
      refuse(`${element} with a relationship of another kind`);
    }
    if (expected === "image") pictures.push(targetOf(name, relation));
  }
  return pictures;
}

/** Returns the name of the related part of a kind, or null. Refuses more than one part. */
export function partOfKind(
  relations: ReadonlyMap<string, Relation>,
  owner: string,
  wanted: string,
): string | null {
  const [found, ...others] = [...relations.values()].filter(({ kind }) => kind === wanted);
  if (others.length > 0) refuse(`two parts of the kind ${wanted}`);
  return found === undefined ? null : targetOf(owner, found);
}
