import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isQuireError } from "@quire/core";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { openData } from "../src/actions/open-data.ts";
import { parseTypes } from "../src/entries/column-types.ts";

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "quire-data-test-")));
  return () => rm(folder, { recursive: true, force: true });
});

/**
 * Opens a data file that is read a few bytes at a time, so that chunks end at every possible offset. CSV cells remain
 * strings.
 */
async function openCut(path: string, chunkBytes?: number) {
  const flags = path.endsWith(".csv") ? { types: parseTypes("text") } : {};
  return (await openData({ cwd: folder }, path, { flags, chunkBytes })).entries([]);
}

/** Reads a data file. Returns the data of each entry as JSON, or the message of its error. */
async function read(name: string, content: string, chunkSize: number): Promise<string[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  const source = await openCut(path, chunkSize);
  const found: string[] = [];
  for await (const { entry } of source.items()) {
    found.push(isQuireError(entry) ? entry.message : JSON.stringify(entry.data));
  }
  expect(await source.count()).toBe(found.length);
  return found;
}

const anyText = fc.string({ unit: "binary", maxLength: 8 });
const chunkSize = fc.integer({ min: 1, max: 40 });
const bom = fc.constantFrom("", "\ufeff");
const newline = fc.constantFrom("\n", "\r\n");
const runs = { numRuns: manyRuns(25, 300) };

/** Returns the lines on which the entries of a data file begin. */
async function linesIn(
  name: string,
  content: string,
  chunkSize?: number,
): Promise<(number | null)[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  const lines: (number | null)[] = [];
  for await (const { line } of (await openCut(path, chunkSize)).items()) lines.push(line);
  return lines;
}

/** Returns the line numbers on which consecutive strings begin. */
function beginnings(texts: readonly string[]): number[] {
  return texts.map(
    (_, index) =>
      texts
        .slice(0, index)
        .join("")
        .split(/\r\n|\r|\n/).length,
  );
}

describe("JSON lines", () => {
  const blank = fc.constantFrom("", "", "", "\n", " \t\r\n");
  const data = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }));
  const line = fc.tuple(data, newline, blank);

  test("are read back unchanged, wherever the chunks end", async () => {
    const file = fc.record({ lines: fc.array(line, { maxLength: 6 }), chunkSize, bom });
    await fc.assert(
      fc.asyncProperty(file, fc.boolean(), async ({ lines, chunkSize, bom }, ended) => {
        const texts = lines.map(([data, end, blank]) => `${JSON.stringify(data)}${end}${blank}`);
        const text = texts.join("");
        const content = lines.length === 0 ? "" : bom + (ended ? text : text.trimEnd());
        const found = await read("data.jsonl", content, chunkSize);
        expect(found).toEqual(lines.map(([data]) => JSON.stringify(data)));
      }),
      runs,
    );
  });

  test("that cannot be read are reported with their numbers, and other lines are read", async () => {
    const bad = fc.constantFrom("{", "[1]", '{"a":1}}', "null", "x");
    const file = fc.record({ lines: fc.array(line, { maxLength: 6 }), bad, chunkSize });
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), async ({ lines, bad, chunkSize }, place) => {
        const texts = lines.map(([data, end, blank]) => `${JSON.stringify(data)}${end}${blank}`);
        const at = place % (lines.length + 1);
        const before = texts.slice(0, at).join("");
        const content = `${before}${bad}\n${texts.slice(at).join("")}`;
        const found = await read("data.jsonl", content, chunkSize);
        const [wrong] = found.splice(at, 1);
        const number = before.split("\n").length;
        expect(wrong).toMatch(new RegExp(`^Line ${number} of data\\.jsonl .+\\.$`));
        expect(found).toEqual(lines.map(([data]) => JSON.stringify(data)));
      }),
      runs,
    );
  });
});

describe("a duplicate key in an object", () => {
  test("rejects only its own line of JSON lines", async () => {
    const lines = [
      '{"a":1}',
      '{"b":{"c":[{"d":1,"e":2,"d":3}]}}',
      '{"a":12345678901234567890,"a":1}',
    ];
    expect(await read("data.jsonl", lines.join("\n"), 1_000)).toEqual([
      '{"a":1}',
      "Line 2 of data.jsonl has the key /b/c/0/d twice. Quire cannot know which one is meant. Remove one.",
      "Line 3 of data.jsonl has the key /a twice. Quire cannot know which one is meant. Remove one.",
    ]);
  });

  test.each([
    ["of a list", '[{"a":1},{"a":1,"a":2}]', "/1/a twice (in its entry 2)."],
    [
      "of a batch request",
      '{"document_generation_data":[{"generated_file_name":"a","user_input":{"x":1,"x":2}}]}',
      "/document_generation_data/0/user_input/x twice (in its entry 1).",
    ],
    ["of the only entry", '{"1":{"a":1,"a":2}}', "/1/a twice."],
    [
      "of the list of entries",
      '{"document_generation_data":[],"document_generation_data":[]}',
      "_data twice.",
    ],
  ])("rejects a JSON file, with the entry and the pointer: %s", async (_name, json, told) => {
    const reading = read("data.json", json, 1_000);
    await expect(reading).rejects.toMatchObject({ code: "invalid_data" });
    await expect(reading).rejects.toThrow(told);
  });
});

