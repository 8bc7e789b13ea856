import type { DocxPackage } from "@quire/ooxml/internal/open";
import {
  type Relationship,
  relationshipsPartOf,
} from "@quire/ooxml/internal/package/relationships";
import { drawingIdsIn, withDrawingIds } from "../template/figures.ts";
import { attributeXml } from "../values/text.ts";

/** A relationship to add to a part of the including template. */
export interface AddedRelationship {
  readonly id: string;
  readonly type: string;
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

/** A relationship between two copied parts. */
export interface CopiedLink extends Pick<AddedRelationship, "id" | "kind"> {
  readonly part: string;
}

/** Copies parts of included templates into the including package, with the relationships that lead to them. */
export class CopiedParts {
  readonly parts = new Map<string, Uint8Array | string>();
  readonly contentTypes = new Map<string, string>();
  /** The relationships added to parts of the including template, by part. */
  readonly relationships = new Map<string, AddedRelationship[]>();
  /** The relationships of copied parts to other copied parts, by part. */
  readonly links = new Map<string, readonly CopiedLink[]>();
  readonly #host: DocxPackage;
  readonly #folders = new Map<DocxPackage, string>();
  /** The relationships of each part of each package, by id. */
  readonly #byId = new Map<DocxPackage, Map<string, ReadonlyMap<string, Relationship>>>();
  /** The relationship ids that are in use in each part of the including template. */
  readonly #taken = new Map<string, Set<string>>();
  /** The ids of the added relationships of each part of the including template, by type and target. */
  readonly #known = new Map<string, Map<string, string>>();
  /** The ids of the relationships to SmartArt drawings, by the names of the copied drawings. */
  readonly #drawings = new Map<string, string>();

  constructor(host: DocxPackage) {
    this.#host = host;
  }

  /**
   * Returns the relationship id with which a part of the including template refers to the target of `id` in `part` of
   * an included template; empty if there is no target. Adds a relationship if necessary.
   */
  refer(id: string, docx: DocxPackage, part: string, hostPart: string): string {
    const relationship = this.#relationship(id, docx, part);
    // This id has no target, but the including template may use the same id for something else.
    if (relationship === undefined) return "";
    const { type, kind, external, part: copied } = relationship;
    if (copied === null && !external) return "";
    const target = copied === null ? relationship.target : `/${this.#copy(copied, docx)}`;
    if (copied !== null && kind === "diagramData") this.#adoptDrawing(copied, docx, part, hostPart);
    const known = this.#known.get(hostPart)?.get(keyOf({ type, target }));
    if (known !== undefined) return known;
    const taken = this.#takenIn(hostPart);
    let number = (this.relationships.get(hostPart)?.length ?? 0) + 1;
    while (taken.has(`rIdIncluded${number}`)) number += 1;
    const added = { id: `rIdIncluded${number}`, type, kind, target, external };
    this.add(hostPart, added);
    return added.id;
  }

  /** Adds a relationship to a part of the including template. Its id must be unused. */
  add(hostPart: string, relationship: AddedRelationship): void {
    const added = this.relationships.get(hostPart) ?? [];
    this.relationships.set(hostPart, added);
    added.push(relationship);
    this.#takenIn(hostPart).add(relationship.id);
    const known = this.#known.get(hostPart) ?? new Map<string, string>();
    this.#known.set(hostPart, known);
    known.set(keyOf(relationship), relationship.id);
  }

  /**
   * Copies the drawing that Word created for SmartArt. The SmartArt data refers to the drawing by a relationship of the
   * story, so all stories of the including template that show the data need a relationship with the same id.
   */
  #adoptDrawing(data: string, docx: DocxPackage, part: string, hostPart: string): void {
    const xml = docx.readText(data);
    const ids = new Map<string, string>();
    for (const original of drawingIdsIn(xml)) {
      const drawing = this.#relationship(original, docx, part);
      if (drawing === undefined || drawing.part === null) continue;
      const { type, kind } = drawing;
      const name = this.#copy(drawing.part, docx);
      const id = this.#drawings.get(name) ?? this.#freeId();
      this.#drawings.set(name, id);
      ids.set(original, id);
      if (this.#takenIn(hostPart).has(id)) continue;
      this.add(hostPart, { id, type, kind, target: `/${name}`, external: false });
    }
    this.parts.set(this.#nameOf(data, docx), withDrawingIds(xml, ids));
  }

  /** Returns an id that no story of the including template uses. */
  #freeId(): string {
    const taken = this.#host.storyParts.map((story) => this.#takenIn(story));
    let number = this.#drawings.size + 1;
    while (taken.some((ids) => ids.has(`rIdDrawing${number}`))) number += 1;
    return `rIdDrawing${number}`;
  }

  #takenIn(hostPart: string): Set<string> {
    const taken =
      this.#taken.get(hostPart) ??
      new Set(this.#host.relationshipsOf(hostPart).map(({ id }) => id));
    this.#taken.set(hostPart, taken);
    return taken;
  }

  #relationship(id: string, docx: DocxPackage, part: string): Relationship | undefined {
    const parts = this.#byId.get(docx) ?? new Map<string, ReadonlyMap<string, Relationship>>();
    this.#byId.set(docx, parts);
    const byId =
      parts.get(part) ?? new Map(docx.relationshipsOf(part).map((each) => [each.id, each]));
    parts.set(part, byId);
    return byId.get(id);
  }

  /** Copies a part, with all parts that it refers to, into a separate folder for the included template. */
  #copy(part: string, docx: DocxPackage): string {
    const name = this.#nameOf(part, docx);
    if (this.parts.has(name)) return name;
    this.parts.set(name, docx.readBytes(part));
    const type = docx.contentTypeOf(part);
    if (type !== undefined) this.contentTypes.set(name, type);
    const relationships = docx.relationshipsOf(part);
    if (relationships.length > 0) {
      const links: CopiedLink[] = [];
      this.links.set(name, links);
      const list = relationships.map((each) => {
        const copy = each.part === null ? null : this.#copy(each.part, docx);
        const target = copy === null ? each.target : `/${copy}`;
        if (copy !== null) links.push({ id: each.id, kind: each.kind, part: copy });
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

  #nameOf(part: string, docx: DocxPackage): string {
    return `${this.#folderOf(docx)}${part}`;
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

function keyOf({ type, target }: Pick<AddedRelationship, "type" | "target">): string {
  return `${type}\n${target}`;
}
