import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isQuireError } from "@quire/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../contracts/test/support/random.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { openPackage } from "../../../ooxml/src/open.ts";
import { docx, p, r, type TestDocument, table } from "../../../ooxml/test/support/docx.ts";
import { type CompiledParts, compileParts } from "../../src/compile-parts.ts";
import { compileTemplate } from "../../src/index.ts";
import { sampleOf } from "../../src/inspect/sample.ts";
import { type JsonSchema, schemaOf } from "../../src/inspect/schema.ts";
import { type DataShape, shapeOf } from "../../src/inspect/shape.ts";
import { type TemplateTag, tagsOf } from "../../src/inspect/tags.ts";
import { typesOf } from "../../src/inspect/types.ts";
import { problemsOf } from "../support/json-schema.ts";
import { compilerErrors } from "../support/type-check.ts";

const ROOT = join(import.meta.dirname, "../../../..");

async function partsOf(source: Uint8Array | TestDocument | string): Promise<CompiledParts> {
  return compileParts(await openPackage(bytesOf(source)), {});
}

function bytesOf(source: Uint8Array | TestDocument | string): Uint8Array {
  if (source instanceof Uint8Array) return source;
  return docx(typeof source === "string" ? { body: p(source) } : source);
}

async function shape(source: Uint8Array | TestDocument | string): Promise<DataShape> {
  return shapeOf(await partsOf(source));
}

async function sample(source: TestDocument | string): Promise<Record<string, unknown>> {
  return sampleOf(await shape(source));
}

/** Returns the findings of a template for its own sample, except for words that a loop prints without separators. */
async function told(source: Uint8Array | TestDocument | string): Promise<string[]> {
  const template = await compileTemplate(bytesOf(source));
  const data = sampleOf(await shape(source));
  return template
    .check(data)
    .filter(({ code }) => code !== "joined_in_paragraph")
    .map(({ message }) => message);
}

/** Returns the schema of one key, without its description. */
async function schemaAt(source: string, ...path: readonly string[]): Promise<unknown> {
  let schema: JsonSchema | undefined = schemaOf(await shape(source));
  for (const key of path) schema = key === "[]" ? schema?.items : schema?.properties?.[key];
  const { description: _, ...rest } = schema ?? {};
  return rest;
}

async function required(source: string): Promise<readonly string[]> {
  return schemaOf(await shape(source)).required ?? [];
}

/** Returns the lines of the types, without comments. */
async function types(source: string): Promise<string[]> {
  const lines = typesOf(await shape(source)).split("\n");
  return lines.map((line) => line.trim()).filter((line) => !/^(?:\/\*\*|$)/.test(line));
}

const SCALAR = ["string", "number", "boolean"];
const PRINTED = { $ref: "#/$defs/Printed" };
const NUMBER = { type: ["number", "string"], pattern: expect.any(String) };
const NUMBERS = {
  ...NUMBER,
  type: ["number", "string", "array"],
  items: { ...NUMBER, type: ["number", "string", "null"] },
};

