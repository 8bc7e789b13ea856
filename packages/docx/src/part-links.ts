import { Buffer } from "node:buffer";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import type { CopiedLink, CopiedParts } from "./include/copied-parts.ts";
import type { PartLink } from "./program/part-graph.ts";
import { drawingIdsIn } from "./template/figures.ts";

/** Returns the relationships of a part to other parts, including those that included templates add. */
export function partLinks(part: string, docx: DocxPackage, copied: CopiedParts): PartLink[] {
  const own = docx
    .relationshipsOf(part)
    .flatMap(({ id, kind, part: to }) => (to === null ? [] : [{ id, kind, part: to }]));
  const added = (copied.relationships.get(part) ?? [])
    .filter(({ external }) => !external)
    .map(({ id, kind, target }) => ({ id, kind, part: target.slice(1) }));
  const links = [...own, ...added, ...(copied.links.get(part) ?? [])];
  const data = links.filter(({ kind }) => kind === "diagramData");
  const drawings = data.map((link) => new Set(drawingIdsIn(textOf(link.part, docx, copied))));
  return links.map((link) => ({ ...link, names: namesOf(link, data, drawings) }));
}

/** Content uses the drawing that Word created from SmartArt only by the data of the SmartArt. */
function namesOf(
  { id, kind }: CopiedLink,
  data: readonly CopiedLink[],
  drawings: readonly ReadonlySet<string>[],
): string[] {
  if (kind !== "diagramDrawing") return [id];
  const names = data.filter((_, index) => drawings[index]?.has(id)).map((each) => each.id);
  return names.length === 0 ? [id] : names;
}

function textOf(part: string, docx: DocxPackage, copied: CopiedParts): string {
  const copy = copied.parts.get(part);
  if (copy === undefined) return docx.readText(part);
  return typeof copy === "string" ? copy : Buffer.from(copy).toString();
}
