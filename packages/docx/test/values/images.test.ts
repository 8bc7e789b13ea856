import { isQuireError, QuireError } from "@quire/contracts";
import fc from "fast-check";
import { imageSize } from "image-size";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import {
  exif,
  exifJpeg,
  GIF,
  GRAY_JPEG,
  JPEG,
  png,
  pngChunk,
  pngHeader,
  pngResolution,
  withSegment,
} from "../../../ooxml/test/support/pictures.ts";
import { groupQuarterTurn, inlineDrawing, turnAttributes } from "../../src/values/image/drawing.ts";
import {
  type PreparedImages,
  type PrepareOptions,
  prepareImages,
} from "../../src/values/image/prepare-images.ts";
import { type ImageValue, isImageValue, readImage } from "../../src/values/image/read-image.ts";
import { boxFor, fitIntoBox, parseLength } from "../../src/values/image/size.ts";
import { cleanSvg } from "../../src/values/image/svg.ts";
import { rasterize } from "../support/rasterize.ts";

const INCH = 914_400;
const PIXEL = 9_525;

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");

function image(value: unknown, prepared: PreparedImages | null = null): ImageValue {
  const read = readImage(value, prepared);
  if ("problem" in read) throw new Error(read.problem);
  return read.image;
}

function problem(value: unknown, prepared: PreparedImages | null = null): string {
  const read = readImage(value, prepared);
  return "problem" in read ? read.problem : "none";
}

function sizeOf(value: unknown): [number, number] {
  const { widthEmu, heightEmu } = image(value);
  return [widthEmu / PIXEL, heightEmu / PIXEL];
}

const svg = (content: string, size = 'width="40" height="20"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`;

/** Reads an SVG value after preparation. */
async function prepared(
  text: string,
  options: PrepareOptions = {},
): Promise<ReturnType<typeof readImage>> {
  const value = base64(text);
  const prepared = await prepareImages({ nested: [{ value }] }, { rasterize, ...options });
  return readImage(value, prepared);
}

async function refusal(text: string, options: PrepareOptions = {}): Promise<string> {
  const read = await prepared(text, options);
  return "problem" in read ? read.problem : "none";
}

async function cleaned(text: string): Promise<string> {
  const read = await prepared(text);
  if ("problem" in read) throw new Error(read.problem);
  return Buffer.from(read.image.bytes).toString();
}

describe("which values are images", () => {
  test.each([
    ["a PNG in base64", base64(png(2, 2))],
    ["a JPEG in base64", base64(JPEG)],
    ["a GIF in base64", base64(GIF)],
    ["an SVG in base64", base64(svg(""))],
    [
      "an SVG after a prolog",
      base64(`<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>\n${svg("")}`),
    ],
    ["base64 in lines", base64(png(40, 40)).replace(/.{76}/g, "$&\r\n")],
    ["base64 in indented lines", `\n\t${base64(png(40, 40)).replace(/.{76}/g, "$&\n\t")} \n`],
    ["a data URI with spaces", ` data:image/png;base64, ${base64(png(1, 1))} `],
    ["base64 without padding", base64(GIF).replace(/=+$/, "")],
    ["a data URI", `data:image/png;base64,${base64(png(1, 1))}`],
    ["a data URI with parameters", `data:image/svg+xml;charset=utf-8;base64,${base64(svg(""))}`],
    ["an invalid data URI", "data:image/png;base64,?"],
    ["a data URI that is not in base64", "data:image/svg+xml;utf8,<svg/>"],
    ["a file reference", { type: "file", id: "logo.png" }],
    ["a URL reference", { type: "url", url: "https://example.com/a.png" }],
  ])("%s is an image", (_, value) => {
    expect(isImageValue(value)).toBe(true);
  });

  test.each([
    ["text", "A picture of /9j/ and iVBORw0KGgo"],
    ["text that starts like base64", "/9j/ is how the base64 of a JPEG begins, always"],
    ["a short word", "/9j/4AAQ"],
    ["text with base64 characters only", "/9j/ is how the base64 of a JPEG begins always"],
    ["base64 of another format", base64("%PDF-1.7 and a good deal more of it")],
    ["base64 of XML that is not SVG", base64('<?xml version="1.0"?><invoice><svg/></invoice>')],
    ["base64 with an invalid character", `${base64(png(2, 2))}!`],
    ["base64 with padding in the middle", `${base64(GIF)}=${base64(GIF)}`],
    ["markup", svg("")],
    ["an address", "https://example.com/a.png"],
    ["an object of another type", { type: "folder", id: "a" }],
    ["a reference without an id", { type: "file", id: "" }],
    ["an inherited reference", Object.create({ type: "file", id: "a" })],
    ["bytes", png(1, 1)],
    ["nothing", null],
    ["a number", 1],
  ])("%s is not an image", (_, value) => {
    expect(isImageValue(value)).toBe(false);
  });

  test("ordinary text is not an image", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(isImageValue(text)).toBe(false);
      }),
    );
  });
});

