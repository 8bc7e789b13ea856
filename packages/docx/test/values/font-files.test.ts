/** Font files for the text of SVGs. */
import { describe, expect, test } from "vitest";
import { refusal } from "../../../contracts/test/support/refusal.ts";
import { readFontFile } from "../../src/values/image/fonts/font-face.ts";
import { readFonts } from "../../src/values/image/fonts/font-set.ts";
import { fontCollection, testFont } from "../support/fonts.ts";

const SANS = testFont({ family: "Sans" });

describe("A font file", () => {
  test("may have several fonts", () => {
    const read = readFontFile(fontCollection([{ family: "A" }, { family: "B", isItalic: true }]));
    expect(read).toMatchObject({
      faces: [
        { families: ["A"], isItalic: false },
        { families: ["B"], isItalic: true },
      ],
    });
  });

  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "is empty"],
    ["another file", Buffer.from("%PDF-1.7"), "is not a TrueType or OpenType font"],
    ["three bytes", Buffer.from("tru"), "is damaged or not complete"],
    ["a WOFF file", Buffer.from("wOFF0000"), "is a WOFF file"],
    ["a WOFF2 file", Buffer.from("wOF20000"), "is a WOFF2 file, which is compressed for web pages"],
    ["a part of a font", SANS.subarray(0, SANS.length - 9), "is damaged or not complete"],
    [
      "no letters",
      testFont({ family: "A", tables: { cmap: null } }),
      "the table 'cmap' is missing",
    ],
    ["no outlines", testFont({ family: "A", tables: { glyf: null } }), "has no plain outlines"],
    ["a comma in its name", testFont({ family: "A, B" }), "has no valid name for its family"],
    ["a collection of none", Buffer.from("ttcf\0\0\0\0\0\0\0\0"), "has 0 fonts"],
  ])("is a problem if it is %s", (_, bytes, problem) => {
    expect(readFontFile(bytes)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test("that is damaged anywhere is a problem, or its characters are read", () => {
    for (let length = 0; length < SANS.length; length += 1) {
      const read = readFontFile(SANS.subarray(0, length));
      // The last bytes only align the last table.
      if ("faces" in read) expect(SANS.length - length).toBeLessThan(4);
    }
  });

  test.each<[string, readonly Uint8Array[], string]>([
    ["is damaged", [SANS, Buffer.from("x")], "The font file 2 of the option svgFonts is"],
    [
      "is one of too many",
      Array.from({ length: 101 }, () => SANS),
      "101 font files. Give at most 100",
    ],
    [
      "is too large",
      [new Uint8Array(50_000_001)],
      "font files of 51 MB in total. Give at most 50 MB",
    ],
    ["is no bytes", ["a.ttf"] as never, "must be a list of font files"],
  ])("is rejected if it %s", async (_, fonts, message) => {
    const read = async () => readFonts(fonts, "svgFonts");
    const error = await refusal(read());
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain(message);
  });
});
