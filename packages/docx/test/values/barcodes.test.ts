import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyOf, p } from "../../../ooxml/test/support/docx.ts";
import { monochromePixels } from "../../../ooxml/test/support/pictures.ts";
import {
  BARCODE_KINDS,
  type BarcodeOptions,
  barcodeImage,
  checkBarcodeKind,
  loadBarcodes,
} from "../../src/values/image/barcode.ts";
import type { ImageValue } from "../../src/values/image/read-image.ts";
import { outcome, told } from "../support/language.ts";

await loadBarcodes();

const PIXELS = 4;
const EMU = 12_700;

function drawn(kind: string, text: string, options?: BarcodeOptions): ImageValue {
  const made = barcodeImage(kind, text, options);
  if ("problem" in made) throw new Error(made.problem);
  return made.image;
}

function problem(kind: string, text: string): string {
  const made = barcodeImage(kind, text);
  return "problem" in made ? made.problem : "none";
}

/** Returns the modules of a barcode. Checks that each is a square of equal pixels. */
function modules(image: ImageValue): string[] {
  const pixels = monochromePixels(image.bytes);
  const every = (rows: string[]): string[] => {
    const kept = rows.filter((_, index) => index % PIXELS === 0);
    for (const [index, row] of rows.entries()) expect(row).toBe(kept[Math.floor(index / PIXELS)]);
    return kept;
  };
  const columns = (rows: string[]): string[] =>
    Array.from(rows[0] ?? "", (_, x) => rows.map((row) => row[x]).join(""));
  return columns(every(columns(every(pixels))));
}

/** Valid text for each kind. */
const SAMPLES: Readonly<Record<string, string>> = {
  qrcode: "Grüße",
  datamatrix: "日本",
  azteccode: "Grüße",
  pdf417: "Grüße ^029",
  code128: "ABC-123",
  code39: "ABC-123",
  code93: "ABC-123",
  codabar: "A12345B",
  ean13: "9520123456788",
  ean8: "02345673",
  upca: "012345000058",
  upce: "01234558",
  isbn: "978-1-56581-231-4",
  itf14: "09521234543213",
  interleaved2of5: "1234",
  "gs1-128": "(01)09521234543213(3103)000123",
  "gs1-qrcode": "(01)09521234543213(10)ABC",
  "gs1-datamatrix": "(01)09521234543213(10)ABC",
};

