import type { DocxPackage } from "../package/open.ts";
import { type Relationship, relationshipsPartOf } from "../package/relationships.ts";
import { attributesOf, descendants, detach, type ElementNode } from "../template/nodes.ts";
import { attributeXml } from "../values/text.ts";
import type { Definitions } from "./definitions.ts";

/** A relationship that a part of the including template gets. */
export interface AddedRelationship {
  readonly id: string;
  readonly type: string;
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

/** Marks of the included template that have no meaning in another one. */
const DROPPED = new Set(["w:commentRangeStart", "w:commentRangeEnd", "w:commentReference"]);

/** What names a paragraph or a drawing, and must not come twice. */
const PRIVATE_IDS = / (?:w14:paraId|w14:textId|wp14:anchorId|wp14:editId)="[^"]*"/g;

const REFERENCE = / (r:[A-Za-z]+)="([^"]*)"/g;

/** Brings what included content refers to (pictures, links, charts, styles, lists) into the including package. */
export class Merger {
  readonly parts = new Map<string, Uint8Array | string>();
  readonly contentTypes = new Map<string, string>();
  readonly relationships = new Map<string, AddedRelationship[]>();
  readonly definitions: Definitions;
  readonly #host: DocxPackage;
  readonly #folders = new Map<DocxPackage, string>();
  readonly #bookmarks = new Set<string>();
  #nextId: number;

  constructor(host: DocxPackage, definitions: Definitions, maxId: number) {
    this.#host = host;
    this.definitions = definitions;
    this.#nextId = maxId + 1;
  }

  /** The greatest number that was given to a mark or a drawing. */
  get maxId(): number {
    return this.#nextId - 1;
  }

  /** Makes content of an included template fit for a part of the including one. Returns why it cannot be. */
  adopt(body: ElementNode, docx: DocxPackage, hostPart: string): string | null {
    this.definitions.beginInclusion(docx);
    const ids = new Map<string, number>();
    const dropped: ElementNode[] = [];
    for (const node of descendants(body)) {
      if (node.kind !== "element") continue;
      if (node.name === "w:footnoteReference" || node.name === "w:endnoteReference") {
        return "has footnotes or endnotes, which cannot be included yet";
      }
      if (DROPPED.has(node.name) || (node.name === "w:sectPr" && node.parent !== body)) {
        dropped.push(node);
      } else this.#adoptElement(node, docx, hostPart, ids);
    }
    for (const node of dropped) detach(node);
    this.definitions.adoptStyles(body, docx);
    return null;
  }

  #adoptElement(
    node: ElementNode,
    docx: DocxPackage,
    hostPart: string,
    ids: Map<string, number>,
  ): void {
    node.attributes = node.attributes
      .replace(PRIVATE_IDS, "")
      .replace(REFERENCE, (all, name: string, id: string) => {
        const relationship = docx
          .relationshipsOf(docx.mainPart)
          .find((each) => each.id === unescaped(id));
        return relationship === undefined
          ? all
          : ` ${name}="${this.#relate(relationship, docx, hostPart)}"`;
      });
    if (node.name === "w:numId") this.definitions.adoptList(node, docx);
    else if (node.name === "wp:docPr") this.#renumber(node, / id="(\d+)"/, "drawing", ids);
    else if (/^w:bookmark(?:Start|End)$/.test(node.name)) {
      this.#renumber(node, / w:id="(\d+)"/, "bookmark", ids);
      this.#rename(node);
    }
  }

  #renumber(node: ElementNode, pattern: RegExp, of: string, ids: Map<string, number>): void {
    node.attributes = node.attributes.replace(pattern, (all, original: string) => {
      const key = `${of}${original}`;
      const id = ids.get(key) ?? this.#nextId++;
      ids.set(key, id);
      return all.replace(`"${original}"`, `"${id}"`);
    });
  }

  /** A bookmark that an earlier inclusion brought gets another name: Word knows each name once. */
  #rename(node: ElementNode): void {
    const name = attributesOf(node.attributes)["w:name"];
    if (name === undefined) return;
    let unique = name;
    for (let count = 2; this.#bookmarks.has(unique); count++)
      unique = `${name.slice(0, 35)}_${count}`;
    this.#bookmarks.add(unique);
    node.attributes = node.attributes.replace(` w:name="${name}"`, () => ` w:name="${unique}"`);
  }

  /** The id of a relationship of the including part to the same target. */
  #relate(relationship: Relationship, docx: DocxPackage, hostPart: string): string {
    const { type, kind, external, part } = relationship;
    const target = part === null ? relationship.target : `/${this.#copy(part, docx)}`;
    const added = this.relationships.get(hostPart) ?? [];
    this.relationships.set(hostPart, added);
    const known = added.find((each) => each.type === type && each.target === target);
    if (known !== undefined) return known.id;
    const taken = new Set(this.#host.relationshipsOf(hostPart).map(({ id }) => id));
    let number = added.length + 1;
    while (taken.has(`rIdIncluded${number}`)) number += 1;
    const id = `rIdIncluded${number}`;
    added.push({ id, type, kind, target, external });
    return id;
  }

  /** Gives the including package a part for lists when it had none and now needs one. Call it at the end. */
  settle(): void {
    const { mainPart } = this.#host;
    if (this.definitions.numbering === null || this.#host.partByKind("numbering") !== null) return;
    const folder = mainPart.slice(0, mainPart.lastIndexOf("/") + 1);
    this.contentTypes.set(
      `${folder}numbering.xml`,
      "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml",
    );
    const added = this.relationships.get(mainPart) ?? [];
    this.relationships.set(mainPart, added);
    const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering";
    added.push({
      id: "rIdIncludedNumbering",
      type,
      kind: "numbering",
      target: `/${folder}numbering.xml`,
      external: false,
    });
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

function unescaped(id: string): string {
  return id
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
