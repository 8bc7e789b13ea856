import type { ArchiveEntry } from "@quire/ooxml/internal/package/archive";
import { ZipPlan } from "@quire/ooxml/internal/package/zip";
import { JoinedNumbering, type Numbering } from "./joined-numbering.ts";
import { CONTENT_TYPES_PART, type Entry, type StoryPart } from "./read-entry.ts";
import { refuse } from "./refusal.ts";
import {
  type Relation,
  relationsPartOf,
  targetOf,
  typeOf,
  writeRelation,
  writeRelations,
} from "./relationships.ts";
import { contentOf, sameContent, storedPart } from "./zip.ts";

const STORY_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.";

/** The package of the joined document: the first document's package plus the other documents' own parts. */
export class JoinedPackage {
  readonly #first: Entry;
  readonly #parts: Map<string, ArchiveEntry>;
  readonly #numbering: JoinedNumbering | null;
  /** Additions to the relationships of the main part and to the content types. */
  readonly #relations: string[] = [];
  readonly #types: string[] = [];
  /** The pictures by checksum. */
  readonly #pictures = new Map<number, ArchiveEntry[]>();
  #added = 0;

  constructor(first: Entry) {
    this.#first = first;
    this.#parts = new Map(first.parts);
    this.#numbering = first.numbering === null ? null : new JoinedNumbering(first.numbering);
    for (const name of first.pictures) this.#keep(partOf(first, name));
  }

  /** Returns the package with `main` as the XML of its main part, one character per byte. */
  write(main: string): Uint8Array {
    const { main: own, numberingPart } = this.#first;
    this.replace(own.name, main);
    const lists = this.#numbering?.write() ?? null;
    if (lists !== null && numberingPart !== null) this.replace(numberingPart, lists);
    this.#append(relationsPartOf(own.name), "</Relationships>", this.#relations);
    this.#append(CONTENT_TYPES_PART, "</Types>", this.#types);
    return new ZipPlan([...this.#parts.values()]).write([]);
  }

  /** Replaces the content of a part of the first document. */
  replace(name: string, xml: string): void {
    this.#parts.set(name, storedPart(name, Buffer.from(xml, "latin1")));
  }

  /** Maps the list ids of an entry to new ids in the joined document. Call this once for each entry. */
  listsOf(numbering: Numbering | null): (id: string) => string {
    if (this.#numbering === null || numbering === null)
      return () => refuse("a list without list definitions");
    return this.#numbering.ofEntry(numbering);
  }

  /** Copies a header or footer with this XML. Returns the id of its relationship. */
  addHeader(
    entry: Entry,
    { name, story, relations }: StoryPart,
    kind: string,
    xml: string,
  ): string {
    const part = this.#newPart(name, `joined-${kind}`);
    this.replace(part, xml);
    this.#types.push(override(part, `${STORY_TYPE}${kind}+xml`));
    const own: [string, Relation][] = [];
    for (const id of story.relations.keys()) {
      const relation = relations.get(id) ?? refuse("a missing relationship");
      own.push([id, this.#carried(entry, name, relation)]);
    }
    if (own.length > 0) this.replace(relationsPartOf(part), writeRelations(own));
    return this.#newRelation({ kind, target: `/${part}`, external: false });
  }

  /** Copies a link or picture of the main part. Returns the id of its relationship. */
  addRelation(entry: Entry, id: string): string {
    const { main } = this.#first;
    const relation = entry.main.relations.get(id) ?? refuse("a missing relationship");
    const carried = this.#carried(entry, entry.main.name, relation);
    const own = main.relations.get(id);
    if (own !== undefined && own.kind === carried.kind && own.external === carried.external) {
      const same = own.external
        ? own.target === carried.target
        : targetOf(main.name, own) === targetOf(main.name, carried);
      if (same) return id;
    }
    return this.#newRelation(carried);
  }

  /** Whether an entry and the first entry can share the header with this relationship id. */
  sharesHeader(entry: Entry, id: string): boolean {
    const [own, first] = [entry.headers.get(id), this.#first.headers.get(id)];
    if (own === undefined || first === undefined || own.name !== first.name) return false;
    // Equal parts were read once, so they are the same object.
    if (own.story !== first.story || own.relations !== first.relations) return false;
    return [...own.story.relations.keys()].every((each) => {
      const relation = own.relations.get(each) ?? refuse("a missing relationship");
      if (relation.external) return true;
      const picture = targetOf(own.name, relation);
      return sameContent(partOf(entry, picture), partOf(this.#first, picture));
    });
  }

  /** Translates an entry's relationship for this package, and adds its picture to the package. Links do not change. */
  #carried(entry: Entry, owner: string, relation: Relation): Relation {
    if (relation.external) return relation;
    const name = targetOf(owner, relation);
    return {
      ...relation,
      target: `/${this.#picture(partOf(entry, name), typeOf(entry.types, name))}`,
    };
  }

  #picture(part: ArchiveEntry, type: string): string {
    const same = this.#pictures.get(part.crc32)?.find((other) => sameContent(part, other));
    if (same !== undefined) return same.name;
    const name = this.#newPart(part.name, "joined-picture");
    const kept = { ...part, name };
    this.#parts.set(name, kept);
    this.#types.push(override(name, type));
    this.#keep(kept);
    return name;
  }

  #keep(picture: ArchiveEntry): void {
    this.#pictures.set(picture.crc32, [...(this.#pictures.get(picture.crc32) ?? []), picture]);
  }

  /** Returns a name for a new part in the folder of the part `beside`. */
  #newPart(beside: string, stem: string): string {
    this.#added += 1;
    const folder = beside.slice(0, beside.lastIndexOf("/") + 1);
    const name = `${folder}${stem}-${this.#added}${beside.slice(beside.lastIndexOf("."))}`;
    return this.#parts.has(name) ? refuse("parts with unusual names") : name;
  }

  #newRelation(relation: Relation): string {
    this.#added += 1;
    const id = `quireJoined${this.#added}`;
    if (this.#first.main.relations.has(id)) refuse("relationships with unusual ids");
    this.#relations.push(writeRelation(id, relation));
    return id;
  }

  #append(name: string, closing: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const xml = contentOf(partOf(this.#first, name)).toString("latin1");
    const at = xml.lastIndexOf(closing);
    if (at === -1) refuse("unusual XML syntax");
    this.replace(name, xml.slice(0, at) + lines.join("") + xml.slice(at));
  }
}

function partOf({ parts }: Entry, name: string): ArchiveEntry {
  return parts.get(name) ?? refuse("a part is missing");
}

function override(part: string, type: string): string {
  return `<Override PartName="/${part}" ContentType="${type}"/>`;
}
