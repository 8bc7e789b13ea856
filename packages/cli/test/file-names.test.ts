import { compileTemplate } from "@quire/core";
import { describe, expect, test } from "vitest";
import { fileNames } from "../src/files/file-names.ts";
import { docx } from "./support/docx.ts";

/** Returns the keys that a run with this file name pattern reports as unused. */
async function unused(pattern: string, data: Readonly<Record<string, unknown>>): Promise<string[]> {
  const template = await compileTemplate(
    docx(["Dear {{name}} {{for i in rows}}{{i.a}}{{endfor}}"]),
  );
  const names = fileNames(pattern, "letter", {});
  return template
    .check({ name: "Ann", rows: [], ...data })
    .filter((each) => !names.use(each))
    .map(({ pointer = "" }) => pointer);
}

describe("the names of files use", () => {
  test.each([
    ["{{id}}", { id: 1 }],
    ['{{a["first name"]}}', { a: { "first name": 1 } }],
    ["{{a['x/y']}}{{a['x~1y']}}", { a: { "x/y": 1, "x~1y": 2 } }],
    ["{{items[0].id}}", { items: [{ id: 1 }, { id: 2 }] }],
    ["{{items.id}}", { items: [{ id: 1 }, { id: 2 }] }],
    [
      "{{rows[1].b}}",
      {
        rows: [
          { a: 1, b: 1 },
          { a: 1, b: 2 },
        ],
      },
    ],
    ['{{years["2026"]}}', { years: { 2026: 1 } }],
    ["{{flat.id}}", { "flat.id": 1 }],
    ["{{this.id}}", { id: 1 }],
    ["{{$sum(a.b) + c * 2}}", { a: [{ b: 1 }], c: 2 }],
  ])("with %s what it names", async (pattern, data) => {
    expect(await unused(pattern, data)).toEqual([]);
  });

  test.each([
    ["{{id}}", { id: 1, ids: 2 }, ["/ids"]],
    ['{{id :: default("other")}}', { id: 1, other: 2 }, ["/other"]],
    ["{{rows.b}}", { rows: [{ a: 1, b: 1, c: 2 }] }, ["/rows/0/c"]],
  ])("with %s nothing else", async (pattern, data, pointers) => {
    expect(await unused(pattern, data)).toEqual(pointers);
  });
});