describe("JSON", () => {
  const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r\n"), maxLength: 3 });

  test("lists have the line of each item, whatever the item contains", async () => {
    const item = fc.tuple(space, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(0, 2), space);
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), space, async (items, before) => {
        const texts = items.map(([start, value, indent, end], index) => [
          `${index === 0 ? `\n${before}[` : ","}${start}`,
          `${JSON.stringify(value, null, indent)}${end}`,
        ]);
        const content = items.length === 0 ? "[\n]" : `${texts.flat().join("")}]`;
        const lines = beginnings(texts.flat()).filter((_, index) => index % 2 === 1);
        expect(await linesIn("data.json", content)).toEqual(lines);
      }),
      runs,
    );
  });

  test("has no line numbers if it has only one line, and none for a batch request", async () => {
    expect(await linesIn("data.json", "[{},{}]\n")).toEqual([null, null]);
    const request = { document_generation_data: [{ user_input: {} }] };
    expect(await linesIn("data.json", JSON.stringify(request, null, 2))).toEqual([null]);
    expect(await linesIn("data.json", "\n{\n}")).toEqual([null]);
  });
});

describe("CSV", () => {
  const spiced = fc.string({
    unit: fc.constantFrom("a", "é", "𝄞", '"', ",", ";", "\t", "\n", "\r\n", "\u2028", " "),
    maxLength: 8,
  });
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      rows: fc.array(fc.array(fc.oneof(anyText, spiced), { minLength: width, maxLength: width }), {
        maxLength: 5,
      }),
      // With one column, no delimiter can be detected, so the reader uses the comma.
      delimiter: width === 1 ? fc.constant(",") : fc.constantFrom(",", ";", "\t"),
      quoteAll: fc.boolean(),
      newline,
      bom,
      chunkSize,
    }),
  );
  type Table = typeof table extends fc.Arbitrary<infer T> ? T : never;

  /** Returns the names of the columns. The first column is a top-level key; the others are keys of one object. */
  const columns = (width: number) =>
    Array.from({ length: width }, (_, index) => (index === 0 ? "first" : `rest.n${index}`));

  function csvRow(cells: readonly string[], { delimiter, quoteAll }: Table): string {
    const quoted = cells.map((cell) =>
      quoteAll || /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    );
    // A row with one empty cell would be an empty line, which is not a row.
    return quoted.join(delimiter) || '""';
  }

  /** Whether a row has a value. Blank rows are skipped. */
  function isFilled(cells: readonly string[]): boolean {
    return cells.some((cell) => cell.trim() !== "");
  }

  function dataOf(cells: readonly string[]): string {
    const [first, ...others] = cells;
    const rest = Object.fromEntries(others.map((cell, index) => [`n${index + 1}`, cell]));
    return JSON.stringify(others.length === 0 ? { first } : { first, rest });
  }

  test("is read back unchanged, wherever the chunks end", async () => {
    await fc.assert(
      fc.asyncProperty(table, async (table) => {
        const rows = [columns(table.width), ...table.rows].map((cells) => csvRow(cells, table));
        const content = table.bom + rows.join(table.newline);
        const found = await read("data.csv", content, table.chunkSize);
        expect(found).toEqual(table.rows.filter(isFilled).map(dataOf));
      }),
      runs,
    );
  });

  test("reports the line on which each row begins", async () => {
    await fc.assert(
      fc.asyncProperty(table, async (table) => {
        const rows = [columns(table.width), ...table.rows]
          .map((cells) => csvRow(cells, table))
          .map((row) => row + table.newline);
        const lines = await linesIn("data.csv", table.bom + rows.join(""), table.chunkSize);
        const begin = beginnings(rows).slice(1);
        expect(lines).toEqual(begin.filter((_, index) => isFilled(table.rows[index] ?? [])));
      }),
      runs,
    );
  });

  test("reports the line of a row with a wrong number of cells, and keeps the other rows", async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, gaps, fc.nat(), async (table, gaps, place) => {
        const at = place % (table.rows.length + 1);
        const rows = [columns(table.width), ...table.rows]
          .map((cells) => csvRow(cells, table))
          .map((row, index) => row + table.newline.repeat(1 + (gaps[index] ?? 0)));
        const before = rows.slice(0, at + 1).join("");
        const wrong = Array(table.width + 1)
          .fill("x")
          .join(table.delimiter);
        const content = `${table.bom}${before}${wrong}${table.newline}${rows.slice(at + 1).join("")}`;
        const found = await read("data.csv", content, table.chunkSize);
        const [message] = found.splice(table.rows.slice(0, at).filter(isFilled).length, 1);
        const line = before.split(/\r\n|\r|\n/).length;
        expect(message).toContain(`Line ${line} of data.csv has `);
        expect(found).toEqual(table.rows.filter(isFilled).map(dataOf));
      }),
      runs,
    );
  });
});
