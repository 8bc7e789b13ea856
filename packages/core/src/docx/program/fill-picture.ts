import { frameOf, sourceRectangle, svgExtension, turnAttributes } from "../values/image/drawing.ts";
import type { ImageValue } from "../values/image/read-image.ts";
import { type Fit, fitIntoBox } from "../values/image/size.ts";
import { attributeXml } from "../values/text.ts";
import type { PicturePiece, PictureShape } from "./picture.ts";

/** What a placeholder picture is filled with. */
export interface Filling {
  readonly image: ImageValue;
  readonly fit: Fit;
  readonly description: string;
  readonly relationships: { readonly embed: string; readonly svg: string | null };
}

/** Writes a placeholder picture; without a filling, as it is in the template. */
export function fillPicture(
  pieces: readonly PicturePiece[],
  id: number,
  shape: PictureShape,
  filling: Filling | null,
): string {
  const slots = filling === null ? { id: String(id) } : slotsOf(shape, filling, id);
  return pieces
    .map((piece) => (typeof piece === "string" ? piece : (slots[piece.slot] ?? "")))
    .join("");
}

type Slots = Partial<Record<Exclude<PicturePiece, string>["slot"], string>>;

function slotsOf(
  shape: PictureShape,
  { image, fit, description, relationships }: Filling,
  id: number,
): Slots {
  const box = fitIntoBox(image, shape.widthEmu, shape.heightEmu, fit);
  const { cx, cy } = frameOf(box, image.rotation);
  return {
    id: String(id),
    embed: attributeXml(relationships.embed),
    description: attributeXml(description),
    width: String(cx),
    height: String(cy),
    turn: turnAttributes(image.rotation, image.flip, shape.angle),
    crop: sourceRectangle(box),
    extension: svgExtension(relationships.svg),
  };
}
