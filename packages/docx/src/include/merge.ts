import type { DocxPackage } from "@quire/ooxml/internal/open";
import { unescapeXml } from "@quire/ooxml/internal/xml/escape";
import { hasWholeFields } from "../template/fields/field-zones.ts";
import { MARKS } from "../template/fields/marks.ts";
import { joinReferences } from "../template/fields/references.ts";
import { UniqueNames } from "../template/fields/unique-names.ts";
import {
  attributesOf,
  descendants,
  detach,
  type ElementNode,
  type TemplateNode,
} from "../template/nodes/nodes.ts";
import { CopiedParts } from "./copied-parts.ts";
import { type DefinitionParts, Definitions } from "./definitions.ts";
import { isStrict, officeRelationship } from "./dialect.ts";
import { referringTo, renameBookmarks } from "./rename-bookmarks.ts";

/** The names and numbers that a template gives to its marks and drawings. */
export interface Marks {
  /** The names of its bookmarks, in lower case, because Word ignores the case. */
  readonly bookmarks: ReadonlySet<string>;
  /** The highest id of a mark or a drawing. */
  readonly maxId: number;
}

/** Elements that have no meaning in another file: section properties, comments, and data bindings of controls. */
const DROPPED = new Set([
  "w:sectPr",
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:commentReference",
  "w:dataBinding",
  "w15:dataBinding",
]);

/** Matches ids of a paragraph or a drawing that must be unique. */
const PRIVATE_IDS = / (?:w14:paraId|w14:textId|wp14:anchorId|wp14:editId)="[^"]*"/g;

const REFERENCE = / (r:[A-Za-z]+|o:relid)="([^"]*)"/g;

/**
 * Copies everything that included content refers to (pictures, links, charts, styles, lists) into the including
 * package.
 */
export class Merger {
  readonly copied: CopiedParts;
  readonly definitions: Definitions;
  readonly #host: DocxPackage;
  #isStrict: boolean | null = null;
  readonly #bookmarks: Set<string>;
  readonly #unique: UniqueNames;
  #nextId: number;

  /** `marks`: the names and the highest id of the marks in the including template. */
  constructor(host: DocxPackage, definitions: DefinitionParts, marks: Marks) {
    this.#host = host;
    this.definitions = new Definitions(definitions, () => this.isStrict);
    this.copied = new CopiedParts(host);
    this.#bookmarks = new Set(marks.bookmarks);
    this.#unique = new UniqueNames(this.#bookmarks);
    this.#nextId = marks.maxId + 1;
  }

  /** Whether the including template is in Strict Open XML (ISO/IEC 29500). */
  get isStrict(): boolean {
    this.#isStrict ??= isStrict(this.#host.readText(this.#host.mainPart));
    return this.#isStrict;
  }

  /** The names of all bookmarks, in lower case. */
  get bookmarks(): ReadonlySet<string> {
    return this.#bookmarks;
  }

  /** The highest id that a mark or a drawing has. */
  get maxId(): number {
    return this.#nextId - 1;
  }

  /**
   * Adapts included content to a part of the including template. `part`: the name of the included part, as in the
   * `Place.part` of its tags. Returns why the content cannot be included, or the heading styles whose numbers are lost.
   */
  adopt(
    body: ElementNode,
    docx: DocxPackage,
    part: string,
    hostPart: string,
  ): { readonly problem: string } | { readonly unnumbered: readonly string[] } {
    if (!hasWholeFields(body)) {
      return { problem: "contains a Word field whose beginning or end is missing" };
    }
    joinReferences(body);
    const names = this.#bookmarkNames(body);
    const ids = new Map<string, number>();
    for (const node of [...descendants(body)]) if (isDropped(node)) detach(node);
    for (const node of descendants(body)) {
      if (node.kind === "text" && node.parent?.name === "w:instrText") {
        node.xml = referringTo(node.xml, names);
      }
      if (node.kind !== "element") continue;
      if (node.name === "w:footnoteReference" || node.name === "w:endnoteReference") {
        return { problem: "has footnotes or endnotes, which cannot be included yet" };
      }
      this.#adoptElement(node, docx, hostPart, ids);
      renameBookmarks(node, names);
    }
    const unnumbered = this.definitions.adopt(body, docx, part, (xml, from) => {
      const numbering = from.partByKind("numbering") ?? "";
      return this.#withReferences(xml, from, numbering, this.partOf("numbering"));
    });
    return { unnumbered };
  }