describe("drawBarcode", () => {
  // ZXing and ZBar read the expected symbols correctly when these tests were written.
  test("draws a QR code and marks characters outside ASCII as UTF-8", () => {
    const [first, second, third, fourth, ...rows] = modules(
      drawn("qrcode", "https://example.com/ünï"),
    );
    expect([first, second, third, fourth].join("").trim()).toBe("");
    expect(rows.slice(0, 25)).toEqual([
      "    #######    ##   # #######    ",
      "    #     #  ######   #     #    ",
      "    # ### # #  ##     # ### #    ",
      "    # ### # #  # # ## # ### #    ",
      "    # ### # #   # ### # ### #    ",
      "    #     # # ## ###  #     #    ",
      "    ####### # # # # # #######    ",
      "            #### #  #            ",
      "    # #####  #   ###  #####      ",
      "      #  #  ##  # #### ##   #    ",
      "     ## ######## ##  ## # #      ",
      "    # # #  #   # #  #            ",
      "     ###### # ##  ## ##### ##    ",
      "    #### #    ##  ## ####  ##    ",
      "    #    ##   #### #### # #      ",
      "    #   ## ### ###  ##     ##    ",
      "    # ##  ##  ## #########  #    ",
      "            #  #### #   #   #    ",
      "    #######   # # ### # # ###    ",
      "    #     # #       #   ##       ",
      "    # ### # #  ###  ######       ",
      "    # ### # # ## ####   #  ##    ",
      "    # ### # ## ###    # # # #    ",
      "    #     #   ## ##  ##### #     ",
      "    ####### #   # ##      ###    ",
    ]);
    expect(rows.slice(25).join("").trim()).toBe("");
  });

  test("draws a Data Matrix", () => {
    expect(modules(drawn("datamatrix", "日本")).slice(2, -2)).toEqual([
      "  # # # # # # # #   ",
      "  #  ### ##  #  ##  ",
      "  # ##### ###   #   ",
      "  # ## # #     ###  ",
      "  #    #  #  # ##   ",
      "  ## ###  ###  ###  ",
      "  #   #     # ###   ",
      "  ####   #  ##   #  ",
      "  # #   # ##  # #   ",
      "  ####     # #  ##  ",
      "  # ##   ##  # ##   ",
      "  ######## #### ##  ",
      "  ######     ####   ",
      "  #  # ##  ## ## #  ",
      "  # ## #   #    #   ",
      "  ################  ",
    ]);
  });

  test("draws a Code 128: bars of equal height with ten white modules on each side", () => {
    const rows = modules(drawn("code128", "ABC-123"));
    const bars =
      "          ## #  #    # #   ##   #   # ##   #   #   ## #  ## ###  #  ###  ## ##  ###  # ##  # ###  # ##    #  ##   ### # ##          ";
    expect(rows).toHaveLength(10 + 43 + 10);
    expect(new Set(rows.slice(10, -10))).toEqual(new Set([bars]));
    expect([...rows.slice(0, 10), ...rows.slice(-10)].join("").trim()).toBe("");
  });

  test("draws an EAN-13 that can be read back, and adds the check digit to twelve digits", () => {
    expect(readEan13(modules(drawn("ean13", "9520123456788")))).toBe("9520123456788");
    expect(readEan13(modules(drawn("ean13", "952012345678")))).toBe("9520123456788");
    expect(readEan13(modules(drawn("isbn", "978-1-56581-231-4")))).toBe("9781565812314");
  });

  test("draws every kind, with the same bytes each time", () => {
    expect(Object.keys(SAMPLES)).toEqual(BARCODE_KINDS);
    const keys = BARCODE_KINDS.map((kind) => {
      const image = drawn(kind, SAMPLES[kind] ?? "");
      expect(drawn(kind, SAMPLES[kind] ?? "")).toEqual(image);
      return image.key;
    });
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("makes each module a point wide, with a PNG resolution that matches the size", () => {
    const image = drawn("qrcode", "hello");
    const side = 21 + 2 * 4;
    expect([image.widthEmu, image.heightEmu]).toEqual([side * EMU, side * EMU]);
    const file = Buffer.from(image.bytes);
    expect(file.readUInt32BE(16)).toBe(side * PIXELS);
    const perMetre = file.readUInt32BE(file.indexOf("pHYs") + 4);
    expect((perMetre * 0.0254) / PIXELS).toBeCloseTo(914_400 / EMU, 1);
  });

  test("draws bars at the requested height and keeps a matrix square", () => {
    const [low, high] = [EMU * 10, EMU * 80].map((barHeightEmu) =>
      drawn("code128", "A", { barHeightEmu }),
    );
    expect((high?.heightEmu ?? 0) - (low?.heightEmu ?? 0)).toBe(EMU * 70);
    expect(high?.widthEmu).toBe(low?.widthEmu);
    expect(drawn("qrcode", "A", { barHeightEmu: EMU })).toEqual(drawn("qrcode", "A"));
    const endless = drawn("code128", "A", { barHeightEmu: Number.MAX_SAFE_INTEGER });
    expect(endless.heightEmu).toBeLessThan(30_000_000);
  });
});

describe("text below the bars", () => {
  const linear = BARCODE_KINDS.filter((kind) => !/qrcode|matrix|aztec|pdf417/.test(kind));

  test.each(linear)("%s: the bars are the same, with the text and a margin below", (kind) => {
    const text = SAMPLES[kind] ?? "";
    const [plain, texted] = [drawn(kind, text), drawn(kind, text, { hasText: true })];
    const [above, all] = [plain, texted].map(({ bytes }) => monochromePixels(bytes));
    const trimmed = (row = ""): string => row.trim();
    const quiet = (above ?? []).findIndex((row) => row.includes("#"));
    const bars = (above ?? []).length - 2 * quiet;
    expect(texted.widthEmu).toBe(plain.widthEmu);
    expect(all?.slice(0, quiet + bars).map(trimmed)).toEqual(
      above?.slice(0, quiet + bars).map(trimmed),
    );
    const caption = (all ?? []).slice(quiet + bars);
    expect(caption.filter((row) => row.includes("#")).length).toBeGreaterThan(20);
    expect(caption.slice(-quiet).every((row) => !row.includes("#"))).toBe(true);
  });

  test("the digits of an EAN are below their bars, between longer ones", () => {
    const rows = monochromePixels(drawn("ean13", "9520123456788", { hasText: true }).bytes);
    const at = (11 + 65) * PIXELS;
    const ends = rows.slice(at, at + 5 * PIXELS).map((row) => row.slice(11 * PIXELS));
    for (const row of ends) {
      for (const module of [0, 2, 46, 48, 92, 94]) expect(row[module * PIXELS]).toBe("#");
      // No digit touches a longer bar.
      for (const module of [1, 3, 45, 47, 49, 91, 93]) expect(row[module * PIXELS]).toBe(" ");
    }
    const [first = ""] = rows.slice(at + 30, at + 31);
    expect(first.slice(0, 11 * PIXELS)).toContain("#");
  });

  test("the shapes are the same on every host", () => {
    const pixels = (kind: string, text: string): string =>
      createHash("sha256")
        .update(monochromePixels(drawn(kind, text, { hasText: true }).bytes).join("\n"))
        .digest("hex")
        .slice(0, 16);
    expect(pixels("ean13", "4006381333931")).toBe("d5cf136939a24684");
    expect(pixels("code128", 'Quire-1 (b) "q" @')).toBe("abdb660220e3b11c");
  });

  test("long text is smaller", () => {
    const heightOf = (text: string): number => drawn("code128", text, { hasText: true }).heightEmu;
    expect(heightOf("7".repeat(130))).toBeLessThan(heightOf("7".repeat(20)));
  });

  test("is asked for with the word text, also from the data", async () => {
    const v = "4006381333931";
    const { bytes, error } = await outcome(p('{{v :: barcode("ean13", "text")}}'), { v });
    expect(error).toBe(null);
    const [, cy] = /<wp:extent cx="\d+" cy="(\d+)"/.exec(bodyOf(bytes)) ?? [];
    expect(Number(cy)).toBe(drawn("ean13", v, { hasText: true }).heightEmu);
    expect(await told('{{v :: barcode("ean13", "digits")}}', { v })).toEqual([
      "error modifier_argument",
    ]);
    expect(await told('{{v :: barcode("ean13", below)}}', { v, below: "text" })).toEqual([]);
    const wrong = await outcome(p('{{v :: barcode("ean13", below)}}'), { v, below: "yes" });
    expect(wrong.warnings[0]?.message).toContain("the argument of 'barcode' is not \"text\"");
  });

  test("only codes with bars have text", () => {
    const made = barcodeImage("qrcode", "x", { hasText: true });
    expect(made).toEqual({
      problem: expect.stringContaining("only a code with bars has text below them"),
    });
  });

  test("takes steps for each character", () => {
    let steps = 0;
    drawn("code128", "x".repeat(10), { hasText: true, spend: (count) => (steps += count) });
    const withText = steps;
    steps = 0;
    drawn("code128", "x".repeat(10), { spend: (count) => (steps += count) });
    expect(withText - steps).toBeGreaterThan(2_000);
  });
});

const UNSUPPORTED =
  "it has characters that this kind does not support: code128 takes letters, digits and the signs of ASCII, and qrcode takes all characters";

describe("rejected barcodes", () => {
  test("an unknown kind gets a suggestion if a similar kind exists", () => {
    expect(checkBarcodeKind("code128")).toBe(null);
    expect(checkBarcodeKind("code218")).toBe("is not a kind of barcode: did you mean 'code128'?");
    expect(checkBarcodeKind("stamp")).toContain("give one of qrcode, datamatrix");
    expect(checkBarcodeKind("constructor")).toContain("is not a kind of barcode");
    expect(problem("__proto__", "1")).toContain("which is unknown");
  });

  test.each([
    [
      "ean13",
      "9520123456789",
      "its check digit is wrong; correct the number, or give its first 12 digits, and the check digit is added",
    ],
    ["ean13", "123", 'this kind takes 12 or 13 digits; for other numbers write barcode("code128")'],
    ["upca", "01234500005x", UNSUPPORTED],
    ["code39", "abc", UNSUPPORTED],
    ["code128", "Grüße", UNSUPPORTED],
    ["qrcode", "\ud800", "it has characters that this kind does not support"],
    ["interleaved2of5", "123", "it has an odd number of digits, but this kind encodes pairs"],
    ["gs1-128", "123", "it does not follow the rules of GS1, such as (01)09521234543213"],
    ["qrcode", "", "it is empty; write :: optional in the tag if there may be none"],
    ["qrcode", "x".repeat(3_000), "it is too long"],
    ["qrcode", "x".repeat(1_000_000), "it is too long"],
  ])("%s: an invalid text is a problem", (kind, text, why) => {
    expect(problem(kind, text)).toBe(`cannot be a barcode of the kind '${kind}': ${why}`);
  });

  test("no text makes any kind throw, and no problem quotes the text", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.stringMatching(/^[0-9^()A-Z]{6,40}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...BARCODE_KINDS), texts, (kind, text) => {
        const made = barcodeImage(kind, text);
        // The message of a problem may contain a plain word by coincidence.
        if ("problem" in made && text.length > 5 && !/^[a-z]+$/i.test(text)) {
          expect(made.problem).not.toContain(text);
        }
      }),
      { numRuns: 400 },
    );
  });
});

