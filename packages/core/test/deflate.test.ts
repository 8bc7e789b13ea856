import { crc32, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codesFor } from "../src/docx/deflate/codes.ts";
import { Deflation } from "../src/docx/deflate/deflation.ts";
import { codeLengths } from "../src/docx/deflate/huffman.ts";
import { templateCode } from "../src/docx/deflate/template-code.ts";

const word = fc.constantFrom(
  "<w:p>",
  "</w:p>",
  "<w:r><w:t>",
  "</w:t></w:r>",
  "ab",
  "é",
  "x".repeat(300),
);
const staticText = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(""));
const value = fc.oneof(
  fc.constantFrom("Berlin", "2026-01-01", "2026-01-02", "1", "12", "Zoë", "😀", "a".repeat(600)),
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc.nat().map(String),
);

test("a stream of static texts and values inflates to them, in any order and number", () => {
  fc.assert(
    fc.property(
      fc.array(staticText, { minLength: 1, maxLength: 8 }),
      fc.array(fc.oneof(fc.nat({ max: 7 }), value), { maxLength: 60 }),
      fc.boolean(),
      (texts, pieces, repeats) => {
        const code = templateCode({
          texts: texts.map((text) => ({ bytes: Buffer.from(text), block: 0 })),
          outer: [-1],
          repeats: [repeats],
          values: [pieces.length],
        });
        const deflation = new Deflation(code);
        for (let document = 0; document < 2; document++) {
          deflation.begin();
          let whole = "";
          for (const piece of pieces) {
            if (typeof piece === "string") deflation.value(piece);
            else deflation.text(piece % texts.length);
            whole += typeof piece === "string" ? piece : texts[piece % texts.length];
          }
          expectStream(deflation.finish(), whole);
        }
      },
    ),
    { numRuns: Number(process.env.DEFLATE_RUNS ?? 500) },
  );
});

test("a long stream gets codes that fit its values, and inflates to what it was", () => {
  const row = [
    "<w:tr><w:tc><w:p><w:r><w:t>",
    "</w:t></w:r></w:p></w:tc><w:tc>",
    "</w:tc></w:tr>",
    "tail",
  ];
  const code = templateCode({
    texts: row.map((text) => ({ bytes: Buffer.from(text), block: 0 })),
    outer: [-1],
    repeats: [true],
    values: [2],
  });
  const deflation = new Deflation(code);
  deflation.begin();
  let whole = "";
  for (let turn = 0; turn < 30_000; turn++) {
    const values = [String(turn), `Name ${(turn * 7919) % 1000}`];
    for (const [index, text] of row.slice(0, 3).entries()) {
      deflation.text(index);
      whole += text;
      const after = values[index];
      if (after === undefined) continue;
      deflation.value(after);
      whole += after;
    }
  }
  deflation.text(3);
  expectStream(deflation.finish(), `${whole}tail`);
});

test("codes fit their lengths, however uneven the frequencies are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1_000_000 }), { minLength: 2, maxLength: 286 }),
      (frequencies) => {
        for (const limit of [9, 11, 15]) {
          const lengths = codeLengths(frequencies, limit);
          const used = [...lengths].reduce((sum, bits) => sum + (bits === 0 ? 0 : 2 ** -bits), 0);
          expect(used).toBeLessThanOrEqual(1);
          for (const [symbol, bits] of lengths.entries()) {
            expect(bits > 0).toBe((frequencies[symbol] ?? 0) > 0);
            expect(bits).toBeLessThanOrEqual(limit);
          }
        }
      },
    ),
  );
});

test("Fibonacci's frequencies, which want the longest codes, stay within the limit", () => {
  const frequencies = [1, 1];
  while (frequencies.length < 30) {
    frequencies.push((frequencies.at(-1) ?? 0) + (frequencies.at(-2) ?? 0));
  }
  const codes = codesFor(frequencies, frequencies);
  expect(Math.max(...codes.literalBits)).toBe(12);
  expect(Math.max(...codes.distanceCodeBits)).toBe(11);
});

function expectStream(
  { pieces, crc32: sum, size }: ReturnType<Deflation["finish"]>,
  whole: string,
): void {
  const bytes = Buffer.from(whole);
  const inflated = inflateRawSync(Buffer.concat(pieces));
  expect(inflated.equals(bytes)).toBe(true);
  expect(sum).toBe(crc32(bytes));
  expect(size).toBe(bytes.length);
}
