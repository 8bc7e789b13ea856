import { isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, printed, printedBody, told } from "../support/language.ts";

/** Returns a paragraph with each character in a separate run, and Word's marks between them. */
function shattered(text: string): string {
  const marks = [
    '<w:proofErr w:type="spellStart"/>',
    "",
    '<w:bookmarkStart w:id="7" w:name="b"/><w:bookmarkEnd w:id="7"/>',
  ];
  const runs = [...text].map((each, index) =>
    `${r(each)}${marks[index % 3]}`
      .replaceAll('"7"', `"${index + 10}"`)
      .replace('"b"', `"b${index}"`),
  );
  return `<w:p>${runs.join("")}</w:p>`;
}

/** Returns the text with `${ }` in place of braces. */
function dollars(text: string): string {
  return text.replaceAll("{", "${");
}

describe("a tag that is split over runs", () => {
  test.each([
    ["{{name}}", "Ann"],
    ["{{ items[0]['a b'] }}", "1"],
    ["{{n :: number(“0.00”)}}", "7.00"],
    ["{{#items}}{{n}}{{/items}}", "77"],
    ["{{if n > 6 && name isPresent}}yes{{elseif n}}no{{else}}-{{endif}}", "yes"],
    ["{{for x in list}}{{x}}{{endfor}}", "abc"],
    ["\\{{name}}", "{{name}}"],
    ["{{! note }}x", "x"],
    ["[[sign]]", "[[sign]]"],
    ["{{name}}{{name}}", "AnnAnn"],
  ])("as %s prints the same as a tag in one run", async (text, expected) => {
    const data = { name: "Ann", n: 7, items: [{ "a b": 1 }, {}], list: ["a", "b", "c"] };
    expect(await printed(text, data)).toBe(expected);
    expect(await printedBody(shattered(text), data)).toBe(expected);
  });

  test("is found in tracked insertions, links and content controls", async () => {
    const body = `<w:p>${r("{{na")}<w:ins w:id="1" w:author="a">${r("me")}</w:ins>${r("}}")}</w:p>`;
    expect(await printedBody(body, { name: "x" })).toBe("x");
    const control = `<w:p>${r("{")}<w:sdt><w:sdtContent>${r("{name")}</w:sdtContent></w:sdt>${r("}}")}</w:p>`;
    expect(await printedBody(control, { name: "x" })).toBe("x");
  });

  test("is found without the deleted text in it", async () => {
    const body = `<w:p>${r("{{na")}<w:del w:id="1" w:author="a"><w:r><w:delText>XX</w:delText></w:r></w:del>${r("me}}")}</w:p>`;
    expect(await printedBody(body, { name: "x" })).toBe("x");
  });
});

describe("typographic characters", () => {
  test.each([
    ["{{if a == “x”}}y{{endif}}", "y"],
    ["{{elseif", "invalid_template: unclosed_tag"],
    ["{{if\u00a0a\u00a0==\u00a0‘x’}}y{{else\u00a0}}n{{endif\u00a0}}", "y"],
    ["{{if b == “z”}}n{{elseif\u00a0a == »x«}}y{{endif}}", "y"],
    ["{{for\u00a0i\u00a0in\u00a0o[“k k”]}}{{i}}{{endfor}}", "12"],
    ["{{#o[“k k”]}}{{.}}{{/o[“k k”]}}", "12"],
    ["{{^b}}y{{/\u00a0b}}", "y"],
    ["{{gone\u00a0::\u00a0default(“d”)}}", "d"],
    ["{{n – 1}}", "1"],
    ["{{if n – 1 == 1}}y{{endif}}", "y"],
    ["{{$join(o[“k k”], “;”)}}", "1;2"],
    ["{{#n – 1}}y{{/}}{{^n – 1}}z{{/}}", "y"],
    ["{{!\u00a0“note – ”}}x", "x"],
  ])("in %s are read as plain ones", async (text, expected) => {
    expect(await printed(text, { a: "x", n: 2, o: { "k k": [1, 2] } })).toBe(expected);
  });

  test("in a quoted string that is printed are kept as written", async () => {
    // The language does not define what these characters mean in quotes. Authors get the characters that they see.
    expect(await printed('{{gone :: default("a – b")}}', {})).toBe("a – b");
    expect(await printed('{{gone :: default("it’s")}}', {})).toBe("it’s");
  });
});

