import { unescapeXml } from "@quire/ooxml/internal/xml/escape";
import type { NoteKind } from "../program/numbered.ts";
import type { Op } from "../program/ops.ts";
import { MARKS } from "../template/fields/marks.ts";
import type { NamedBookmark } from "../template/fields/references.ts";
import type { ElementNode, TextNode } from "../template/nodes/nodes.ts";
import type { References } from "./references/references.ts";

/** Elements that refer to a note or a comment. */
export const NOTE_REFERENCES: ReadonlyMap<string, NoteKind> = new Map([
  ["w:footnoteReference", "footnote"],
  ["w:endnoteReference", "endnote"],
  ["w:commentReference", "comment"],
]);

/** Matches ids of paragraphs and drawings that Word creates again if they are missing. */
const PRIVATE_IDS = / (?:w14:paraId|w14:textId|wp14:anchorId|wp14:editId)="[^"]*"/g;

/** Returns the attributes of an element that contain ids of paragraphs or drawings: see {@link PRIVATE_IDS}. */
export function privateIds(attributes: string): string {
  return attributes.match(PRIVATE_IDS)?.join("") ?? "";
}

/** Returns the attributes of an element in a loop, with an op in place of each id that must be unique. */
export function loopedAttributes(element: string, source: string): (string | Op)[] {
  const attributes = source.replace(PRIVATE_IDS, "");
  switch (element) {
    case "wp:docPr":
      return numbered(attributes, " id", (original) => ({ op: "id", of: "drawing", original }));
    case "w:commentRangeStart":
    case "w:commentRangeEnd":
      return numbered(attributes, " w:id", (original) => ({ op: "id", of: "comment", original }));
  }
  const kind = NOTE_REFERENCES.get(element);
  if (kind !== undefined) return numbered(attributes, " w:id", (id) => ({ op: "note", kind, id }));
  if (element === "w:hyperlink") {
    // If there is an address, the anchor refers to another document.
    return attributes.includes(' r:id="') ? [attributes] : named(attributes, " w:anchor");
  }
  if (!MARKS.has(element)) return [attributes];
  const pieces = numbered(attributes, " w:id", (original) => ({ op: "id", of: "mark", original }));
  return pieces.flatMap((piece) => (typeof piece === "string" ? named(piece, " w:name") : [piece]));
}

/** Returns the attributes of a reference to a chart, with an op for the id if each repetition has its own chart. */
export function chartReference(
  attributes: string,
  charts: ReadonlyMap<string, string>,
): (string | Op)[] {
  const [before = "", written = "", after = ""] = attributes.split(/(?<= r:id=")([^"]*)(?=")/);
  const id = unescapeXml(written);
  const part = charts.get(id);
  return part === undefined ? [attributes] : [before, { op: "chart", part, id }, after];
}

/** Splits the attributes at the number in one of them, which becomes an op. */
function numbered(
  attributes: string,
  name: " id" | " w:id",
  op: (original: number) => Op,
): (string | Op)[] {
  const start = attributes.indexOf(`${name}="`);
  if (start === -1) return [attributes];
  const from = start + name.length + 2;
  const to = attributes.indexOf('"', from);
  const original = Number(attributes.slice(from, to));
  if (!Number.isSafeInteger(original)) return [attributes];
  return [attributes.slice(0, from), op(original), attributes.slice(to)];
}

/** Returns the instruction of a field in a loop, with an op for each bookmark in it. */
export function loopedNames(instruction: string, names: readonly NamedBookmark[]): (string | Op)[] {
  const pieces: (string | Op)[] = [];
  let at = 0;
  for (const { name, from, to } of names) {
    pieces.push(instruction.slice(at, from), { op: "bookmark", name, starts: false });
    at = to;
  }
  return [...pieces, instruction.slice(at)];
}

/** Returns the attributes of a `w:fldSimple` in a loop, with an op for each bookmark in its instruction. */
export function loopedSimpleField(
  attributes: string,
  names: readonly NamedBookmark[],
): (string | Op)[] {
  const start = attributes.indexOf(INSTRUCTION) + INSTRUCTION.length;
  const instruction = loopedNames(attributes.slice(start), names);
  return [attributes.slice(0, start), ...instruction];
}

const INSTRUCTION = ' w:instr="';

/** Splits the attributes at the name of a bookmark, which becomes an op. */
function named(attributes: string, attribute: " w:name" | " w:anchor"): (string | Op)[] {
  const start = attributes.indexOf(`${attribute}="`);
  if (start === -1) return [attributes];
  const from = start + attribute.length + 2;
  const to = attributes.indexOf('"', from);
  return [
    attributes.slice(0, from),
    { op: "bookmark", name: attributes.slice(from, to), starts: attribute === " w:name" },
    attributes.slice(to),
  ];
}

/** Returns the attributes or the instruction of a node in which the names of bookmarks have their links. */
export function withLinks(
  pieces: readonly (string | Op)[],
  node: ElementNode | TextNode,
  { links, targets: all }: References["items"],
): (string | Op)[] {
  return pieces.map((piece) => {
    if (typeof piece === "string" || piece.op !== "bookmark") return piece;
    const link = piece.starts ? undefined : links.get(node)?.get(piece.name);
    const targets = piece.starts ? all.get(piece.name.toLowerCase()) : undefined;
    return {
      ...piece,
      ...(link === undefined ? {} : { link }),
      ...(targets === undefined ? {} : { targets }),
    };
  });
}
