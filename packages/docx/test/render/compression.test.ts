import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { docx } from "../../../ooxml/test/support/docx.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { PartCompression } from "../../src/compression.ts";
import type { StaticTexts } from "../../src/deflate/template-code.ts";
import { type Compression, compileTemplate } from "../../src/index.ts";

const MODES: readonly Compression[] = ["small", "fast", "template"];
const EXAMPLES = new URL("../../../../examples/", import.meta.url);

function p(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

function table(rows: number): {
  readonly bytes: Uint8Array;
  readonly data: Record<string, unknown>;
} {
  const cell = (text: string): string => `<w:tc>${p(text)}</w:tc>`;
  const row = `<w:tr>${cell("{{tablerow r in rows}}{{r.id}}")}${cell("{{r.name}}")}${cell("{{r.city}} — {{r.amount}}{{endtablerow}}")}</w:tr>`;
  const cities = ["Berlin", "Zürich", "Paris", "Kraków"];
  return {
    bytes: docx({
      body: `${p("Report {{title}}")}<w:tbl><w:tblPr/><w:tblGrid/>${row}</w:tbl>${p("End")}`,
    }),
    data: {
      title: "R & D <2026>",
      rows: Array.from({ length: rows }, (_value, index) => ({
        id: index + 1,
        name: `Name ${(index * 7919) % 1000}`,
        city: cities[(index * 31) % cities.length],
        amount: ((index * 104_729) % 100_000) / 100,
      })),
    },
  };
}

test("documents of all compressions have the same parts", async () => {
  const { bytes, data } = table(3000);
  const template = await compileTemplate(bytes);
  const [small, ...others] = MODES.map((compression) =>
    unzipped(template.render(data, { compression }).bytes),
  );
  for (const other of others) expect(other).toEqual(small);
});

test("the same data always gives the same bytes, before and after 20 other documents", async () => {
  const { bytes, data } = table(200);
  for (const compression of MODES) {
    const template = await compileTemplate(bytes);
    const first = template.render(data, { compression }).bytes;
    for (let each = 0; each < 20; each++) {
      template.render({ ...data, title: `Other ${each}` }, { compression });
    }
    expect(Buffer.compare(template.render(data, { compression }).bytes, first)).toBe(0);
    const again = await compileTemplate(bytes);
    expect(Buffer.compare(again.render(data, { compression }).bytes, first)).toBe(0);
  }
});

test("a failed render does not affect the next document", async () => {
  const template = await compileTemplate(docx({ body: `${p("{{a}}")}${p("{{b}}")}` }));
  const good = { a: "one", b: "two" };
  const expected = template.render(good, { compression: "template" }).bytes;
  const bad = { a: "one", b: { no: "text" } };
  expect(() => template.render(bad, { compression: "template" })).toThrow(/does not fit/);
  const after = template.render(good, { compression: "template" }).bytes;
  expect(Buffer.compare(after, expected)).toBe(0);
});

test("data whose getter renders another document gives two correct documents", async () => {
  const template = await compileTemplate(docx({ body: `${p("{{a}}")}${p("{{b}}")}` }));
  const render = (data: Record<string, unknown>): Uint8Array =>
    template.render(data, { compression: "template" }).bytes;
  let inner: Uint8Array | null = null;
  const outer = render({
    a: "one",
    get b() {
      inner = render({ a: "three", b: "four" });
      return "two";
    },
  });
  expect(outer).toEqual(render({ a: "one", b: "two" }));
  expect(inner).toEqual(render({ a: "three", b: "four" }));
});

test("rows whose getters render another document give only correct documents", async () => {
  const { bytes, data } = table(60);
  const template = await compileTemplate(bytes);
  const other = table(900).data;
  for (const compression of MODES) {
    const render = (of: Record<string, unknown>): Uint8Array =>
      template.render(of, { compression }).bytes;
    const inner: Uint8Array[] = [];
    const rows = (data.rows as { name: string }[]).map((row) => ({
      ...row,
      get name() {
        inner.push(render(other));
        return row.name;
      },
    }));
    expect(Buffer.compare(render({ ...data, rows }), render(data))).toBe(0);
    expect(inner.length).toBeGreaterThanOrEqual(rows.length);
    const expected = render(other);
    for (const each of inner) expect(Buffer.compare(each, expected)).toBe(0);
  }
});

test.each(MODES)(
  "with %s, rows contain their values, for any length and characters",
  async (compression) => {
    const texts = [
      "x",
      "Zürich – Łódź",
      "R &amp; D",
      "日本語のテキスト",
      "😀👍",
      "long ".repeat(900),
      "ü".repeat(30_000),
      "7".repeat(70_000),
      "",
      "-17.5",
    ];
    const rows = Array.from({ length: 400 }, (_value, index) => ({
      id: index * 1_000_003,
      text: texts[index % texts.length],
      more: `${texts[(index * 7) % 5]} ${index}`,
      ok: index % 2 === 0,
    }));
    const cell = (text: string): string => `<w:tc>${p(text)}</w:tc>`;
    const row = `<w:tr>${cell("{{tablerow r in rows}}{{r.id}}")}${cell("{{r.text}}")}${cell("{{r.more}} {{r.ok}}{{endtablerow}}")}</w:tr>`;
    const template = await compileTemplate(
      docx({ body: `<w:tbl><w:tblPr/><w:tblGrid/>${row}</w:tbl>${p("End")}` }),
    );
    const parts = unzipped(template.render({ rows }, { compression }).bytes);
    const written = String(parts.get("word/document.xml"))
      .replace(/<\/w:tbl>.*/s, "")
      .split("<w:tc>")
      .slice(1)
      .map((each) =>
        [...each.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text).join(""),
      );
    const expected = rows.flatMap(({ id, text, more, ok }) => [id, text, `${more} ${ok}`]);
    expect(written.length).toBe(expected.length);
    for (const [index, value] of expected.entries()) {
      const isAsIs = written[index] === String(value).replaceAll("&", "&amp;");
      expect({ index, isAsIs }).toEqual({ index, isAsIs: true });
    }
  },
);

test("a large template gets no preparation for short documents", () => {
  const statics = (length: number): StaticTexts => ({
    texts: [{ bytes: Buffer.alloc(length, "ab"), block: 0 }],
    outer: [-1],
    repeats: [false],
    values: [1],
  });
  const has = (length: number, compression: Compression): string =>
    new PartCompression(statics(length)).borrow(compression).constructor.name;
  expect(has(150_000, "small")).toBe("ShortCompressor");
  expect(has(300_000, "small")).toBe("ZlibCompressor");
  expect(has(300_000, "template")).toBe("TemplateCompressor");
  expect(has(4_000_000, "template")).toBe("ZlibCompressor");
});

test("with compression 'template', a table is less than 30 % larger than with zlib", async () => {
  const { bytes, data } = table(5000);
  const template = await compileTemplate(bytes);
  const [small = 0, , prepared = 0] = MODES.map(
    (compression) => template.render(data, { compression }).bytes.length,
  );
  expect(prepared).toBeLessThan(small * 1.3);
});

test("with compression 'template', a contract is less than 10 % larger than with zlib", async () => {
  const template = await compileTemplate(
    readFileSync(new URL("templates/contract.docx", EXAMPLES)),
  );
  const data = JSON.parse(readFileSync(new URL("data/contract.json", EXAMPLES), "utf8"));
  const [small = 0, , prepared = 0] = MODES.map(
    (compression) => template.render(data, { compression }).bytes.length,
  );
  expect(prepared).toBeLessThan(small * 1.1);
});

describe("in a long document", () => {
  const deep = (levels: number): string =>
    `${"<table><tr><td>".repeat(levels)}x${"</td></tr></table>".repeat(levels)}`;
  const rows = (special: string, at: number): Record<string, unknown> => ({
    rows: Array.from({ length: 2000 }, (_value, index) => ({
      text: index === at ? special : "plain",
    })),
  });
  const body = p("{{for r in rows}}") + p("{{r.text}}") + p("{{endfor}}");

  test("values that split their paragraphs do not add to the nesting depth", async () => {
    const template = await compileTemplate(docx({ body }));
    const cut = { rows: Array.from({ length: 2000 }, () => ({ text: "<p>a</p><p>b</p>" })) };
    const [small, ...others] = MODES.map((compression) =>
      unzipped(template.render(cut, { compression }).bytes),
    );
    for (const other of others) expect(other).toEqual(small);
  });

  test.each([0, 1000, 1999])(
    "content that is nested too deeply is rejected at any place: row %i",
    async (at) => {
      const open = "<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>".repeat(28);
      const close = "<w:p/></w:tc></w:tr></w:tbl>".repeat(28);
      const template = await compileTemplate(docx({ body: open + body + close }));
      expect(() => template.render(rows(deep(8), at))).toThrow(/nested deeper/);
      expect(template.render(rows(deep(2), at)).bytes.length).toBeGreaterThan(0);
    },
  );
});

test("rejects an unknown compression", async () => {
  const template = await compileTemplate(docx({ body: p("{{a}}") }));
  expect(() => template.render({ a: "b" }, { compression: "tiny" as never })).toThrow(
    'The option compression must be one of "small", "fast", "template", not "tiny".',
  );
});

describe("a document with compression 'template' can be read by", () => {
  const readers = [
    ["unzip", (file: string) => execFileSync("unzip", ["-tq", file])],
    [
      "python3",
      (file: string) =>
        execFileSync("python3", [
          "-c",
          "import sys, zipfile; bad = zipfile.ZipFile(sys.argv[1]).testzip(); sys.exit(bad)",
          file,
        ]),
    ],
  ] as const;
  test.each(readers.filter(([program]) => isThere(program)))("%s", async (_program, read) => {
    const folder = mkdtempSync(join(tmpdir(), "quire-compression-"));
    try {
      const { bytes, data } = table(3000);
      const template = await compileTemplate(bytes);
      const file = join(folder, "a.docx");
      writeFileSync(file, template.render(data, { compression: "template" }).bytes);
      read(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function isThere(program: string): boolean {
  try {
    execFileSync("which", [program]);
    return true;
  } catch {
    return false;
  }
}
