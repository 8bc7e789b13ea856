import { describe, expect, test } from "vitest";
import { bodyOf, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const link = (id: string, text: string): string =>
  `<w:hyperlink r:id="${id}">${r(text)}</w:hyperlink>`;
const l = [
  { n: "a", u: "https://one.example/1" },
  { n: "b", u: "https://two.example/2" },
];

/** Returns the addresses of the links of a part, each with its text. */
function linksOf(bytes: Uint8Array, part = "document.xml"): string[] {
  const targets = new Map<string, string>();
  for (const [tag] of partOf(bytes, `word/_rels/${part}.rels`).matchAll(/<Relationship [^>]*>/g)) {
    targets.set(/Id="([^"]*)"/.exec(tag)?.[1] ?? "", /Target="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
  return [
    ...partOf(bytes, `word/${part}`).matchAll(/<w:hyperlink([^>]*)>(.*?)<\/w:hyperlink>/gs),
  ].map(([, attributes = "", xml = ""]) => {
    const id = /r:id="([^"]*)"/.exec(attributes)?.[1];
    const target = id === undefined ? "none" : (targets.get(id) ?? "dangling");
    return `${xml.replace(/<[^>]*>/g, "")} → ${target.replaceAll("&amp;", "&")}`;
  });
}

describe("the target of a link", () => {
  test.each([
    "{{u}}",
    "%7B%7Bu%7D%7D",
    "%7b%7bu%7d%7d",
    "{{ u }}",
    "%7B%7B%20u%20%7D%7D",
    "{{o.u}}",
    "{{o[&quot;u v&quot;]}}",
  ])("written as %s is replaced by the value", async (target) => {
    const data = {
      u: "https://a.example/x",
      o: { u: "https://a.example/x", "u v": "https://a.example/x" },
    };
    const { bytes, warnings } = await outcome(
      {
        body: `<w:p>${link("rId9", "go")}</w:p>`,
        links: { rId9: target.replaceAll("&quot;", '"') },
      },
      data,
    );
    expect(linksOf(bytes)).toEqual(["go → https://a.example/x"]);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
  });

  test.each([
    [
      "https://a.example/{{id}}/x",
      { id: "a b/c?d&e=f#g" },
      "https://a.example/a%20b%2Fc%3Fd%26e%3Df%23g/x",
    ],
    ["https://a.example/?q={{id}}", { id: "1&admin=1" }, "https://a.example/?q=1%26admin%3D1"],
    ["mailto:{{id}}", { id: "ann@a.example" }, "mailto:ann@a.example"],
    ["tel:{{id}}", { id: "+43-1-234" }, "tel:+43-1-234"],
    ["{{id}}/path", { id: "https://a.example" }, "https://a.example/path"],
  ])("%s with %j leads to that address and no other", async (target, data, expected) => {
    const { bytes } = await outcome(
      { body: `<w:p>${link("rId9", "go")}</w:p>`, links: { rId9: target } },
      data,
    );
    // In the middle of an address, a value cannot leave its part of the address.
    expect(linksOf(bytes)).toEqual([`go → ${expected}`]);
  });

  test.each([
    ["for", "{{for x in l}}", "{{x.n}}", "{{x.u}}", "{{endfor}}"],
    ["section", "{{#l}}", "{{n}}", "{{u}}", "{{/l}}"],
  ])("in a %s has the data of each iteration", async (_what, open, text, target, close) => {
    const body = p(open) + `<w:p>${link("rId9", text)}</w:p>` + p(close);
    const { bytes } = await outcome({ body, links: { rId9: target } }, { l });
    expect(linksOf(bytes)).toEqual(["a → https://one.example/1", "b → https://two.example/2"]);
  });

  test.each([
    ["a link", link("rId9", "go")],
    [
      "a shape with a link",
      '<w:r><w:drawing xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="s"><a:hlinkClick r:id="rId9"/></wp:docPr></wp:inline></w:drawing></w:r>',
    ],
  ])(
    "of %s leaves nothing of the tag, whether the value is safe or not, or hidden",
    async (_what, xml) => {
      const body = `${p("{{if on}}")}<w:p>${xml}</w:p>${p("{{endif}}")}${p("end")}`;
      const source = { body, links: { rId8: "https://fixed.example/", rId9: "{{u}}" } };
      for (const data of [
        { on: true, u: "https://a.example/" },
        { on: true, u: "javascript:x" },
        { on: false, u: "" },
      ]) {
        const { bytes } = await outcome(source, data);
        const relationships = partOf(bytes, "word/_rels/document.xml.rels");
        expect(relationships).toContain("https://fixed.example/");
        expect(relationships).not.toContain("{{");
        for (const [, id = ""] of bodyOf(bytes).matchAll(/ r:id="([^"]+)"/g)) {
          expect(relationships).toContain(`Id="${id}"`);
        }
        if (data.on)
          expect(bodyOf(bytes)).toMatch(/<w:hyperlink>|<(?:w:hyperlink|a:hlinkClick) r:id="/);
      }
    },
  );

  test("has the data of each iteration in a template that was rendered before", async () => {
    const body = `<w:p>${link("rIdQuire1", "old")}</w:p>${p("{{for x in l}}")}${p('{{x.u :: link("go")}}')}${p("{{endfor}}")}`;
    const links = { rIdQuire1: "https://old.example/" };
    const { bytes } = await outcome({ body, links }, { l });
    expect(linksOf(bytes)).toEqual([
      "old → https://old.example/",
      "go → https://one.example/1",
      "go → https://two.example/2",
    ]);
  });

  test("has the data of each iteration in a loop within a paragraph, and other links keep theirs", async () => {
    const body = `<w:p>${link("rId8", "fixed")}${r("{{for x in l}}")}${link("rId9", "{{x.n}}")}${r("{{endfor}}")}</w:p>`;
    const { bytes } = await outcome(
      { body, links: { rId8: "https://fixed.example/", rId9: "{{x.u}}" } },
      { l },
    );
    expect(linksOf(bytes)).toEqual([
      "fixed → https://fixed.example/",
      "a → https://one.example/1",
      "b → https://two.example/2",
    ]);
  });

  test.each([
    "javascript:alert(1)",
    "file:///x",
    "\\\\host\\x",
    "relative",
    "data:,x",
    "vbscript:x",
    " JaVaScRiPt:x",
  ])("that is %j becomes text without a link, with a warning", async (u) => {
    const { bytes, warnings } = await outcome(
      { body: `<w:p>${link("rId9", "go")}</w:p>`, links: { rId9: "{{u}}" } },
      { u },
    );
    expect(partOf(bytes, "word/_rels/document.xml.rels")).not.toMatch(
      /javascript|file:|vbscript|host|data:|relative/i,
    );
    expect(linksOf(bytes)).not.toContain("go → dangling");
    expect(bodyOf(bytes)).toContain(">go<");
    expect(warnings.map(({ code }) => code)).toEqual(["unsafe_link"]);
  });

  test("with a missing value is reported as missing and leads nowhere", async () => {
    const links = { rId9: "https://a.example/{{gone}}" };
    const { bytes, warnings } = await outcome(
      { body: `<w:p>${link("rId9", "go")}</w:p>`, links },
      {},
    );
    expect(warnings.map(({ code }) => code)).toContain("missing_value");
    expect(partOf(bytes, "word/_rels/document.xml.rels")).not.toContain("undefined");
  });

  test("works in headers, with the relationships of the header", async () => {
    const { bytes } = await outcome(
      {
        body: p("x"),
        stories: {
          "header1.xml": `<w:p>${r("{{for x in l}}")}${link("rId1", "{{x.n}}")}${r("{{endfor}}")}</w:p>`,
        },
        storyLinks: { "header1.xml": { rId1: "{{x.u}}" } },
      },
      { l },
    );
    expect(linksOf(bytes, "header1.xml")).toEqual([
      "a → https://one.example/1",
      "b → https://two.example/2",
    ]);
    expect(partOf(bytes, "word/_rels/document.xml.rels")).not.toContain("one.example");
  });

  test("that contains a block or half a tag is a template error", async () => {
    for (const target of ["{{for x in l}}", "{{#l}}{{u}}{{/l}}", "https://a.example/{{u"]) {
      const { error } = await outcome(
        { body: `<w:p>${link("rId9", "go")}</w:p>`, links: { rId9: target } },
        { l },
      );
      expect(error).toBe("invalid_template");
    }
  });
});

