import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openDocx } from "../src/docx.ts";
import { type DocxPackage, openPackage } from "../src/open.ts";
import {
  bmp,
  emf,
  emfComment,
  emfPlus,
  emfRecord,
  plusBitmap,
  plusImage,
  plusImageInPieces,
  plusMetafile,
  plusRecord,
  tiff,
  wmf,
  wmfRecord,
  wmfWithEmf,
} from "./support/metafiles.ts";
import { GIF, GRAY_JPEG, JPEG, png, pngChunk } from "./support/pictures.ts";
import { testPackage } from "./support/zip.ts";

const DOCUMENT = "word/document.xml";
const PICTURE = "word/media/image1.png";

const svg = (inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${inner}</svg>`;
const HARMLESS = svg('<rect width="9" height="9"/>');
const HOSTILE = svg('<image href="file:///etc/passwd" width="9" height="9"/>');
const EPS = "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n";

function within(picture: string | Uint8Array, type = "image/png"): string {
  const data = Buffer.from(picture).toString("base64");
  return svg(`<image href="data:${type};base64,${data}"/>`);
}

/** Returns a package that uses bytes as a picture, in a drawing and in VML. */
function showing(
  picture: string | Uint8Array,
  name = "media/image1.png",
  kind = "image",
): Uint8Array {
  return testPackage({
    body: '<w:drawing><a:blip r:embed="rId1" cstate="print"/></w:drawing><v:shape><v:imagedata r:id="rId1"/></v:shape>',
    parts: { [`word/${name}`]: Buffer.from(picture) },
    relationships: { [DOCUMENT]: [[kind, name]] },
    moreTypes: '<Default Extension="png" ContentType="image/png"/>',
  });
}

function told({ warnings }: Pick<DocxPackage, "warnings">): string[] {
  return warnings.map(({ code, template }) => `${code} ${template?.part}`);
}

describe("a picture that is kept byte for byte", () => {
  test.each<[string, Uint8Array | string]>([
    ["a PNG", png(1, 1)],
    ["a truncated PNG", png(90, 90).subarray(0, 60)],
    ["a JPEG", JPEG],
    ["a JPEG without an end marker", GRAY_JPEG.subarray(0, -2)],
    ["a GIF", GIF],
    ["a BMP", bmp()],
    ["a TIFF", tiff()],
    ["an EMF", emf()],
    ["an EMF with another program's comment", emf(emfComment(Buffer.from("GDIC\0\0")))],
    ["an EMF with EMF+ that draws a bitmap", emfPlus(plusImage(plusBitmap(png(1, 1))))],
    [
      "an EMF with EMF+ that draws a bitmap in pieces",
      emfPlus(plusImageInPieces(plusBitmap(png(9, 9)), 64)),
    ],
    ["an EMF with EMF+ that draws an EMF", emfPlus(plusImage(plusMetafile(emf())))],
    ["a WMF", wmf()],
    ["a WMF without the placeable header", wmf().subarray(22)],
    ["a WMF with an EMF", wmfWithEmf(emf(emfRecord(33)), 40)],
    ["a compressed EMF", gzipSync(emf())],
    ["an SVG", HARMLESS],
    ["an SVG with a PNG", within(png(1, 1))],
    ["an SVG with an SVG with a JPEG", within(within(JPEG), "image/svg+xml")],
    ["an SVG with an EMF under a wrong type", within(emf(), "image/jpeg")],
  ])("%s", async (_name, picture) => {
    const docx = await openPackage(showing(picture));
    expect(docx.warnings).toEqual([]);
    expect(Buffer.from(docx.readBytes(PICTURE))).toEqual(Buffer.from(picture));
  });
});

describe("a part that is not a picture is removed with a warning", () => {
  test.each<[string, Uint8Array | string, string]>([
    ["EPS", EPS, "an EPS picture"],
    [
      "EPS with a preview",
      Buffer.concat([Buffer.from("c5d0d3c6", "hex"), Buffer.alloc(40)]),
      "an EPS picture",
    ],
    ["compressed EPS", gzipSync(EPS), "a gzip file"],
    ["a PDF", "%PDF-1.7\n", "a PDF"],
    ["WebP", Buffer.from("RIFF\0\0\0\0WEBPVP8 "), "a WebP image"],
    ["HTML", `<html><body>${HARMLESS}</body></html>`, "a file of an unknown kind"],
    ["nothing", "", "a file of an unknown kind"],
    ["text", "no picture", "a file of an unknown kind"],
    [
      "the signature of a PNG before an SVG",
      Buffer.concat([png(1, 1).subarray(0, 8), Buffer.from(HOSTILE)]),
      "a PNG image",
    ],
    [
      "a PNG without a size",
      Buffer.concat([png(1, 1).subarray(0, 8), pngChunk("IHDR", Buffer.alloc(13))]),
      "a PNG image",
    ],
    [
      "the start of a JPEG before an SVG",
      Buffer.concat([Buffer.from("ffd8ff", "hex"), Buffer.from(HOSTILE)]),
      "a JPEG image",
    ],
    ["a BMP with a JPEG in it", bmp().fill(4, 30, 31), "a BMP image"],
    ["a BMP with a header of unknown length", bmp().fill(41, 14, 15), "a BMP image"],
    ["a TIFF with a cycle in its directories", tiff(8), "a TIFF image"],
    ["a TIFF with a directory beyond its end", tiff(9_999), "a TIFF image"],
    ["an EMF with a record without a size", emf(Buffer.alloc(8)), "an EMF picture"],
    [
      "an EMF with a record beyond its end",
      emf(Buffer.from("4600000000ffff00", "hex")),
      "an EMF picture",
    ],
    ["an EMF without an end record", emf().subarray(0, -20), "an EMF picture"],
    [
      "an EMF with EMF+ that draws an SVG",
      emfPlus(plusImage(plusBitmap(Buffer.from(HOSTILE)))),
      "an EMF picture",
    ],
    [
      "an EMF with EMF+ that draws a compressed SVG",
      emfPlus(plusImage(plusBitmap(gzipSync(HOSTILE)))),
      "an EMF picture",
    ],
    [
      "an EMF with EMF+ that draws EPS",
      emfPlus(plusImage(plusBitmap(Buffer.from(EPS)))),
      "an EMF picture",
    ],
    [
      "an EMF with EMF+ that draws an SVG in pieces",
      emfPlus(plusImageInPieces(plusBitmap(Buffer.from(HOSTILE)), 30)),
      "an EMF picture",
    ],
    [
      "an EMF with EMF+ that draws an SVG as a metafile",
      emfPlus(plusImage(plusMetafile(Buffer.from(HOSTILE)))),
      "an EMF picture",
    ],
    [
      "an EMF with an EMF with an SVG",
      emfPlus(plusImage(plusMetafile(emfPlus(plusImage(plusBitmap(Buffer.from(HOSTILE))))))),
      "an EMF picture",
    ],
    [
      "an EMF with EMF+ that paints with an SVG",
      emfPlus(
        plusRecord(
          0x4008,
          0x0100,
          Buffer.concat([
            Buffer.from("0210c0db020000000000000000000000", "hex"),
            plusBitmap(Buffer.from(HOSTILE)),
          ]),
        ),
      ),
      "an EMF picture",
    ],
    [
      "an EMF with EMF+ of a wrong length",
      emf(
        emfComment(
          Buffer.concat([Buffer.from("EMF+"), Buffer.from("0840000508000000ff000000", "hex")]),
        ),
      ),
      "an EMF picture",
    ],
    ["a WMF with a record without a size", wmf(Buffer.alloc(6)), "a WMF picture"],
    [
      "a WMF with a record beyond its end",
      wmf(Buffer.from("00ffff000102", "hex")),
      "a WMF picture",
    ],
    [
      "a WMF with an EMF with an SVG",
      wmfWithEmf(emfPlus(plusImage(plusBitmap(Buffer.from(HOSTILE)))), 99),
      "a WMF picture",
    ],
    ["a WMF with a broken EMF", wmfWithEmf(emf().subarray(0, 60)), "a WMF picture"],
    [
      "a WMF with an escape of an EMF that is too short",
      wmf(wmfRecord(0x0626, Buffer.from("0f000400574d4643", "hex"))),
      "a WMF picture",
    ],
  ])("%s", async (_name, picture, kind) => {
    const bytes = showing(picture);
    for (const docx of [await openPackage(bytes), openDocx(bytes)]) {
      expect(told(docx)).toEqual([`removed_picture ${DOCUMENT}`]);
      expect(docx.warnings[0]?.message).toBe(
        `One picture that a document must not contain was removed from ${DOCUMENT}: ${PICTURE} (${kind}).`,
      );
      expect(docx.has(PICTURE)).toBe(false);
      expect(docx.relationshipsOf(DOCUMENT)).toEqual([]);
      expect(docx.readText(DOCUMENT)).toContain(
        '<w:drawing><a:blip  cstate="print"/></w:drawing><v:shape><v:imagedata /></v:shape>',
      );
    }
  });

  test("including a part without a relationship", async () => {
    const docx = await openPackage(
      testPackage({
        parts: { "word/media/image9.eps": EPS },
        moreTypes: '<Default Extension="eps" ContentType="image/x-eps"/>',
      }),
    );
    expect(told(docx)).toEqual(["removed_picture word/media/image9.eps"]);
    expect(docx.has("word/media/image9.eps")).toBe(false);
  });
});

describe("an SVG is cleaned", () => {
  test.each<[string, Uint8Array | string]>([
    ["compressed", gzipSync(HOSTILE)],
    ["in UTF-16", Buffer.from(`\ufeff${HOSTILE}`, "utf16le")],
    ["after spaces and a comment", ` \n<!-- ${"x".repeat(3_000)} -->${HOSTILE}`],
  ])("%s, with any file name", async (_name, picture) => {
    for (const name of ["media/image1.png", "media/image1.emf", "media/image1"]) {
      const docx = await openPackage(showing(picture, name));
      expect(told(docx)).toEqual([`removed_remote_image word/${name}`]);
      expect(docx.readText(`word/${name}`)).toContain('<image  width="9" height="9"/></svg>');
    }
  });

  test("and decompressed, so that all readers see the same content", async () => {
    const docx = await openPackage(showing(gzipSync(HARMLESS)));
    expect(docx.warnings).toEqual([]);
    expect(docx.readText(PICTURE)).toBe(HARMLESS);
  });

  test("including nested SVGs, at any depth and with any declared type", async () => {
    const clean = svg('<image  width="9" height="9"/>');
    for (const type of ["image/png", "image/svg+xml", "image/x"]) {
      for (const inner of [HOSTILE, gzipSync(HOSTILE)]) {
        const docx = await openPackage(showing(within(within(inner, type), type)));
        expect(told(docx)).toEqual([`removed_remote_image ${PICTURE}`]);
        expect(docx.readText(PICTURE)).toBe(
          within(within(clean, "image/svg+xml"), "image/svg+xml"),
        );
      }
    }
  });

  test.each<[string, string]>([
    ["EPS", within(EPS)],
    ["a PDF", within("%PDF-1.7")],
    ["an EMF with an SVG", within(emfPlus(plusImage(plusBitmap(Buffer.from(HOSTILE)))))],
    ["broken base64", svg('<image href="data:image/png;base64,iVBO*Rw0KGgo"/>')],
    [
      "deeply nested SVGs",
      Array.from({ length: 10 }).reduce<string>((inner) => within(inner), HARMLESS),
    ],
  ])("and loses nested %s", async (_name, picture) => {
    const docx = await openPackage(showing(picture));
    expect(told(docx)).toEqual([`removed_picture ${PICTURE}`]);
    expect(docx.warnings[0]?.message).toContain(`${PICTURE}: href`);
  });

  test.each(["data:image/svg+xml,%3Csvg/%3E", "data:text/html;base64,AAAA", "data:;base64,AAAA"])(
    "and loses %s",
    async (address) => {
      const docx = await openPackage(showing(svg(`<image xlink:href="${address}"/>`)));
      expect(told(docx)).toEqual([`removed_remote_image ${PICTURE}`]);
    },
  );

  test("and its limits include decompressed content", async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(HARMLESS), Buffer.alloc(3_000_000, " ")]));
    const limits = { totalBytes: 5_000_000, partBytes: 4_000_000 };
    expect((await openPackage(showing(bomb), limits)).warnings).toEqual([]);
    const data = `data:image/png;base64,${bomb.toString("base64")}`;
    const twice = svg(`<image href="${data}"/><image href="${data}"/>`);
    await expect(openPackage(showing(twice), limits)).rejects.toMatchObject({
      code: "limit_exceeded",
    });
    await expect(openPackage(showing(bomb), { partBytes: 2_000_000 })).rejects.toMatchObject({
      code: "limit_exceeded",
    });
  });
});

describe("only a part that was checked as a picture can be used as a picture", () => {
  test("not an object or a text part", async () => {
    for (const [kind, name, content] of [
      ["oleObject", "embeddings/a.bin", gzipSync(HOSTILE)],
      ["customXml", "custom.xml", `<x><!-- <svg -->${HOSTILE}</x>`],
    ] as const) {
      const docx = await openPackage(showing(content, name, kind));
      expect(told(docx)).toEqual([`removed_picture ${DOCUMENT}`]);
      expect(docx.readText(DOCUMENT)).not.toContain("rId1");
      expect(docx.has(`word/${name}`)).toBe(true);
    }
  });

  test("a text part that is also used as a picture is still a text part", async () => {
    const docx = await openPackage(
      testPackage({
        body: '<a:blip r:embed="rId1"/>',
        relationships: { [DOCUMENT]: [["image", "document.xml"]] },
      }),
    );
    expect(told(docx)).toEqual([`removed_picture ${DOCUMENT}`]);
    expect(docx.readText(DOCUMENT)).toContain("<a:blip />");
  });
});
