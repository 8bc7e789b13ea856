import {
  type AttributePiece,
  attributesOf,
  descendants,
  type ElementNode,
  type TagNode,
  type TemplateNode,
} from "../template/nodes.ts";
import { attributeXml } from "../values/text.ts";
import { attributePieces } from "./attributes.ts";
import type { LinkOp, PicturePiece, PictureShape, TextOp } from "./ops.ts";
import { textOpOf } from "./text-op.ts";

/**
 * The shape of a drawing that is a placeholder: it has one picture, and its alternative text is one
 * tag, or begins with one on a line of its own. Null for any other drawing. In loops its number is a slot.
 */
export function pictureShapeOf(
  drawing: ElementNode,
  inLoop: boolean,
): { readonly tag: TagNode; readonly shape: PictureShape } | null {
  const nodes = [...descendants(drawing)];
  const elements = nodes.filter((node) => node.kind === "element");
  const blips = elements.filter(({ name }) => name === "a:blip");
  const properties = elements.find(({ name }) => name === "wp:docPr");
  const named = properties === undefined ? null : placeholderTag(properties);
  const extent = elements.find(({ name }) => name === "wp:extent");
  if (named === null || blips.length !== 1 || extent === undefined) return null;
  // A text box beside the picture is written as any other text.
  if (nodes.some(({ kind }) => kind === "tag" || kind === "marker")) return null;
  const { tag, isAlone } = named;
  const { cx, cy } = attributesOf(extent.attributes);
  const frame = elements.find(({ name }) => name === "a:xfrm");
  const { rot } = attributesOf(frame?.attributes ?? "");
  const picture = elements.find(({ name }) => name === "pic:pic");
  const filled = new ShapeWriter(inLoop, true, tag.text);
  filled.node(drawing);
  const plain = new ShapeWriter(inLoop, false, tag.text);
  plain.node(drawing);
  const shape: PictureShape = {
    pieces: filled.pieces,
    widthEmu: Number(cx ?? 0),
    heightEmu: Number(cy ?? 0),
    angle: Number(rot ?? 0),
    isAlone,
    isGroupable: frame !== undefined && picture?.parent?.name === "a:graphicData",
    original: plain.pieces,
    others: plain.pieces.filter(
      (piece): piece is TextOp | LinkOp => typeof piece !== "string" && "op" in piece,
    ),
  };
  return { tag, shape };
}

/** The tag that a drawing's alternative text begins with, when nothing else stands in its line. */
function placeholderTag({
  tagged,
}: ElementNode): { readonly tag: TagNode; readonly isAlone: boolean } | null {
  const pieces = (tagged?.get("descr") ?? tagged?.get("title") ?? []).filter(
    (piece, index) => index > 0 || typeof piece !== "string" || !isBlank(piece),
  );
  const [tag, after = ""] = pieces;
  if (tag === undefined || typeof tag === "string" || typeof after !== "string") return null;
  if (pieces.length <= 2 && isBlank(after)) return { tag, isAlone: true };
  return /^[^\S\r\n]*[\r\n]/.test(after) ? { tag, isAlone: false } : null;
}

class ShapeWriter {
  readonly pieces: PicturePiece[] = [];
  readonly #inLoop: boolean;
  readonly #filled: boolean;
  readonly #placeholder: string;

  constructor(inLoop: boolean, filled: boolean, placeholder: string) {
    this.#inLoop = inLoop;
    this.#filled = filled;
    this.#placeholder = placeholder;
  }

  node(node: TemplateNode): void {
    if (node.kind === "text") this.#write(node.xml);
    if (node.kind === "element") this.#element(node);
  }

  #element(element: ElementNode): void {
    const { name, children } = element;
    if (this.#filled && (name === "a:srcRect" || isSvgExtension(element))) return;
    this.#write(`<${name}`);
    this.#attributes(element);
    this.#write(">");
    for (const child of children) this.node(child);
    if (this.#filled && name === "a:blip") this.pieces.push({ slot: "extension" });
    this.#write(`</${name}>`);
    if (this.#filled && name === "a:blip") this.pieces.push({ slot: "crop" });
  }

  #attributes(element: ElementNode): void {
    const { name, attributes, tagged, parent } = element;
    const resized = name === "wp:extent" || (name === "a:ext" && parent?.name === "a:xfrm");
    if (this.#filled && name === "a:xfrm") this.pieces.push({ slot: "turn" });
    for (const [all, key = ""] of attributes.matchAll(/ ([^=]+)="[^"]*"/g)) {
      const pieces = tagged?.get(key);
      const slot = this.#slot(name, key, resized);
      if (pieces !== undefined) this.#tagged(element, all, key, pieces);
      else if (slot === null) this.#write(all);
      else if (slot !== "turn") {
        this.#write(` ${key}="`);
        this.pieces.push({ slot });
        this.#write('"');
      }
    }
  }

  #slot(
    element: string,
    attribute: string,
    resized: boolean,
  ): "id" | "embed" | "turn" | "width" | "height" | null {
    if (element === "wp:docPr" && attribute === "id" && this.#inLoop) return "id";
    if (!this.#filled) return null;
    if (element === "a:blip" && attribute === "r:embed") return "embed";
    if (element === "a:xfrm" && (attribute === "rot" || attribute === "flipH")) return "turn";
    if (!resized) return null;
    if (attribute === "cx") return "width";
    return attribute === "cy" ? "height" : null;
  }

  /**
   * An attribute with tags. The placeholder's own says nothing beside an image; where it is all that the
   * attribute holds, the image is named there.
   */
  #tagged(element: ElementNode, all: string, key: string, pieces: readonly AttributePiece[]): void {
    const isOwn = (piece: AttributePiece): boolean =>
      typeof piece !== "string" && piece.text === this.#placeholder;
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

/** The extension that shows an SVG in place of the picture (MS-ODRAWXML 2.3.4.2). */
function isSvgExtension({ name, children }: ElementNode): boolean {
  return (
    name === "a:ext" &&
    children.some((node) => node.kind === "element" && node.name.endsWith(":svgBlip"))
  );
}
