import { type Diagnostic, isQuireError } from "@quire/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p, partOf, r, type TestDocument } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";

/** Returns the warnings of a template whose tags are correct. */
async function warningsOf(
  document: TestDocument | string,
  delimiters?: { readonly start: string; readonly end: string },
): Promise<readonly Diagnostic[]> {
  const source = typeof document === "string" ? { body: p("{{a}}") + document } : document;
  return (await compileTemplate(docx(source), { delimiters })).warnings;
}

/** Returns the reported tags in a paragraph next to a real tag, and the hint for each. */
async function nearTagsOf(
  text: string,
): Promise<[tag: string | undefined, hint: string | undefined][]> {
  const warnings = await warningsOf(p(text));
  return warnings.map(({ template, hint }) => [template?.tag, hint]);
}

/** Returns the errors of a template. */
async function problemsOf(document: TestDocument): Promise<readonly Diagnostic[]> {
  try {
    await compileTemplate(docx(document));
    return [];
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics;
  }
}

const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
const separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
const instruction = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;

describe("text that looks like a tag", () => {
  test("is reported with its place, the text around it and the correct tag", async () => {
    expect(await warningsOf(p("Dear {customer.name}, hello"))).toEqual([
      {
        severity: "warning",
        code: "looks_like_tag",
        message: "'{customer.name}' looks like a tag but is not one: it is printed as it is.",
        hint: "Write {{customer.name}}.",
        template: {
          part: "word/document.xml",
          paragraph: 2,
          tag: "{customer.name}",
          near: "Dear {customer.name}, hello",
        },
      },
    ]);
  });

  test.each([
    ["{name}", "{name}", "{{name}}"],
    ["{ name }", "{ name }", "{{name}}"],
    ["{#items}", "{#items}", "{{#items}}"],
    ["{/items}", "{/items}", "{{/items}}"],
    ["{^items}", "{^items}", "{{^items}}"],
    ["{%photo}", "{%photo}", "{{photo}}"],
    ["{@html}", "{@html}", "{{html}}"],
    [`$\{name}`, `$\{name}`, "{{name}}"],
    ["{% if a.b == 1 %}", "{% if a.b == 1 %}", "{{if a.b == 1}}"],
    ["{%p elif x %}", "{%p elif x %}", "{{elseif x}}"],
    ["{%tr for x in items %}", "{%tr for x in items %}", "{{tablerow x in items}}"],
    ["{%- endif -%}", "{%- endif -%}", "{{endif}}"],
    ["{# note #}", "{# note #}", "{{! note}}"],
    ["{#tr gone #}", "{#tr gone #}", "{{! gone}}"],
    ["+++INS a.b+++", "+++INS a.b+++", "{{a.b}}"],
    ["+++= $p.name +++", "+++= $p.name +++", "{{p.name}}"],
    ["+++FOR p IN people+++", "+++FOR p IN people+++", "{{for p in people}}"],
    ["+++END-FOR p+++", "+++END-FOR p+++", "{{endfor}}"],
    ["+++IF a == 1+++", "+++IF a == 1+++", "{{if a == 1}}"],
    ["+++name+++", "+++name+++", "{{name}}"],
    ["<<name>>", "<<name>>", "{{name}}"],
    ["<<Account_Name>>", "<<Account_Name>>", "{{Account_Name}}"],
    ["[[first_name]]", "[[first_name]]", "{{first_name}}"],
    ["[[#items]]", "[[#items]]", "{{#items}}"],
    ["[onshow.name]", "[onshow.name]", "{{name}}"],
    ["«$order.total»", "«$order.total»", "{{order.total}}"],
    ["｛｛name｝｝", "｛｛name｝｝", "{{name}}"],
    ["｛{if a}｝", "｛{if a}｝", "{{if a}}"],
    ["{ {name} }", "{ {name} }", "{{name}}"],
    ["{\u200b{name}\u200b}", "{\u200b{name}\u200b}", "{{name}}"],
    ["{\u200d{endif}\u200d}", "{\u200d{endif}\u200d}", "{{endif}}"],
    ["{ {amount :: number} }", "{ {amount :: number} }", "{{amount :: number}}"],
    ["{na\u00adme}", "{na\u00adme}", "{{name}}"],
    ["«First_Name»", "«First_Name»", "{{First_Name}}"],
    ["«Address1»", "«Address1»", "{{Address1}}"],
    ["«customer.name»", "«customer.name»", "{{customer.name}}"],
    ["«firstName»", "«firstName»", "{{firstName}}"],
    ["«Straße_Nr»", "«Straße_Nr»", "{{Straße_Nr}}"],
    ["{ {a} and b", "{a}", "{{a}}"],
    ["a {b} }", "{b}", "{{b}}"],
    ["INV_{number}", "{number}", "{{number}}"],
    ["{first name}", "{first name}", '{{["first name"]}}'],
    ["{first-name}", "{first-name}", '{{["first-name"]}}'],
    ["{Datum der Rechnung}", "{Datum der Rechnung}", '{{["Datum der Rechnung"]}}'],
  ])("is reported in '%s'", async (text, tag, meant) => {
    expect(await nearTagsOf(text)).toEqual([[tag, `Write ${meant}.`]]);
  });

  test("is reported with the syntax of tags if it has no meaning in Quire", async () => {
    const hint = "A tag begins with {{ and ends with }}.";
    expect(await nearTagsOf("{% set x = 1 %} {% vm %}")).toEqual([
      ["{% set x = 1 %}", expect.stringMatching(/^A tag sets no variable\./)],
      ["{% vm %}", hint],
    ]);
  });

  test("of Carbone is reported for each tag, with the page that translates it", async () => {
    const page =
      "A tag begins with {{ and ends with }}. The page from-carbone.md of the documentation translates Carbone's tags.";
    const tags = ["{d.city:upperCase}", "{d.a:ifEQ(x, y)}", "{c.now:formatD(L)}"];
    expect(await nearTagsOf(tags.join(" "))).toEqual(tags.map((tag) => [tag, page]));
    expect(await nearTagsOf("{d.name}")).toEqual([
      ["{d.name}", "Write {{name}}, or, if 'd' is a name in your template or data, {{d.name}}."],
    ]);
    const [repeated, end] = await nearTagsOf("{d.items[i].name} {d.items[i+1].name}");
    expect(repeated?.[1]).toContain(
      "Write {{for i in items}} before the repeated text, {{i.name}}",
    );
    expect(end?.[1]).toContain("Delete this tag: {{endfor}}");
    expect(await nearTagsOf("{d.} {d: x} {d, e}")).toEqual([]);
  });

  test.each([
    "[[signature]]",
    "{}",
    "{ }",
    "{1}",
    "{ {1} }",
    "{a, b}",
    "{if applicable}",
    "{28A0092B-C50C-407E-A947-70E740481C1C}",
    "{etc.}",
    "{name",
    "\\{name}",
    "\\{{name}}",
    "\\textbf{name}",
    "｛name｝",
    "« Name »",
    "«Guten Tag»",
    "«Name» und «Guten Tag»",
    "«Auftraggeber», «Parteien», «OK»",
    "{! note }",
    "+++ News +++",
    "++++++",
    "<<include>>",
    "<<Client Name>>",
    "1 << 2 >> 3",
    "«FirstName»",
    "«СтройСервис»",
    "[name]",
    "[Company Name]",
    "[#12]",
    `{${"a".repeat(200)}}`,
  ])("is not reported in '%s'", async (text) => {
    expect(await nearTagsOf(text)).toEqual([]);
  });

  test("is found wherever Word has split it over runs, but not across a tag, a tab or a paragraph", async () => {
    const split = `<w:p>${r("a {", "<w:b/>")}${r("na")}${r("me")}${r("} b")}</w:p>`;
    expect((await warningsOf(split)).map(({ template }) => template?.near)).toEqual(["a {name} b"]);
    expect(await nearTagsOf("{a {{b}} c}")).toEqual([]);
    const tab = `<w:p>${r("{na")}<w:r><w:tab/></w:r>${r("me}")}</w:p>`;
    expect(await warningsOf(tab + p("{na") + p("me}"))).toEqual([]);
  });

  test("is found in headers, and once in a template without tags", async () => {
    const header = { "header1.xml": p("x") + p("{name}") };
    const [warning] = await warningsOf({ body: p("{{a}}"), stories: header });
    expect(warning?.template).toMatchObject({ part: "word/header1.xml", paragraph: 2 });
    const [first, ...more] = await warningsOf({ body: p("a") + p("{id}"), stories: header });
    expect(first?.template).toMatchObject({ part: "word/document.xml", paragraph: 2 });
    expect(more).toEqual([]);
    expect(await warningsOf({ body: p("\\{{a}} {name}") })).toEqual([]);
  });

  test("is found in alternative texts and addresses of links", async () => {
    const picture = (text: string): string =>
      `<w:p><w:r><w:drawing><wp:docPr xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" id="1" descr="${text}"/></w:drawing></w:r></w:p>`;
    const body =
      p("{{a}}") +
      picture("{photo}}") +
      picture("{%photo}") +
      picture("{{b}} {c}") +
      `<w:p><w:hyperlink r:id="k"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>`;
    const links = { k: "https://example.com/%7Bnote%7D%7D" };
    const found = await warningsOf({ body, links });
    expect(found.map(({ template, hint }) => [template?.paragraph, template?.tag, hint])).toEqual([
      [2, "{photo}}", "Write {{photo}}."],
      [3, "{%photo}", "Write {{photo}}."],
      [4, "{c}", "Write {{c}}."],
      [5, "{note}}", "Write {{note}}."],
    ]);
  });

  test("is ignored in Word fields, which use these characters themselves", async () => {
    const field = `<w:p>${begin}${instruction(" QUOTE {Name} ")}${separate}${r("«Name_1»")}${end}</w:p>`;
    const simple = `<w:p><w:fldSimple w:instr="QUOTE {Name}">${r("«Name_1»")}</w:fldSimple></w:p>`;
    expect(await warningsOf(field + simple)).toEqual([]);
  });

  test("is reported once for a text box, although Word keeps two copies", async () => {
    const box = `<w:txbxContent>${p("{name}")}</w:txbxContent>`;
    const both = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const found = await warningsOf(both + p("{after}"));
    expect(found.map(({ template }) => [template?.paragraph, template?.tag])).toEqual([
      [3, "{name}"],
      [4, "{after}"],
    ]);
  });

  test("is reported for other delimiters, too", async () => {
    const delimiters = { start: "[[", end: "]]" };
    const found = await warningsOf({ body: p("[[a]] {{b}} {c}") }, delimiters);
    expect(found.map(({ hint }) => hint)).toEqual(["Write [[b]].", "Write [[c]]."]);
    const single = { start: "{", end: "}" };
    expect(await warningsOf({ body: p("{a} {b} [[c]]") }, single)).toEqual([]);
  });

  test("is reported at most a hundred times, with the number of the others", async () => {
    const found = await warningsOf(
      Array.from({ length: 150 }, (_, index) => p(`{a${index}}`)).join(""),
    );
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toEqual({
      severity: "warning",
      code: "looks_like_tag",
      message: "… and 50 more of this kind (looks_like_tag): only the first 100 are listed.",
    });
  });

  test("is reported once, with the name of the included template, however often it is included", async () => {
    const included = docx({ body: p("{{a}} {name}") });
    const body = p('{{include "part.docx"}}') + p('{{include "part.docx"}}');
    const readTemplate = async (): Promise<Uint8Array> => included;
    const { warnings } = await compileTemplate(docx({ body }), { readTemplate });
    expect(warnings.map(({ template }) => template)).toEqual([
      {
        part: "part.docx:word/document.xml",
        paragraph: 1,
        tag: "{name}",
        near: "{{a}} {name}",
      },
    ]);
  });

  test("does not change the document", async () => {
    const body = p("{{a}} {name} \\{{b}} ｛｛c｝｝");
    const { bytes } = (await compileTemplate(docx({ body }))).render({ a: "A" });
    expect(partOf(bytes)).toContain("A {name} {{b}} ｛｛c｝｝");
  });

  test("is searched for in arbitrary text without errors", async () => {
    const piece = fc.constantFrom(
      ...["{", "}", "｛", "｝", "«", "»", "$", "\\", "%", "#", "/", " ", "\u200b", "a", "if ", "."],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const text = pieces.join("").replaceAll(/\{+/g, "{").replaceAll(/\}+/g, "}");
        const document = { body: p(text), stories: { "header1.xml": p("{{a}}") } };
        for (const { template } of await warningsOf(document)) {
          expect(text).toContain(template?.tag);
        }
      }),
      { numRuns: manyRuns(60, 1_000) },
    );
  });
});

