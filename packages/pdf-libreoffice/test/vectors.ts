/** All documents that try to make LibreOffice fetch something or read a file. */
import { VECTORS as LINK_VECTORS, type Vector } from "./link-vectors.ts";
import { NAME_VECTORS } from "./name-vectors.ts";
import { OBJECT_VECTORS } from "./object-vectors.ts";
import { PART_VECTORS } from "./part-vectors.ts";
import { PICTURE_VECTORS } from "./picture-vectors.ts";
import { RARE_VECTORS } from "./rare-vectors.ts";
import { SVG_VECTORS } from "./svg-vectors.ts";
import { VALUE_VECTORS } from "./value-vectors.ts";

/** All documents by name. */
export const VECTORS: Readonly<Record<string, Vector>> = {
  ...LINK_VECTORS,
  ...PART_VECTORS,
  ...OBJECT_VECTORS,
  ...PICTURE_VECTORS,
  ...SVG_VECTORS,
  ...NAME_VECTORS,
  ...RARE_VECTORS,
  ...VALUE_VECTORS,
};
