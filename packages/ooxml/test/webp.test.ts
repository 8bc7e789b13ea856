import fc from "fast-check";
import { imageSize } from "image-size";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { isWebp, readWebp } from "../src/picture/webp.ts";
import { exif } from "./support/pictures.ts";
import {
  emptyWebp,
  extendedWebp,
  WEBP,
  WEBP_ANIMATION,
  webpChunk,
  webpFile,
} from "./support/webp.ts";

const DAMAGED = { problem: "is a WebP image that is cut off or damaged" };

describe("reading the header of a WebP image", () => {
  test.each(Object.entries(WEBP))("of the kind %s gives its size", (_, bytes) => {
    const { width, height } = imageSize(bytes);
    expect({ width, height }).toEqual({ width: 20, height: 10 });
    expect(readWebp(bytes)).toEqual({ width, height, dpi: null, orientation: null });
    expect(readWebp(Buffer.concat([bytes, Buffer.from("more")]))).toMatchObject({ width, height });
  });

  test("gives the largest size that the format allows", () => {
    expect(readWebp(emptyWebp(16_384, 16_384))).toMatchObject({ width: 16_384, height: 16_384 });
  });

  test("gives the orientation and resolution of EXIF data, with and without a prefix", () => {
    const data = exif(6, { dpi: 300 });
    for (const content of [data, Buffer.concat([Buffer.from("Exif\0\0"), data])]) {
      expect(readWebp(extendedWebp({}, webpChunk("EXIF", content)))).toEqual({
        width: 20,
        height: 10,
        dpi: { x: 300, y: 300 },
        orientation: 6,
      });
    }
    for (let length = 0; length < data.length; length++) {
      const chunk = webpChunk("EXIF", data.subarray(0, length));
      expect(readWebp(extendedWebp({}, chunk))).toMatchObject({ width: 20, height: 10 });
    }
  });

  test("reports an animation", () => {
    const animated = { problem: "is an animated WebP image: give one without animation" };
    expect(readWebp(WEBP_ANIMATION)).toEqual(animated);
    expect(readWebp(extendedWebp({ flags: 2 }))).toEqual(animated);
  });

  test.each([
    ["without chunks", webpFile()],
    ["without pixels", webpFile(webpChunk("EXIF", exif(1)))],
    ["with a canvas of another size", extendedWebp({ width: 21 })],
    ["with a frame that is not a key frame", changed(WEBP.lossy, 20, 1)],
    ["with another start code", changed(WEBP.lossy, 23, 0)],
    ["with another signature", changed(WEBP.lossless, 20, 0)],
    ["with a chunk that is longer than the file", changed(WEBP.lossless, 17, 1)],
  ])("reports a file %s", (_, bytes) => {
    expect(readWebp(bytes)).toEqual(DAMAGED);
  });

  test("reports every truncated file", () => {
    for (const whole of [...Object.values(WEBP), WEBP_ANIMATION]) {
      for (let length = 0; length < whole.length; length++) {
        const cut = whole.subarray(0, length);
        expect(isWebp(cut)).toBe(length >= 12);
        if (length >= 12) expect(readWebp(cut)).toEqual(DAMAGED);
      }
    }
  });

  test("never throws, whatever follows the first bytes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(WEBP), WEBP_ANIMATION, extendedWebp({})),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.uint8Array({ maxLength: 40 }),
        (start, changes, rest) => {
          const bytes = Buffer.concat([start, rest]);
          for (const [at, byte] of changes) bytes[12 + (at % (bytes.length - 12))] = byte;
          const read = readWebp(bytes);
          if ("width" in read) expect(read.width).toBeLessThanOrEqual(16_384);
        },
      ),
      { numRuns: manyRuns(300, 20_000) },
    );
  });
});

function changed(bytes: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = byte;
  return copy;
}