const LEFT = ["3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112"];
const PARITIES = [
  "LLLLLL",
  "LLGLGG",
  "LLGGLG",
  "LLGGGL",
  "LGLLGG",
  "LGGLLG",
  "LGGGLL",
  "LGLGLG",
  "LGLGGL",
  "LGGLGL",
];

/** Reads an EAN-13 by the tables of its standard (GS1 General Specifications, 5.2.1.2). */
function readEan13(rows: readonly string[]): string {
  const bars = (rows[Math.floor(rows.length / 2)] ?? "").trim();
  const widths = Array.from(bars.matchAll(/#+| +/g), ([run]) => run.length);
  expect(bars).toHaveLength(95);
  const digitAt = (start: number): [number, string] => {
    const pattern = widths.slice(start, start + 4).join("");
    const plain = LEFT.indexOf(pattern);
    return plain >= 0 ? [plain, "L"] : [LEFT.indexOf([...pattern].reverse().join("")), "G"];
  };
  const left = [0, 1, 2, 3, 4, 5].map((index) => digitAt(3 + 4 * index));
  const right = [0, 1, 2, 3, 4, 5].map((index) => digitAt(3 + 24 + 5 + 4 * index));
  const first = PARITIES.indexOf(left.map(([, parity]) => parity).join(""));
  return [first, ...left.map(([digit]) => digit), ...right.map(([digit]) => digit)].join("");
}
