import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, printed, printedBody } from "../support/language.ts";

const GUID = "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}";
const SINGLE = { delimiters: { start: "{", end: "}" } };
const AUTO = { delimiters: "auto" } as const;

/** Returns a paragraph with each character in a separate run. */
function shattered(text: string): string {
  return `<w:p>${[...text].map((each) => r(each)).join("")}</w:p>`;
}

/** Returns all diagnostics of a compilation, successful or not, as code, tag and hint. */
async function told(
  text: string,
  options = {},
): Promise<Pick<Diagnostic, "code" | "template" | "hint">[]> {
  const { warnings } = await outcome(
    p(text),
    { a: 1, user: "U" },
    { ...options, onMissing: "blank" },
  );
  return warnings.filter(({ code }) => code !== "unused_value" && code !== "missing_value");
}

async function hintsOf(text: string, options = {}): Promise<(string | undefined)[]> {
  return (await told(text, options)).map(({ hint }) => hint);
}

/** Returns the target of a link in the document, for these delimiters. */
async function addressOf(
  target: string,
  options = {},
  body = "{{a}}",
): Promise<string | undefined> {
  const link = `<w:p><w:hyperlink r:id="k">${r("here")}</w:hyperlink></w:p>`;
  const document = { body: p(body) + link, links: { k: target } };
  const { bytes, error } = await outcome(document, { a: 1, name: "N" }, options);
  if (error !== null) return error;
  const relationships = partOf(bytes, "word/_rels/document.xml.rels");
  const [, id] = /<w:hyperlink [^>]*r:id="([^"]*)"/.exec(partOf(bytes)) ?? [];
  const entry = new RegExp(`<Relationship [^>]*Id="${id}"[^>]*>`).exec(relationships)?.[0];
  return /Target="([^"]*)"/.exec(entry ?? "")?.[1];
}

describe("a GUID in braces is not a tag", () => {
  test.each([
    ["in single braces", `{a} ${GUID}`, `1 ${GUID}`, SINGLE],
    ["with auto", `{a} ${GUID}`, `1 ${GUID}`, AUTO],
    ["in double braces", `{{a}} {${GUID}}`, `1 {${GUID}}`, {}],
    ["after a backslash, which is kept", `{a} C:\\${GUID}`, `1 C:\\${GUID}`, SINGLE],
    ["in the text of a tag", `{if a == "${GUID}"}x{else}y{endif}`, "y", SINGLE],
    ["next to a brace in a text without tags", `${GUID} }`, `${GUID} }`, AUTO],
  ])("%s", async (_, text, expected, options) => {
    expect(await printed(text, { a: 1 }, options)).toBe(expected);
    expect(await printedBody(shattered(text), { a: 1 }, options)).toBe(expected);
  });

  test("in the address of a link, which is kept unchanged", async () => {
    const address = "https://a.example/?sourcedoc=%7B28A0092B-C50C-407E-A947-70E740481C1C%7D";
    expect(await addressOf(address, AUTO, "{a}")).toBe(address);
    expect(await addressOf(`${address}/%7Bname%7D`, AUTO, "{a}")).toBe(`${address}/N`);
    expect(await addressOf(`${address}/%7B%7Bname%7D%7D`)).toBe(`${address}/N`);
  });

  test("in a document property", async () => {
    const property = `<property name="x"><vt:lpwstr>${GUID} {a}</vt:lpwstr></property>`;
    const { bytes } = await outcome({ body: p("{a}"), customProperties: property }, { a: 1 }, AUTO);
    expect(partOf(bytes, "docProps/custom.xml")).toContain(`>${GUID} 1<`);
  });

  test("does not affect the detection of delimiters", async () => {
    expect(await printed(`${GUID} {{a}}`, { a: 1 }, AUTO)).toBe(`${GUID} 1`);
  });
});

describe("single braces in the address of a link", () => {
  test.each([
    ["https://a.example/%7Bname%7D", "https://a.example/N"],
    ["https://a.example/{name}", "https://a.example/N"],
    ["https://a.example/?f=%7B%22a%22:1%7D", "https://a.example/?f=%7B%22a%22:1%7D"],
    [
      "https://a.example/?f=%7B%22a%22:%7B%22b%22:1%7D%7D",
      "https://a.example/?f=%7B%22a%22:%7B%22b%22:1%7D%7D",
    ],
    ["https://a.example/?f=%7b1%7d/%7bname%7d", "https://a.example/?f=%7b1%7d/N"],
    ["https://a.example/%7Bname%20::%20uper%7D", "invalid_template"],
  ])("%s becomes %s", async (target, expected) => {
    expect(await addressOf(target, AUTO, "{a}")).toBe(expected);
  });
});