describe("an escaped delimiter", () => {
  test.each([
    ["\\{{x}}", "{{x}}"],
    ["a \\{{ b", "a {{ b"],
    ["\\{{", "{{"],
    ["\\{{}}", "{{}}"],
    ["\\{{x}}{{x}}", "{{x}}1"],
    ["{{x}}\\{{x}}", "1{{x}}"],
    ["\\{{x}}\\{{y}}", "{{x}}{{y}}"],
    ["\\{{ {{x}}", "{{ 1"],
    ["\\{{#x}} \\{{/x}} \\{{if a}}", "{{#x}} {{/x}} {{if a}}"],
    ["{{for i in l}}\\{{i}}={{i}};{{endfor}}", "{{i}}=1;{{i}}=2;"],
    ["a\\b {{x}}", "a\\b 1"],
    ["C:\\{x} {{x}}", "C:\\{x} 1"],
    ["{{x}}\\", "1\\"],
    ['{{gone :: default("\\"q\\"")}}', '"q"'],
  ])("as %s prints %s", async (text, expected) => {
    expect(await printed(text, { x: 1, l: [1, 2] })).toBe(expected);
    expect(await printedBody(shattered(text), { x: 1, l: [1, 2] })).toBe(expected);
  });

  test("works in equations and links, with and without other tags", async () => {
    const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
    const equation = (text: string): string =>
      `<w:p><m:oMath ${m}><m:r><m:t>${text}</m:t></m:r></m:oMath></w:p>`;
    expect(bodyOf((await outcome(equation("\\{{x}} {{x}}"), { x: 1 })).bytes)).toMatch(
      /<m:t[^>]*>{{x}} 1<\/m:t>/,
    );
    const links = { rId9: "https://a.example/\\{{x}}/{{x}}" };
    const link = `<w:p><w:hyperlink r:id="rId9">${r("\\{{x}}")}</w:hyperlink></w:p>`;
    const { error, lines } = await outcome({ body: link, links }, { x: 1 });
    expect(error).toBe(null);
    expect(lines).toEqual(["{{x}}"]);
  });

  test("works in a template without tags", async () => {
    expect(await printed("\\{{x}}", {})).toBe("{{x}}");
    expect(await told("\\{{x}}", {})).toEqual([]);
  });

  test("works in cells, headers, alternative texts, and at both ends of a paragraph", async () => {
    expect(await printedBody(table([p("\\{{x}}"), p("y \\{{")]), {})).toBe("{{x}} | y {{");
    const wp = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"';
    const body = `<w:p><w:r><w:drawing><wp:inline ${wp}><wp:docPr id="1" name="n" descr="\\{{x}} {{x}}"/></wp:inline></w:drawing></w:r></w:p>`;
    expect(bodyOf((await outcome(body, { x: 1 })).bytes)).toContain('descr="{{x}} 1"');
  });
});

describe("text that is not a tag", () => {
  test("[[…]] remains as text, with or without a tag in it", async () => {
    expect(await printed("[[signature]] [[ s:1 ]] [[{{x}}]]", { x: 1 })).toBe(
      "[[signature]] [[ s:1 ]] [[1]]",
    );
    expect(await told("[[signature]]", {})).toEqual([]);
  });

  test("single braces are text", async () => {
    expect(await printed("{x} { } }{ {#x}", { x: 1 })).toBe("{x} { } }{ {#x}");
  });

  test("a note prints nothing, regardless of its content", async () => {
    expect(await printed("a{{! note }}b{{!}}c{{! #x for if :: ) }}d", {})).toBe("abcd");
  });

  test.each([
    ["{{{x}}}"],
    ["{{x}"],
    ["{{x"],
    ["{{x}} y}}"],
    ["{{x}} }}"],
    ["{{a {{x}} b}}"],
    ["{{}}"],
    ["{{ }}"],
    ["{{\u00a0}}"],
    ["{{@raw}}"],
    ["{{=<% %>=}}"],
    ["{{>partial}}"],
    ["{{&x}}"],
  ])("%s is a template error", async (text) => {
    expect(await printed(text, { x: 1 })).toMatch(/^invalid_template/);
  });
});

