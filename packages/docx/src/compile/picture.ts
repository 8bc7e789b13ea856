import { writtenName } from "@quire/ooxml/internal/xml/xml";
import type { Op } from "../program/ops.ts";
import type { PicturePiece, PictureShape } from "../program/picture-shape.ts";
import type { LinkOp, TextOp } from "../program/tag-ops.ts";
import {
  type AttributePiece,
  attributesOf,
  descendants,
  type ElementNode,
  type TagNode,
  type TemplateNode,
} from "../template/nodes/nodes.ts";
import {
  type GroupedBox,
  groupedBox,
  type Placeholder,
  placeholderOf,
} from "../template/nodes/placeholders.ts";
import { turnAttributes } from "../values/image/drawing.ts";
import { attributeXml } from "../values/text.ts";
import { attributePieces } from "./attributes.ts";
import { originOf, textOpOf } from "./text-op.ts";

/** Returns the op of a placeholder picture; null for any other picture or drawing. */
export function pictureOpOf(element: ElementNode, inLoop: boolean): Op | null {
  const picture = pictureShapeOf(element, inLoop);
  if (picture === null || picture.tag.directive.kind !== "value") return null;
  const { tag, shape } = picture;
  const { expression, modifiers } = picture.tag.directive;
  return { op: "picture", origin: originOf(tag), expression, modifiers, shape };
}

/**
 * Returns the shape of a placeholder `w:drawing`, or of a placeholder `pic:pic` in a group; null for any other element.
 * In loops, the id of the drawing is a slot.
 */
function pictureShapeOf(
  element: ElementNode,
  inLoop: boolean,
): { readonly tag: TagNode; readonly shape: PictureShape } | null {
  const placeholder = placeholderOf(element);
  if (placeholder === null) return null;
  const { tag, isAlone, frame, isGrouped } = placeholder;
  const grouped = isGrouped && frame !== null ? groupedBox(frame) : null;
  const angle = Number(attributesOf(frame?.attributes ?? "").rot ?? 0);
  const spacer = grouped === null ? "" : spacerXml(grouped, angle);
  const filled = new ShapeWriter(inLoop, placeholder, spacer);
  filled.node(element);
  const plain = new ShapeWriter(inLoop, placeholder, null);
  plain.node(element);
  const shape: PictureShape = {
    pieces: filled.pieces,
    ...sizeOf(element, grouped),
    angle,
    isAlone,
    isGroupable: frame?.parent?.parent?.name === "pic:pic" && !isGrouped,
    grouped,
    empty: element.name === "pic:pic" ? spacer : null,
    original: plain.pieces,
    others: plain.pieces.filter(
      (piece): piece is TextOp | LinkOp => typeof piece !== "string" && "op" in piece,
    ),
  };
  return { tag, shape };
}

/** Returns the size of the box that the author drew, in EMU. */
function sizeOf(
  element: ElementNode,
  grouped: GroupedBox | null,
): Pick<PictureShape, "widthEmu" | "heightEmu"> {
  if (grouped !== null) {
    const { width, height, scaleX, scaleY } = grouped;
    return { widthEmu: width * scaleX, heightEmu: height * scaleY };
  }
  const extent = [...descendants(element)].find(
    (node) => node.kind === "element" && node.name === "wp:extent",
  );
  const { cx, cy } = attributesOf(extent?.kind === "element" ? extent.attributes : "");
  return { widthEmu: Number(cx ?? 0), heightEmu: Number(cy ?? 0) };
}

const WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";

/**
 * Returns an invisible shape with the size of the box that the author drew. LibreOffice stretches the content of a
 * group to the size of the group, so without this shape a picture smaller than the box would distort the group.
 */
function spacerXml({ x, y, width, height }: GroupedBox, angle: number): string {
  return (
    `<wps:wsp xmlns:wps="${WPS}"><wps:cNvSpPr/><wps:spPr><a:xfrm${turnAttributes(0, "none", angle)}>` +
    `<a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>` +
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/><a:ln><a:noFill/></a:ln></wps:spPr>' +
    "<wps:bodyPr/></wps:wsp>"
  );
}

type Slot = Extract<PicturePiece, { slot: string }>["slot"];

const EMBEDS: ReadonlyMap<string, Slot> = new Map([["r:embed", "embed"]]);

const TURNS: ReadonlyMap<string, Slot> = new Map([
  ["rot", "turn"],
  ["flipH", "turn"],
]);

const EXTENTS: ReadonlyMap<string, Slot> = new Map([
  ["cx", "width"],
  ["cy", "height"],
]);

const OFFSETS: ReadonlyMap<string, Slot> = new Map([
  ["x", "left"],
  ["y", "top"],
]);

