import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { prepareImages } from "@quire/docx";
import type { RasterizeReply } from "@quire/docx/internal/values/image/rasterize";
import { readImage } from "@quire/docx/internal/values/image/read-image";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { emptyWebp, extendedWebp, WEBP, webpPixel } from "../../ooxml/test/support/webp.ts";
import { rasterize } from "../src/drawing/lazy.ts";
import { renderInProcess } from "../src/index.ts";
import { pool } from "./support/pool.ts";

const UNDECODABLE = { problem: "is a WebP image that cannot be decoded" };

const decode = (webp: Uint8Array, width = 20, height = 10): Promise<RasterizeReply> =>
  rasterize({ webp, width, height }, undefined);

/** Returns the samples of a PNG whose lines all have the filter `Sub`, as RGB or RGBA. */
function samplesOf(reply: RasterizeReply): Buffer {
  const file = Buffer.from("png" in reply ? reply.png : expect.fail(reply.problem));
  const samples = file[25] === 6 ? 4 : 3;
  const lineLength = samples * file.readUInt32BE(16);
  const at = file.indexOf("IDAT");
  const lines = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)));
  const pixels: number[] = [];
  for (let line = 0; line < lines.length; line += 1 + lineLength) {
    expect(lines[line]).toBe(1);
    for (let index = 0; index < lineLength; index++) {
      const left = index < samples ? 0 : (pixels.at(-samples) ?? 0);
      pixels.push(((lines[line + 1 + index] ?? 0) + left) & 255);
    }
  }
  return Buffer.from(pixels);
}

/** Returns the pixels from which the image was made, as RGB or RGBA. */
function original(isOpaque: boolean): Buffer {
  const pixels: number[] = [];
  for (let y = 0; y < 10; y++) {
    for (let x = 0; x < 20; x++)
      pixels.push(...webpPixel(x, y, isOpaque).slice(0, isOpaque ? 3 : 4));
  }
  return Buffer.from(pixels);
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("decoding", () => {
  test("a lossless image gives its exact pixels", async () => {
    expect(samplesOf(await decode(WEBP.lossless))).toEqual(original(false));
    expect(samplesOf(await decode(extendedWebp({ flags: 0x10 })))).toEqual(original(false));
  });

  test.each([
    // The hashes of what `dwebp` prints.
    ["lossy", true, "a163e3f9b0f3b3e9215826c1dde79a7dbfda18f0214c59ac376c7c333547e2e6"],
    ["alpha", false, "96c85178256d0bb684b9971409a47b4e4f9bd344e94602cec3cdd440d88f0c6a"],
  ] as const)(
    "the kind '%s' gives the pixels of the reference decoder",
    async (kind, isOpaque, expected) => {
      const samples = samplesOf(await decode(WEBP[kind]));
      expect(hash(samples)).toBe(expected);
      const difference = samples.map((value, at) =>
        Math.abs(value - (original(isOpaque)[at] ?? 0)),
      );
      expect(Math.max(...difference)).toBeLessThan(30);
    },
  );

  test("the same image gives the same bytes, also after others", async () => {
    const first = await decode(WEBP.lossy);
    expect(await decode(emptyWebp(20, 10))).toEqual(UNDECODABLE);
    await decode(WEBP.alpha);
    expect(await decode(WEBP.lossy)).toEqual(first);
  });

  test("an image of 38 bytes and 40 million pixels is decoded within the limit of memory", async () => {
    const webp = Buffer.from("UklGRh4AAABXRUJQVlA4TBEAAAAvP9/hBAdQsiJXpv+BiOh/AAA=", "base64");
    const reply = await decode(webp, 8_000, 5_000);
    expect("png" in reply && Buffer.from(reply.png).readUInt32BE(16)).toBe(8_000);
  });

  test("an image that is not as large as its header says is a problem", async () => {
    expect(await decode(WEBP.lossy, 10, 20)).toEqual(UNDECODABLE);
  });

  test("can be aborted", async () => {
    const signal = AbortSignal.abort();
    const request = { webp: WEBP.lossy, width: 20, height: 10 };
    expect((await refusal(rasterize(request, signal))).code).toBe("aborted");
  });
});

describe("damaged images", () => {
  test("of any length are problems, and the next image is decoded", async () => {
    for (const whole of Object.values(WEBP)) {
      for (let length = 12; length < whole.length; length += manyRuns(19, 5)) {
        // The length of the file is corrected, so that only the decoder sees the damage.
        const cut = Buffer.from(whole.subarray(0, length));
        cut.writeUInt32LE(length - 8, 4);
        expect(await decode(cut)).toEqual(UNDECODABLE);
      }
      expect(await decode(whole)).toHaveProperty("png");
    }
  }, 120_000);

  test("with changed bytes are problems or pictures of the same size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(WEBP)),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (whole, changes) => {
          const bytes = Buffer.from(whole);
          for (const [at, byte] of changes) bytes[12 + (at % (bytes.length - 12))] = byte;
          const value = `data:image/webp;base64,${bytes.toString("base64")}`;
          const read = readImage(value, await prepareImages(value, { rasterize }));
          if ("problem" in read) expect(read.problem).toMatch(/WebP image|pixels/);
          else expect(read.image.type).toBe("png");
        },
      ),
      { numRuns: manyRuns(100, 300) },
    );
    expect(samplesOf(await decode(WEBP.lossless))).toEqual(original(false));
  }, 120_000);
});

test("a renderer process decodes images as this process does", async () => {
  await using renderer = pool({ processes: 1 });
  const bytes = docx({ body: p("{{photo}}{{logo}}") });
  const data = {
    photo: `data:image/webp;base64,${WEBP.lossy.toString("base64")}`,
    logo: { type: "file", id: "logo.webp" },
  };
  const options = { readFile: async () => WEBP.alpha };
  const there = await renderer.open(bytes).render(data, options);
  const here = await renderInProcess().open(bytes).render(data, options);
  expect(there.warnings).toEqual([]);
  expect(Buffer.compare(there.bytes, here.bytes)).toBe(0);
});
