import type { PicturePiece, PictureShape } from "../program/picture-shape.ts";
import type { LinkOp, TextOp } from "../program/tag-ops.ts";
import type { GroupedBox } from "../template/nodes/placeholders.ts";
import {
  frameOf,
  groupQuarterTurn,
  sourceRectangle,
  svgExtension,
  turnAttributes,
} from "../values/image/drawing.ts";
import type { ImageValue } from "../values/image/read-image.ts";
import { type Box, type Fit, fitIntoBox } from "../values/image/size.ts";
import { attributeXml } from "../values/text.ts";

/** The content of a placeholder picture: an image, or `none` to keep the picture that the author inserted. */
export type Filling = {
  /** The number of the drawing. */
  readonly id: number;
  /** Returns the XML for another tag in the placeholder. */
  readonly write: (op: TextOp | LinkOp) => string;
} & (
  | {
      readonly kind: "none";
      /** The output of the tag. */
      readonly text: string;
    }
  | {
      readonly kind: "image";
      readonly image: ImageValue;
      readonly fit: Fit;
      readonly description: string;
      readonly relationships: { readonly embed: string; readonly svg: string | null };
      /** Whether the picture is in a note or a comment, where Word does not support groups. */
      readonly inNote: boolean;
    }
);

/** Returns the XML of a placeholder picture. */
export function fillPicture(shape: PictureShape, filling: Filling): string {
  const { id, write } = filling;
  if (filling.kind === "none") {
    const slots = { id: String(id), value: attributeXml(filling.text) };
    return piecesXml(shape.original, slots, write);
  }
  const { image, inNote } = filling;
  const { rotation } = image;
  const box = fitIntoBox(image, shape.widthEmu, shape.heightEmu, filling.fit);
  if (inNote || !shape.isGroupable || rotation % 180 === 0) {
    const slots = slotsOf(filling, box, shape.angle);
    const placed =
      shape.grouped === null ? {} : placeInGroup(shape.grouped, frameOf(box, rotation));
    return piecesXml(shape.pieces, { ...slots, ...placed }, write);
  }
  const drawing = piecesXml(shape.pieces, slotsOf(filling, box, 0), write);
  return groupQuarterTurn(drawing, box, rotation, shape.angle);
}

type Slots = Partial<Record<Extract<PicturePiece, { slot: string }>["slot"], string>>;

function piecesXml(pieces: readonly PicturePiece[], slots: Slots, write: Filling["write"]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      return "slot" in piece ? (slots[piece.slot] ?? "") : write(piece);
    })
    .join("");
}

/** Places a picture in a group, in the middle of the box that the author drew. */
function placeInGroup(
  { x, y, width, height, scaleX, scaleY }: GroupedBox,
  { cx, cy }: { readonly cx: number; readonly cy: number },
): Slots {
  const [ownWidth, ownHeight] = [Math.round(cx / scaleX), Math.round(cy / scaleY)];
  return {
    width: String(ownWidth),
    height: String(ownHeight),
    left: String(Math.round(x + (width - ownWidth) / 2)),
    top: String(Math.round(y + (height - ownHeight) / 2)),
  };
}

/**
 * Returns the slots for an image. `angle` is the rotation of the picture in addition to the orientation of its pixels.
 */
function slotsOf(
  { image, description, relationships, id }: Extract<Filling, { kind: "image" }>,
  box: Box,
  angle: number,
): Slots {
  const { cx, cy } = frameOf(box, image.rotation);
  return {
    id: String(id),
    embed: attributeXml(relationships.embed),
    description: attributeXml(description),
    width: String(cx),
    height: String(cy),
    turn: turnAttributes(image.rotation, image.flip, angle),
    crop: sourceRectangle(box),
    extension: svgExtension(relationships.svg),
  };
}