describe("the tags of a template", () => {
  async function tags(source: TestDocument | string): Promise<string[]> {
    return tagsOf(await partsOf(source)).map(line);
  }
  const line = ({ tag_content, tag_type, json_paths }: TemplateTag): string =>
    [tag_content, tag_type, ...json_paths].join(" ");

  test("have their kinds and paths, with all parent paths", async () => {
    expect(
      await tags(
        '{{a.b.c :: uppercase}}{{for item in products}}{{item.name}}{{item.q * item.price}}{{$number}}{{endfor}}{{if a.x == 1 and y}}{{elseif z}}{{else}}{{endif}}{{$sum(products.price)}}{{$join(products.name)}}{{! note }}{{photo :: width("2cm")}}{{code :: qrcode}}',
      ),
    ).toEqual([
      "{{a.b.c :: uppercase}} text a a.b a.b.c",
      "{{for item in products}} for-loop products",
      "{{item.name}} text products products.name",
      "{{item.q * item.price}} arithmetic products products.q products.price",
      "{{$number}} text",
      "{{if a.x == 1 and y}} conditional a a.x y",
      "{{elseif z}} conditional z",
      "{{$sum(products.price)}} arithmetic products products.price",
      "{{$join(products.name)}} text products products.name",
      '{{photo :: width("2cm")}} image photo',
      "{{code :: qrcode}} image code",
    ]);
  });

  test("in sections refer to keys of the item, unless the data has the name", async () => {
    expect(
      await tags(
        "{{company}}{{#customer}}{{name}}{{company}}{{#orders}}{{.}}{{/orders}}{{/customer}}{{^none}}{{/none}}{{#a > 1}}{{/a>1}}",
      ),
    ).toEqual([
      "{{company}} text company",
      "{{#customer}} for-loop customer",
      "{{name}} text customer customer.name",
      "{{company}} text company",
      "{{#orders}} for-loop customer customer.orders",
      "{{.}} text customer customer.orders",
      "{{^none}} conditional none",
      "{{#a > 1}} conditional a",
    ]);
  });

  test("are resolved in their scope: the whole row, the whole column, the note", async () => {
    const rows = table([p("{{x.a}} {{tablerow x in rows}}"), p("{{endtablerow}}")]);
    const columns = table(
      [p("{{tablecolumn m in months}}{{m.name}}{{endtablecolumn}}")],
      [p("{{m.value}}")],
    );
    const note = `<w:p>${r("{{for i in items}}")}<w:r><w:footnoteReference w:id="2"/></w:r>${r("{{endfor}}")}</w:p>`;
    expect(
      await tags({
        body: rows + columns + note,
        stories: { "footnotes.xml": `<w:footnote w:id="2">${p("{{i.why}}")}</w:footnote>` },
      }),
    ).toEqual([
      "{{x.a}} text rows rows.a",
      "{{tablerow x in rows}} table-loop rows",
      "{{tablecolumn m in months}} table-loop months",
      "{{m.name}} text months months.name",
      "{{m.value}} text months months.value",
      "{{for i in items}} for-loop items",
      "{{i.why}} text items items.why",
    ]);
  });

  test("omit indexes and put keys that are not names into brackets", async () => {
    expect(await tags('{{list[0].x}}{{list.y}}{{d["first name"].y}}{{years["2026"]}}')).toEqual([
      "{{list[0].x}} text list list.x",
      "{{list.y}} text list list.y",
      '{{d["first name"].y}} text d d["first name"] d["first name"].y',
      '{{years["2026"]}} text years years["2026"]',
    ]);
  });

  test("in a list that a condition chooses have the paths of all lists", async () => {
    const text =
      "{{for i in $if(all, items, some.totals)}}{{i.name}}{{for j in i.parts ?? parts}}{{j.n}}{{endfor}}{{endfor}}";
    expect(await tags(text)).toEqual([
      "{{for i in $if(all, items, some.totals)}} for-loop all items some some.totals",
      "{{i.name}} text items items.name some some.totals some.totals.name",
      "{{for j in i.parts ?? parts}} for-loop items items.parts some some.totals some.totals.parts parts",
      "{{j.n}} text items items.parts items.parts.n some some.totals some.totals.parts some.totals.parts.n parts parts.n",
    ]);
  });

  test("have a place", async () => {
    const [first] = tagsOf(await partsOf({ body: p("Head") + table([p("x"), p("To {{name}}!")]) }));
    expect(first?.place).toEqual({
      part: "word/document.xml",
      paragraph: 3,
      table: 1,
      row: 1,
      cell: 2,
      tag: "{{name}}",
      near: "To {{name}}!",
    });
  });
});