describe("other delimiters", () => {
  test.each([
    ["[[", "]]", "[[#l]][[n]][[/l]] {{n}}", "12 {{n}}"],
    ["${", "}", dollars("{for i in l}{i.n}{endfor}"), "12"],
    ["{", "}", "{#l}{n}{/l}", "12"],
    ["«", "»", "«#l»«n»«/l»", "12"],
    ["((", "))", "((#l))((n * 2))((/l))", "24"],
  ])("%s and %s are accepted", async (start, end, text, expected) => {
    const data = { l: [{ n: 1 }, { n: 2 }], n: 0 };
    const result = await printed(text, data, { delimiters: { start, end } });
    expect(result.replace(/: $/, "")).toBe(expected);
  });

  test("work when split over runs, escaped, and with missing values", async () => {
    const delimiters = { start: "${", end: "}" };
    const text = shattered(dollars("{x}\\{x}{gone}"));
    expect(await printedBody(text, { x: 1 }, { delimiters })).toBe(dollars("1{x}{gone}"));
  });

  test.each([
    ["<%", "%>"],
    ["<", ">"],
    ["", "}"],
    ["{{", ""],
    ["a", "b"],
    ["{{", " "],
    ['"', '"'],
    ["&", ";"],
    ["\\", "/"],
    ["{{{{{{", "}}"],
    ["%%", "%%"],
    ["|", "|"],
    ["{{", "{{"],
    ["{", "{{"],
  ])("%j and %j are rejected, because tags would not differ from text", async (start, end) => {
    expect(await printed("x", {}, { delimiters: { start, end } })).toMatch(/^invalid_request/);
  });
});

