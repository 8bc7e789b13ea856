import { expect, test } from "vitest";
import { isSound } from "../src/picture/check-picture.ts";
import { sniff } from "../src/picture/sniff.ts";
import {
  bmp,
  emf,
  emfPlus,
  plusBitmap,
  plusImage,
  tiff,
  wmf,
  wmfWithEmf,
} from "./support/metafiles.ts";
import { GIF, JPEG, png } from "./support/pictures.ts";

// For pictures in templates, see clean-pictures.test.ts.

test("a picture is recognised by its first bytes and checked by its records", () => {
  const nested = wmfWithEmf(emfPlus(plusImage(plusBitmap(png(1, 1)))), 50);
  const pictures = { png: png(1, 1), jpeg: JPEG, gif: GIF, bmp: bmp(), tiff: tiff(), emf: emf() };
  for (const [type, bytes] of Object.entries({ ...pictures, wmf: wmf(nested.subarray(40, 40)) })) {
    const known = sniff(bytes);
    expect(known).toBe(type);
    expect(known !== null && known !== "svg" && isSound(known, bytes, 0)).toBe(true);
  }
  expect(isSound("wmf", nested, 0)).toBe(true);
});

test("a truncated metafile is rejected, and nesting is limited", () => {
  let nested = emf();
  for (let depth = 0; depth < 9; depth++) nested = emfPlus(plusImage(plusBitmap(nested)));
  expect(isSound("emf", nested, 0)).toBe(false);
  const file = emfPlus(plusImage(plusBitmap(png(3, 3))));
  for (let length = 44; length < file.length; length++) {
    expect(isSound("emf", file.subarray(0, length), 0)).toBe(false);
  }
});
