import {
  attributesOf,
  descendants,
  type ElementNode,
  type TagNode,
  type TemplateNode,
} from "../template/nodes.ts";

/**
 * A piece of a placeholder picture: XML that stays, or what depends on the image that fills it. `turn`
 * are the attributes of `a:xfrm` for the angle, `crop` stands behind the `a:blip`, `extension` in it.
 */
export type PicturePiece =
  | string
  | {
      readonly slot:
        | "embed"
        | "extension"
        | "crop"
        | "turn"
        | "width"
        | "height"
        | "description"
        | "id";
    };

/** A placeholder picture as it is written once its image is known. */
export interface PictureShape {
  readonly pieces: readonly PicturePiece[];
  /** The box that the author drew, in EMU. */
  readonly widthEmu: number;
  readonly heightEmu: number;
  /** How the author turned it, in sixtieths of a thousandth of a degree (ECMA-376 part 1, 20.1.10.3). */
  readonly angle: number;
  /** The number that the drawing has in the template. */
  readonly id: number;
  /** The whole drawing as it is in the template, for when there is no image and the tag is to stay. */
  readonly original: readonly PicturePiece[];
}

/**
 * The shape of a drawing that is a placeholder: it has one picture, and its alternative text is one
 * tag and nothing else. Null for any other drawing. In loops its number is a slot.
 */
export function pictureShapeOf(
  drawing: ElementNode,
  inLoop: boolean,
): { readonly tag: TagNode; readonly shape: PictureShape } | null {
  const elements = [...descendants(drawing)].filter((node) => node.kind === "element");
  const blips = elements.filter(({ name }) => name === "a:blip");
  const properties = elements.find(({ name }) => name === "wp:docPr");
  const tag = properties === undefined ? null : onlyTag(properties);
  const extent = elements.find(({ name }) => name === "wp:extent");
  if (tag === null || blips.length !== 1 || extent === undefined) return null;
  const { cx, cy } = attributesOf(extent.attributes);
  const frame = elements.find(({ name }) => name === "a:xfrm");
  const { rot } = attributesOf(frame?.attributes ?? "");
  const { id } = attributesOf(properties?.attributes ?? "");
  const writer = new ShapeWriter(inLoop, true);
  writer.node(drawing);
  const plain = new ShapeWriter(inLoop, false);
  plain.node(drawing);
  const shape: PictureShape = {
    pieces: writer.pieces,
    widthEmu: Number(cx ?? 0),
    heightEmu: Number(cy ?? 0),
    angle: Number(rot ?? 0),
    id: Number(id ?? 0),
    original: plain.pieces,
  };
  return { tag, shape };
}

/** The tag that is a drawing's whole alternative text. Its title may repeat it. */
function onlyTag({ tagged }: ElementNode): TagNode | null {
  const [piece, ...more] = tagged?.get("descr") ?? tagged?.get("title") ?? [];
  return piece === undefined || typeof piece === "string" || more.length > 0 ? null : piece;
}

class ShapeWriter {
  readonly pieces: PicturePiece[] = [];
  readonly #inLoop: boolean;
  readonly #filled: boolean;

  constructor(inLoop: boolean, filled: boolean) {
    this.#inLoop = inLoop;
    this.#filled = filled;
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

  #attributes({ name, attributes, tagged, parent }: ElementNode): void {
    const resized = name === "wp:extent" || (name === "a:ext" && parent?.name === "a:xfrm");
    if (this.#filled && name === "a:xfrm") this.pieces.push({ slot: "turn" });
    for (const [all, key = ""] of attributes.matchAll(/ ([^=]+)="[^"]*"/g)) {
      const slot = this.#slot(name, key, tagged?.has(key) ?? false, resized);
      if (slot === null) this.#write(all);
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
    tagged: boolean,
    resized: boolean,
  ): Exclude<PicturePiece, string>["slot"] | null {
    if (element === "wp:docPr" && attribute === "id" && this.#inLoop) return "id";
    if (!this.#filled) return null;
    if (tagged) return "description";
    if (element === "a:blip" && attribute === "r:embed") return "embed";
    if (element === "a:xfrm" && (attribute === "rot" || attribute === "flipH")) return "turn";
    if (!resized) return null;
    if (attribute === "cx") return "width";
    return attribute === "cy" ? "height" : null;
  }

  #write(xml: string): void {
    const last = this.pieces.at(-1);
    if (typeof last === "string") this.pieces[this.pieces.length - 1] = last + xml;
    else this.pieces.push(xml);
  }
}

/** The extension that shows an SVG in place of the picture (MS-ODRAWXML 2.3.4.2). */
function isSvgExtension({ name, children }: ElementNode): boolean {
  return (
    name === "a:ext" &&
    children.some((node) => node.kind === "element" && node.name.endsWith(":svgBlip"))
  );
}