class ShapeWriter {
  readonly pieces: PicturePiece[] = [];
  readonly #inLoop: boolean;
  readonly #placeholder: Placeholder;
  readonly #filled: boolean;
  readonly #spacer: string;

  /** `spacer`: the XML before an image; null if the image is written as in the template. */
  constructor(inLoop: boolean, placeholder: Placeholder, spacer: string | null) {
    this.#inLoop = inLoop;
    this.#placeholder = placeholder;
    this.#filled = spacer !== null;
    this.#spacer = spacer ?? "";
  }

  node(node: TemplateNode): void {
    if (node.kind === "text") this.#write(node.xml);
    if (node.kind === "element") this.#element(node);
  }

  #element(element: ElementNode): void {
    const { children } = element;
    const name = writtenName(element.name);
    if (this.#filled && (name === "a:srcRect" || isSvgExtension(element))) return;
    if (name === "pic:pic") this.#write(this.#spacer);
    this.#write(`<${name}`);
    this.#attributes(element);
    this.#write(">");
    for (const child of children) this.node(child);
    if (this.#filled && name === "a:blip") this.pieces.push({ slot: "extension" });
    this.#write(`</${name}>`);
    if (this.#filled && name === "a:blip") this.pieces.push({ slot: "crop" });
  }

  #attributes(element: ElementNode): void {
    const { attributes, tagged } = element;
    if (this.#filled && element === this.#placeholder.frame) this.pieces.push({ slot: "turn" });
    for (const [all, key = ""] of attributes.matchAll(/ ([^=]+)="[^"]*"/g)) {
      const pieces = tagged?.get(key);
      const slot = this.#slot(element, key);
      if (pieces !== undefined) this.#tagged(element, all, key, pieces);
      else if (slot === null) this.#write(all);
      else if (slot !== "turn") {
        this.#write(` ${key}="`);
        this.pieces.push({ slot });
        this.#write('"');
      }
    }
  }

  #slot(element: ElementNode, attribute: string): Slot | null {
    const { name } = element;
    if (name === "wp:docPr" && attribute === "id" && this.#inLoop) return "id";
    return this.#filled ? (this.#slotsOf(element)?.get(attribute) ?? null) : null;
  }

  /** Returns the slots of the attributes that depend on the image; undefined if the element has no such attributes. */
  #slotsOf(element: ElementNode): ReadonlyMap<string, Slot> | undefined {
    const { name, parent } = element;
    const { frame, isGrouped } = this.#placeholder;
    if (name === "a:blip") return EMBEDS;
    if (name === "wp:extent") return isGrouped ? undefined : EXTENTS;
    if (element === frame) return TURNS;
    if (frame === null || parent !== frame) return undefined;
    if (name === "a:ext") return EXTENTS;
    return name === "a:off" && isGrouped ? OFFSETS : undefined;
  }

  /**
   * Writes an attribute with tags. The placeholder's tag prints nothing when there is an image. If the tag is the whole
   * attribute, the attribute gets the last name of the tag's path.
   */
  #tagged(element: ElementNode, all: string, key: string, pieces: readonly AttributePiece[]): void {
    const isOwn = (piece: AttributePiece): boolean =>
      typeof piece !== "string" && piece.text === this.#placeholder.tag.text;
    if (key === "r:id") {
      const [op] = attributePieces({ ...element, attributes: all }, false, false);
      if (typeof op === "object" && op.op === "link") this.pieces.push(op);
      return;
    }
    const filled = this.#filled && pieces.some(isOwn);
    const shown = filled ? pieces.filter((piece) => !isOwn(piece)) : pieces;
    const named = filled && shown.every((piece) => typeof piece === "string" && isBlank(piece));
    this.#write(` ${key}="`);
    if (named) this.pieces.push({ slot: "description" });
    for (const [index, piece] of named ? [] : shown.entries()) {
      if (isOwn(piece)) this.pieces.push({ slot: "value" });
      else if (typeof piece !== "string") this.#other(piece);
      else this.#write(attributeXml(filled && index === 0 ? piece.trimStart() : piece));
    }
    this.#write('"');
  }

  #other(tag: TagNode): void {
    const op = textOpOf(tag, "attribute", null);
    if (op !== null) this.pieces.push(op);
  }

  #write(xml: string): void {
    const last = this.pieces.at(-1);
    if (typeof last === "string") this.pieces[this.pieces.length - 1] = last + xml;
    else this.pieces.push(xml);
  }
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Whether an element is the extension that shows an SVG in place of the picture (MS-ODRAWXML 2.3.4.2). */
function isSvgExtension({ name, children }: ElementNode): boolean {
  return (
    name === "a:ext" &&
    children.some((node) => node.kind === "element" && node.name.endsWith(":svgBlip"))
  );
}
