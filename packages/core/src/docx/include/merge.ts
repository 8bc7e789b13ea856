import type { DocxPackage } from "../package/open.ts";
import { type Relationship, relationshipsPartOf } from "../package/relationships.ts";
import { MARKS } from "../program/loop-ids.ts";
import { hasWholeFields } from "../template/mistakes/field-zones.ts";
import {
  attributesOf,
  descendants,
  detach,
  type ElementNode,
  type TemplateNode,
} from "../template/nodes.ts";
import { joinReferences } from "../template/references.ts";
import { attributeXml } from "../values/text.ts";
import { type DefinitionParts, Definitions } from "./definitions.ts";
import { isStrict, officeRelationship } from "./dialect.ts";
import { referringTo, renameBookmarks } from "./rename-bookmarks.ts";

/** A relationship that a part of the including template gets. */
export interface AddedRelationship {
  readonly id: string;
  readonly type: string;
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

/** What a template calls and numbers its marks and drawings. */
export interface Marks {
  /** The names of its bookmarks, in lower case: Word compares them so. */
  readonly bookmarks: ReadonlySet<string>;
  /** The greatest number of a mark or a drawing. */
  readonly maxId: number;
}

/** Elements without a meaning in another file: sections, comments, and links of content controls to data. */
const DROPPED = new Set([
  "w:sectPr",
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:commentReference",
  "w:dataBinding",
  "w15:dataBinding",
]);

/** What names a paragraph or a drawing, and must not come twice. */
const PRIVATE_IDS = / (?:w14:paraId|w14:textId|wp14:anchorId|wp14:editId)="[^"]*"/g;

const REFERENCE = / (r:[A-Za-z]+|o:relid)="([^"]*)"/g;

/** Brings what included content refers to (pictures, links, charts, styles, lists) into the including package. */
export class Merger {
  readonly parts = new Map<string, Uint8Array | string>();
  readonly contentTypes = new Map<string, string>();
  readonly relationships = new Map<string, AddedRelationship[]>();
  readonly definitions: Definitions;
  readonly #host: DocxPackage;
  #isStrict: boolean | null = null;
  readonly #folders = new Map<DocxPackage, string>();
  readonly #bookmarks: Set<string>;
  #nextId: number;

  /** `marks`: the names and the greatest number that the including template gives to its marks. */
  constructor(host: DocxPackage, definitions: DefinitionParts, marks: Marks) {
    this.#host = host;
    this.definitions = new Definitions(definitions, () => this.isStrict);
    this.#bookmarks = new Set(marks.bookmarks);
    this.#nextId = marks.maxId + 1;
  }

  /** Whether the including template uses the strict form of the standard. */
  get isStrict(): boolean {
    this.#isStrict ??= isStrict(this.#host.readText(this.#host.mainPart));
    return this.#isStrict;
  }

  /** The names of all bookmarks, in lower case. */
  get bookmarks(): ReadonlySet<string> {
    return this.#bookmarks;
  }

  /** The greatest number that was given to a mark or a drawing. */
  get maxId(): number {
    return this.#nextId - 1;
  }

