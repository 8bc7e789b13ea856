// The image in the templates, which an image from the data replaces. `scripts/pictures.ts` makes it.

import { existsSync, readFileSync } from "node:fs";
import { writePng } from "./png.ts";

/** The file of the image. It is committed, because it contains text, which only an office program can draw. */
export const PLACEHOLDER_FILE = new URL("placeholder.png", import.meta.url);

/** An image with the ratio 3:2, or a grey pixel if it does not exist yet. */
export const PLACEHOLDER: Uint8Array = existsSync(PLACEHOLDER_FILE)
  ? readFileSync(PLACEHOLDER_FILE)
  : writePng({ width: 1, height: 1, rgb: new Uint8Array([0xd0, 0xd0, 0xd0]) });
