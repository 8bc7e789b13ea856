// Converts a Word file to a picture: LibreOffice creates the PDF, and poppler's pdftoppm creates the pixels.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Converter } from "@quire/core";
import type { Pixels } from "./png.ts";

/** Pixels per inch. At this resolution, a page of 120 mm is about 610 pixels wide. */
const RESOLUTION = 130;

/** Returns the first page of a Word file as pixels. */
export async function photograph(docx: Uint8Array, converter: Converter): Promise<Pixels> {
  const { bytes } = await converter.convert(docx);
  const folder = await mkdtemp(join(tmpdir(), "quire-pictures-"));
  try {
    const pdf = join(folder, "document.pdf");
    await writeFile(pdf, bytes);
    const to = join(folder, "page");
    await promisify(execFile)("pdftoppm", ["-r", `${RESOLUTION}`, "-singlefile", pdf, to]);
    return readPpm(await readFile(`${to}.ppm`));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads the format P6: three numbers as text, followed by the pixels. */
function readPpm(bytes: Uint8Array): Pixels {
  const head = Buffer.from(bytes.subarray(0, 60)).toString("latin1");
  const [all = "", width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(head) ?? [];
  if (all === "") throw new Error("pdftoppm wrote a format other than P6.");
  return { width: Number(width), height: Number(height), rgb: bytes.subarray(all.length) };
}

/** Options for cropping a page to its content. */
export interface Cut {
  /** The white margin around the content, in pixels. */
  readonly margin: number;
  /** Whether to crop the sides too. Default false, so that adjacent pictures have the same width. */
  readonly sides?: boolean;
  /** The part of the page's height that is shown, from the top, as a fraction. Default 1. */
  readonly height?: number;
  /** The colour of the frame, as red, green and blue. Default none. */
  readonly frame?: readonly [number, number, number];
}

/** Crops a page to its content. */
export function cut(page: Pixels, { margin, sides = false, height: part = 1, frame }: Cut): Pixels {
  const box = shownBox(page);
  const left = sides ? Math.max(box.left - margin, 0) : 0;
  const right = sides ? Math.min(box.right + margin, page.width) : page.width;
  const top = Math.max(box.top - margin, 0);
  const bottom = Math.min(box.bottom + margin, Math.round(page.height * part));
  const [width, height] = [right - left, bottom - top];
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y += 1) {
    const from = 3 * ((top + y) * page.width + left);
    rgb.set(page.rgb.subarray(from, from + 3 * width), 3 * y * width);
  }
  if (frame !== undefined) drawFrame({ width, height, rgb }, frame);
  return { width, height, rgb };
}

function shownBox({ width, height, rgb }: Pixels) {
  const box = { left: width, right: 0, top: height, bottom: 0 };
  for (let at = 0; at < width * height; at += 1) {
    if (rgb[3 * at] === 255 && rgb[3 * at + 1] === 255 && rgb[3 * at + 2] === 255) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  if (box.bottom === 0) throw new Error("The page is empty.");
  return box;
}

function drawFrame({ width, height, rgb }: Pixels, colour: readonly number[]): void {
  for (let x = 0; x < width; x += 1) {
    rgb.set(colour, 3 * x);
    rgb.set(colour, 3 * ((height - 1) * width + x));
  }
  for (let y = 0; y < height; y += 1) {
    rgb.set(colour, 3 * y * width);
    rgb.set(colour, 3 * (y * width + width - 1));
  }
}