describe("the schema of a value", () => {
  const reference = (key: string) => ({
    type: "object",
    properties: { type: { const: key === "id" ? "file" : "url" }, [key]: { type: "string" } },
    required: ["type", key],
  });

  test.each([
    "{{a}}{{a :: uppercase}}",
    "{{a :: html}}",
    "{{a :: markdown}}",
    "{{a :: qrcode}}",
    '{{a :: delimiter("; ")}}',
    "{{$join(a)}}",
  ])("%s: a text, a number, a boolean, a picture, or a list", async (text) => {
    expect(await schemaAt(text, "a")).toEqual(PRINTED);
    expect(schemaOf(await shape(text)).$defs?.Printed).toEqual({
      anyOf: [
        { type: SCALAR },
        reference("id"),
        reference("url"),
        {
          type: "array",
          items: { anyOf: [{ type: SCALAR }, reference("id"), reference("url"), { type: "null" }] },
        },
      ],
    });
  });

  test.each(["{{a * 2}}", "{{if a > 5}}{{endif}}", "{{$round(a)}}", "{{a}}{{-a}}"])(
    "%s: a number, or a text with a number",
    async (text) => {
      expect(await schemaAt(text, "a")).toEqual(NUMBER);
    },
  );

  test.each([
    "{{a :: number}}",
    '{{a :: currency("EUR")}}',
    "{{a :: percent(1)}}",
    '{{a :: format("EU-Number")}}',
    "{{$sum(a)}}",
  ])("%s: a number, or a list of numbers", async (text) => {
    expect(await schemaAt(text, "a")).toEqual(NUMBERS);
  });

  test.each([
    ['{{a :: format("dd-mm-yyyy")}}', ["string", "array"], { items: { type: ["string", "null"] } }],
    ['{{if a > "b"}}{{endif}}', ["string", "boolean"], {}],
    ['{{if a > "2026"}}{{endif}}', SCALAR, {}],
    ["{{if b < a}}{{endif}}{{-b}}", SCALAR, {}],
    ["{{a :: link}}", "string", {}],
    ["{{$join(list, a)}}", ["string", "null"], {}],
    ["{{$round(1, a)}}", [...NUMBER.type, "null"], { pattern: NUMBER.pattern }],
    ["{{$length(a)}}", ["string", "array"], {}],
    ['{{if a contains "x"}}{{endif}}', ["string", "array"], {}],
  ])("%s: of the type %j", async (text, type, more) => {
    expect(await schemaAt(text, "a")).toEqual({ type, ...more });
  });

  test("that is a picture: base64, a reference, or a list of them", async () => {
    const images = [{ type: "string" }, reference("id"), reference("url")];
    expect(await schemaAt('{{a :: height("1cm")}}', "a")).toEqual({
      anyOf: [...images, { type: "array", items: { anyOf: [...images, { type: "null" }] } }],
    });
    expect(await schemaAt('{{a :: height("1cm"), text}}', "a")).toEqual(PRINTED);
  });

  test("that is masked: a text or a number, or a list of them", async () => {
    expect(await schemaAt('{{a :: format("xx-x")}}', "a")).toEqual({
      type: ["string", "number", "array"],
      items: { type: ["string", "number", "null"] },
    });
  });

  test("that is only tested, compared or counted: unrestricted", async () => {
    expect(await schemaAt("{{if a and not a.b}}{{endif}}{{if c isEmpty}}{{endif}}", "c")).toEqual(
      {},
    );
    expect(await schemaAt("{{#a}}{{/a}}", "a")).toEqual({});
    expect(await schemaAt("{{$count(a)}}", "a")).toEqual({});
    expect(await schemaAt('{{if a == "x"}}{{endif}}', "a")).toEqual({});
    expect(await schemaAt("{{a :: checkbox}}", "a")).toEqual({});
  });

  test("that is repeated: a list with the schema of its items", async () => {
    expect(await schemaAt("{{for i in a}}{{i.b}}{{i.c * 1}}{{endfor}}", "a")).toEqual({
      type: "array",
      items: {
        type: ["object", "array"],
        properties: {
          b: { description: "Used by {{i.b}}.", ...PRINTED },
          c: { description: "A number. Used by {{i.c * 1}}.", ...NUMBER },
        },
        required: ["b", "c"],
      },
    });
    expect(await schemaAt("{{for i in a}}{{i}}{{endfor}}{{a}}", "a", "[]")).toEqual(PRINTED);
    expect(
      await schemaAt("{{for i in a}}{{for j in i}}{{j}}{{endfor}}{{endfor}}", "a", "[]"),
    ).toEqual({ type: "array", items: PRINTED });
  });

  test("with keys: an object, or a list with such items", async () => {
    expect(await schemaAt("{{a.b}}", "a")).toEqual({
      type: ["object", "array"],
      properties: { b: { description: "Used by {{a.b}}.", ...PRINTED } },
      required: ["b"],
    });
    expect(await schemaAt("{{a[1].b}}", "a")).toMatchObject({ type: ["array", "object"] });
    expect(await schemaAt("{{a[1].b}}", "a", "[]", "b")).toEqual({
      anyOf: [PRINTED, { type: "null" }],
    });
  });

  test("that is an argument of a function: lists at any level of the path", async () => {
    expect(await schemaAt("{{$sum(a.b)}}", "a")).toMatchObject({ type: ["array", "object"] });
    expect(await schemaAt("{{$sum(a.b)}}", "a", "[]", "b")).toEqual({
      ...NUMBERS,
      type: [...NUMBERS.type, "null"],
    });
    expect(await schemaAt("{{a.c}}{{$sum(a.b)}}", "a", "b")).toEqual(NUMBERS);
    expect(await schemaAt("{{$sum(a.b.c)}}", "a")).toMatchObject({ type: ["object", "array"] });
    expect(await schemaAt("{{$join(a.b)}}{{for x in a.b}}{{endfor}}", "a", "b", "[]")).toEqual({
      anyOf: [PRINTED, { type: "null" }],
    });
  });

  test("that is used by a section: items, one item, or a scalar that only shows the section", async () => {
    const { $defs, properties } = schemaOf(await shape("{{#a}}{{b}}{{/a}}"));
    expect(properties?.a?.anyOf).toEqual([
      {
        type: ["array", ...SCALAR],
        items: { anyOf: [{ $ref: "#/$defs/A" }, { type: [...SCALAR, "array", "null"] }] },
      },
      { $ref: "#/$defs/A" },
      { type: "null" },
    ]);
    expect($defs?.A?.properties?.b?.anyOf).toEqual([PRINTED, { type: "null" }]);
  });

  test("that only branches read: the types of all branches, and the values that show no branch", async () => {
    expect(await schemaAt("{{if x}}{{a.b}}{{else}}{{a}}{{endif}}", "a")).toMatchObject({
      anyOf: [{ type: ["object", "array"] }, PRINTED, { type: "null" }],
    });
    expect(await schemaAt("{{if a}}{{a.b}}{{endif}}", "a")).toMatchObject({
      anyOf: [{ type: ["object", "array"] }, { enum: [false, 0, "", []] }, { type: "null" }],
    });
    expect(await schemaAt("{{a}}{{if x}}{{a * 2}}{{endif}}", "a")).toEqual(PRINTED);
    expect(await schemaAt("{{name}}{{#a}}{{name * 2}}{{/a}}", "name")).toEqual(PRINTED);
  });

  test("with arbitrary keys, as own properties", async () => {
    const schema = schemaOf(await shape("{{__proto__.a}}{{constructor}}{{toString}}"));
    expect(JSON.parse(JSON.stringify(schema)).required).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
    expect(Object.keys(schema.properties ?? {})).toEqual(["__proto__", "constructor", "toString"]);
    expect(await told("{{__proto__.a}}{{constructor}}{{toString}}")).toEqual([]);
  });
});