describe("the natural size", () => {
  test("is 96 pixels per inch if the file has no resolution", () => {
    expect(image(base64(png(96, 192)))).toMatchObject({
      type: "png",
      widthEmu: INCH,
      heightEmu: 2 * INCH,
      rotation: 0,
      flip: "none",
      fallback: null,
    });
    expect(sizeOf(base64(JPEG))).toEqual([24, 16]);
    expect(sizeOf(base64(GIF))).toEqual([5, 3]);
  });

  test("uses the resolution of the file in each direction", () => {
    expect(sizeOf(base64(png(96, 96, pngResolution(7559, 3780))))).toEqual([48, 96]);
    expect(sizeOf(base64(png(72, 72, pngResolution(2835, 2835))))).toEqual([96, 96]);
    expect(sizeOf(base64(GRAY_JPEG))).toEqual([(24 / 300) * 96, (16 / 150) * 96]);
    expect(sizeOf(base64(exifJpeg(1, { dpi: 48 })))).toEqual([48, 32]);
    const [width] = sizeOf(base64(exifJpeg(1, { dpi: 75.6, unit: 3, isLittle: true })));
    expect(width).toBeCloseTo(12, 2);
  });

  test("ignores a resolution that has no unit, is zero or is implausible", () => {
    for (const chunk of [pngResolution(1, 2, 0), pngResolution(0, 0), pngResolution(1, 1)]) {
      expect(sizeOf(base64(png(10, 20, chunk)))).toEqual([10, 20]);
    }
    expect(sizeOf(base64(exifJpeg(1, { dpi: 1 })))).toEqual([24, 16]);
  });

  test("prefers JFIF to EXIF", () => {
    const both = withSegment(
      GRAY_JPEG,
      0xe1,
      Buffer.concat([Buffer.from("Exif\0\0"), exif(1, { dpi: 48 })]),
    );
    expect(sizeOf(base64(both))).toEqual(sizeOf(base64(GRAY_JPEG)));
  });

  test.each([
    [1, 0, "none"],
    [2, 0, "horizontal"],
    [3, 180, "none"],
    [4, 180, "horizontal"],
    [5, 270, "horizontal"],
    [6, 90, "none"],
    [7, 90, "horizontal"],
    [8, 270, "none"],
  ])("EXIF orientation %i rotates by %i degrees, flip %s", (orientation, rotation, flip) => {
    const size = orientation > 4 ? [16, 24] : [24, 16];
    for (const isLittle of [false, true]) {
      const value = base64(exifJpeg(orientation, { isLittle }));
      expect(image(value)).toMatchObject({ rotation, flip });
      expect(sizeOf(value)).toEqual(size);
    }
    const turned = png(24, 16, pngChunk("eXIf", exif(orientation)));
    expect(image(base64(turned))).toMatchObject({ rotation, flip });
  });

  test("the rotations make each orientation upright", () => {
    // The visible position of the stored top left corner, from the table in EXIF 2.32, 4.6.5.A.
    const corners = ["tl", "tr", "br", "bl", "tl", "tr", "br", "bl"];
    const clockwise = ["tl", "tr", "br", "bl"];
    for (const [index, corner] of corners.entries()) {
      const { rotation, flip } = image(base64(exifJpeg(index + 1)));
      const start = flip === "horizontal" ? 1 : 0;
      expect(clockwise[(start + rotation / 90) % 4]).toBe(corner);
    }
  });

  test("an unknown orientation means upright, and broken EXIF data is ignored", () => {
    for (const orientation of [0, 9, 65_535]) {
      expect(image(base64(exifJpeg(orientation)))).toMatchObject({ rotation: 0, flip: "none" });
    }
    const data = exif(6, { dpi: 300 });
    for (let length = 0; length < data.length; length++) {
      const segment = Buffer.concat([Buffer.from("Exif\0\0"), data.subarray(0, length)]);
      expect(image(base64(withSegment(JPEG, 0xe1, segment))).type).toBe("jpeg");
    }
  });

  test("the size in pixels equals the result of image-size", () => {
    const side = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const bytes = png(width, height);
        expect(sizeOf(base64(bytes))).toEqual([imageSize(bytes).width, imageSize(bytes).height]);
      }),
      { numRuns: 30 },
    );
    for (const bytes of [JPEG, GRAY_JPEG, exifJpeg(6), GIF]) {
      const { width, height, orientation } = imageSize(bytes);
      const { rotation } = image(base64(bytes));
      expect({ width, height }).toEqual({ width: imageSize(bytes).width, height });
      expect(rotation).toBe(orientation === 6 ? 90 : 0);
    }
  });
});