describe("a tag that contains only a quoted name", () => {
  test.each(["{{“note”}}", "{{«note»}}", "{{ 'note' }}"])(
    "is reported, because it prints the name itself: %s",
    async (tag) => {
      expect(await warningsOf({ body: p(`x ${tag}`) })).toEqual([
        {
          severity: "warning",
          code: "quoted_name",
          message: `${tag} prints the word 'note' itself: words in quotes are text.`,
          hint: "For the value with that name, write {{note}}.",
          template: { part: "word/document.xml", paragraph: 1, tag, near: `x ${tag}` },
        },
      ]);
    },
  );

  test("is not reported for more than a name, or with a modifier that changes it", async () => {
    expect(await nearTagsOf('{{"Dear all,"}} {{"note" :: uppercase}}')).toEqual([]);
  });
});

describe("a tag in the instruction of a field that accepts no tags", () => {
  test.each(["MACROBUTTON NoMacro {{a.b}} ", 'AUTOTEXT "{{a.b}}"', "GOTOBUTTON x{{a.b}}"])(
    "is an error: %s",
    async (text) => {
      const body = `${p("x")}<w:p>${begin}${instruction(text)}${separate}${r("y")}${end}</w:p>${p("{{c}}")}`;
      expect(await problemsOf({ body })).toEqual([
        {
          severity: "error",
          code: "tag_in_field",
          message:
            "{{a.b}} is in a Word field, and values cannot change the instruction of this field.",
          hint: "Put the tag into the text instead of the field.",
          template: {
            part: "word/document.xml",
            paragraph: 2,
            tag: "{{a.b}}",
            near: text.trim(),
          },
        },
      ]);
    },
  );

  test("is found if Word has split it, but not in the data of citation managers", async () => {
    const field = (...pieces: string[]): string =>
      `<w:p>${begin}${pieces.map(instruction).join("")}${separate}${end}</w:p>${p("{{c}}")}`;
    const split = field("MACROBUTTON NoMacro {", "{a", "}}");
    expect((await problemsOf({ body: split })).map(({ code }) => code)).toEqual(["tag_in_field"]);
    const citation = 'ADDIN ZOTERO_ITEM CSL_CITATION {"a":{{"b":1}}}';
    expect(await problemsOf({ body: field(citation) })).toEqual([]);
  });

  test("is accepted in single braces if it is not a tag", async () => {
    const body = `<w:p>${begin}${instruction('LINK "{28A0092B-C50C-407E}"')}${end}</w:p>${p("{c}")}`;
    await compileTemplate(docx({ body }), { delimiters: "auto" });
  });
});