describe("keys are required if some tag needs them under all conditions", () => {
  test.each([
    ['{{a}}{{b :: optional}}{{c :: default("x")}}', ["a"]],
    ["{{if a}}{{b}}{{else}}{{c}}{{endif}}", []],
    ["{{if a == 1 and b == 2}}{{elseif c == 3}}{{endif}}", ["a"]],
    ["{{if a isPresent}}{{a}}{{endif}}{{a}}", ["a"]],
    ["{{#a}}{{b}}{{/a}}{{^c}}{{d.e}}{{/c}}", []],
    ["{{for i in a}}{{b}}{{endfor}}{{for j in c :: optional}}{{endfor}}", ["a"]],
    ["{{if x}}{{for i in a}}{{i.b}}{{endfor}}{{endif}}", []],
    ["{{$sum(a.b)}}", ["a"]],
    ["{{$join(a, b)}}{{$round(c, d)}}", ["a", "c"]],
  ])("%s", async (text, keys) => {
    expect(await required(text)).toEqual(keys);
  });

  test("also within the items of an optional list", async () => {
    expect(
      await schemaAt(
        "{{if x}}{{for i in a}}{{i.b}}{{if i.c}}{{i.c}}{{endif}}{{endfor}}{{endif}}",
        "a",
        "[]",
      ),
    ).toMatchObject({ required: ["b"] });
  });

  test("but not keys that a path skips in list elements", async () => {
    const text = "{{for i in a}}{{i.b}}{{endfor}}{{$sum(a.c.d)}}{{l[0].e}}";
    expect(await schemaAt(text, "a", "[]")).toMatchObject({ required: ["b"] });
    expect(await schemaAt(text, "a", "[]", "c")).not.toHaveProperty("required");
    expect(await schemaAt(text, "l", "[]")).not.toHaveProperty("required");
  });
});