describe("one part for each image", () => {
  test("equal bytes in any notation have the same key, and other bytes have another key", () => {
    const one = png(3, 3);
    const keys = [
      base64(one),
      `data:image/gif;base64,${base64(one)}`,
      base64(one).replace(/.{20}/g, "$&\n"),
    ];
    expect(new Set(keys.map((value) => image(value).key)).size).toBe(1);
    expect(image(base64(png(3, 4))).key).not.toBe(image(base64(one)).key);
    expect(image(keys[1])).toMatchObject({ type: "png" });
    expect(Buffer.from(image(keys[2]).bytes)).toEqual(one);
  });
});

const REFERENCE =
  'a file reference, {"type": "file", "id": "a.png"} (in a spreadsheet, photo has the columns photo.type and photo.id)';

describe("problems of images are reported without the value", () => {
  test.each<[string, unknown, string]>([
    ["a text", "a secret", `is text, not an image: give base64, or ${REFERENCE}`],
    ["an empty text", "", "is empty text: give null if there is no image"],
    ["spaces", " ", "is empty text: give null if there is no image"],
    [
      "a number",
      1,
      `is not an image: give base64 of a PNG, JPEG, GIF, BMP, WebP or SVG, or ${REFERENCE}`,
    ],
    ["broken base64", "data:image/png;base64,secret?", "is an image with invalid base64"],
    [
      "a data URI without base64",
      "data:image/svg+xml,%3Csvg",
      "is a data URI that is not in base64",
    ],
    [
      "nothing",
      "data:image/png;base64,",
      "is not an image of a known kind: give a PNG, JPEG, GIF, BMP, WebP or SVG",
    ],
    [
      "a WebP that was not prepared",
      `data:image/webp;base64,${base64("RIFF1234WEBPVP8 ")}`,
      "is a WebP image, which cannot be decoded here: give a PNG or JPEG",
    ],
    [
      "a PDF",
      `data:image/png;base64,${base64("%PDF-1.7")}`,
      "is a PDF: give a PNG, JPEG, GIF, BMP, WebP or SVG",
    ],
    [
      "a file",
      { type: "file", id: "a" },
      "is a file reference, but no storage was given to read it from",
    ],
    [
      "a URL",
      { type: "url", url: "a" },
      "is a URL, but there is no function to fetch it (the option resolveUrl): give base64 instead",
    ],
    ["an SVG that was not prepared", base64(svg("")), "is an SVG, which cannot be drawn here"],
    ["no width", base64(png(0, 4)), "is an image without pixels"],
    [
      "a huge text",
      `data:image/png;base64,${"A".repeat(28_000_005)}`,
      "is an image of more than 20 MB",
    ],
    [
      "huge bytes",
      `data:image/png;base64,${"A".repeat(27_000_000)}`,
      "is an image of more than 20 MB",
    ],
  ])("%s", (_, value, expected) => {
    expect(problem(value)).toBe(expected);
  });

  test("a PNG that is truncated, changed or declares a wrong size", () => {
    const whole = png(20, 20, pngResolution(3780, 3780));
    for (let length = 8; length < whole.length; length++) {
      expect(problem(base64(whole.subarray(0, length)))).not.toBe("none");
    }
    const damaged = "is a PNG image that is cut off or damaged";
    const changed = Buffer.from(whole);
    changed[whole.indexOf("IDAT") + 8] = 0xee;
    expect(problem(base64(changed))).toBe(damaged);
    const file = (header: Buffer, pixels: number): string =>
      base64(
        Buffer.concat([
          whole.subarray(0, 8),
          pngChunk("IHDR", header),
          pngChunk("IDAT", Buffer.alloc(pixels)),
          pngChunk("IEND", Buffer.alloc(0)),
        ]),
      );
    expect(problem(file(pngHeader(5_000, 5_000), 30))).toBe(damaged);
    expect(problem(file(pngHeader(2 ** 31, 2 ** 31), 30))).toBe(damaged);
    expect(problem(file(pngHeader(20_000, 20_000), 2_000_000))).toBe(
      "is an image of more than 100 million pixels",
    );
    const unknown = pngHeader(4, 4);
    unknown[8] = 3;
    expect(problem(file(unknown, 30))).toBe(damaged);
  });

  test("a JPEG that is truncated, and a JPEG that Word does not support", () => {
    for (const whole of [JPEG, GRAY_JPEG]) {
      for (let length = 3; length < whole.length; length++) {
        const cut = `data:image/jpeg;base64,${base64(whole.subarray(0, length))}`;
        expect(problem(cut)).toBe("is a JPEG image that is cut off or damaged");
      }
    }
    const lossless = Buffer.from(JPEG);
    lossless[JPEG.indexOf(Buffer.from([0xff, 0xc2])) + 1] = 0xc3;
    expect(problem(base64(lossless))).toContain("of a kind that Word cannot show");
    const flat = Buffer.from(JPEG);
    flat.writeUInt16BE(0, JPEG.indexOf(Buffer.from([0xff, 0xc2])) + 5);
    expect(problem(base64(flat))).toBe("is an image without pixels");
  });

  test("a GIF that is truncated before the end of its first frame", () => {
    for (let length = 6; length < GIF.length - 1; length++) {
      const cut = `data:image/gif;base64,${base64(GIF.subarray(0, length))}`;
      expect(problem(cut)).toBe("is a GIF image that is cut off or damaged");
    }
    expect(image(`data:image/gif;base64,${base64(GIF.subarray(0, -1))}`).type).toBe("gif");
  });

  test("no bytes after the start of an image make reading throw or take long", () => {
    const starts = [png(4, 4), JPEG, GRAY_JPEG, exifJpeg(6, { dpi: 72 }), GIF];
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.uint8Array({ maxLength: 60 }),
        (start, changes, rest) => {
          const bytes = Buffer.concat([start, rest]);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          const read = readImage(`data:image/png;base64,${base64(bytes)}`, null);
          if ("image" in read)
            expect(read.image.widthEmu * read.image.heightEmu).toBeGreaterThan(0);
        },
      ),
      { numRuns: manyRuns(60, 2_000) },
    );
    const size = manyRuns(1_000_000, 19_000_000);
    const endless = [
      Buffer.concat([JPEG.subarray(0, 2), Buffer.alloc(size, "\xff\x01", "latin1")]),
      Buffer.concat([JPEG.subarray(0, 2), Buffer.alloc(size, "\xff\xe1\0\x02", "latin1")]),
      Buffer.concat([JPEG.subarray(0, -2), Buffer.alloc(size, "\xff\0", "latin1")]),
      Buffer.concat([GIF.subarray(0, 13), Buffer.alloc(size, "\x21\xf9\0", "latin1")]),
      Buffer.concat([png(1, 1).subarray(0, 33), Buffer.alloc(size)]),
    ];
    for (const bytes of endless) expect(problem(base64(bytes))).toContain("cut off or damaged");
  });
});

