import { relationshipsPartOf } from "@quire/ooxml/internal/package/relationships";
import type { PartContent } from "@quire/ooxml/internal/write";
import type { TextStyles } from "../fit/text-styles.ts";
import type { CopyPlan } from "../program/copy-plan.ts";
import type { NoteKind } from "../program/numbered.ts";
import { type NumberingPart, NumberingWriter } from "../program/numbering-part.ts";
import type { ListFacts } from "../program/paragraph-lists.ts";
import type { PartGraph } from "../program/part-graph.ts";
import { SequenceNumbers } from "../program/sequence-numbers.ts";
import type { Spend } from "../values/budget.ts";
import type { ImageValue } from "../values/image/read-image.ts";
import { itemKeys } from "./evaluate/context/item-keys.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import { Bookmarks } from "./references/bookmarks.ts";
import { NeededParts } from "./references/needed-parts.ts";
import {
  overrideXml,
  relationshipsXml,
  type TemplateRelationship,
  targetFrom,
  withoutTypes,
  withTypes,
} from "./references/package-lists.ts";
import { PartCopies } from "./references/part-copies.ts";

/** What rendering needs to know about a template in addition to its programs. Every document uses the same object. */
export interface PackageFacts {
  readonly mainPart: string;
  /** The main part and all parts with running text. */
  readonly stories: ReadonlySet<string>;
  /** The headers and footers. */
  readonly headers: ReadonlySet<string>;
  readonly graph: PartGraph;
  /** How to copy the parts that each repetition of a loop shows with other values, by these parts. */
  readonly plans: ReadonlyMap<string, CopyPlan>;
  /** Returns the relationships of a part. */
  readonly relationshipsOf: (part: string) => readonly TemplateRelationship[];
  /** The parts whose relationships are the same in every document, but differ from those in the template. */
  readonly settled: ReadonlySet<string>;
  readonly contentTypes: string;
  readonly numbering: NumberingPart;
  readonly lists: Pick<ListFacts, "ofStyle" | "indentsOf" | "counts">;
  /** Returns the id of the style with this name in any case, or null. Word ignores case in built-in names. */
  readonly styleId: (name: string, type: "paragraph" | "character" | "table") => string | null;
  /** Returns the names and the ids of all styles of a type. */
  readonly stylesOf: (
    type: "paragraph" | "character",
  ) => readonly { readonly name: string; readonly id: string }[];
  /** The default size of text, in half points, or null if the template does not define it. */
  readonly fontSize: number | null;
  /** Returns the formats of the template's styles. */
  readonly textStyles: () => TextStyles;
  /** The highest ids of the template's drawings, and of its marks, such as bookmarks and tracked changes. */
  readonly maxDrawingId: number;
  readonly maxMarkId: number;
  /** The ids of notes to which nothing refers, such as the separator line above the notes. */
  readonly specialNotes: ReadonlySet<number>;
  /** The names of the template's bookmarks, in lowercase: Word ignores case. */
  readonly bookmarks: ReadonlySet<string>;
  /** Whether the package has a part with this name, in any case. */
  readonly hasPart: (name: string) => boolean;
}

const NUMBERING = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
/** A note for one reference, with its own number and the data at that reference. */
export interface NoteUse {
  readonly original: number;
  readonly id: number;
  readonly scope: Scope | null;
}

/** Everything that rendering one document adds to the parts of the template. */
export class Output {
  readonly facts: PackageFacts;
  readonly bookmarks: Bookmarks;
  readonly needed: NeededParts;
  readonly sequences = new SequenceNumbers();
  /** Whether a value added elements that may be deeply nested. */
  nested = false;
  // Created at first use, because most documents add nothing, and many documents are written.
  #numbering: NumberingWriter | null = null;
  #copies: PartCopies<Scope> | null = null;
  #notes: Readonly<Record<NoteKind, NoteUse[]>> | null = null;
  #relationships: Map<string, Map<string, TemplateRelationship>> | null = null;
  /** The ids of all relationships, by part. */
  #taken: Map<string, Set<string>> | null = null;
  #media: Map<string, { readonly name: string; readonly bytes: Uint8Array }> | null = null;
  #done: Set<string> | null = null;
  #comments: Set<number> | null = null;
  #drawings: number;
  #marks: number;

