import { beforeAll, expect, test } from "vitest";
import { faceOf, loadFontData, UNITS } from "../../src/fit/font-metrics.ts";

beforeAll(loadFontData);

/** The width of a text in thousandths of an em. */
function widthOf(text: string, family: string, isBold = false, isItalic = false): number {
  const { face } = faceOf(family, isBold, isItalic);
  let units = 0;
  for (const each of text) units += face.widthOf(each.codePointAt(0) ?? 0).units;
  return Math.round((units / UNITS) * 1000);
}

// Widths in thousandths of an em, as in the font metrics (AFM) of Adobe.
test.each([
  ["Helvetica", false, false, { A: 667, a: 556, W: 944, "–": 556, "€": 556 }],
  ["Arial", true, false, { A: 722, a: 556, "@": 975 }],
  ["Times New Roman", false, false, { A: 722, a: 444, "—": 1000 }],
  ["Times", true, true, { A: 667, a: 500 }],
  ["Courier New", false, true, { A: 600, i: 600, Ж: 600 }],
])("%s (bold %s, italic %s) has the usual widths", (family, isBold, isItalic, widths) => {
  for (const [text, width] of Object.entries(widths)) {
    expect([text, widthOf(text, family, isBold, isItalic)]).toEqual([text, width]);
  }
});

test("a letter with an accent is as wide as without it", () => {
  for (const family of ["Calibri", "Cambria", "Arial", "Times New Roman"]) {
    expect(widthOf("éÅňễ", family)).toBe(widthOf("eAne", family));
  }
});

test("lines of Calibri are 1.22 times as high as its letters", () => {
  expect(faceOf("calibri", false, false).face.line).toBeCloseTo(1.22, 2);
  expect(faceOf("Cambria", false, false).face.line).toBeCloseTo(1.17, 2);
});

test("a font without a table is measured as Arial", () => {
  const { face, isKnown } = faceOf("Papyrus", true, false);
  expect([isKnown, face]).toEqual([false, faceOf("Arial", true, false).face]);
  // Calibri Light has other widths than Calibri.
  expect(faceOf("Calibri Light", false, false).isKnown).toBe(false);
});

test.each([
  ["漢", UNITS, false, true],
  ["한", UNITS, false, true],
  ["、", UNITS, false, true],
  ["\u0301", 0, false, false],
  ["\u00ad", 0, false, false],
  ["\u200b", 0, false, false],
  ["ع", 0.8 * UNITS, true, true],
  ["ก", 0.8 * UNITS, true, true],
])("%j has the width %d (a guess: %s, from another font: %s)", (text, units, isGuess, isOther) => {
  const found = faceOf("Arial", false, false).face.widthOf(text.codePointAt(0) ?? 0);
  expect(found).toEqual({ units, isGuess, isOther });
});

test("an emoji is wider than it is high", () => {
  expect(widthOf("😀", "Calibri")).toBe(1400);
});

test("a character that the font lacks is taken from another font, and is a guess", () => {
  const { face } = faceOf("Cambria", false, false);
  const own = faceOf("Arial", false, false).face.widthOf(0x416);
  expect(own.isGuess).toBe(false);
  expect(face.widthOf(0x416)).toEqual({ units: own.units * 1.2, isGuess: true, isOther: true });
});