describe("prepareImages", () => {
  const files = new Map([
    ["a.png", png(5, 6)],
    ["a.svg", Buffer.from(svg('<path d="M0 0h40v20z"/>'))],
  ]);
  const readFile = async (id: string): Promise<Uint8Array> => {
    const bytes = files.get(id);
    if (bytes === undefined) throw new QuireError("not_found", `The file ${id} does not exist.`);
    return bytes;
  };

  test("returns a shared empty result, and reads nothing, if there is nothing to prepare", async () => {
    const data = { a: "text", list: [1, null, { b: base64(png(1, 1)) }], date: new Date(0) };
    const nothing = await prepareImages(data, {
      readFile: () => Promise.reject(new Error("read")),
    });
    expect(nothing).toEqual({ loaded: new Map(), drawn: new Map(), steps: 0 });
    expect(await prepareImages(undefined, {})).toBe(nothing);
  });

  test("reads each file once, at any place in the data, also in circular data", async () => {
    const read: string[] = [];
    const data: Record<string, unknown> = {
      logo: { type: "file", id: "a.png" },
      rows: [{ photo: { type: "file", id: "a.png" } }, { photo: { type: "file", id: "a.svg" } }],
    };
    data.self = data;
    const images = await prepareImages(data, {
      rasterize,
      readFile: (id) => {
        read.push(id);
        return readFile(id);
      },
    });
    expect(read.sort()).toEqual(["a.png", "a.svg"]);
    expect(image({ type: "file", id: "a.png" }, images)).toMatchObject({
      type: "png",
      widthEmu: 5 * PIXEL,
    });
    expect(image({ type: "file", id: "a.svg" }, images)).toMatchObject({
      type: "svg",
      widthEmu: 40 * PIXEL,
    });
  });

  test("searches data that is nested deeper than any stack", async () => {
    let data: unknown = { type: "file", id: "a.png" };
    for (let depth = 0; depth < 200_000; depth++) data = [data];
    expect((await prepareImages(data, { readFile })).loaded.size).toBe(1);
  });

  test("reports a file that is missing, too large or not an image when it is used", async () => {
    files.set("big", Buffer.alloc(20_000_001));
    files.set("text", Buffer.from("some text"));
    const data = ["none", "big", "text"].map((id) => ({ type: "file", id }));
    const images = await prepareImages(data, { readFile });
    expect(data.map((value) => problem(value, images))).toEqual([
      "is a file that cannot be read (not_found)",
      "is an image of more than 20 MB",
      "is not an image of a known kind: give a PNG, JPEG, GIF, BMP, WebP or SVG",
    ]);
  });

  test("rejects for temporary and unexpected failures", async () => {
    const data = { type: "file", id: "a" };
    const busy = new QuireError("storage_failed", "The storage is away.", { retryable: true });
    await expect(prepareImages(data, { readFile: () => Promise.reject(busy) })).rejects.toBe(busy);
    const bug = new TypeError("bug");
    await expect(prepareImages(data, { readFile: () => Promise.reject(bug) })).rejects.toBe(bug);
  });

  test("limits the total size of the files of one document, in any order", async () => {
    const data = Array.from({ length: 14 }, (_, index) => ({ type: "file", id: String(index) }));
    const bytes = Buffer.alloc(19_000_000);
    const images = await prepareImages(data, { readFile: async () => bytes });
    for (const value of data) expect(problem(value, images)).toContain("is beyond the limit");
  });

  test("fetches URLs only with the resolver of the host", async () => {
    const data = { type: "url", url: "https://example.com/a.png" };
    expect(problem(data, await prepareImages(data, { readFile }))).toContain("resolveUrl");
    const images = await prepareImages(data, { resolveUrl: async () => png(7, 7) });
    expect(image(data, images).widthEmu).toBe(7 * PIXEL);
    const failing = await prepareImages(data, {
      resolveUrl: () => Promise.reject(new TypeError("fetch failed")),
    });
    expect(problem(data, failing)).toBe("is a URL that cannot be read");
  });

  test("can be aborted by the signal", async () => {
    const controller = new AbortController();
    const data = [{ type: "file", id: "a.png" }, base64(svg("<g/>"))];
    const pending = prepareImages(data, {
      signal: controller.signal,
      readFile: async (id) => {
        controller.abort();
        return readFile(id);
      },
    });
    const error = await pending.catch((reason: unknown) => reason);
    expect(isQuireError(error) && error.code).toBe("aborted");
  });
});

