import { crc32, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { codesFor, DISTANCE_CODES } from "../../src/deflate/codes.ts";
import { Deflation } from "../../src/deflate/deflation.ts";
import { END_OF_BLOCK } from "../../src/deflate/format.ts";
import { codeLengths } from "../../src/deflate/huffman.ts";
import type { StaticPiece } from "../../src/deflate/pieces.ts";
import { type TemplateCode, templateCode } from "../../src/deflate/template-code.ts";
import { valueBytes } from "../../src/deflate/value-bytes.ts";

const RUNS = manyRuns(120, 3_000);
const TIMEOUT = 30_000 + RUNS * 50;

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
  fc.constantFrom("a long one ".repeat(300), "é".repeat(1500)),
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc.nat().map(String),
);

/** Returns the code of static texts in one block with this number of values. */
function codeOf(texts: readonly string[], repeats: boolean, values: number): TemplateCode {
  return templateCode({
    texts: texts.map((text) => ({ bytes: Buffer.from(text), block: 0 })),
    outer: [-1],
    repeats: [repeats],
    values: [values],
  });
}

test(
  "a stream of static texts and values inflates to the same content, for any order and number",
  () => {
    fc.assert(
      fc.property(
        fc.array(staticText, { minLength: 1, maxLength: 8 }),
        fc.array(fc.oneof(fc.nat({ max: 7 }), value), { maxLength: 60 }),
        fc.boolean(),
        fc.constantFrom(1, 2, 40),
        (texts, few, repeats, turns) => {
          const pieces = Array.from({ length: turns }, () => few).flat();
          const code = codeOf(texts, repeats, pieces.length);
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
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);

test("the text after a known value is not mistaken for the text after the next value", () => {
  const texts = ["<w:t>", "</w:t><w:br/><w:t>", "</w:t>"];
  const code = codeOf(texts, true, 2);
  const deflation = new Deflation(code);
  deflation.begin();
  let whole = "";
  const write = (...pieces: (string | number)[]): void => {
    for (const piece of pieces) {
      if (typeof piece === "string") deflation.value(piece);
      else deflation.text(piece);
      whole += typeof piece === "string" ? piece : texts[piece];
    }
  };
  for (let turn = 0; turn < 3000; turn++) {
    write(0, `${turn} one`, 1, "Berlin", 2, 0, `${turn} two`, 1, "Munich", 2);
    write(0, `${turn} three`, 1, "Berlin", ...(turn % 2 === 0 ? [`${turn}`] : []), 2);
    write(0, `${turn} four`, 1, "Vienna", 2);
  }
  expectStream(deflation.finish(), whole);
});

function wholePiece({ bytes }: TemplateCode, index: number): StaticPiece {
  const own = bytes[index] ?? new Uint8Array();
  const opens = { elements: 0, tables: 0 };
  const to = own.length;
  return { xml: String(own), bytes: own, index, from: 0, to, whole: true, opens };
}

test(
  "lines contain their texts and values, also after earlier lines have been evicted",
  () => {
    const texts = ["<w:tr><w:t>", "</w:t></w:tc><w:tc><w:t>", "</w:t></w:tc></w:tr>"];
    const rows = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 600 }), (few, turns) => {
        const code = codeOf(texts, true, 2);
        const pieces = [wholePiece(code, 0), null, wholePiece(code, 1), null, wholePiece(code, 2)];
        const deflation = new Deflation(code);
        deflation.begin();
        let whole = "";
        for (let turn = 0; turn < turns; turn++) {
          const [first, second] = few[(turn * 7) % few.length] ?? ["", ""];
          const values = [turn % 3 === 0 ? first : `${first}${turn}`, turn % 5 === 0 ? "" : second];
          valueBytes.begin(2);
          for (const each of values) {
            if (!valueBytes.addPlain(each)) expect(valueBytes.addXml(each)).toBe(true);
          }
          deflation.line(pieces);
          whole += `${texts[0]}${values[0]}${texts[1]}${values[1]}${texts[2]}`;
        }
        expectStream(deflation.finish(), whole);
      }),
      { numRuns: RUNS / 5 },
    );
  },
  TIMEOUT,
);

test("texts that fill more than one output block inflate to the same content", () => {
  let seed = 7;
  const noise = (length: number): string => {
    let text = "";
    while (text.length < length) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      text += seed.toString(36);
    }
    return text;
  };
  const texts = [noise(700_000), noise(400_000), "</w:t>"];
  const deflation = new Deflation(codeOf(texts, true, 2));
  for (const order of [
    [0, 1, 2, 1, 2],
    [1, 0, 2, 0],
    [2, 2, 1],
  ]) {
    deflation.begin();
    let whole = "";
    for (const index of order) {
      deflation.text(index);
      deflation.value("é and more");
      whole += `${texts[index]}é and more`;
    }
    expectStream(deflation.finish(), whole);
  }
});

test("a long stream gets codes adapted to its values, and inflates to the same content", () => {
  const row = [
    "<w:tr><w:tc><w:p><w:r><w:t>",
    "</w:t></w:r></w:p></w:tc><w:tc>",
    "</w:tc></w:tr>",
    "tail",
  ];
  const code = codeOf(row, true, 2);
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

test("code lengths are valid for frequencies of any distribution", () => {
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

test("Fibonacci frequencies, which need the longest codes, do not exceed the limit", () => {
  const frequencies = [1, 1];
  while (frequencies.length < 30) {
    frequencies.push((frequencies.at(-1) ?? 0) + (frequencies.at(-2) ?? 0));
  }
  const codes = codesFor(frequencies, frequencies);
  const words = codes.table.subarray(0, END_OF_BLOCK + 1);
  expect(Math.max(...words.map((word) => word & 31))).toBe(12);
  const distances = codes.table.subarray(DISTANCE_CODES);
  expect(Math.max(...distances.map((word) => (word >>> 5) & 31))).toBe(11);
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
