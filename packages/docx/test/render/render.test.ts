import { isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, linesOf, p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { lines, render } from "../support/render.ts";

describe("values", () => {
  test("are printed at their path, in the formatting of the tag's first character", async () => {
    const body = `<w:p>${r("Hello ")}${r("{{cust", "<w:b/>")}${r("omer.name}}", "<w:i/>")}${r("!")}</w:p>`;
    const { bytes } = await render(body, { customer: { name: "Ann" } });
    expect(bodyOf(bytes)).toBe(
      '<w:p><w:r><w:t xml:space="preserve">Hello </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Ann</w:t></w:r><w:r><w:t xml:space="preserve">!</w:t></w:r></w:p>',
    );
  });

  test.each([
    ["text", "text"],
    ["a < b & c > d \"e\" 'f'", "a < b & c > d \"e\" 'f'"],
    [0, "0"],
    [-0, "0"],
    [12.5, "12.5"],
    [1e21, "1000000000000000000000"],
    [1.5e-7, "0.00000015"],
    [-1.25e22, "-12500000000000000000000"],
    [true, "true"],
    [false, "false"],
    [["a", 1, true], "a, 1, true"],
    [[null, "a", null, "b", null], "a, b"],
    [[], ""],
    ["", ""],
    ["l1\nl2\r\nl3", "l1⏎l2⏎l3"],
    ["a\tb", "a⇥b"],
    ["\n", "⏎"],
    ["{{x}} {{for i in x}}", "{{x}} {{for i in x}}"],
    ["</w:t><w:p>&amp;", "</w:t><w:p>&amp;"],
    ["日本語 עברית 😀", "日本語 עברית 😀"],
    [new Date(Date.UTC(2026, 0, 2)), "2026-01-02T00:00:00.000Z"],
  ])("%j prints as %j", async (value, text) => {
    expect(await lines(p("[{{v}}]"), { v: value })).toEqual([`[${text}]`]);
  });

  test("keep line breaks and the text around them in order", async () => {
    const { bytes } = await render(p("A {{v}} B"), { v: "1\n2" });
    expect(bodyOf(bytes)).toBe(
      '<w:p><w:r><w:t xml:space="preserve">A 1</w:t><w:br/><w:t xml:space="preserve">2 B</w:t></w:r></w:p>',
    );
  });

  test("with characters that XML forbids print U+FFFD, with a warning that does not quote them", async () => {
    const { bytes, warnings } = await render(p("{{v}}"), { v: "a\u0000b\ud800c\uffffd\u000ce" });
    expect(linesOf(bytes)).toEqual(["a\ufffdb\ufffdc\ufffdd\ufffde"]);
    expect(warnings.map(({ severity, code, pointer }) => ({ severity, code, pointer }))).toEqual([
      { severity: "warning", code: "forbidden_character", pointer: "/v" },
    ]);
  });

  test("that are objects, lists of objects, NaN or code are errors with the tag, pointer and type", async () => {
    const template = await compileTemplate(
      docx({ body: p("{{a}}{{b.c}}{{d}}{{e}}{{f}}") + p("{{for x in g}}{{x}}{{endfor}}") }),
    );
    const data = {
      a: { secret: 1 },
      b: { c: [{}] },
      d: Number.NaN,
      e: () => 1,
      f: new Date(Number.NaN),
      g: "text",
    };
    let error: unknown;
    try {
      template.render(data);
    } catch (thrown) {
      error = thrown;
    }
    if (!isQuireError(error)) throw error;
    expect(error.code).toBe("invalid_data");
    expect(error.diagnostics.map(({ pointer }) => pointer)).toEqual([
      "/a",
      "/b/c",
      "/d",
      "/e",
      "/f",
      "/g",
    ]);
    expect(error.diagnostics[0]?.message).toContain("{{a}} is an object");
    expect(JSON.stringify(error.diagnostics)).not.toContain("secret");
  });

  test("are only found among own properties", async () => {
    const names = [
      "constructor",
      "toString",
      "__proto__",
      "hasOwnProperty",
      "s.length",
      "l.length",
      "l.map",
    ];
    for (const name of names) {
      const { bytes, warnings } = await render(p(`{{${name}}}`), { s: "abc", l: [1] });
      expect(linesOf(bytes), name).toEqual([`{{${name}}}`]);
      const missing = warnings.filter(({ code }) => code === "missing_value");
      expect(missing, name).toHaveLength(1);
    }
    expect(
      await lines(
        p("{{constructor}} {{__proto__.x}}"),
        JSON.parse('{"constructor":"own","__proto__":{"x":"y"}}'),
      ),
    ).toEqual(["own y"]);
  });

  test("are found by index and by quoted key", async () => {
    expect(
      await lines(p('{{l[1]}} {{l.0}} {{o["a b"].c}} {{ this.l[0] }}'), {
        l: ["x", "y"],
        o: { "a b": { c: "z" } },
      }),
    ).toEqual(["y x z x"]);
  });
});

test("a list prints with the given separators", async () => {
  const body = p('{{l :: delimiter("; "), lastdelimiter(" or ")}} / {{l :: lastdelimiter(" & ")}}');
  expect(await lines(body, { l: ["a", "b", "c"] })).toEqual(["a; b or c / a, b & c"]);
  expect(await lines(body, { l: ["a"] })).toEqual(["a / a"]);
});

describe("a missing value", () => {
  test("leaves its tag in the text, with the message of the hosted service", async () => {
    const { bytes, warnings } = await render(p("Dear {{ customer.name :: uppercase }},"), {
      customer: { name: null },
    });
    expect(linesOf(bytes)).toEqual(["Dear {{ customer.name :: uppercase }},"]);
    expect(warnings).toEqual([
      expect.objectContaining({
        severity: "error",
        code: "missing_value",
        message: "The tag 'customer.name' was not provided in the input data.",
        pointer: "/customer/name",
        template: {
          part: "word/document.xml",
          tag: "{{ customer.name :: uppercase }}",
          near: "Dear {{ customer.name :: uppercase }},",
          paragraph: 1,
        },
      }),
    ]);
  });

  test("prints nothing if the tag is optional, or the default of the tag", async () => {
    const body = p(
      "[{{a :: optional}}][{{b :: default(“n/a”)}}][{{c::default('it’s'),uppercase}}][{{d::default(0)}}]",
    );
    const { bytes, warnings } = await render(body, {});
    expect(linesOf(bytes)).toEqual(["[][n/a][IT’S][0]"]);
    expect(warnings).toEqual([]);
  });

  test("is reported once with all items of a loop that lack it, and once for a value outside of the items", async () => {
    const body = p("{{for i in l}}{{i.x}}{{y}}{{endfor}}");
    const { warnings } = await render(body, { l: [{}, { x: 1 }, {}] });
    expect(warnings.map(({ pointer, pointers, count }) => ({ pointer, pointers, count }))).toEqual([
      { pointer: "/l/0/x", pointers: ["/l/0/x", "/l/2/x"], count: 2 },
      { pointer: "/y" },
    ]);
  });

  test("is reported with the first five places and their total number", async () => {
    const l = Array.from({ length: 41_200 }, () => ({}));
    const { warnings } = await render(p("{{for i in l}}{{i.x}}{{endfor}}"), { l });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      pointer: "/l/0/x",
      pointers: ["/l/0/x", "/l/1/x", "/l/2/x", "/l/3/x", "/l/4/x"],
      count: 41_200,
    });
  });

  test("counts once for the same place in several iterations", async () => {
    const text = "{{for a in l}}{{for b in m}}{{b.x}}{{endfor}}{{endfor}}";
    const { warnings } = await render(p(text), { l: [1, 2, 3], m: [{}, {}, {}] });
    expect(warnings).toEqual([expect.objectContaining({ count: 3 })]);
  });

  test("is reported for at most a hundred tags, followed by the number of the others", async () => {
    const tags = Array.from({ length: 112 }, (_, index) => `{{a${index}}}`);
    const { warnings } = await render(p(tags.join("")), {});
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toMatchObject({ severity: "error", code: "missing_value" });
    expect(warnings.at(-1)?.message).toContain("12 more");
  });

  test("for a loop hides the block and is reported, unless it is optional", async () => {
    const { bytes, warnings } = await render(
      p("a") + p("{{for i in l}}{{i}}{{endfor}}") + p("{{for i in m::optional}}{{i}}{{endfor}}b"),
      {},
    );
    expect(linesOf(bytes)).toEqual(["a", "b"]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "The tag 'l' was not provided in the input data.",
    ]);
  });
});