describe("a backslash before a tag", () => {
  test.each([
    ["\\\\{{user}}", "\\U"],
    ["\\\\\\{{user}}", "\\\\U"],
    ["share\\\\{{user}}\\\\{{a}}", "share\\U\\1"],
    ["\\{{user}}", "{{user}}"],
    ["\\\\{{user}} \\{{user}}", "\\U {{user}}"],
    ['{{gone :: default("\\{{x}}")}}', "{{x}}"],
  ])("in %s prints %s", async (text, expected) => {
    expect(await printed(text, { a: 1, user: "U" })).toBe(expected);
    expect(await printedBody(shattered(text), { a: 1, user: "U" })).toBe(expected);
  });

  test("is reported where it looks like part of a path", async () => {
    const found = await told("\\\\srv\\share\\{{user}}\\{{a}}");
    expect(found).toMatchObject([
      {
        severity: "warning",
        code: "escaped_tag",
        message:
          "'\\{{user}}' prints '{{user}}' itself: a backslash before a tag turns it into text.",
        hint: "Write \\\\{{user}} if a backslash and the value are meant.",
        template: {
          part: "word/document.xml",
          paragraph: 1,
          tag: "\\{{user}}",
          near: "\\\\srv\\share\\{{user}}\\{{a}}",
        },
      },
      { code: "escaped_tag", template: { tag: "\\{{a}}" } },
    ]);
    expect(await hintsOf("C:\\{{user}}")).toHaveLength(1);
    expect(await hintsOf("\\\\{{user}}\\share")).toEqual([
      "Write \\\\\\{{user}} if two backslashes and the value are meant.",
    ]);
    expect(await hintsOf("C:\\{user}", SINGLE)).toHaveLength(1);
  });

  test.each([
    "Write \\{{a}}.",
    "(\\{{a}})",
    "\\{{a}}",
    "x\\\\{{a}}",
    "\\\\\\{{a}}",
    "c:\\{{",
    "a\\b {{a}}",
  ])("is not reported in '%s'", async (text) => {
    expect((await told(text)).filter(({ code }) => code === "escaped_tag")).toEqual([]);
  });

  test("does not escape the tag after a line break or a tab", async () => {
    const body = (between: string): string =>
      `<w:p>${r("C:\\")}<w:r><w:${between}/></w:r>${r("{{a}}")}</w:p>`;
    expect((await outcome(body("tab"), { a: 1 })).lines).toEqual(["C:\\⇥1"]);
    expect((await outcome(body("br"), { a: 1 })).lines).toEqual(["C:\\⏎1"]);
  });

  test("is written twice in a field instruction, where two backslashes mean one", async () => {
    const field = (text: string): string =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${text}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    const { bytes } = await outcome(field('QUOTE "C:\\\\docs\\\\{{a}}"'), { a: 1 });
    expect(partOf(bytes)).toContain('QUOTE "C:\\\\docs\\\\1"');
    const simple = `<w:p><w:fldSimple w:instr='QUOTE "C:\\\\{{a}}"'>${r("x")}</w:fldSimple></w:p>`;
    expect(partOf((await outcome(simple, { a: 1 })).bytes)).toContain("C:\\\\1");
  });

  test("escapes the only tag of an alternative text", async () => {
    const picture = (text: string): string =>
      `<w:p><w:r><w:drawing><wp:docPr xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" id="1" descr="${text}"/></w:drawing></w:r></w:p>`;
    const { bytes, warnings } = await outcome(picture("\\{{a}}") + p("{{a}}"), { a: 1 });
    expect(partOf(bytes)).toContain('descr="{{a}}"');
    expect(warnings).toEqual([]);
    const doubtful = await outcome(picture("C:\\{{a}}") + p("{{a}}"), { a: 1 });
    expect(doubtful.warnings.map(({ code }) => code)).toEqual(["escaped_tag"]);
  });
});