describe("the syntax of docxtemplater, with delimiters auto", () => {
  const auto = { delimiters: "auto" } as const;
  const data = {
    name: "Ann",
    l: [{ n: 1 }, { n: 2 }],
    "first name": "F",
    "first-name": "H",
    o: { n: 5 },
    yes: true,
  };
  test.each([
    ["Hello {name}", "Hello Ann"],
    ["{ name }", "Ann"],
    ["{#l}{n},{/l}", "1,2,"],
    ["{#l}{n},{/}", "1,2,"],
    ["{^gone}none{/gone}", "none"],
    ["{#o}{n}{/o}", "5"],
    ["{#yes}{name}{/yes}", "Ann"],
    ["{first name}", "F"],
    ["{first-name}", "H"],
    ["{#l}{.}{/l}", "invalid_data: invalid_value"],
    ["{gone}", "{gone}"],
    ["{for i in l}{i.n}{endfor}", "12"],
    ["\\{name}", "{name}"],
    ["{name :: uppercase}", "ANN"],
    ["{name} {{name}}", "{name} Ann"],
    ["{@raw}", "invalid_template: tag_syntax"],
  ])("%s prints %s", async (text, expected) => {
    expect(await printed(text, data, auto)).toBe(expected);
    expect(await printedBody(shattered(text), data, auto)).toBe(expected);
  });

  test.each([
    "{IF yes}x{END-IF}",
    "{If yes}x{Endif}",
    "{If yes}x{END-IF}",
    "{IF yes}x{ELSE}y{END-IF}",
    "{IF yes}x{end if}",
    "{FOR i IN l}x{END-FOR i}",
    "{For i in l}x{Endfor}",
    "{each l}x{end each}",
    "{foreach l}x{end}",
    "{unless yes}x{end}",
    "{END-IF}",
    "{end-for}",
    "{INS name}",
    "{Include terms}",
  ])("%s is rejected under every policy for missing values", async (text) => {
    const options = { ...auto, onMissing: "blank" } as const;
    expect(await printed(text, data, options)).toBe("invalid_template: tag_syntax");
    expect(await printed(`{name} ${text}`, data, options)).toBe("invalid_template: tag_syntax");
  });

  test("a key that starts like a block is accessible in brackets", async () => {
    const { warnings } = await outcome(p("{For attention} {each year}"), {}, auto);
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "Write {for …}. For the value of the key 'For attention', write {this[\"For attention\"]}.",
      "Did you mean 'for'? Write {for item in year}. For the value of the key 'each year', write {this[\"each year\"]}.",
    ]);
    const keys = { "For attention": 1, "each year": 2 };
    expect(await printed('{this["For attention"]} {this["each year"]}', keys, auto)).toBe("1 2");
  });

  test("keys that only resemble end tags or commands of other dialects are keys", async () => {
    const keys = {
      ...{ "end date": 1, "End-Date": 2, "END-USER": 3, END: 4, If: 5, "for-sale": 6 },
      ...{ "INS-number": 7, "Ins number": 8, "forward to": 9, "loop count": 10, "next step": 11 },
    };
    const text = Object.keys(keys)
      .map((key) => `{${key}}`)
      .join(" ");
    expect(await printed(text, keys, auto)).toBe("1 2 3 4 5 6 7 8 9 10 11");
  });

  test("a dollar sign before each tag is reported once, as another program's placeholder", async () => {
    const body = p(dollars("Dear {name}, {first name}")) + table([p(dollars("{o.n}"))]);
    const { warnings } = await outcome(
      { body, stories: { "header1.xml": p(dollars("{name}")) } },
      data,
      auto,
    );
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([
      {
        severity: "warning",
        code: "dollar_before_tags",
        message: dollars(
          "Each tag has a '$' before it, which is printed. {name} is a placeholder of XDocReport, PHPWord, docx4j or docx-stamper.",
        ),
        hint: "Delete the '$' before each tag. For an amount in dollars write {amount :: currency(\"USD\")}.",
        template: {
          part: "word/document.xml",
          paragraph: 1,
          tag: "{name}",
          near: dollars("Dear {name}, {first name}"),
        },
      },
    ]);
  });

  test.each([`{name} owes $\{o.n}`, `{#l}$\{n}{/l}`, "$ {name}", "{name}$"])(
    "a dollar sign of an amount is not reported: %s",
    async (text) => {
      expect(await told(text, data, auto)).not.toContain("warning dollar_before_tags");
    },
  );

  test("an item without the key shows the outer value", async () => {
    expect(await printed("{#l}{name}{/l}", { name: "A", l: [{ n: 1 }] }, auto)).toBe("A");
  });

  test("a template that contains {{ anywhere, also in a header, has the delimiters {{ }}", async () => {
    const result = await outcome(
      { body: p("{name}"), stories: { "header1.xml": p("{{name}}") } },
      data,
      auto,
    );
    expect(result.lines).toEqual(["{name}"]);
  });

  test("a {{ in deleted text does not change the delimiters of the template", async () => {
    const deleted =
      '<w:p><w:del w:id="1" w:author="a"><w:r><w:delText>{{x}}</w:delText></w:r></w:del></w:p>';
    expect((await outcome(p("{name}") + deleted, data, auto)).lines[0]).toBe("Ann");
  });

  test("two braces with text or a paragraph break between them do not change the delimiters", async () => {
    const apart = `<w:p>${r("\\{")}${r(" ")}${r("{name}")}</w:p>`;
    expect(await printedBody(apart, data, auto)).toBe("{ Ann");
    expect(await printedBody(p("\\{") + p("{name}"), data, auto)).toBe("{ / Ann");
  });

  test("rows of a table repeat, and paragraphs that contain only tags disappear", async () => {
    const body =
      table([p("h"), p("h")], [p("{#l}{n}"), p("x{/l}")]) + p("{#l}") + p("{n}") + p("{/l}");
    expect(await printedBody(body, data, auto)).toBe("h | h / 1 | x / 2 | x / 1 / 2");
  });

  test("keys that spell a keyword or an operator are accessible", async () => {
    expect(
      await printed("{total price} {net-total}", { "total price": 1, "net-total": 2 }, auto),
    ).toBe("1 2");
    expect(await printed("{#line items}{n}{/line items}", { "line items": [{ n: 1 }] }, auto)).toBe(
      "1",
    );
    expect(await printed("{a - b}", { a: 3, b: 1 }, auto)).toMatch(/^(?:2|\{a - b\})$/);
  });
});

test("the hint for an empty tag explains how to print braces", async () => {
  const hintOf = async (text: string): Promise<string | undefined> => {
    const failed = compileTemplate(docx({ body: p(text) }), { delimiters: "auto" });
    const error = await failed.catch((each: unknown) => each);
    if (!isQuireError(error)) throw new Error("The template was compiled.");
    return error.diagnostics[0]?.hint;
  };
  expect(await hintOf("{name} { }")).toBe(
    "Write a name between { and }; to print the characters themselves, write \\{.",
  );
  expect(await hintOf("{{name}} {{ }}")).toBe(
    "Write a name between {{ and }}; to print the characters themselves, write \\{{.",
  );
});