describe("a field", () => {
  const field = (...instruction: string[]): string =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${instruction.map((each) => `<w:r><w:instrText xml:space="preserve">${each.replaceAll('"', "&quot;")}</w:instrText></w:r>`).join("")}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${r("shown {{n}}")}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  const instructionsOf = (bytes: Uint8Array): string[] =>
    [
      ...bodyOf(bytes).matchAll(
        /<w:fldChar w:fldCharType="begin"[^>]*>(.*?)<w:fldChar w:fldCharType="separate"\/>/gs,
      ),
    ].map(([, xml = ""]) =>
      [...xml.matchAll(/<w:instrText[^>]*>([^<]*)</g)]
        .map(([, text = ""]) => text)
        .join("")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
        .trim(),
    );

  test("HYPERLINK takes its address from a value, also in a loop and split over runs", async () => {
    const { bytes } = await outcome(field(' HYPERLINK "{{u}}" '), {
      u: "https://a.example/?a=1&b",
      n: 1,
    });
    expect(instructionsOf(bytes)).toEqual(['HYPERLINK "https://a.example/?a=1&b"']);
    const body =
      p("{{for x in l}}") +
      field(" HYPER", 'LINK "{', "{x.u}", '}" ').replace("{{n}}", "{{x.n}}") +
      p("{{endfor}}");
    const looped = await outcome(body, { l });
    expect(instructionsOf(looped.bytes)).toEqual([
      'HYPERLINK "https://one.example/1"',
      'HYPERLINK "https://two.example/2"',
    ]);
    expect(looped.lines).toEqual(["shown a", "shown b"]);
  });

  test.each([
    'https://a.example/" \\l "x',
    'https://a.example/" } { INCLUDETEXT "c:\\x',
    'https://a.example/\\x"y',
    "https://a.example/a\nb",
  ])("HYPERLINK with %j still has one argument", async (u) => {
    const { bytes } = await outcome(field(' HYPERLINK "{{u}}" '), { u, n: 1 });
    const [instruction = ""] = instructionsOf(bytes);
    expect(instruction).toMatch(/^HYPERLINK "[^"\\\n]*"$/);
  });

  test.each(["javascript:alert(1)", "file:///c:/x", "\\\\host\\share"])(
    "HYPERLINK to %j leads nowhere, with a warning",
    async (u) => {
      const { bytes, warnings } = await outcome(field(' HYPERLINK "{{u}}" '), { u, n: 1 });
      expect(instructionsOf(bytes)[0]).not.toMatch(/javascript|file:|host/);
      expect(warnings.map(({ code }) => code)).toEqual(["unsafe_link"]);
    },
  );

  test("HYPERLINK whose address has a fixed beginning cannot be led elsewhere", async () => {
    const { bytes } = await outcome(field(' HYPERLINK "https://a.example/{{id}}" '), {
      id: 'x" \\o "y',
      n: 1,
    });
    expect(instructionsOf(bytes)[0]).toMatch(/^HYPERLINK "https:\/\/a\.example\/[^"\\]*"$/);
  });

  test.each([
    "IF {{n}} = 1 a b",
    'QUOTE "{{n}}"',
    "= {{n}} * 2",
    'DOCPROPERTY "{{n}}"',
    "SEQ {{n}}",
  ])("%s takes values", async (instruction) => {
    const { bytes, error } = await outcome(field(` ${instruction} `), { n: 7 });
    expect(error).toBe(null);
    expect(instructionsOf(bytes)).toEqual([instruction.replace("{{n}}", "7")]);
  });

  test("instruction takes no second argument from a value", async () => {
    const { bytes, warnings } = await outcome(field(' QUOTE "{{n}}" '), {
      n: 'a" \\* MERGEFORMAT "b\\',
    });
    expect(instructionsOf(bytes)[0]).toMatch(/^QUOTE "[^"\\]*"$/);
    expect(warnings.map(({ code }) => code)).toEqual(["stale_field", "field_value_changed"]);
  });

  test.each([
    'INCLUDETEXT "{{n}}"',
    'INCLUDEPICTURE "{{n}}"',
    "DDE {{n}}",
    "DDEAUTO {{n}}",
    "MACROBUTTON {{n}}",
    "{{n}}",
    'DATABASE \\d "{{n}}"',
    "LINK {{n}}",
    "IMPORT {{n}}",
    "QUOTE{{n}}",
    "RD {{n}}",
    "GOTOBUTTON {{n}}",
  ])("%s is rejected", async (instruction) => {
    const { error, bytes } = await outcome(field(` ${instruction} `), { n: 7 });
    // The check of the package may remove the field. Otherwise, its tag is a template error. The field never contains
    // the value.
    if (error === null) expect(instructionsOf(bytes).join("")).not.toContain("7");
    else expect(error).toBe("invalid_template");
  });

  test("in its short form takes values, too", async () => {
    const body = `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;{{u}}&quot; ">${r("go {{n}}")}</w:fldSimple></w:p>`;
    const { bytes, lines } = await outcome(body, { u: 'https://a.example/"x', n: 1 });
    expect(bodyOf(bytes)).toMatch(
      /w:instr=" HYPERLINK &quot;https:\/\/a\.example\/[^"\\&]*&quot; "/,
    );
    expect(lines).toEqual(["go 1"]);
    const unsafe = await outcome(body, { u: "javascript:x", n: 1 });
    expect(bodyOf(unsafe.bytes)).not.toContain("javascript");
    const refused = await outcome(body.replace("HYPERLINK", "INCLUDETEXT"), { u: "x", n: 1 });
    if (refused.error === null) expect(bodyOf(refused.bytes)).not.toContain("INCLUDETEXT");
    else expect(refused.error).toBe("invalid_template");
  });
});