  constructor(facts: PackageFacts) {
    this.facts = facts;
    this.bookmarks = new Bookmarks(facts.bookmarks, itemKeys());
    this.needed = new NeededParts(facts.graph);
    this.#drawings = facts.maxDrawingId;
    this.#marks = facts.maxMarkId;
  }

  get numbering(): NumberingWriter {
    this.#numbering ??= new NumberingWriter(this.facts.numbering);
    return this.#numbering;
  }

  get notes(): Readonly<Record<NoteKind, NoteUse[]>> {
    this.#notes ??= { footnote: [], endnote: [], comment: [] };
    return this.#notes;
  }

  get copies(): PartCopies<Scope> {
    this.#copies ??= new PartCopies(this.facts);
    return this.#copies;
  }

  /** Whether this is the first call with this key. */
  isFirst(key: string): boolean {
    this.#done ??= new Set();
    if (this.#done.has(key)) return false;
    this.#done.add(key);
    return true;
  }

  /** The number of written items that may occur only once. */
  get onceWritten(): number {
    return this.#done?.size ?? 0;
  }

  /** Forgets all but the first `count` of these items, after the others were rolled back. */
  forgetOnce(count: number): void {
    for (const key of [...(this.#done ?? [])].slice(count)) this.#done?.delete(key);
  }

  nextDrawing(): number {
    this.#drawings += 1;
    return this.#drawings;
  }

  nextMark(): number {
    this.#marks += 1;
    return this.#marks;
  }

  /**
   * Records a note for a reference. Returns the number that both get. It is greater than the previous number, because
   * LibreOffice assigns notes to references in the order of these numbers.
   */
  note(kind: "footnote" | "endnote", original: number, scope: Scope | null): number {
    const last = this.notes[kind].at(-1)?.id;
    let id = last === undefined ? original : Math.max(original, last + 1);
    while (id !== original && this.facts.specialNotes.has(id)) id += 1;
    this.notes[kind].push({ original, id, scope });
    return id;
  }

  /** Records a reference to a comment. `id` is the number that the reference contains. */
  comment(original: number, id: number, scope: Scope | null): void {
    this.#comments ??= new Set();
    if (this.#comments.has(id)) return;
    this.#comments.add(id);
    this.notes.comment.push({ original, id, scope });
  }

  /**
   * Records a reference to a part that is written for each iteration. Returns the id of the story's relationship to
   * it.
   */
  copy(
    story: string,
    { part, id }: { readonly part: string; readonly id: string },
    scope: Scope | null,
    spend: Spend,
  ): string {
    const { isOriginal, names, plan } = this.copies.at(part, scope, spend);
    if (isOriginal) return id;
    // Stories show the first part of a plan.
    const [name = part] = names.values();
    return this.#relationship(story, plan.type, targetFrom(story, name), false);
  }

  /** Returns the id of a part's relationship to the address of a link. */
  link(part: string, address: string): string {
    return this.#relationship(part, `${OFFICE}/hyperlink`, address, true);
  }

  /**
   * Returns the ids of a part's relationships to an image: the picture, and an SVG that replaces it in programs that
   * support SVG.
   */
  image(part: string, image: ImageValue): { readonly embed: string; readonly svg: string | null } {
    const { fallback } = image;
    if (fallback === null)
      return {
        embed: this.#imageRelationship(part, image.key, image.type, image.bytes),
        svg: null,
      };
    return {
      embed: this.#imageRelationship(part, `${image.key}-fallback`, "png", fallback),
      svg: this.#imageRelationship(part, image.key, image.type, image.bytes),
    };
  }

  #imageRelationship(
    part: string,
    key: string,
    type: ImageValue["type"],
    bytes: Uint8Array,
  ): string {
    this.#media ??= new Map();
    let media = this.#media.get(key);
    if (media === undefined) {
      const folder = this.facts.mainPart.slice(0, this.facts.mainPart.lastIndexOf("/") + 1);
      let number = this.#media.size;
      let name: string;
      do {
        number += 1;
        name = `${folder}media/quire${number}.${type}`;
      } while (this.facts.hasPart(name));
      media = { name, bytes };
      this.#media.set(key, media);
    }
    return this.#relationship(part, `${OFFICE}/image`, targetFrom(part, media.name), false);
  }

  #relationship(part: string, type: string, target: string, external: boolean): string {
    this.#relationships ??= new Map();
    const added = this.#relationships.get(part) ?? new Map<string, TemplateRelationship>();
    this.#relationships.set(part, added);
    const key = `${type}\n${target}`;
    const known = added.get(key);
    if (known !== undefined) return known.id;
    const taken = this.#takenIds(part);
    let number = added.size + 1;
    while (taken.has(`rIdQuire${number}`)) number += 1;
    const relationship = { id: `rIdQuire${number}`, type, target, external };
    taken.add(relationship.id);
    added.set(key, relationship);
    return relationship.id;
  }

  #takenIds(part: string): Set<string> {
    this.#taken ??= new Map();
    let ids = this.#taken.get(part);
    if (ids === undefined) {
      ids = new Set(this.#ownOf(part).map(({ id }) => id));
      this.#taken.set(part, ids);
    }
    return ids;
  }

  /** Returns the relationships of a part that the document needs, without those that were added. */
  #ownOf(part: string): readonly TemplateRelationship[] {
    const copied = this.#copies?.relationshipsOf(part);
    const [of, all] = copied ?? [part, this.facts.relationshipsOf(part)];
    return all.filter(({ id }) => this.needed.needs(of, id));
  }

  /** Whether the document needs the same parts, with the same relationships, as the template. */
  get #isUnchanged(): boolean {
    return (
      this.#media === null &&
      this.#numbering === null &&
      this.#copies === null &&
      this.#relationships === null &&
      this.needed.lost.size === 0
    );
  }

  /** Returns the changed and new parts, except for parts with programs. */
  parts(): Map<string, PartContent> {
    const parts = new Map<string, PartContent>();
    if (this.#isUnchanged) return parts;
    for (const { name, bytes } of this.#media?.values() ?? []) parts.set(name, bytes);
    const numbering = this.#numbering?.finish() ?? null;
    let overrides = "";
    if (numbering !== null) {
      parts.set(numbering.part, numbering.xml);
      if (numbering.added) {
        const target = targetFrom(this.facts.mainPart, numbering.part);
        this.#relationship(this.facts.mainPart, `${OFFICE}/numbering`, target, false);
        overrides = overrideXml(numbering.part, NUMBERING);
      }
    }
    const copies = [...(this.#copies?.parts() ?? [])];
    for (const { name, of } of copies) {
      if (of.content !== null) parts.set(name, of.content);
      if (of.contentType !== null) overrides += overrideXml(name, of.contentType);
    }
    const { needed } = this;
    const copied = copies.flatMap(({ name, of }) => (of.relationships.length > 0 ? [name] : []));
    const linked = [...(this.#relationships?.keys() ?? []), ...needed.lost.keys(), ...copied];
    for (const part of new Set(linked)) {
      const added = this.#relationships?.get(part)?.values() ?? [];
      parts.set(relationshipsPartOf(part), relationshipsXml([...this.#ownOf(part), ...added]));
    }
    if (parts.size === 0) return parts;
    const types = withTypes(this.facts, parts.keys(), overrides);
    const contentTypes = withoutTypes(types, needed.omitted);
    if (contentTypes !== this.facts.contentTypes) parts.set("[Content_Types].xml", contentTypes);
    return parts;
  }
}