  /**
   * Changes included content so that it fits into a part of the including template. `part`: the name of the
   * included part in places. Returns why that is impossible, or the heading styles whose numbers get lost.
   */
  adopt(
    body: ElementNode,
    docx: DocxPackage,
    part: string,
    hostPart: string,
  ): { readonly problem: string } | { readonly unnumbered: readonly string[] } {
    if (!hasWholeFields(body)) {
      return { problem: "has a field that does not begin and end within it" };
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
      const relationship = docx.relationshipsOf(part).find((each) => each.id === unescaped(id));
      // The including template may use a dangling id for something else.
      if (id === "" || relationship === undefined) return ` ${name}=""`;
      return ` ${name}="${this.#relate(relationship, docx, hostPart)}"`;
    });
  }

  /** Gives an element a new id. Both ends of a range keep the same one. */
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

  /** The names of the content's bookmarks in the including template: Word knows each name once, in any case. */
  #bookmarkNames(body: ElementNode): Map<string, string> {
    const names = new Map<string, string>();
    for (const node of descendants(body)) {
      if (node.kind !== "element" || node.name !== "w:bookmarkStart") continue;
      const name = attributesOf(node.attributes)["w:name"];
      if (name === undefined || names.has(name)) continue;
      let unique = name;
      for (let count = 2; this.#bookmarks.has(unique.toLowerCase()); count++)
        unique = `${name.slice(0, 35)}_${count}`;
      this.#bookmarks.add(unique.toLowerCase());
      names.set(name, unique);
    }
    return names;
  }

  /** The id of a relationship of the including part to the same target; empty if the target is missing. */
  #relate(relationship: Relationship, docx: DocxPackage, hostPart: string): string {
    const { type, kind, external, part } = relationship;
    if (part === null && !external) return "";
    const target = part === null ? relationship.target : `/${this.#copy(part, docx)}`;
    const added = this.relationships.get(hostPart) ?? [];
    this.relationships.set(hostPart, added);
    const known = added.find((each) => each.type === type && each.target === target);
    if (known !== undefined) return known.id;
    const taken = new Set([...this.#host.relationshipsOf(hostPart), ...added].map(({ id }) => id));
    let number = added.length + 1;
    while (taken.has(`rIdIncluded${number}`)) number += 1;
    const id = `rIdIncluded${number}`;
    added.push({ id, type, kind, target, external });
    return id;
  }

  /** Gives the including package parts for lists and styles when it had none and now needs them. Call it at the end. */
  settle(): void {
    this.#settlePart("numbering", this.definitions.numbering);
    this.#settlePart("styles", this.definitions.styles);
  }

  #settlePart(kind: "numbering" | "styles", xml: string | null): void {
    const { mainPart } = this.#host;
    if (xml === null || this.#host.partByKind(kind) !== null) return;
    const part = this.partOf(kind);
    this.parts.set(part, xml);
    this.contentTypes.set(
      part,
      `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
    );
    const added = this.relationships.get(mainPart) ?? [];
    this.relationships.set(mainPart, added);
    const type = officeRelationship(kind, this.isStrict);
    const id = `rIdIncluded${kind}`;
    added.push({ id, type, kind, target: `/${part}`, external: false });
  }

  /** The name of the part that defines lists or styles; a free name if the part is missing. */
  partOf(kind: "numbering" | "styles"): string {
    const { mainPart } = this.#host;
    const own = this.#host.partByKind(kind);
    if (own !== null) return own;
    const folder = mainPart.slice(0, mainPart.lastIndexOf("/") + 1);
    let name = `${folder}${kind}.xml`;
    for (let number = 2; this.#isNamed(name); number += 1) name = `${folder}${kind}${number}.xml`;
    return name;
  }

  /** Whether the including template has a part with this name, or a content type for one. */
  #isNamed(part: string): boolean {
    const types = this.#host.contentTypesXml.toLowerCase();
    return this.#host.has(part) || types.includes(`/${part.toLowerCase()}"`);
  }

  /** Copies a part with all that it refers to, under a folder of the included template's own. */
  #copy(part: string, docx: DocxPackage): string {
    const folder = this.#folderOf(docx);
    const name = `${folder}${part}`;
    if (this.parts.has(name)) return name;
    this.parts.set(name, docx.readBytes(part));
    const type = docx.contentTypeOf(part);
    if (type !== undefined) this.contentTypes.set(name, type);
    const relationships = docx.relationshipsOf(part);
    if (relationships.length > 0) {
      const list = relationships.map((each) => {
        const target = each.part === null ? each.target : `/${this.#copy(each.part, docx)}`;
        const mode = each.external ? ' TargetMode="External"' : "";
        return `<Relationship Id="${attributeXml(each.id)}" Type="${attributeXml(each.type)}" Target="${attributeXml(target)}"${mode}/>`;
      });
      this.parts.set(
        relationshipsPartOf(name),
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`,
      );
    }
    return name;
  }

  #folderOf(docx: DocxPackage): string {
    const known = this.#folders.get(docx);
    if (known !== undefined) return known;
    let number = this.#folders.size + 1;
    while (this.#host.parts.some((part) => part.toLowerCase().startsWith(`included${number}/`))) {
      number += 1;
    }
    const folder = `included${number}/`;
    this.#folders.set(docx, folder);
    return folder;
  }
}

/** Whether to leave a node out. */
function isDropped(node: TemplateNode): boolean {
  if (node.kind !== "element") return false;
  // Word assigns a new id to a content control that has none.
  return DROPPED.has(node.name) || (node.name === "w:id" && node.parent?.name === "w:sdtPr");
}

function unescaped(id: string): string {
  return id
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
