// Two small images for the data of the examples, drawn by code.

import { type Pixels, writePng } from "./png.ts";

type Colour = readonly [number, number, number];

const SKY: Colour = [0xa9, 0xd6, 0xe5];
const SUN: Colour = [0xff, 0xd1, 0x66];
const HILL: Colour = [0x52, 0x9a, 0x6f];
const MEADOW: Colour = [0x7f, 0xbc, 0x6b];
const SKIN: Colour = [0xf2, 0xc9, 0xa5];
const SHIRT: Colour = [0x2a, 0x6f, 0x97];
const WALL: Colour = [0xe9, 0xec, 0xef];

/** A landscape with the ratio 3:2. Its natural size is 30 by 20 mm. */
export const LANDSCAPE = draw(360, 240, (x, y) => {
  if ((x - 270) ** 2 + (y - 60) ** 2 < 34 ** 2) return SUN;
  if (y > 175 + 12 * Math.sin(x / 45)) return MEADOW;
  return y > 130 + 35 * Math.sin(x / 70 + 1) ? HILL : SKY;
});

/** A portrait that is taller than wide. */
export const PORTRAIT = draw(180, 240, (x, y) => {
  if ((x - 90) ** 2 / 44 ** 2 + (y - 95) ** 2 / 55 ** 2 < 1) return SKIN;
  if ((x - 90) ** 2 / 80 ** 2 + (y - 245) ** 2 / 90 ** 2 < 1) return SHIRT;
  return WALL;
});

/** Returns a PNG in base64, as in the data. */
export function base64(png: Uint8Array): string {
  return Buffer.from(png).toString("base64");
}

function draw(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Uint8Array {
  const pixels: Pixels = { width, height, rgb: new Uint8Array(3 * width * height) };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels.rgb.set(colourAt(x, y), 3 * (y * width + x));
    }
  }
  return writePng(pixels);
}
