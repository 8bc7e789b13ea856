import { describe, expect, test } from "vitest";
import { bodyOf, linesOf, p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const WP = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"';
const W14 =
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"';
const loop = (inner: string): string => p("{{for x in l}}") + inner + p("{{endfor}}");
const data = {
  l: [
    { n: 1, u: "https://one.example/" },
    { n: 2, u: "https://two.example/" },
  ],
  name: "Ann",
};

function drawing(attributes: string): string {
  return `<w:r><w:drawing><wp:inline ${WP}><wp:docPr id="1" name="n" ${attributes}/></wp:inline></w:drawing></w:r>`;
}

describe("parts of a document", () => {
  const kinds = ["header1.xml", "header2.xml", "footer1.xml", "footer3.xml", "comments.xml"];
  test.each(kinds)("%s has values, loops, rows and conditions", async (name) => {
    const xml =
      p("{{name}}") +
      loop(p("{{x.n}}")) +
      table([p("{{#l}}{{n}}"), p("{{/l}}")]) +
      p("{{if name}}y{{endif}}");
    const story = name === "comments.xml" ? `<w:comment w:id="1">${xml}</w:comment>` : xml;
    const { bytes } = await outcome({ body: p("x"), stories: { [name]: story } }, data);
    expect(linesOf(bytes, `word/${name}`)).toEqual(["Ann", "1", "2", "1 | ", "2 | ", "y"]);
  });

  test.each(["footnotes.xml", "endnotes.xml"])(
    "%s without a reference from a loop have the data of the root",
    async (name) => {
      const kind = name.replace("s.xml", "");
      const note = (id: number, xml: string, type = ""): string =>
        `<w:${kind}${type} w:id="${id}">${xml}</w:${kind}>`;
      const stories = {
        [name]:
          note(-1, p(""), ' w:type="separator"') +
          note(0, p(""), ' w:type="continuationSeparator"') +
          note(1, p("{{name}}") + loop(p("{{x.n}}"))),
      };
      const body = `<w:p>${r("x")}<w:r><w:${kind}Reference w:id="1"/></w:r></w:p>`;
      const { bytes } = await outcome({ body, stories }, data);
      expect(linesOf(bytes, `word/${name}`)).toEqual(["", "", "Ann", "1", "2"]);
      const xml = partOf(bytes, `word/${name}`);
      expect([...xml.matchAll(/<w:\w+note [^>]*w:id="(-?\d+)"/g)].map(([, id]) => id)).toEqual([
        "-1",
        "0",
        "1",
      ]);
    },
  );

  test("report their problems together", async () => {
    const { error, warnings } = await outcome(
      {
        body: p("{{for x in l}}"),
        stories: { "header1.xml": p("{{if}}"), "footer1.xml": p("{{endif}}") },
      },
      data,
    );
    expect(error).toBe("invalid_template");
    const parts = new Set(warnings.map(({ template }) => template?.part));
    expect([...parts].sort()).toEqual([
      "word/document.xml",
      "word/footer1.xml",
      "word/header1.xml",
    ]);
  });
});

describe("a note in a loop", () => {
  const note = (id: number, text: string): string =>
    `<w:footnote w:id="${id}">${p(text)}</w:footnote>`;
  const reference = (id: number): string => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;

  function notesOf(bytes: Uint8Array): { references: string[]; byId: Map<string, string> } {
    const xml = partOf(bytes, "word/footnotes.xml");
    const byId = new Map<string, string>();
    for (const [, id = "", inner = ""] of xml.matchAll(
      /<w:footnote [^>]*?w:id="(-?\d+)"[^>]*>(.*?)<\/w:footnote>/gs,
    )) {
      expect(byId.has(id)).toBe(false);
      byId.set(id, inner.replace(/<[^>]*>/g, ""));
    }
    const references = [...bodyOf(bytes).matchAll(/<w:footnoteReference w:id="(\d+)"/g)].map(
      ([, id = ""]) => id,
    );
    return { references, byId };
  }

  test.each([
    ["for", "{{for x in l}}", "{{x.n}} {{name}}", "{{endfor}}"],
    ["section", "{{#l}}", "{{n}} {{name}}", "{{/l}}"],
  ])("(%s) prints the data of its iteration", async (_what, open, text, close) => {
    const body = `<w:p>${r(`${open}item`)}${reference(2)}${r(close)}</w:p>`;
    const stories = { "footnotes.xml": note(2, text) };
    const { bytes, warnings } = await outcome({ body, stories }, data);
    expect(warnings.filter(({ severity }) => severity === "error")).toEqual([]);
    const { references, byId } = notesOf(bytes);
    expect(references).toHaveLength(2);
    expect(references.map((id) => byId.get(id))).toEqual(["1 Ann", "2 Ann"]);
    expect(byId.size).toBe(2);
  });

  test("has separate copies inside and outside of loops, and none for an empty list", async () => {
    const body =
      `<w:p>${r("a")}${reference(1)}</w:p>` +
      `<w:p>${r("{{for x in l}}")}${reference(2)}${r("{{for y in m}}")}${reference(3)}${r("{{endfor}}{{endfor}}")}</w:p>` +
      `<w:p>${r("{{for z in none}}")}${reference(4)}${r("{{endfor}}")}</w:p>`;
    const stories = {
      "footnotes.xml":
        note(1, "root {{name}}") + note(2, "{{x.n}}") + note(3, "{{x.n}}{{y}}") + note(4, "{{z}}"),
    };
    const { bytes } = await outcome({ body, stories }, { ...data, m: ["p", "q"], none: [] });
    const { references, byId } = notesOf(bytes);
    expect(references.map((id) => byId.get(id))).toEqual([
      "root Ann",
      "1",
      "1p",
      "1q",
      "2",
      "2p",
      "2q",
    ]);
    expect(byId.size).toBe(7);
  });

  test("may contain loops and conditions over the data of its iteration", async () => {
    const stories = {
      "footnotes.xml": note(2, "{{for t in x.t}}{{t}}{{endfor}}{{if x.n == 2}}!{{endif}}"),
    };
    const body = `<w:p>${r("{{for x in l}}")}${reference(2)}${r("{{endfor}}")}</w:p>`;
    const { bytes } = await outcome(
      { body, stories },
      {
        l: [
          { n: 1, t: ["a"] },
          { n: 2, t: [] },
        ],
      },
    );
    const { references, byId } = notesOf(bytes);
    expect(references.map((id) => byId.get(id))).toEqual(["a", "!"]);
  });

  test("may print its position in the loop", async () => {
    const stories = { "footnotes.xml": note(2, "{{$number}} of {{$length}}") };
    const body = `<w:p>${r("{{for x in l}}")}${reference(2)}${r("{{endfor}}")}</w:p>`;
    const { error, bytes } = await outcome({ body, stories }, data);
    expect(error).toBe(null);
    const { references, byId } = notesOf(bytes);
    expect(references.map((id) => byId.get(id))).toEqual(["1 of 2", "2 of 2"]);
  });

  test("counts the keys that it prints as used", async () => {
    const stories = { "footnotes.xml": note(2, "{{x.n}}{{x.u}}") };
    const body = `<w:p>${r("{{for x in l}}")}${reference(2)}${r("{{endfor}}")}</w:p>`;
    const { warnings } = await outcome({ body, stories }, { l: data.l });
    expect(warnings).toEqual([]);
  });
});

describe("alternative texts", () => {
  test("take values, for each iteration of a loop", async () => {
    const body = `<w:p>${drawing('descr="of {{name}}" title="{{name}}"')}</w:p>${loop(`<w:p>${drawing('descr="no {{x.n}}"')}</w:p>`)}`;
    const xml = bodyOf((await outcome(body, data)).bytes);
    expect([...xml.matchAll(/descr="([^"]*)"/g)].map(([, text]) => text)).toEqual([
      "of Ann",
      "no 1",
      "no 2",
    ]);
    expect(xml).toContain('title="Ann"');
  });

  test("may contain any character of a value", async () => {
    const v = "\"<a>'&\t\n\u0000\ud800{{x}}";
    const { bytes, warnings } = await outcome(`<w:p>${drawing('descr="{{v}}"')}</w:p>`, { v });
    expect(bodyOf(bytes)).toContain("{{x}}");
    expect(bodyOf(bytes)).toContain("&quot;&lt;a");
    expect(bodyOf(bytes)).not.toContain("\u0000");
    expect(warnings.map(({ code }) => code)).toEqual(["forbidden_character"]);
  });

  test("report missing values and keep their tags", async () => {
    const { bytes, warnings } = await outcome(`<w:p>${drawing('descr="a {{gone}}"')}</w:p>`, {});
    expect(bodyOf(bytes)).toContain('descr="a {{gone}}"');
    expect(warnings[0]?.message).toBe("The tag 'gone' was not provided in the input data.");
  });

  test("accept modifiers and typographic quotes, as text does", async () => {
    const body = `<w:p>${drawing('descr="{{gone :: default(“d”), uppercase}}{{o[&quot;a b&quot;]}}"')}</w:p>`;
    expect(bodyOf((await outcome(body, { o: { "a b": 1 } })).bytes)).toContain('descr="D1"');
  });

  test("cannot contain blocks", async () => {
    const body = `<w:p>${drawing('descr="{{for x in l}}{{x.n}}{{endfor}}"')}</w:p>`;
    expect((await outcome(body, data)).error).toBe("invalid_template");
  });
});

