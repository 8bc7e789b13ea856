import { expect, test } from "vitest";
import { bmp } from "../../../ooxml/test/support/metafiles.ts";
import { readImage } from "../../src/values/image/read-image.ts";

function uri(bytes: Uint8Array): string {
  return `data:image/bmp;base64,${Buffer.from(bytes).toString("base64")}`;
}

test("a BMP has the size that its header gives", () => {
  expect(readImage(uri(bmp()), null)).toMatchObject({
    image: { type: "bmp", widthEmu: 9525, heightEmu: 9525, rotation: 0 },
  });
});

test("a BMP has the resolution that its header gives, and may begin with its top row", () => {
  const file = bmp();
  file.writeInt32LE(-1, 22);
  // 72 dpi.
  file.writeInt32LE(2835, 38);
  file.writeInt32LE(2835, 42);
  expect(readImage(uri(file), null)).toMatchObject({
    image: { widthEmu: 12_700, heightEmu: 12_700 },
  });
});

test.each([
  ["cut off", bmp().subarray(0, 56), "is a BMP image that is cut off"],
  ["with a JPEG in it", bmp().fill(4, 30, 31), "is a BMP image that is damaged"],
  ["without pixels", bmp().fill(0, 18, 22), "is a BMP image that is damaged"],
])("a BMP %s is reported", (_name, bytes, problem) => {
  expect(readImage(uri(bytes), null)).toEqual({ problem });
});