describe("the types", () => {
  test("name each object and mark optional keys", async () => {
    expect(
      await types(
        '{{customer.name}}{{customer.fax :: optional}}{{for i in items}}{{i.due :: format("d.m.yyyy")}}{{i.price * 2}}{{endfor}}{{#note}}{{text}}{{/note}}{{if vip}}{{endif}}',
      ),
    ).toEqual([
      "export type TemplateData = {",
      "readonly customer: TemplateDataCustomer;",
      "readonly items: readonly TemplateDataItems[];",
      "readonly note?: TemplateDataSection<TemplateDataNote> | string | number | bigint | boolean | Date | null;",
      "readonly vip?: unknown;",
      "};",
      "export type TemplateDataCustomer = {",
      "readonly name: TemplateDataPrinted;",
      "readonly fax?: TemplateDataPrinted | null;",
      "};",
      "export type TemplateDataItems = {",
      "readonly due: string | Date | readonly (string | Date | null)[];",
      "readonly price: number | bigint | string;",
      "};",
      "export type TemplateDataNote = {",
      "readonly text?: TemplateDataPrinted | null;",
      "};",
      "export type TemplateDataSection<Item> = Item | readonly (Item | string | number | bigint | boolean | Date | readonly unknown[] | null)[];",
      'export type TemplateDataPrinted = string | number | bigint | boolean | Date | { readonly type: "file"; readonly id: string } | { readonly type: "url"; readonly url: string } | readonly (string | number | bigint | boolean | Date | { readonly type: "file"; readonly id: string } | { readonly type: "url"; readonly url: string } | null)[];',
    ]);
  });

  test("name the tags in comments, which tags cannot close", async () => {
    const text = typesOf(await shape('{{a :: default("*/ evil /*")}}'));
    expect(text).toContain('/** Used by {{a :: default("*\\/ evil /*")}}. */');
  });

  test("escape invisible characters", async () => {
    const text = typesOf(await shape('{{d["a\u202eb\u200b"]}}'));
    expect(text).toContain('readonly "a\\u{202e}b\\u{200b}": ');
    expect(text).not.toMatch(/[\u202e\u200b]/);
  });

  test("allow any object for a template without tags", async () => {
    expect(await types("Hello")).toEqual([
      "export type TemplateData = Readonly<Record<string, unknown>>;",
    ]);
  });

  test.each(["", "Date", "Readonly", "Record", "lower", "A-B", "A {} export type B"])(
    "reject the name %j",
    async (name) => {
      const known = await shape("{{a}}");
      expect(() => typesOf(known, name)).toThrow(/is not allowed for the types/);
      try {
        typesOf(known, name);
      } catch (error) {
        expect(isQuireError(error) && error.code).toBe("invalid_request");
      }
    },
  );
});