describe("text boxes", () => {
  const box = (xml: string): string =>
    `<w:p><w:r><mc:AlternateContent ${W14}><mc:Choice Requires="wps"><w:drawing><wp:inline ${WP}><wp:docPr id="1" name="b"/><wps:wsp><wps:txbx><w:txbxContent>${xml}</w:txbxContent></wps:txbx></wps:wsp></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${xml}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
  const textsOf = (bytes: Uint8Array): string[] =>
    [...bodyOf(bytes).matchAll(/<w:txbxContent>(.*?)<\/w:txbxContent>/gs)].map(([, xml = ""]) =>
      xml.replaceAll("</w:p>", "|").replace(/<[^>]*>/g, ""),
    );

  test("take values and blocks in both alternatives", async () => {
    const { bytes } = await outcome(box(p("{{name}}") + loop(p("{{x.n}}"))), data);
    expect(textsOf(bytes)).toEqual(["Ann|1|2|", "Ann|1|2|"]);
  });

  test("in a loop have the data of their iteration", async () => {
    const { bytes } = await outcome(loop(box(p("{{x.n}}"))), data);
    expect(textsOf(bytes)).toEqual(["1|", "1|", "2|", "2|"]);
  });

  test("always end in a paragraph", async () => {
    const { bytes } = await outcome(box(loop(p("{{x.n}}"))), { l: [] });
    expect(bodyOf(bytes)).toMatch(/<w:txbxContent><w:p\/><\/w:txbxContent>/);
  });
});

describe("equations and content controls", () => {
  test("a control that is bound to other data shows what its tags print, and others remain bound", async () => {
    const bound = (xml: string): string =>
      `<w:sdt><w:sdtPr><w:id w:val="5"/><w:dataBinding w:xpath="/a" w:storeItemID="{1}"/></w:sdtPr><w:sdtContent>${xml}</w:sdtContent></w:sdt>`;
    const body = bound(p("{{name}}")) + bound(bound(loop(p("{{x.n}}")))) + bound(p("fixed"));
    const { bytes, lines } = await outcome(body, data);
    expect(lines).toEqual(["Ann", "1", "2", "fixed"]);
    expect(bodyOf(bytes).match(/<w:dataBinding/g)).toHaveLength(1);
  });

  test("an equation takes values", async () => {
    const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
    const body = `<w:p><m:oMath ${m}><m:r><m:t>{{a</m:t></m:r><m:r><m:t>}}+1&lt;{{b}}</m:t></m:r></m:oMath></w:p>`;
    const { bytes } = await outcome(body, { a: 2, b: "x<\ny" });
    expect(bodyOf(bytes)).toMatch(/<m:t[^>]*>2<\/m:t>/);
    expect(bodyOf(bytes)).toContain("+1&lt;x&lt;");
    expect(bodyOf(bytes)).not.toContain("<w:br/>");
  });

  test("a content control around paragraphs, rows or runs takes values and blocks", async () => {
    const control = (xml: string): string =>
      `<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr><w:sdtContent>${xml}</w:sdtContent></w:sdt>`;
    const body =
      control(p("{{name}}") + loop(p("{{x.n}}"))) +
      `<w:p>${control(r("{{for x in l}}{{x.n}}{{endfor}}"))}</w:p>`;
    expect((await outcome(body, data)).lines).toEqual(["Ann", "1", "2", "12"]);
    const ids = [
      ...bodyOf((await outcome(loop(control(p("{{x.n}}"))), data)).bytes).matchAll(
        /<w:sdtPr>.*?<w:id w:val="(\d+)"/g,
      ),
    ].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("a text of a form field", () => {
  const field = (xml: string): string =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData>${xml}</w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;

  test.each([
    ['<w:ddList><w:listEntry w:val="{{v}}"/></w:ddList>', 255],
    ['<w:statusText w:type="text" w:val="{{v}}"/>', 138],
  ])("in %s takes at most as many characters as Word does", async (xml, most) => {
    expect((await outcome(field(xml), { v: "x".repeat(most) })).warnings).toEqual([]);
    const { warnings } = await outcome(field(xml), { v: "x".repeat(most + 1) });
    expect(warnings[0]).toMatchObject({
      code: "invalid_value",
      message: `The value for the tag {{v}} is longer than the ${most} characters that Word accepts here.`,
    });
  });

  test("is part of the instruction of a field around it", async () => {
    const outer = `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> INDEX </w:instrText></w:r></w:p>${field('<w:ddList><w:listEntry w:val="{{v}}"/></w:ddList>')}<w:p><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    const { warnings } = await outcome(outer, {});
    expect(warnings.map(({ code }) => code)).toEqual(["tag_in_field"]);
  });
});