describe("SVG", () => {
  test("is a problem if nothing draws it", async () => {
    const value = base64(svg("<g/>"));
    expect(problem(value, await prepareImages(value, {}))).toContain("pass the option rasterize");
  });

  test("is inserted into the document together with its PNG", async () => {
    const read = await prepared(svg('<path fill="#ff0000" d="M0 0h40v20z"/>'));
    expect(read).toMatchObject({
      image: { type: "svg", widthEmu: 40 * PIXEL, heightEmu: 20 * PIXEL },
    });
    const { fallback } = "image" in read ? read.image : { fallback: null };
    expect(imageSize(fallback ?? Buffer.alloc(0))).toMatchObject({
      type: "png",
      width: 1200,
      height: 1200,
    });
  });

  test.each([
    ['width="1in" height="25.4mm"', 96, 96],
    ['width="72pt" height="6pc"', 96, 96],
    ['width="100%" viewBox="0 0 30 20"', 30, 20],
    ['width="60" viewBox="0 0 30 20"', 60, 40],
    ['height="10px" viewBox="0,0,30,20"', 15, 10],
  ])("%s", async (size, width, height) => {
    const read = await prepared(svg("<g/>", size));
    expect(read).toMatchObject({ image: { widthEmu: width * PIXEL, heightEmu: height * PIXEL } });
  });

  test("is rewritten without scripts, animations, links and metadata", async () => {
    const source = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:x="urn:x" width="9" height="9" x:y="z" onload="a()">
      <s:script>a()</s:script><s:metadata/><x:note>b</x:note><s:set attributeName="href" to="javascript:a()"/>
      <s:a href="https://example.com"><s:path d="M0 0h9" onclick="a()" style="fill:url(#g)"/></s:a></s:svg>`;
    expect((await cleaned(source)).replace(/\s*\n\s*/g, "")).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">' +
        '<a><path d="M0 0h9" style="fill:url(#g)"></path></a></svg>',
    );
  });

  test("keeps embedded images and internal references", async () => {
    const source = svg(
      `<style>.a{fill:url("#g")}</style><linearGradient id="g"><stop offset="1"/></linearGradient>` +
        `<path id="p" class="a" d="M0 0h9"/><use href="#p"/><image width="4" height="4" href="data:image/png;base64,${base64(png(2, 2))}"/>`,
    );
    const text = await cleaned(source);
    expect(text).toContain('<use xlink:href="#p">');
    expect(text).toContain('xlink:href="data:image/png;base64,');
    expect(text).toContain('.a{fill:url("#g")}');
  });

  const outside = "is an SVG that refers to something outside itself: embed it, or leave it out";
  test.each([
    ["an image of the web", '<image href="https://example.com/a.png"/>'],
    ["a file", '<image xlink:href="file:///etc/passwd"/>'],
    ["a neighbouring file", '<use href="other.svg#a"/>'],
    ["an SVG within", `<image href="data:image/png;base64,${base64(svg(""))}"/>`],
    ["a filter's image", '<filter id="f"><feImage href="//example.com/a"/></filter>'],
    ["a style sheet", '<style>@import "a.css";</style>'],
    ["a font", "<style>@font-face{src:url(a.woff)}</style>"],
    ["a fill", '<path fill="URL( \'https://example.com\')" d="M0 0h9"/>'],
    ["a style", '<path style="fill:url(https://example.com)" d="M0 0h9"/>'],
    ["an escaped style", '<path style="fill:\\75rl(https://example.com)" d="M0 0h9"/>'],
    ["a style with a backslash", '<path style="fill:u\\rl(https://example.com)" d="M0 0h9"/>'],
    ["an image set", "<style>a{fill:image-set('a' 1x)}</style>"],
  ])("with a reference to %s is rejected", async (_, content) => {
    expect(await refusal(svg(content))).toBe(outside);
  });

  test.each([
    [
      "entities",
      `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg("&a;")}`,
      "with declarations in its document type",
    ],
    ["broken XML", svg("<g>"), "that is not well-formed XML"],
    ["an unknown entity", svg("&nbsp;"), "that is not well-formed XML"],
    ["a character that XML forbids", svg("<g id='&#xD800;'/>"), "that is not well-formed XML"],
    ["an embedded document", svg("<foreignObject/>"), "with an element 'foreignObject'"],
    ["no size", svg("<path d='M0 0h9'/>", ""), "without a usable size"],
    ["a size of zero", svg("", 'width="0" height="4"'), "without a usable size"],
    ["an excessive size", svg("", 'width="1e300" height="4"'), "without a usable size"],
    ["depth", svg("<g>".repeat(300) + "</g>".repeat(300)), "nested deeper than 200 levels"],
    ["number of elements", svg("<g/>".repeat(100_001)), "of more than 100000 elements"],
    ["bytes", svg(" ".repeat(5_000_001)), "of more than 5 MB"],
    ["text without a font", svg("<text>Hi</text>"), "with text, for which no font was given"],
  ])("is rejected because of %s", async (_, text, why) => {
    expect(await refusal(text)).toContain(`is an SVG ${why}`);
  });

  test("in an encoding other than UTF-8 is rejected", async () => {
    const value = Buffer.from(svg('<path id="é"/>'), "latin1").toString("base64");
    expect(problem(value, await prepareImages(value, { rasterize }))).toBe(
      "is an SVG that is not written in UTF-8",
    );
  });

  test("may contain another document in a switch with an alternative", async () => {
    const text = await cleaned(svg('<switch><foreignObject/><path d="M0 0h9"/></switch>'));
    expect(text).toContain('<switch><path d="M0 0h9"></path></switch>');
  });

  /** Returns ten levels. Each draws the level below ten times, with `draw`. */
  const levels = (draw: (level: number) => string, around = "g"): string =>
    Array.from(
      { length: 10 },
      (_, level) =>
        `<${around} id="g${level}">${(level === 0 ? "<path d='M0 0h1v1z'/>" : draw(level - 1)).repeat(10)}</${around}>`,
    ).join("");

  test.each([
    ["use", levels((level) => `<use href="#g${level}"/>`)],
    ["use with its namespace", levels((level) => `<use xlink:href=" #g${level}"/>`)],
    [
      "use in another order",
      `<use href="#g9"/><defs>${levels((l) => `<use href="#g${l}"/>`)}</defs>`,
    ],
    ["patterns", levels((level) => `<path d="M0 0h9v9z" fill="url(#g${level})"/>`, "pattern")],
    ["masks", levels((level) => `<path d="M0 0h9" style="mask: url('#g${level}')"/>`, "mask")],
    [
      "style sheets",
      `<style>/* } */${Array.from({ length: 9 }, (_, level) => `.a, .c${level} { fill: url(#g${level}) }`).join("")}</style>` +
        levels((level) => `<path d="M0 0h9v9z" class="c${level}"/>`, "pattern"),
    ],
    ["itself", '<g id="a"><use href="#a"/></g>'],
    ["noise", '<filter id="f"><feTurbulence numOctaves="900"/></filter>'],
    [
      "two elements with the same id",
      `<g id="g8"/>${levels((level) => `<use href="#g${level}"/>`)}`,
    ],
  ])("that draws billions of elements by %s is rejected for its weight", async (_name, content) => {
    expect(await refusal(svg(content))).toContain("takes more steps to draw");
    expect(await refusal(svg("<g/>"))).toBe("none");
  });

  test("that reuses elements a few times has the weight of the drawn elements", async () => {
    const styles = Array.from(
      { length: 50 },
      (_, n) => `.c${n}{clip-path:url(#k${n});fill:url(#l${n})}`,
    );
    const used = Array.from(
      { length: 50 },
      (_, n) =>
        `<clipPath id="k${n}"><path d="M0 0h9"/></clipPath><linearGradient id="l${n}"><stop/><stop/></linearGradient>`,
    );
    const shapes = Array.from({ length: 2_000 }, (_, n) => `<path class="c${n % 50}" d="M0 0h9"/>`);
    const content = `<style>${styles.join("")}</style><defs>${used.join("")}</defs>${shapes.join("")}`;
    const cleaned = cleanSvg(Buffer.from(svg(content)));
    expect("weight" in cleaned ? cleaned.weight : 0).toBeGreaterThan(2_000 * 6);
    expect("weight" in cleaned ? cleaned.weight : 0).toBeLessThan(2_000 * 7);
  });

  test("that exceeds the steps together with others is a problem, and the first SVGs are drawn", async () => {
    const texts = Array.from({ length: 3 }, (_, n) => base64(svg(`<g id="n${n}"/>`)));
    const images = await prepareImages(texts, { rasterize, steps: 50_000 });
    const outcomes = texts.map((text) =>
      "image" in readImage(text, images) ? "drawn" : "refused",
    );
    expect(outcomes).toEqual(["drawn", "drawn", "refused"]);
    expect(images.steps).toBeLessThanOrEqual(50_000);
  });
});

