import type { DocxPackage } from "../package/open.ts";
import { type Relationship, relationshipsPartOf } from "../package/relationships.ts";
import { hasWholeFields } from "../template/mistakes/field-zones.ts";
import { attributesOf, descendants, detach, type ElementNode } from "../template/nodes.ts";
import { joinReferences, referenceIn } from "../template/references.ts";
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

/** What a template calls and numbers its marks and drawings. */
export interface Marks {
  /** The names of its bookmarks, in lower case: Word compares them so. */
  readonly bookmarks: ReadonlySet<string>;
  /** The greatest number of a mark or a drawing. */
  readonly maxId: number;
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
  readonly #bookmarks: Set<string>;
  #nextId: number;

  /** `marks`: the names and the greatest number that the including template gives to its marks. */
  constructor(host: DocxPackage, definitions: Definitions, marks: Marks) {
    this.#host = host;
    this.definitions = definitions;
    this.#bookmarks = new Set(marks.bookmarks);
    this.#nextId = marks.maxId + 1;
  }

  /** The names of all bookmarks, in lower case. */
  get bookmarks(): ReadonlySet<string> {
    return this.#bookmarks;
  }

  /** The greatest number that was given to a mark or a drawing. */
  get maxId(): number {
    return this.#nextId - 1;
  }

  /** Makes content of an included template fit for a part of the including one. Returns why it cannot be. */
  adopt(body: ElementNode, docx: DocxPackage, hostPart: string): string | null {
    if (!hasWholeFields(body)) return "has a field that does not begin and end within it";
    this.definitions.beginInclusion(docx);
    joinReferences(body);
    const names = this.#bookmarkNames(body);
    const ids = new Map<string, number>();
    const dropped: ElementNode[] = [];
    for (const node of descendants(body)) {
      if (node.kind === "text" && node.parent?.name === "w:instrText") {
        node.xml = referringTo(node.xml, names);
      }
      if (node.kind !== "element") continue;
      if (node.name === "w:footnoteReference" || node.name === "w:endnoteReference") {
        return "has footnotes or endnotes, which cannot be included yet";
      }
      if (DROPPED.has(node.name) || (node.name === "w:sectPr" && node.parent !== body)) {
        dropped.push(node);
      } else {
        this.#adoptElement(node, docx, hostPart, ids);
        renameBookmarks(node, names);
      }
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

  /** Gives the including package parts for lists and styles when it had none and now needs them. Call it at the end. */
  settle(): void {
    this.#settlePart("numbering", this.definitions.numbering);
    this.#settlePart("styles", this.definitions.styles);
  }

  #settlePart(kind: "numbering" | "styles", xml: string | null): void {
    const { mainPart } = this.#host;
    if (xml === null || this.#host.partByKind(kind) !== null) return;
    const folder = mainPart.slice(0, mainPart.lastIndexOf("/") + 1);
    const part = `${folder}${kind}.xml`;
    this.parts.set(part, xml);
    this.contentTypes.set(
      part,
      `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
    );
    const added = this.relationships.get(mainPart) ?? [];
    this.relationships.set(mainPart, added);
    const type = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}`;
    const id = `rIdIncluded${kind}`;
    added.push({ id, type, kind, target: `/${part}`, external: false });
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

/** A bookmark, or what refers to one, with the name that it has in the including template. */
function renameBookmarks(node: ElementNode, names: ReadonlyMap<string, string>): void {
  const attribute = BOOKMARK_NAMES.get(node.name);
  if (attribute === undefined || names.size === 0) return;
  node.attributes = node.attributes.replace(
    attribute,
    (_, before: string, value: string) => before + (names.get(value) ?? referringTo(value, names)),
  );
}

const BOOKMARK_NAMES: ReadonlyMap<string, RegExp> = new Map([
  ["w:bookmarkStart", /( w:name=")([^"]*)/],
  ["w:hyperlink", /( w:anchor=")([^"]*)/],
  ["w:fldSimple", /( w:instr=")([^"]*)/],
]);

function referringTo(instruction: string, names: ReadonlyMap<string, string>): string {
  const reference = referenceIn(instruction);
  if (reference === null) return instruction;
  const { before, name, after } = reference;
  return `${before}${names.get(name) ?? name}${after}`;
}

function unescaped(id: string): string {
  return id
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