describe("a tag", () => {
  test("is found over runs that spelling marks, bookmarks, insertions and page breaks separate", async () => {
    const body =
      `<w:p>${r("Hi {")}<w:proofErr w:type="spellStart"/>${r("{", "<w:b/>")}<w:bookmarkStart w:id="0" w:name="b"/>${r("na")}` +
      `<w:ins w:id="1">${r("me")}</w:ins><w:bookmarkEnd w:id="0"/><w:r><w:lastRenderedPageBreak/><w:t>}</w:t></w:r>${r("}!")}</w:p>`;
    expect(await lines(body, { name: "Ann" })).toEqual(["Hi Ann!"]);
  });

  test("may contain Word's line breaks, tabs, no-break spaces and dashes", async () => {
    const body = `<w:p><w:r><w:t>{{for</w:t><w:br/><w:t>i in\u00a0l}}{{i}}</w:t><w:tab/><w:t>{{ endfor</w:t><w:tab/><w:t>}}</w:t></w:r></w:p>`;
    expect(await lines(body, { l: [1, 2] })).toEqual(["1⇥2⇥"]);
  });

  test("works in every part of the document that contains text", async () => {
    const { bytes } = await render(
      {
        body: `${p("{{a}}")}<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
        stories: {
          "header1.xml": p("H {{a}}"),
          "header2.xml": p("{{for x in l}}") + p("{{x}}") + p("{{endfor}}"),
          "footer1.xml": p("F {{a}}"),
          "footnotes.xml": `<w:footnote w:id="1">${p("N {{a}}")}</w:footnote>`,
        },
        mainPart: "word/document22.xml",
      },
      { a: "v", l: [1, 2] },
    );
    expect(linesOf(bytes, "word/document22.xml")).toEqual(["v", ""]);
    expect(linesOf(bytes, "word/header1.xml")).toEqual(["H v"]);
    expect(linesOf(bytes, "word/header2.xml")).toEqual(["1", "2"]);
    expect(linesOf(bytes, "word/footer1.xml")).toEqual(["F v"]);
    expect(linesOf(bytes, "word/footnotes.xml")).toEqual(["N v"]);
  });

  test("works in text boxes and content controls", async () => {
    const box = `<w:p><w:r><w:t>outer {{a}}</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><w:txbxContent>${p("{{for i in l}}")}${p("{{i}}")}${p("{{endfor}}")}</w:txbxContent></w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>`;
    const control = `<w:sdt><w:sdtPr/><w:sdtContent>${p("{{a}}")}</w:sdtContent></w:sdt>`;
    const { bytes } = await render(box + control, { a: "v", l: [1, 2] });
    expect(
      partOf(bytes)
        .match(/<w:txbxContent>.*<\/w:txbxContent>/s)?.[0]
        .replace(/<[^>]+>/g, ""),
    ).toBe("12");
    expect(partOf(bytes)).toContain("outer v");
  });

  test("that is a note prints nothing, and its paragraph is removed", async () => {
    expect(await lines(p("a{{! why }}b") + p("{{! note }}") + p("c"), {})).toEqual(["ab", "c"]);
  });
});

test("loops with billions of iterations end in an error", async () => {
  const loops = "{{for i in l}}{{for j in l}}{{for k in l}}{{endfor}}{{endfor}}{{endfor}}";
  const template = await compileTemplate(docx({ body: p(`${loops}x`) }));
  const l = Array.from({ length: 2_000 }, () => 1);
  expect(() => template.render({ l })).toThrow(expect.objectContaining({ code: "limit_exceeded" }));
}, 30_000);

test("numbers in a tag are read as they are written", async () => {
  const a = { "7": "seven", "007": "Bond", "12345678901234567890": "long" };
  const body = p("{{a.007}} {{a.7}} {{a.12345678901234567890}} {{m :: default(007)}} {{l[1]}}");
  expect(await lines(body, { a, l: ["x", "y"] })).toEqual(["Bond seven long 007 y"]);
  expect((await render(p("{{l.001}}"), { l: ["x", "y"] })).warnings).toHaveLength(1);
});

describe("the output", () => {
  test("has the same bytes for the same data, even after documents with other data", async () => {
    const template = await compileTemplate(docx({ body: p("{{for i in l}}{{i}}{{endfor}}") }));
    const first = template.render({ l: [1, 2] }).bytes;
    template.render({ l: ["other"] });
    expect(Buffer.compare(first, template.render({ l: [1, 2] }).bytes)).toBe(0);
  });

  test("does not depend on later changes of the template's bytes", async () => {
    const bytes = docx({ body: p("{{a}}") });
    const template = await compileTemplate(bytes);
    bytes.fill(0);
    expect(linesOf(template.render({ a: 1 }).bytes)).toEqual(["1"]);
  });

  test("repeats 20,000 rows", async () => {
    const template = await compileTemplate(
      docx({ body: table([p("{{tablerow i in l}}{{i}}{{endtablerow}}")]) }),
    );
    const l = Array.from({ length: 20_000 }, (_, index) => index);
    expect(linesOf(template.render({ l }).bytes)).toHaveLength(20_000);
  });
});