describe("the sample", () => {
  test("has values that match the tags and the names of the keys", async () => {
    const data = await sample(
      '{{customer.firstName}}{{email}}{{total * 2}}{{due :: format("dd.mm.yyyy HH:mm")}}{{phone :: format("xxx-xxxx")}}{{photo :: fit}}{{for i in items}}{{i.name}}{{i.quantity}}{{endfor}}{{link :: link}}{{isOpen}}',
    );
    expect(data).toEqual({
      customer: { firstName: "Ann" },
      email: "ann@example.com",
      total: 120.5,
      due: "2026-11-20T09:30",
      phone: "5550123",
      photo: expect.stringMatching(/^data:image\/png;base64,/),
      items: [
        { name: "Ann Example", quantity: 2 },
        { name: "Bob Miller", quantity: 5 },
        { name: "Cleo Smith", quantity: 10 },
      ],
      link: "https://example.com/1",
      isOpen: true,
    });
  });

  test.each([
    ['{{if a == "paid"}}{{elseif a == "open"}}{{endif}}', "paid"],
    ['{{if a != "paid"}}{{else}}{{a}}{{endif}}', "A"],
    ['{{if not (a == "x" or b)}}{{endif}}', "A"],
    ["{{if a > 5}}{{endif}}", 6],
    ["{{if 5 >= a}}{{endif}}", 5],
    ["{{if a < -1}}{{endif}}", -2],
    ["{{if a}}{{endif}}", true],
    ["{{if not a}}{{endif}}", false],
    ["{{^a}}{{/a}}", false],
    ["{{if a isEmpty}}{{endif}}", ""],
    ["{{if a == null}}{{endif}}", null],
    ["{{if not a isPresent}}{{endif}}", null],
    ["{{if a isEmpty}}{{else}}{{a}}{{endif}}", "A"],
    ['{{if a contains "x" and a contains "y"}}{{endif}}', "A x y"],
    ["{{if a == 0}}{{else}}{{1 / a}}{{endif}}", 10],
    ['{{if a > "b"}}{{endif}}', "ba"],
  ])("shows the first branch of %s", async (text, value) => {
    expect((await sample(text)).a).toBe(value);
    expect(await told(text)).toEqual([]);
  });

  test("has a printable value if a tag prints it, even if a condition reads a key of it", async () => {
    const text = "{{a}}{{if a.b}}{{a.b}}{{endif}}";
    expect(await sample(text)).toEqual({ a: "A" });
    expect(await told(text)).toEqual([]);
  });

  test("shows further branches in further items", async () => {
    const data = await sample(
      '{{for i in list}}{{if i.a == "x"}}{{elseif i.a == "y"}}{{endif}}{{endfor}}',
    );
    expect(data).toEqual({ list: [{ a: "x" }, { a: "y" }, { a: "A 3" }] });
  });

  test.each([
    "{{status}}{{#status}}{{who}}{{/status}}",
    "{{#tags}}{{.}} {{company}}{{/tags}}",
    "{{#customer}}{{name}}{{/customer}}{{customer.name}}",
    "{{#thing}}{{$number}}{{name}}{{/thing}}",
    '{{date :: format("d.m.yyyy")}}{{#items}}{{date}}{{/items}}',
    "{{for l in lists}}{{for i in l}}{{i}}{{endfor}}{{endfor}}",
    "{{list[4]}}{{for i in list}}{{i}}{{endfor}}",
    "{{a / (b - c)}}{{10 % (d * e)}}",
    "{{if a < b}}{{endif}}{{if b < c}}{{endif}}{{c * 2}}",
    '{{if a < b}}{{endif}}{{b :: format("d.m.yyyy")}}',
    "{{$sum(a.b.c)}}{{$count(a.b)}}{{$join(a.b.c)}}{{$length(a)}}",
    "{{$length(l)}}{{#l}}{{name}}{{/l}}",
    '{{if l.map(b) contains "x"}}{{endif}}{{$sum(l.b)}}',
    "{{$count(a)}}{{^a}}{{/a}}",
    "{{$count(tags)}} {{tags}}",
    "{{$count(a)}} {{a :: html}} {{$count(b)}} {{b :: markdown}} {{$count(c)}} {{c :: number(2)}}",
    '{{$count(days)}} {{days :: format("d.m.yyyy")}}',
    "{{$count(names)}} {{names :: truncate(5)}} {{$count(c)}} {{c.join(sep) :: qrcode}} {{$count(n)}}{{$length(n)}} {{n}}",
    "{{$length(names)}}{{$count(x.y)}}{{$average(n)}}{{$join(words, sep)}}",
    '{{x :: number(2)}}{{if x contains "5"}}{{endif}}',
    "{{a :: checkbox}}{{b :: qrcode}}{{c :: markdown}}{{d :: html, truncate(9)}}",
    '{{for p in people}}{{p :: delimiter(", ") :: lastdelimiter(" and ")}}{{endfor}}',
    '{{a :: default("x")}}{{if b isPresent and b.c != "d"}}{{b.c}}{{endif}}',
  ])("renders %s without a warning", async (text) => {
    expect(await told(text)).toEqual([]);
  });

  test("has valid values for all barcodes", async () => {
    const kinds =
      "qrcode datamatrix azteccode pdf417 code128 code39 code93 codabar ean13 ean8 upca upce isbn itf14 interleaved2of5 gs1-128 gs1-qrcode gs1-datamatrix";
    const text = kinds.split(" ").map((kind, index) => `{{k${index} :: barcode("${kind}")}}`);
    expect(await told(text.join(" "))).toEqual([]);
  });

  test("has addresses for links", async () => {
    const field = (address: string): string =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> HYPERLINK "${address}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r("x")}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    const body = ["{{site}}", "https://example.com/{{id}}", "mailto:{{mail}}"].map(field).join("");
    expect(await told({ body })).toEqual([]);
  });

  test("is small for lists of any depth", async () => {
    const open = Array.from(
      { length: 200 },
      (_, i) => `{{for v${i} in ${i > 0 ? `v${i - 1}.` : ""}l}}`,
    );
    const text = `${open.join("")}{{v199.x}}${"{{endfor}}".repeat(200)}`;
    const known = await shape(text);
    expect(JSON.stringify(sampleOf(known)).length).toBeLessThan(10_000);
    expect(await told(text)).toEqual([]);
    const far = Array.from({ length: 30 }, () => "a[99]").join(".");
    expect(JSON.stringify(await sample(`{{${far}}}`)).length).toBeLessThan(10_000);
  });

  test("omits values that are nested too deeply to describe", async () => {
    const deep = Array.from({ length: 900 }, () => "x").join(".");
    const open = Array.from(
      { length: 20 },
      (_, i) => `{{for v${i} in ${i > 0 ? `v${i - 1}.` : ""}${deep}}}`,
    );
    const known = await shape(`${open.join("")}{{v19.y}}${"{{endfor}}".repeat(20)}`);
    expect(JSON.stringify(sampleOf(known)).length).toBeLessThan(10_000);
    expect(JSON.stringify(schemaOf(known)).length).toBeLessThan(100_000);
    expect(typesOf(known).length).toBeLessThan(100_000);
  });
});