describe("the numbers of paragraphs and tables", () => {
  const box = (...contents: string[]): string => {
    const [choice = "", fallback = choice] = contents.map(
      (content) => `<w:txbxContent>${content}</w:txbxContent>`,
    );
    return `<w:p>${r("x")}<w:r><mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
  };
  const places = async (body: string): Promise<unknown[]> =>
    (await problemsOf({ body })).map(({ code, template }) => [
      code,
      template?.paragraph,
      template?.near,
    ]);

  test("count a text box once, although Word keeps two copies of it", async () => {
    const found = await places(p("a") + box(p("b") + p("{{c d}}")) + p("{{e f}}"));
    expect(new Set(found.map((place) => JSON.stringify(place)))).toEqual(
      new Set([
        JSON.stringify(["tag_syntax", 4, "{{c d}}"]),
        JSON.stringify(["tag_syntax", 5, "{{e f}}"]),
      ]),
    );
  });

  test("are the same for unmatched delimiters in both copies, each with the text around it", async () => {
    const found = await places(box(p("b }}"), p("c }}") + p("d }}")) + p("e {{"));
    expect(found).toEqual([
      ["unopened_tag", 2, "b }}"],
      ["unopened_tag", 2, "c }}"],
      ["unopened_tag", 3, "d }}"],
      ["unclosed_tag", 4, "e {{"],
    ]);
  });

  test("prevent a second report of a missing value for a copy of a text box", async () => {
    const template = await compileTemplate(docx({ body: box(p("{{a}}")) + p("{{a}}") }));
    const missing = template.check({}).map(({ code, template: at }) => [code, at?.paragraph]);
    expect(missing).toEqual([
      ["missing_value", 2],
      ["missing_value", 3],
    ]);
  });

  test("continue after nested boxes", async () => {
    const inner = box(p("b"));
    const found = await places(box(inner + p("c")) + p("{{d e}}"));
    expect(found).toEqual([["tag_syntax", 5, "{{d e}}"]]);
  });
});

test("the text quoted around a problem is the template's text, including stray delimiters", async () => {
  const found = await problemsOf({ body: p("A {{note B }} C}} D") });
  expect(found.map(({ template }) => template?.near)).toEqual([
    "A {{note B }} C}} D",
    "A {{note B }} C}} D",
  ]);
  const empty = await problemsOf({ body: p("a }} b") + p("{{}}") });
  expect(empty.map(({ code }) => code)).toEqual(["unopened_tag", "tag_syntax"]);
});

test("braces at the ends of two paragraphs are not a delimiter", async () => {
  const body = p("{{a}}") + p("{") + p("{x") + p("}") + p("}") + p("{") + p("{{a}}") + p("}");
  const { bytes } = (await compileTemplate(docx({ body }))).render({ a: "A" });
  expect([...partOf(bytes).matchAll(/<w:t[ >][^<]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
    "A",
    "{",
    "{x",
    "}",
    "}",
    "{",
    "A",
    "}",
  ]);
  const nested = `<w:p>${r("{")}<w:r><w:pict><w:txbxContent>${p("{{a}}")}</w:txbxContent></w:pict></w:r>${r("}")}</w:p>`;
  await compileTemplate(docx({ body: nested }));
});

describe("a template without any opening delimiter", () => {
  const AUTO = 'Compile the template with the delimiters { and } ("auto"), or write';
  test.each([
    ["Dear {name}, hi", "{name}", `${AUTO} {{name}}.`],
    ["Dear {name}, {#items}{x}{/items}", "{name}", `${AUTO} {{name}}.`],
    ["{#items}{x}{/items} in { a: 1 }", "{#items}", `${AUTO} {{#items}}.`],
    ["{^items}{first name}{/items}", "{^items}", `${AUTO} {{^items}}.`],
    ["Dear {name}}, hi", "{name}}", "Write {{name}}."],
    ["{for x in list}} a {endfor}}", "{for x in list}}", "Write {{for x in list}}."],
    ["{% if x %} «First_Name»", "{% if x %}", "Write {{if x}}."],
    ["«First_Name»", "«First_Name»", "Write {{First_Name}}."],
    ["«FirstName» «LastName»", "«FirstName»", "Write {{FirstName}}."],
    ["{name} {28A0092B-C50C-407E-A947-70E740481C1C}", "{name}", `${AUTO} {{name}}.`],
  ])(
    "gives a warning about the first text that looks like a tag, in '%s'",
    async (text, tag, hint) => {
      const body = p("Heading") + p(text) + p("{other}");
      const template = await compileTemplate(docx({ body }));
      expect(template.warnings).toMatchObject([
        {
          severity: "warning",
          code: "looks_like_tag",
          hint,
          template: { part: "word/document.xml", paragraph: 2, tag, near: text },
        },
      ]);
      expect(partOf(template.render({}).bytes)).toBe(partOf(docx({ body })));
    },
  );

  test.each([
    "{}",
    "{0} of {1}",
    "{a, b}",
    "{ x | x > 0 } {name}",
    "if (x) { return {name}; }",
    '{"id": {name}}',
    "\\frac{a}{b}",
    "\\textbf{name}",
    "{28A0092B-C50C-407E-A947-70E740481C1C}",
    "{please fill in}",
    "{name",
    "name}",
    "see }} there",
    "{/items} {#items} {",
  ])("gives no warning if its braces are ordinary text, in '%s'", async (text) => {
    expect((await compileTemplate(docx({ body: p(text) }))).warnings).toEqual([]);
  });

  test("gives no warning about the instructions of fields", async () => {
    const field = `<w:p>${begin}${instruction(" QUOTE {name} ")}${separate}${r("x")}${end}</w:p>`;
    expect((await compileTemplate(docx({ body: field }))).warnings).toEqual([]);
  });
});

describe("a template of another program, without any Quire tag", () => {
  const BRACES = "docxtemplater or easy-template-x";
  const DOLLARS = "XDocReport, PHPWord, docx4j or docx-stamper";
  /** Returns the only warning of a template of these paragraphs. */
  async function warningOf(...paragraphs: readonly string[]): Promise<Diagnostic | undefined> {
    const { warnings } = await compileTemplate(
      docx({ body: paragraphs.map((each) => p(each)).join("") }),
    );
    expect(warnings.length).toBeLessThan(2);
    return warnings[0];
  }

  test.each([
    ["Dear {my body}", "{my body}", BRACES, 'write {{["my body"]}}.'],
    ["{first-name} {last-name}", "{first-name}", BRACES, 'write {{["first-name"]}}.'],
    ["{# teams} {name} {/ teams}", "{# teams}", BRACES, "write {{#teams}}."],
    ["{#list}{.}{/}", "{#list}", BRACES, "write {{#list}}."],
    ["{a+b}", "{a+b}", BRACES, '("auto"), or begin each tag with {{'],
    ["{price | upper}", "{price | upper}", BRACES, '("auto")'],
    ["{-w:p items} {x} {/items}", "{-w:p items}", BRACES, '("auto")'],
    ["Dear {name}, {other}, of {1, 2}", "{name}", BRACES, "write {{name}}."],
    ["{IF paid} x {END-IF}", "{IF paid}", "docx-templates", "Write {{if paid}}"],
    ["{name} {IF paid} x {END-IF}", "{name}", "docx-templates", "Write {{name}}, and blocks as"],
    ["{FOR i IN l} {$i.n} {END-FOR i}", "{FOR i IN l}", "docx-templates", "Write {{for i in l}}"],
    ["{if paid} x {end if}", "{if paid}", null, "Write {{if paid}}."],
    ["x {END-IF}", "{END-IF}", "docx-templates", "Write {{endif}}"],
    ["+++INS name+++", "+++INS name+++", "docx-templates", "Write {{name}}, and blocks as"],
    ["+++= a + b+++", "+++= a + b+++", "docx-templates", "Begin each tag with {{"],
    ["+++name+++", "+++name+++", "docx-templates", "Write {{name}}"],
    ["<<name>>", "<<name>>", "Aspose.Words", "Write {{name}}"],
    ["<<Client Name>>, <<Client City>>", "<<Client Name>>", "Aspose.Words", "{{"],
    ["<<foreach [i in items]>> x <</foreach>>", "<<foreach [i in items]>>", "Aspose.Words", "{{"],
    ["«First_Name»", "«First_Name»", "a Word mail merge", "Write {{First_Name}}."],
    [`$\{name}`, `$\{name}`, DOLLARS, "Write {{name}}."],
    [`$\{a.b#} $\{c:1:2}`, `$\{a.b#}`, DOLLARS, "Write {{a.b}}."],
    ["{%p if x %}", "{%p if x %}", "docxtpl", "Write {{if x}}."],
    ["{% set x = 1 %} { a }", "{% set x = 1 %}", "docxtpl", "{{"],
    ["{# a note #} { {", "{# a note #}", "docxtpl", "Write {{! a note}}."],
    ["{d.name}", "{d.name}", "Carbone", "Write {{name}}, and blocks as"],
    ["{d.rows[i].qty:formatN(2)}", "{d.rows[i].qty:formatN(2)}", "Carbone", "{{for i in rows}}"],
    ["[[title]] and [[text]]", "[[title]]", "poi-tl", "Write {{title}}."],
    ["[onshow.name]", "[onshow.name]", "OpenTBS", "Write {{name}}"],
    ["[b.x;block=tbs:row]", "[b.x;block=tbs:row]", "OpenTBS", "{{for item in items}}"],
    [
      "[#list items as i] x [/#list]",
      "[#list items as i]",
      "XDocReport",
      "Write {{for i in items}}",
    ],
    ["#foreach($i in $l) $i.n #end", "#foreach($i in $l)", "XDocReport", "Write {{for i in l}}"],
    ["Hello name}}", "name}}", null, "Write {{name}}."],
    ["Hello customer.name}}, hi", "customer.name}}", null, "Write {{customer.name}}."],
    ["x endif}}", "endif}}", null, "Write {{endif}}."],
  ])("is recognised by '%s'", async (text, tag, engine, hint) => {
    const found = await warningOf("Heading", text);
    expect(found).toMatchObject({
      severity: "warning",
      code: "looks_like_tag",
      template: { part: "word/document.xml", paragraph: 2, tag },
    });
    const of =
      engine === null ? `'${tag}' looks like a tag. ` : `'${tag}' looks like a tag of ${engine}`;
    expect(found?.message.startsWith(of), found?.message).toBe(true);
    expect(found?.hint).toContain(hint);
  });

  test("is reported with the number of its tags", async () => {
    expect((await warningOf("{a}"))?.message).toMatch(/so it is printed as it is\.$/);
    expect((await warningOf("{a} {b}"))?.message).toMatch(/as it is, and so is 1 other\.$/);
    expect((await warningOf("+++a+++", "+++b+++ +++c+++"))?.message).toMatch(/so are 2 others\.$/);
  });

  test("is recognised in headers, over runs, and in alternative texts", async () => {
    const header = `<w:p>${r("++")}${r("+INS na", "<w:b/>")}${r("me+++")}</w:p>`;
    const stories = { "header1.xml": header };
    const [first] = (await compileTemplate(docx({ body: p("x"), stories }))).warnings;
    expect(first?.template).toMatchObject({ part: "word/header1.xml", tag: "+++INS name+++" });
    const picture =
      '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" id="1" descr="{My Tag 1}"/></w:drawing></w:r></w:p>';
    const [described] = (await compileTemplate(docx({ body: picture }))).warnings;
    expect(described?.template).toMatchObject({ paragraph: 1, tag: "{My Tag 1}" });
  });

  test.each([
    ["{status}"],
    ["+++INS status+++"],
    ["<<status>>"],
    ["[[the_status]]"],
    ["status}}"],
    ["｛｛status｝｝"],
  ])("is recognised in a watermark and in the description of a picture: %s", async (text) => {
    const written = text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    for (const attribute of ["<v:textpath string", "<v:shape alt"]) {
      const shape = `<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml">${attribute}="${written}"/></w:pict></w:r></w:p>`;
      const { warnings } = await compileTemplate(docx({ body: shape }));
      expect(warnings).toMatchObject([{ code: "looks_like_tag", template: { tag: text } }]);
    }
  });

  test("is also reported in a watermark if the template has a Quire tag", async () => {
    const text =
      '<v:textpath xmlns:v="urn:schemas-microsoft-com:vml" string="{status} +++INS a+++"/>';
    const body = `${p("{{a}}")}<w:p><w:r><w:pict>${text}</w:pict></w:r></w:p>`;
    const { warnings } = await compileTemplate(docx({ body }));
    expect(warnings.map(({ template }) => template?.tag)).toEqual(["{status}", "+++INS a+++"]);
  });

  test.each([
    ["{1, 2} and {x, y}"],
    ["{ x ∈ ℝ | x > 0 }"],
    ["{10.0f}"],
    ["Driver={SQL Server};Server=x"],
    ["GET /users/{id}/orders/{order_id}"],
    ["\\frac{a}{b} + x_{n+1} + y^{2k}"],
    ['{"name": "Ann", "tags": {"a": 1}}'],
    ["{", '"name": {first},', '"city": {name}', "}"],
    ["class A {", "  get name() { return {name}; }", "  b {c} {d}", "}"],
    ["for (const x of xs) {", "print({x}) {name} {other}", "}"],
    ["{28A0092B-C50C-407E-A947-70E740481C1C} {D85…53A}"],
    ["{seq figure} {seq appendix \\* Alphabetic}"],
    ["{see page 3}"],
    ["{/name} {/other}"],
    ["[Company Name], [name], [1], [sic]"],
    ["See [[signature]]."],
    ["+++ Eilmeldung +++", "++++++++++"],
    ["<<include>> and <<extend>>"],
    ["page>><<breaks>><<in"],
    ["cout << name >> 2; a<<b>>c"],
    ["«слово» и «СтройСервис» «Саа1» «ГазПром» «Ba3.ru» «Aa1.ru»"],
    ["[Your Name}}"],
    ["« une phrase »"],
    ["#end of line #if"],
    ["see }} there"],
    ["{{28A0092B-C50C-407E-A947-70E740481C1C}}"],
  ])("is not recognised in ordinary text: %j", async (...paragraphs) => {
    expect(await warningOf(...paragraphs)).toBeUndefined();
  });
});
