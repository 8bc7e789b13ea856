import { imageSize } from "image-size";
import { describe, expect, test } from "vitest";
import { docx, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { exif, png } from "../../../ooxml/test/support/pictures.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import {
  emptyWebp,
  extendedWebp,
  WEBP,
  WEBP_ANIMATION,
  webpChunk,
} from "../../../ooxml/test/support/webp.ts";
import { compileTemplate } from "../../src/compile-template.ts";
import { type PrepareOptions, prepareImages } from "../../src/values/image/prepare-images.ts";
import type { RasterizeRequest } from "../../src/values/image/rasterize.ts";
import { readImage } from "../../src/values/image/read-image.ts";
import { rasterize } from "../support/rasterize.ts";

const PIXEL = 9_525;

const uri = (bytes: Uint8Array): string =>
  `data:image/webp;base64,${Buffer.from(bytes).toString("base64")}`;

/** Reads a WebP image in the data after preparation. */
async function prepared(
  bytes: Uint8Array,
  options: PrepareOptions = { rasterize },
): Promise<ReturnType<typeof readImage>> {
  const value = uri(bytes);
  return readImage(value, await prepareImages({ nested: [{ value }] }, options));
}

async function refusal(bytes: Uint8Array, options?: PrepareOptions): Promise<string> {
  const read = await prepared(bytes, options);
  return "problem" in read ? read.problem : "none";
}

describe("a WebP image in the data", () => {
  test.each(Object.entries(WEBP))("of the kind %s becomes a PNG of its size", async (_, bytes) => {
    const requests: RasterizeRequest[] = [];
    const read = await prepared(bytes, {
      rasterize: (request) => {
        requests.push(request);
        return rasterize(request);
      },
    });
    expect(requests).toEqual([{ webp: bytes, width: 20, height: 10 }]);
    expect(read).toMatchObject({
      image: { type: "png", fallback: null, widthEmu: 20 * PIXEL, heightEmu: 10 * PIXEL },
    });
    const { bytes: content } = "image" in read ? read.image : { bytes: Buffer.alloc(0) };
    expect(imageSize(content)).toMatchObject({ type: "png", width: 20, height: 10 });
  });

  test("keeps its orientation and resolution", async () => {
    const turned = extendedWebp({}, webpChunk("EXIF", exif(6, { dpi: 192 })));
    expect(await prepared(turned)).toMatchObject({
      image: { widthEmu: 5 * PIXEL, heightEmu: 10 * PIXEL, rotation: 90, flip: "none" },
    });
  });

  test("may be a file or have another media type, and is decoded once", async () => {
    let decoded = 0;
    const values = [
      { type: "file", id: "a.webp" },
      uri(WEBP.lossy),
      uri(WEBP.lossy).replace("webp", "png"),
    ];
    const images = await prepareImages(values, {
      readFile: async () => WEBP.lossy,
      rasterize: (request) => {
        decoded += 1;
        return rasterize(request);
      },
    });
    expect(decoded).toBe(1);
    const read = values.map((value) => readImage(value, images));
    expect(read.map((each) => ("image" in each ? each.image.type : each.problem))).toEqual([
      "png",
      "png",
      "png",
    ]);
  });

  test("is inserted into the document as a PNG", async () => {
    const template = await compileTemplate(docx({ body: p("{{photo :: width('1cm')}}") }));
    const data = { photo: uri(WEBP.lossless) };
    const images = await prepareImages(data, { rasterize });
    const { bytes, warnings } = template.render(data, { images });
    expect(warnings).toEqual([]);
    expect(partOf(bytes)).toContain('<wp:extent cx="360000" cy="180000"/>');
    const media = [...unzipped(bytes)].filter(([name]) => name.startsWith("word/media/"));
    expect(
      media.map(([name, content]) => [name.split(".").at(-1), imageSize(content).type]),
    ).toEqual([["png", "png"]]);
  });
});

describe("problems with WebP images are reported", () => {
  test("if nothing decodes it", async () => {
    expect(await refusal(WEBP.lossy, {})).toBe(
      "is a WebP image, but there is no function to decode it: use prepareImages from @quire/core, or pass the option rasterize",
    );
  });

  test("with the tag and its place in the data, if it was not prepared", async () => {
    const template = await compileTemplate(docx({ body: p("{{people[0].photo}}") }));
    const data = { people: [{ photo: uri(WEBP.lossy) }] };
    expect(template.check(data)).toMatchObject([
      {
        code: "invalid_value",
        message:
          "The value for the tag {{people[0].photo}} is a WebP image, which cannot be decoded here: give a PNG or JPEG.",
        pointer: "/people/0/photo",
      },
    ]);
  });

  test.each([
    ["an animation", WEBP_ANIMATION, "is an animated WebP image: give one without animation"],
    [
      "a file that is cut off",
      WEBP.alpha.subarray(0, -1),
      "is a WebP image that is cut off or damaged",
    ],
    ["a large image", emptyWebp(8_001, 5_000), "is an image of more than 40 million pixels"],
  ])("if it is %s, and nothing is decoded", async (_, bytes, expected) => {
    const fail = (): never => expect.fail();
    expect(await refusal(bytes, { rasterize: fail })).toBe(expected);
  });

  test("if the function decodes something else", async () => {
    const undecoded = "is a WebP image that cannot be decoded";
    for (const other of [png(10, 20), Buffer.from("PNG")]) {
      expect(await refusal(WEBP.lossy, { rasterize: async () => ({ png: other }) })).toBe(
        undecoded,
      );
    }
    const reply = { problem: undecoded };
    expect(await refusal(WEBP.lossy, { rasterize: async () => reply })).toBe(undecoded);
  });

  test("if it exceeds the steps together with others", async () => {
    const values = [1, 2, 3].map((id) => uri(extendedWebp({}, webpChunk("more", Buffer.of(id)))));
    const images = await prepareImages(values, { rasterize, steps: 140 });
    const read = values.map((value) => readImage(value, images));
    expect(read.map((each) => ("image" in each ? "decoded" : each.problem))).toEqual([
      "decoded",
      "decoded",
      expect.stringContaining("is a WebP image that takes more steps to decode"),
    ]);
    expect(images.steps).toBe(134);
  });
});

test("a WebP as base64 without the start of a data URI is a picture, also in a plain tag", async () => {
  const value = WEBP.lossy.toString("base64");
  const images = await prepareImages({ photo: value }, { rasterize });
  expect(readImage(value, images)).toMatchObject({ image: { type: "png" } });
  const template = await compileTemplate(docx({ body: p("{{photo}}") }));
  const { bytes } = template.render({ photo: value }, { images });
  expect([...unzipped(bytes).keys()].filter((name) => name.includes("media"))).toHaveLength(1);
});
