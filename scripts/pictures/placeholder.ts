// The images in the templates. An image from the data replaces each of them. They show their alternative text.
// `npm run pictures -- placeholders` creates them.

import { existsSync, readFileSync } from "node:fs";
import { writePng } from "./png.ts";

/** The alternative texts of the images, by name. */
export const ALTERNATIVES = {
  photo: "{{photo}}",
  contain: "{{portrait}}",
  cover: '{{portrait ::\nfit("cover")}}',
  stretch: '{{portrait ::\nfit("stretch")}}',
} as const;

type Name = keyof typeof ALTERNATIVES;

/**
 * Returns the path of an image. The image is committed, because it contains text, which only an office program can
 * draw.
 */
export function placeholderFile(name: Name): URL {
  return new URL(`placeholders/${name}.png`, import.meta.url);
}

/** Returns an image with the ratio 3:2, or a grey pixel if the image does not exist yet. */
export function placeholder(name: Name): Uint8Array {
  return existsSync(placeholderFile(name))
    ? readFileSync(placeholderFile(name))
    : writePng({ width: 1, height: 1, rgb: new Uint8Array([0xd0, 0xd0, 0xd0]) });
}
