import type { GroupedBox } from "../template/nodes/placeholders.ts";
import type { LinkOp, TextOp } from "./tag-ops.ts";

/**
 * A piece of a placeholder picture: fixed XML, another tag, or something that depends on the image. `left` and `top`:
 * the position of the picture in its group. `turn`: the attributes of `a:xfrm` for the angle. `crop` comes after the
 * `a:blip`, and `extension` is inside it. `value`: the tag itself, if its value is not an image.
 */
export type PicturePiece =
  | string
  | TextOp
  | LinkOp
  | {
      readonly slot:
        | "embed"
        | "extension"
        | "crop"
        | "turn"
        | "width"
        | "height"
        | "left"
        | "top"
        | "description"
        | "value"
        | "id";
    };

/** A placeholder picture, as it is written when its image is known. */
export interface PictureShape {
  readonly pieces: readonly PicturePiece[];
  /** The box that the author drew, in EMU. */
  readonly widthEmu: number;
  readonly heightEmu: number;
  /** The rotation by the author, in sixtieths of a thousandth of a degree (ECMA-376 part 1, 20.1.10.3). */
  readonly angle: number;
  /** Whether the tag is the whole alternative text. If not, there is other text in further lines. */
  readonly isAlone: boolean;
  /** Whether the picture can be put into a group, because it is not in one yet. */
  readonly isGroupable: boolean;
  /** The box of the picture in its group; null outside groups. */
  readonly grouped: GroupedBox | null;
  /** The replacement if nothing is to be shown; null to write nothing at all. */
  readonly empty: string | null;
  /** The whole drawing as in the template, which is written without an image. */
  readonly original: readonly PicturePiece[];
  /** The other tags in the drawing. */
  readonly others: readonly (TextOp | LinkOp)[];
}
