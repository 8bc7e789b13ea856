import { prepareImages } from "@quire/docx";
import { readImage } from "@quire/docx/internal/values/image/read-image";
import { imageSize } from "image-size";
import { expect, test } from "vitest";
import { rasterize } from "../src/drawing/lazy.ts";
import { withMemoryLimit } from "../src/drawing/wasm-memory.ts";

const svg = (content: string, size = 'width="40" height="20"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;

/** Returns the outcome for an SVG value in the data. */
async function prepared(text: string): Promise<ReturnType<typeof readImage>> {
  const value = Buffer.from(text).toString("base64");
  return readImage(value, await prepareImages([value], { rasterize }));
}

async function refusal(text: string): Promise<string> {
  const read = await prepared(text);
  return "problem" in read ? read.problem : "none";
}

test("an SVG is drawn as a PNG with the same proportions", async () => {
  const read = await prepared(svg('<path fill="#ff0000" d="M0 0h40v20z"/>'));
  const { fallback } = "image" in read ? read.image : { fallback: null };
  expect(imageSize(fallback ?? Buffer.alloc(0))).toMatchObject({
    type: "png",
    width: 1200,
    height: 600,
  });
});

test("an SVG that exhausts the memory is a problem, and the next SVG is drawn", async () => {
  const layers = `${'<g opacity=".9">'.repeat(190)}<path d="M0 0h900v900z"/>${"</g>".repeat(190)}`;
  expect(await refusal(svg(layers, 'width="900" height="900"'))).toBe(
    "is an SVG that cannot be drawn",
  );
  expect(await refusal(svg("<g/>"))).toBe("none");
});

test("SVGs are drawn by a module with limited memory", () => {
  // A module that contains only a memory of one page, exported as "m".
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const exported = [7, 5, 1, 1, 0x6d, 2, 0];
  const module = Uint8Array.from([...head, 5, 3, 1, 0, 1, ...exported]);
  const limited = [...head, 5, 5, 1, 1, 1, 0xac, 0x02, ...exported];
  expect([...withMemoryLimit(module, 300)]).toEqual(limited);
  for (const other of [module.subarray(0, 8), Uint8Array.from(limited)]) {
    expect(() => withMemoryLimit(other, 300)).toThrow("does not declare a memory");
  }
});