  #adoptElement(
    node: ElementNode,
    docx: DocxPackage,
    hostPart: string,
    ids: Map<string, number>,
  ): void {
    node.attributes = this.#withReferences(
      node.attributes.replace(PRIVATE_IDS, ""),
      docx,
      docx.mainPart,
      hostPart,
    );
    if (node.name === "wp:docPr") this.#renumber(node, / id="(\d+)"/, null);
    else if (MARKS.has(node.name)) {
      const range = /^(.*)(?:Start|End)$/.exec(node.name)?.[1] ?? null;
      this.#renumber(node, / w:id="(-?\d+)"/, range, ids);
    }
  }

  /** Replaces the relationship ids in the XML of an included part with ids of the including template's part. */
  #withReferences(xml: string, docx: DocxPackage, part: string, hostPart: string): string {
    return xml.replace(REFERENCE, (_, name: string, id: string) => {
      const own = id === "" ? "" : this.copied.refer(unescapeXml(id), docx, part, hostPart);
      return ` ${name}="${own}"`;
    });
  }

  /** Gives an element a new id. Both ends of a range get the same id. */
  #renumber(
    node: ElementNode,
    pattern: RegExp,
    range: string | null,
    ids = new Map<string, number>(),
  ): void {
    node.attributes = node.attributes.replace(pattern, (all, original: string) => {
      const key = `${range}${original}`;
      const id = (range === null ? undefined : ids.get(key)) ?? this.#nextId++;
      ids.set(key, id);
      return all.replace(`"${original}"`, `"${id}"`);
    });
  }

  /**
   * Returns the new names of bookmarks in the content, by their old names in lower case. Word requires unique names and
   * ignores their case.
   */
  #bookmarkNames(body: ElementNode): Map<string, string> {
    const names = new Map<string, string>();
    const own = new Set<string>();
    for (const node of descendants(body)) {
      if (node.kind !== "element" || node.name !== "w:bookmarkStart") continue;
      const name = attributesOf(node.attributes)["w:name"];
      const key = name?.toLowerCase();
      if (name === undefined || key === undefined || own.has(key)) continue;
      own.add(key);
      const isTaken = this.#bookmarks.has(key);
      const unique = isTaken ? this.#unique.next(name) : name;
      this.#bookmarks.add(unique.toLowerCase());
      if (isTaken) names.set(key, unique);
    }
    return names;
  }

  /** Adds parts for lists and styles to the including package if they are needed but missing. Call this at the end. */
  settle(): void {
    this.#settlePart("numbering", this.definitions.numbering);
    this.#settlePart("styles", this.definitions.styles);
  }

  #settlePart(kind: "numbering" | "styles", xml: string | null): void {
    const { mainPart } = this.#host;
    if (xml === null || this.#host.partByKind(kind) !== null) return;
    const part = this.partOf(kind);
    this.copied.parts.set(part, xml);
    this.copied.contentTypes.set(
      part,
      `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
    );
    const type = officeRelationship(kind, this.isStrict);
    const id = `rIdIncluded${kind}`;
    this.copied.add(mainPart, { id, type, kind, target: `/${part}`, external: false });
  }

  /** Returns the name of the part that defines lists or styles; an unused name if the part is missing. */
  partOf(kind: "numbering" | "styles"): string {
    const { mainPart } = this.#host;
    const own = this.#host.partByKind(kind);
    if (own !== null) return own;
    const folder = mainPart.slice(0, mainPart.lastIndexOf("/") + 1);
    let name = `${folder}${kind}.xml`;
    for (let number = 2; this.#isNamed(name); number += 1) name = `${folder}${kind}${number}.xml`;
    return name;
  }

  /** Whether the including template has a part with this name, or a content type for such a part. */
  #isNamed(part: string): boolean {
    const types = this.#host.contentTypesXml.toLowerCase();
    return this.#host.has(part) || types.includes(`/${part.toLowerCase()}"`);
  }
}

/** Whether to omit a node. */
function isDropped(node: TemplateNode): boolean {
  if (node.kind !== "element") return false;
  // Word assigns a new id to a content control that has none.
  return DROPPED.has(node.name) || (node.name === "w:id" && node.parent?.name === "w:sdtPr");
}