describe("the box", () => {
  const picture = image(base64(png(200, 100)));
  const lying = image(base64(exifJpeg(6)));

  test.each([
    ["4cm", 1_440_000],
    ["40mm", 1_440_000],
    [" 1.5 IN ", 1_371_600],
    ["12pt", 152_400],
    ["100px", 952_500],
    [".5in", 457_200],
    ["50%", null],
    ["100", null],
    ["-1cm", null],
    ["0cm", null],
    ["1e3cm", null],
    ["1,5cm", null],
    ["4 cm wide", null],
    ["", null],
  ])("%j is a length of %s", (text, emu) => {
    expect(parseLength(text)).toBe(emu);
  });

  test("shrinks the natural size to the available room, and never enlarges it", () => {
    const [width, height] = [200 * PIXEL, 100 * PIXEL];
    expect(boxFor(picture, {}, null)).toEqual({ widthEmu: width, heightEmu: height, crop: null });
    expect(boxFor(picture, {}, width * 2)).toMatchObject({ widthEmu: width });
    expect(boxFor(picture, {}, width / 2)).toMatchObject({
      widthEmu: width / 2,
      heightEmu: height / 2,
    });
    expect(boxFor(picture, {}, width, height / 4)).toMatchObject({
      widthEmu: width / 4,
      heightEmu: height / 4,
    });
  });

  test("keeps the aspect ratio for one side, and fits the image into a box for two sides", () => {
    expect(boxFor(picture, { width: 1_000 }, 10)).toMatchObject({
      widthEmu: 1_000,
      heightEmu: 500,
    });
    expect(boxFor(picture, { height: 1_000 }, null)).toMatchObject({
      widthEmu: 2_000,
      heightEmu: 1_000,
    });
    const both = { width: 1_000, height: 1_000 };
    expect(boxFor(picture, both, null)).toEqual({ widthEmu: 1_000, heightEmu: 500, crop: null });
    expect(boxFor(picture, { ...both, fit: "stretch" }, null)).toEqual({
      widthEmu: 1_000,
      heightEmu: 1_000,
      crop: null,
    });
    expect(boxFor(picture, { ...both, fit: "cover" }, null)).toEqual({
      widthEmu: 1_000,
      heightEmu: 1_000,
      crop: { l: 25_000, t: 0, r: 25_000, b: 0 },
    });
  });

  test("measures the crop in stored pixels", () => {
    // The visible size is 16 x 24. A third of the height is cropped, which is a third of the stored width.
    expect(fitIntoBox(lying, 1_000, 1_000, "cover").crop).toEqual({
      l: 16_667,
      t: 0,
      r: 16_667,
      b: 0,
    });
  });

  test("is never empty or larger than Word allows", () => {
    const emu = fc.integer({ min: 1, max: 10 ** 9 });
    const fit = fc.constantFrom("contain" as const, "cover" as const, "stretch" as const);
    fc.assert(
      fc.property(fc.constantFrom(picture, lying), emu, emu, fit, (value, width, height, how) => {
        const box = fitIntoBox(value, width, height, how);
        const sides = [box.widthEmu, box.heightEmu];
        expect(
          sides.every((side) => Number.isInteger(side) && side >= 1 && side <= 20_116_800),
        ).toBe(true);
        expect(box.widthEmu).toBeLessThanOrEqual(width);
        const { l = 0, t = 0, r = 0, b = 0 } = box.crop ?? {};
        expect(l + r).toBeLessThanOrEqual(100_000);
        expect(t + b).toBeLessThanOrEqual(100_000);
      }),
    );
  });
});

