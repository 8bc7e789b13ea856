// The picture that stands in the templates until the data brings another one. `scripts/pictures.ts` makes it.

import { existsSync, readFileSync } from "node:fs";
import { writePng } from "./png.ts";

/** Where it is kept: like the other pictures it shows text, which only an office program can draw. */
export const PLACEHOLDER_FILE = new URL("placeholder.png", import.meta.url);

/** Three by two; a grey pixel where it has not been made yet. */
export const PLACEHOLDER: Uint8Array = existsSync(PLACEHOLDER_FILE)
  ? readFileSync(PLACEHOLDER_FILE)
  : writePng({ width: 1, height: 1, rgb: new Uint8Array([0xd0, 0xd0, 0xd0]) });