describe("closing braces outside a tag", () => {
  test.each([
    ["{{a}} \\}}", "1 }}"],
    ["{{a}} \\\\}}", "1 \\}}"],
    ["\\{{ a \\}}", "{{ a }}"],
    ["\\{{ a }} {{a}}", "{{ a }} 1"],
    ['{{a}} {"a":{"b":1}}', '1 {"a":{"b":1}}'],
    ['{"a":{{a}}}', '{"a":1}'],
    ['{"a":{"b":{{a}}}}', '{"a":{"b":1}}'],
    ['{"a":{"b":{"c":{{a}}}}} x', '{"a":{"b":{"c":1}}} x'],
    ['{"a":{"b":{}}} {{a}}', '{"a":{"b":{}}} 1'],
  ])("in %s print %s", async (text, expected) => {
    expect(await printed(text, { a: 1 })).toBe(expected);
    expect(await printedBody(shattered(text), { a: 1 })).toBe(expected);
  });

  const EACH = "Write each tag as {{name}}, within one paragraph; write \\}} for";
  const NAME = "Write {{name}}, or \\}} for";
  test.each([
    ["{{a}} {name}}", NAME],
    ["{{a}} { x {name}} y", NAME],
    ['{{a}} {"a":1}}', EACH],
    ["{{a}} x }}", EACH],
  ])("are reported in '%s' with a hint on how to write them", async (text, hint) => {
    expect(await told(text)).toMatchObject([
      { code: "unopened_tag", hint: `${hint} the characters themselves.` },
    ]);
  });

  test("work with other delimiters", async () => {
    const square = { delimiters: { start: "[[", end: "]]" } };
    expect(await printed("[[a]] x[y[0]] \\]]", { a: 1 }, square)).toBe("1 x[y[0]] ]]");
    expect(await printed("{a} \\} \\\\{a}", { a: 1 }, SINGLE)).toBe("1 } \\1");
    expect(await hintsOf("{a} }", SINGLE)).toEqual([
      "Write each tag as {name}, within one paragraph; write \\} for the characters themselves.",
    ]);
  });

  test("are reported in an alternative text", async () => {
    const body = `${p("{{a}}")}<w:p><w:r><w:drawing><wp:docPr xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" id="1" descr="{{a}} }}"/></w:drawing></w:r></w:p>`;
    const { warnings } = await outcome(body, { a: 1 });
    expect(warnings.map(({ code }) => code)).toEqual(["unopened_tag"]);
  });
});

describe("a tag within a tag is reported once", () => {
  const noBraces = "Inside a tag no braces are needed";
  test.each([
    ["{{if {{note}}}}x{{endif}}", "{{if {{note}}}}", `${noBraces}: write {{if note}}.`],
    [
      "{{for x in {{l}}}}{{x}}{{endfor}}",
      "{{for x in {{l}}}}",
      `${noBraces}: write {{for x in l}}.`,
    ],
    ["{{ {{a}} }}", "{{ {{a}} }}", `${noBraces}: write {{a}}.`],
    ["{{{{a}}}}", "{{{{a}}}}", `${noBraces}: write {{a}}.`],
    ["{{if {{a}} > {{b}}}}x{{endif}}", "{{if {{a}} > {{b}}}}", `${noBraces}: write {{if a > b}}.`],
    [
      "{{customer.{{key}}}}",
      "{{customer.{{key}}}}",
      "A name cannot be built from values: write the whole path of the value into the tag.",
    ],
    [
      "{{one {{a}} two }}",
      "{{one {{a}} two }}",
      `${noBraces}. Where two tags are meant, end the first with }} before the second begins; to print the characters themselves, write \\{{.`,
    ],
  ])("in %s", async (text, tag, hint) => {
    const found = [
      {
        code: "tag_syntax",
        message: `${tag} contains a tag within a tag.`,
        hint,
        template: { tag, near: text },
      },
    ];
    expect(await told(text)).toMatchObject(found);
    expect((await outcome(shattered(text), {})).warnings).toMatchObject(found);
  });

  test("but not if the first is unclosed", async () => {
    expect((await told("{{a {{a}}")).map(({ code }) => code)).toEqual(["unclosed_tag"]);
  });
});

test("compilation reports problems in document order", async () => {
  const body =
    p("{{a}}") +
    p("{{for i in l}}{{l.x}}{{endfor}}") +
    p("{y}") +
    p("C:\\{{a}}") +
    p("{{“a”}}") +
    p("{z}");
  const { warnings } = await compileTemplate(docx({ body }));
  expect(warnings.map(({ code, template }) => [code, template?.paragraph])).toEqual([
    ["list_in_loop", 2],
    ["looks_like_tag", 3],
    ["escaped_tag", 4],
    ["quoted_name", 5],
    ["looks_like_tag", 6],
  ]);
});

test("a tag does not continue from one document property into another", async () => {
  const body = p("{{a}}");
  const properties = "<dc:title>x {{a</dc:title><dc:subject>b}} y</dc:subject>";
  const { warnings } = await outcome({ body, coreProperties: properties }, { ab: 1 });
  expect(warnings.map(({ code }) => code)).toEqual(["unclosed_tag"]);
});