describe("the drawing", () => {
  const picture = image(base64(png(200, 100)));
  const options = {
    relationshipId: "rId7",
    svgRelationshipId: null,
    id: 3,
    name: "Picture 3",
    description: 'Logo <of> "us" & \u0000them',
    box: boxFor(picture, {}, null),
    rotation: picture.rotation,
    flip: picture.flip,
  };

  /** Returns the attributes of all elements with this name, read by a namespace-aware parser. */
  function elements(xml: string, name: string): Record<string, string>[] {
    const found: Record<string, string>[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", (tag) => {
      const attributes = Object.values(tag.attributes).map(({ name: key, value }) => [key, value]);
      if (tag.name === name) found.push(Object.fromEntries(attributes));
    });
    const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    parser.write(`<w:r xmlns:w="${w}">${xml}</w:r>`).close();
    return found;
  }

  test("is complete, with its alternative text escaped", () => {
    const xml = inlineDrawing(options);
    expect(elements(xml, "wp:extent")).toEqual([
      { cx: String(200 * PIXEL), cy: String(100 * PIXEL) },
    ]);
    expect(elements(xml, "a:ext")).toEqual(elements(xml, "wp:extent"));
    expect(elements(xml, "a:blip")[0]).toMatchObject({ "r:embed": "rId7" });
    expect(elements(xml, "a:xfrm")).toEqual([{}]);
    expect(elements(xml, "wp:docPr")).toEqual([
      { id: "3", name: "Picture 3", descr: 'Logo <of> "us" & \ufffdthem' },
    ]);
    expect(xml).not.toContain("srcRect");
  });

  test("has the SVG in addition to its PNG", () => {
    const xml = inlineDrawing({ ...options, svgRelationshipId: "rId8" });
    expect(elements(xml, "a:blip")[0]).toMatchObject({ "r:embed": "rId7" });
    expect(elements(xml, "asvg:svgBlip")[0]).toMatchObject({ "r:embed": "rId8" });
  });

  test("crops and rotates", () => {
    const crop = { l: 1, t: 2, r: 3, b: 4 };
    const xml = inlineDrawing({
      ...options,
      box: { ...options.box, crop },
      rotation: 180,
      flip: "horizontal",
    });
    expect(elements(xml, "a:srcRect")).toEqual([{ l: "1", t: "2", r: "3", b: "4" }]);
    expect(elements(xml, "a:xfrm")).toEqual([{ rot: "10800000", flipH: "1" }]);
    expect(turnAttributes(90, "none", 20_000_000)).toBe(' rot="3800000"');
  });

  test("a picture rotated by 90 degrees is wrapped in an upright group", () => {
    const box = { widthEmu: 100, heightEmu: 300, crop: null };
    const xml = inlineDrawing({ ...options, box, rotation: 90, flip: "none" });
    expect(elements(xml, "wp:extent")).toEqual([{ cx: "100", cy: "300" }]);
    expect(elements(xml, "a:xfrm")).toEqual([{}, { rot: "5400000" }]);
    expect(elements(xml, "a:off")).toEqual([
      { x: "0", y: "0" },
      { x: "-100", y: "100" },
    ]);
    expect(elements(xml, "a:ext")).toEqual([
      { cx: "100", cy: "300" },
      { cx: "300", cy: "100" },
    ]);
    expect(elements(xml, "wpg:wgp")).toHaveLength(1);
    expect(elements(xml, "pic:pic")).toHaveLength(1);
    const noted = inlineDrawing({ ...options, box, rotation: 90, flip: "none", inNote: true });
    expect(elements(noted, "wpg:wgp")).toHaveLength(0);
    expect(elements(noted, "wp:extent")).toEqual([{ cx: "300", cy: "100" }]);
    expect(groupQuarterTurn(noted, box, 90)).toBe(xml);
    expect(elements(groupQuarterTurn(noted, box, 270, 60_000), "a:xfrm")[0]).toEqual({
      rot: "60000",
    });
  });
});