const FILES = globSync(["packages/docx/test/golden/*.docx", "examples/templates/*.docx"], {
  cwd: ROOT,
}).sort();

describe("golden and example templates", () => {
  test.each(FILES)("%s: its sample fits its schema and renders without a warning", async (file) => {
    const bytes = readFileSync(join(ROOT, file));
    const known = await shape(bytes);
    expect(problemsOf(sampleOf(known), schemaOf(known))).toEqual([]);
    expect((await compileTemplate(bytes)).render(sampleOf(known)).warnings).toEqual([]);
  });

  test("accept the data files next to them", async () => {
    for (const file of FILES) {
      const name = basename(file, ".docx");
      const path = file.startsWith("examples")
        ? `examples/data/${name === "invoice" ? "invoices" : name}.json`
        : file.replace(/docx$/, "json");
      const data: unknown = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
      const schema = schemaOf(await shape(readFileSync(join(ROOT, file))));
      const known = KNOWN[basename(path)] ?? [];
      for (const each of Array.isArray(data) ? data : [data]) {
        // The invoices are entries of a batch.
        expect(problemsOf(each.user_input ?? each, schema), file).toEqual(known);
      }
    }
  });
});

/** Intended problems in the data of golden documents. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "values.json": ["/customer/phone does not match any alternative"],
};

/** Writes templates whose tags do not contradict each other, because each name has one meaning. */
class Author {
  readonly #random: Random;
  readonly #meanings = new Map<string, (path: string) => string>();
  #loops = 0;

  constructor(seed: number) {
    this.#random = new Random(seed, 25);
  }

  text(items: readonly string[] = [], depth = 0): string {
    return this.#random.several(1, 4, () => this.#piece(items, depth)).join(" ");
  }

  #piece(items: readonly string[], depth: number): string {
    const random = this.#random;
    random.budget -= 1;
    if (depth > 3 || random.oneIn(2)) return this.#value(items);
    const inner = (more: readonly string[] = items): string => this.text(more, depth + 1);
    const tested = random.pick(["t", "u.v", "w.x.y"]);
    switch (random.below(6)) {
      case 0: {
        const item = `v${this.#loops++}`;
        const around = random.pick(["", ...items.map((each) => `${each}.`)]);
        const list = `${around}${random.pick(["rows", "lines"])}`;
        return `{{for ${item} in ${list}}}${inner([...items, item])}{{endfor}}`;
      }
      case 1: {
        const list = random.pick(["people", "things"]);
        return `{{#${list}}}${random.pick(["", "{{$number}}"])}${inner()}{{/${list}}}`;
      }
      case 2:
        return `{{#company}}${inner()}{{/company}}`;
      case 3:
        return `{{^none}}${inner()}{{/none}}`;
      case 4:
        return "{{#words}}{{.}}{{$index}}{{about}}{{/words}}";
      default:
        return `{{if ${tested}}}${inner()}{{else}}${inner()}{{endif}}`;
    }
  }

  #value(items: readonly string[]): string {
    const random = this.#random;
    if (random.oneIn(4)) return random.pick(LISTS);
    const around = random.pick(["", "", "o.", "o.p.", ...items.map((item) => `${item}.`)]);
    const name = random.pick(["a", "b", "c", "name", "total", "due"]);
    const meaning = this.#meanings.get(name) ?? random.pick(MEANINGS)(random);
    this.#meanings.set(name, meaning);
    return meaning(around + name);
  }
}

