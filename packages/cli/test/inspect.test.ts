/** `quire inspect`, `quire types` and `quire sample`: the data that a template needs. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

async function invoicePlace(): Promise<Place> {
  const place = await makePlace();
  const body = [
    "To {{customer.name}}",
    "{{for item in items}}{{item.name}}: {{item.price * item.count}} {{endfor}}",
    "{{if note isPresent}}{{note}}{{endif}}",
  ];
  await place.write("invoice.docx", docx(body, "No. {{invoice.number}}"));
  return place;
}

describe("quire inspect", () => {
  test("lists the tags with their kinds, paths and places", async () => {
    const place = await invoicePlace();
    const ended = await place.quire(["inspect", "invoice.docx"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["TAG", "KIND", "DATA", "PLACE"],
      ["{{customer.name}}", "text", "customer.name", "Paragraph 1"],
      ["{{for item in items}}", "for-loop", "items", "Paragraph 2"],
      ["{{item.name}}", "text", "items.name", "Paragraph 2"],
      ["{{item.price * item.count}}", "arithmetic", "items.price, items.count", "Paragraph 2"],
      ["{{if note isPresent}}", "conditional", "note", "Paragraph 3"],
      ["{{note}}", "text", "note", "Paragraph 3"],
      ["{{invoice.number}}", "text", "invoice.number", "In the header header1.xml, paragraph 1"],
      [""],
      ["7 tags"],
      [""],
    ]);
  });

  test("prints the same as JSON", async () => {
    const place = await invoicePlace();
    const { code, stdout } = await place.quire(["inspect", "invoice.docx", "--json"]);
    expect(code).toBe(0);
    const { tags, warnings } = JSON.parse(stdout);
    expect([tags.length, warnings]).toEqual([7, []]);
    expect(tags[0]).toEqual({
      tag_content: "{{customer.name}}",
      tag_type: "text",
      json_paths: ["customer", "customer.name"],
      place: {
        part: "word/document.xml",
        paragraph: 1,
        tag: "{{customer.name}}",
        near: "To {{customer.name}}",
      },
    });
  });

  test("prints the JSON Schema of the data", async () => {
    const place = await invoicePlace();
    const { code, stdout } = await place.quire(["inspect", "invoice.docx", "--schema"]);
    expect(code).toBe(0);
    const schema = JSON.parse(stdout);
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(Object.keys(schema.properties).sort()).toEqual(["customer", "invoice", "items", "note"]);
    expect(schema.required.sort()).toEqual(["customer", "invoice", "items"]);
  });

  test("says that a template has no tags", async () => {
    const place = await makePlace();
    await place.write("plain.docx", docx(["Nothing", "{{! a note }}"]));
    const { code, stdout } = await place.quire(["inspect", "plain.docx"]);
    expect([code, stdout]).toEqual([0, "The template has no tags that take data.\n"]);
  });

  test("reads other delimiters, and detects the delimiters of docxtemplater", async () => {
    const place = await makePlace();
    await place.write("t.docx", docx(["{name} [[a]]"]));
    const own = await place.quire(["inspect", "t.docx", "--delimiters", "[[,]]"]);
    expect(own.stdout).toMatch(/^\[\[a\]\] +text +a +Paragraph 1$/m);
    const auto = await place.quire(["inspect", "t.docx", "--delimiters", "auto"]);
    expect(auto.stdout).toMatch(/^\{name} +text +name +Paragraph 1$/m);
    const none = await place.quire(["inspect", "t.docx"]);
    expect(none.stdout).toContain("no tags");
  });

  test("rejects --json together with --schema", async () => {
    const place = await invoicePlace();
    const { code, stderr } = await place.quire(["inspect", "invoice.docx", "--json", "--schema"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--schema")]);
  });
});

describe("quire types", () => {
  test("prints TypeScript types with the given name", async () => {
    const place = await invoicePlace();
    const { code, stdout, stderr } = await place.quire(["types", "invoice.docx"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^export type TemplateData = \{$/m);
    const named = await place.quire(["types", "invoice.docx", "--name", "Invoice"]);
    expect(named.stdout).toMatch(/^export type Invoice = \{$/m);
  });

  test("writes them to a file, and replaces an existing file", async () => {
    const place = await invoicePlace();
    await place.write("invoice.ts", "old");
    const ended = await place.quire(["types", "invoice.docx", "-o", "invoice.ts"]);
    expect(ended).toMatchObject({ code: 0, stdout: "invoice.ts\n", stderr: "" });
    const printed = await place.quire(["types", "invoice.docx"]);
    expect(await readFile(place.path("invoice.ts"), "utf8")).toBe(printed.stdout);
  });

  test("rejects an invalid name", async () => {
    const place = await invoicePlace();
    const { code, stdout, stderr } = await place.quire(["types", "invoice.docx", "--name", "a b"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^quire: The name "a b" /);
  });
});

describe("quire sample", () => {
  test("writes data that fills the template without problems", async () => {
    const place = await invoicePlace();
    const ended = await place.quire(["sample", "invoice.docx", "-o", "sample.json"]);
    expect(ended).toMatchObject({ code: 0, stdout: "sample.json\n", stderr: "" });
    const args = ["check", "invoice.docx", "--data", "sample.json", "--strict"];
    expect((await place.quire(args)).code).toBe(0);
    const printed = await place.quire(["sample", "invoice.docx"]);
    expect(printed.stdout).toBe(await readFile(place.path("sample.json"), "utf8"));
  });
});

test.for(["inspect", "types", "sample"])(
  "quire %s rejects an invalid template",
  async (command) => {
    const place = await makePlace();
    await place.write("t.docx", docx(["{{if a}}", "{{b :: x}}"]));
    const { code, stdout, stderr } = await place.quire([command, "t.docx"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^quire: The template has errors in its tags \(2 problems\)\..+\n( {2}.+\n){2}$/,
    );
  },
);

test.for(["types", "sample"])("quire %s never replaces its template", async (command) => {
  const place = await invoicePlace();
  const before = await readFile(place.path("invoice.docx"));
  const { code, stderr } = await place.quire([command, "invoice.docx", "-o", "./invoice.docx"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("which would be overwritten")]);
  expect(await readFile(place.path("invoice.docx"))).toEqual(before);
});