describe("properties of the document", () => {
  const core =
    "<dc:title>Offer {{id}} &amp; more</dc:title><dc:creator>{{author}}</dc:creator><cp:keywords>{{$join(k)}}</cp:keywords>";
  const custom =
    '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="Client"><vt:lpwstr>{{client.name}}</vt:lpwstr></property>';

  test("take values, also in a template without any other tag", async () => {
    const data = { id: 7, author: "A & <B>\n{{x}}", k: ["a", "b"], client: { name: "Ünï" } };
    const { bytes, warnings } = await outcome(
      { body: p("x"), coreProperties: core, customProperties: custom },
      data,
    );
    expect(warnings).toEqual([]);
    expect(partOf(bytes, "docProps/core.xml")).toContain("<dc:title>Offer 7 &amp; more</dc:title>");
    expect(partOf(bytes, "docProps/core.xml")).toMatch(
      /<dc:creator>A &amp; &lt;B&gt;\s\{\{x\}\}<\/dc:creator>/,
    );
    expect(partOf(bytes, "docProps/core.xml")).toContain("<cp:keywords>a, b</cp:keywords>");
    expect(partOf(bytes, "docProps/custom.xml")).toContain("<vt:lpwstr>Ünï</vt:lpwstr>");
    expect(partOf(bytes, "docProps/custom.xml")).toContain('name="Client"');
  });

  test("keep escaped delimiters as text", async () => {
    const { bytes } = await outcome(
      { body: p("x"), coreProperties: "<dc:title>\\{{id}} {{id}}</dc:title>" },
      { id: 7 },
    );
    expect(partOf(bytes, "docProps/core.xml")).toContain("<dc:title>{{id}} 7</dc:title>");
  });

  test("report missing values, and reject blocks", async () => {
    const { bytes, warnings } = await outcome(
      { body: p("x"), coreProperties: core },
      { id: 1, k: [] },
    );
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/author"]);
    expect(partOf(bytes, "docProps/core.xml")).toContain("{{author}}");
    const blocks = await outcome(
      { body: p("x"), coreProperties: "<dc:title>{{for x in l}}{{x}}{{endfor}}</dc:title>" },
      {},
    );
    expect(blocks.error).toBe("invalid_template");
  });
});
