/** Small pictures that are costly to process, or invalid. */
import { deflateSync, gzipSync } from "node:zlib";
import { wordFile } from "../../benchmarks/service/hostile-files.ts";
import {
  bmp,
  emf,
  emfPlus,
  emfRecord,
  plusImage,
  tiff,
  wmf,
  wmfRecord,
} from "../../packages/ooxml/test/support/metafiles.ts";
import { GIF, JPEG, pngChunk, pngHeader } from "../../packages/ooxml/test/support/pictures.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"';
const IMAGE_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image";

/** Returns nested groups, each of which uses the previous one ten times: 10 to the power of `levels` rectangles. */
export function nestedUse(levels: number): string {
  const groups = Array.from({ length: levels }, (_, level) => {
    const use = `<use xlink:href="#g${level}" x="1"/>`.repeat(10);
    return `<g id="g${level + 1}">${use}</g>`;
  });
  return `${SVG}><defs><g id="g0"><rect width="9" height="9"/></g>${groups.join("")}</defs><use xlink:href="#g${levels}"/></svg>`;
}

/** Returns shapes as large as the picture, each with a filter, a mask or a pattern. */
export function filteredShapes(count: number): string {
  const filter =
    '<filter id="f"><feGaussianBlur stdDeviation="90"/><feTurbulence numOctaves="9"/></filter>';
  const mask = '<mask id="m"><rect width="100" height="100" fill="#888"/></mask>';
  const shape = '<g filter="url(#f)" mask="url(#m)"><circle cx="50" cy="50" r="49"/></g>';
  return `${SVG} viewBox="0 0 100 100"><defs>${filter}${mask}</defs>${shape.repeat(count)}</svg>`;
}

/** Returns one path with this many segments. */
export function longPath(pieces: number): string {
  const path = Array.from({ length: pieces }, (_, at) => `L${at % 97} ${(at * 31) % 89}`).join("");
  return `${SVG}><path stroke="#000" stroke-dasharray="0.01" d="M0 0${path}"/></svg>`;
}

/**
 * Returns a square PNG that claims this width. Its pixel data is `pixels` zero bytes, which is less than the size
 * requires.
 */
export function hugePng(side: number, pixels: number): Buffer {
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", pngHeader(side, side)),
    pngChunk("IDAT", deflateSync(Buffer.alloc(pixels))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a GIF with this many frames. */
export function manyFrames(count: number): Buffer {
  const frame = GIF.subarray(25, GIF.length - 1);
  return Buffer.concat([
    GIF.subarray(0, 25),
    ...Array.from({ length: count }, () => frame),
    Buffer.from(";"),
  ]);
}

/** Malformed files, each with the extension of its file type. */
export const BROKEN: readonly (readonly [extension: string, bytes: () => Uint8Array])[] = [
  ["png", () => hugePng(65_535, 1_000_000)],
  ["png", () => hugePng(20_000, 50_000_000)],
  ["jpeg", () => JPEG.subarray(0, JPEG.length - 200)],
  [
    "jpeg",
    () =>
      Buffer.concat([
        JPEG.subarray(0, 2),
        ...Array.from({ length: 20_000 }, () => Buffer.from("ffe00002", "hex")),
        JPEG.subarray(2),
      ]),
  ],
  ["gif", () => manyFrames(20_000)],
  [
    "bmp",
    () => {
      const file = bmp();
      file.writeInt32LE(2_000_000_000, 18);
      return file;
    },
  ],
  ["tiff", () => tiff(8)],
  ["tiff", () => tiff()],
  ["emf", () => emf(...Array.from({ length: 50_000 }, () => emfRecord(43, Buffer.alloc(16))))],
  ["emf", () => emf(emfRecord(81, Buffer.alloc(80, 255)))],
  ["emf", () => emfPlus(plusImage(hugePng(30_000, 1_000_000)))],
  ["wmf", () => wmf(...Array.from({ length: 50_000 }, () => wmfRecord(0x041b, Buffer.alloc(8))))],
  ["svg", () => Buffer.from(nestedUse(9))],
  ["png", () => gzipSync(nestedUse(9))],
  ["svg", () => Buffer.from(`${SVG}><image id="i" width="50" height="50" xlink:href="#i"/></svg>`)],
  ["svg", () => Buffer.from(filteredShapes(2_000))],
  ["svg", () => Buffer.from(longPath(200_000))],
  [
    "emf",
    () => gzipSync(emf(...Array.from({ length: 100_000 }, () => emfRecord(43, Buffer.alloc(16))))),
  ],
  ["eps", () => Buffer.from("%!PS-Adobe-3.0 EPSF-3.0\n{} loop\n")],
];

/** Returns a Word file that shows a picture a number of times. */
export function showing(extension: string, bytes: Uint8Array, times = 1): Uint8Array {
  const blip = (id: number): string =>
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1000000" cy="1000000"/><wp:docPr id="${id}" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rP"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const body = Array.from({ length: times }, (_, index) => blip(index + 1)).join("");
  return wordFile(`${body}<w:p><w:r><w:t>{{name}}</w:t></w:r></w:p>`, {
    relationships: `<Relationship Id="rP" Type="${IMAGE_RELATION}" Target="media/p.${extension}"/>`,
    types: `<Default Extension="${extension}" ContentType="image/${extension === "svg" ? "svg+xml" : extension}"/>`,
    parts: [{ name: `word/media/p.${extension}`, content: bytes }],
  });
}