const LISTS = [
  "{{$sum(sums.amount)}}",
  "{{$average(numbers)}}",
  '{{$join(tags, "; ")}}',
  "{{$count(tags)}}",
  "{{$length(tags)}}",
  "{{tags}}",
  "{{for tag in tags}}{{tag}}{{endfor}}",
  '{{if tags contains "x"}}x{{endif}}',
  "{{flag}}{{#flag}}y{{/flag}}",
  "{{^flag}}y{{/flag}}",
  "{{if one < two}}x{{endif}}",
  "{{if two < 5}}x{{endif}}",
];

const FORMATS = [
  ...["", "uppercase", "optional", 'default("x")', "number(2)", 'currency("EUR")', "link"],
  ...['format("d.m.yyyy")', 'format("yyyy-MM-dd HH:mm")', 'format("xxx-xx")', "checkbox"],
  ...["html", "markdown", "truncate(5)", 'width("2cm")', "qrcode", 'barcode("ean13")'],
];

type Meaning = (path: string) => string;

const MEANINGS: readonly ((random: Random) => Meaning)[] = [
  () => (path) => `{{${path}}}`,
  (random) => {
    const format = random.pick(FORMATS);
    return (path) => `{{${path}${format === "" ? "" : ` :: ${format}`}}}`;
  },
  (random) => (path) =>
    random.pick([
      `{{${path} * 2}}`,
      `{{10 / ${path}}}`,
      `{{${path} % 7 + 1 - ${path}}}`,
      `{{${path} :: number(1)}}`,
      `{{if ${path} > 5}}x{{endif}}`,
      `{{if ${path} == 0}}-{{else}}{{1 / ${path}}}{{endif}}`,
    ]),
  (random) => (path) =>
    random.pick([
      `{{if ${path} == "paid"}}A{{elseif ${path} == "open"}}B{{else}}{{${path}}}{{endif}}`,
      `{{if not ${path}}}A{{endif}}`,
      `{{if ${path} contains "x"}}A{{endif}}`,
      `{{if ${path} isEmpty}}A{{endif}}`,
      `{{if ${path} isPresent and ${path} != "a"}}B{{endif}}`,
      `{{if ${path} >= "b"}}A{{endif}}`,
    ]),
];

describe("a random template", () => {
  test("has a sample that fits its schema and renders without a warning", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const text = new Author(seed).text();
        const known = await shape(text);
        const data = sampleOf(known);
        expect(problemsOf(data, schemaOf(known)), text).toEqual([]);
        const warnings = await told(text);
        // A random name in a loop may have a value outside it as well.
        // A quotient may well have many decimals.
        const others = warnings.filter(
          (warning) =>
            !warning.includes("from outside the loop") &&
            !/ a result with \d+ decimals/.test(warning),
        );
        expect(others, text).toEqual([]);
      }),
      { numRuns: manyRuns(12, 300) },
    );
  });

  test("has types that compile and match its sample", async () => {
    const sources: (Uint8Array | string)[] = [
      ...FILES.map((file) => readFileSync(join(ROOT, file))),
      "Hello",
      '{{__proto__}}{{constructor}}{{new}}{{get}}{{readonly}}{{async.await}}{{d["*/ a"]}}{{d["\\""]}}{{d["1a"]}}{{d["\u2028"]}}{{d[""].x}}{{d["ü"].x}}{{printed.x}}{{#section}}{{y}}{{/section}}',
      '{{date.name :: format("d.m.yyyy")}}{{#date}}{{string}}{{/date}}{{number.x}}{{Date.x}}{{data.x}}',
      ...Array.from({ length: manyRuns(10, 120) }, (_, seed) => new Author(seed).text()),
    ];
    const modules: string[] = [];
    for (const source of sources) {
      const known = await shape(source);
      const data = JSON.stringify(sampleOf(known)).replaceAll('"__proto__":', '["__proto__"]:');
      modules.push(
        `${typesOf(known)}\nexport const sample: TemplateData = ${data};\nexport const data: Readonly<Record<string, unknown>> = sample;\n`,
      );
    }
    expect(compilerErrors(modules)).toBe("");
  });
});
