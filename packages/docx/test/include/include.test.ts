import { isQuireError } from "@quire/contracts";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import {
  docx,
  linesOf,
  p,
  partOf,
  r,
  type TestDocument,
  table,
} from "../../../ooxml/test/support/docx.ts";
import { type CompileOptions, compileTemplate } from "../../src/index.ts";
import { labelledLines } from "../support/labels.ts";
import { assertSound } from "../support/sound.ts";
import { wordFile } from "../support/word-file.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Returns options that read included templates from these files, by name. */
function from(files: Readonly<Record<string, TestDocument | Uint8Array>>): CompileOptions {
  return {
    readTemplate: async (name) => {
      const file = files[name];
      if (file === undefined) throw new Error("The file does not exist.");
      return file instanceof Uint8Array ? file : docx(file);
    },
  };
}

async function problems(body: string, options: CompileOptions): Promise<string[]> {
  const error: unknown = await compileTemplate(docx({ body }), options).catch((e: unknown) => e);
  if (!isQuireError(error)) throw error;
  return error.diagnostics.map(({ code }) => code);
}

/** Adds parts and relationships of the main part to a test document. */
function withParts(
  bytes: Uint8Array,
  parts: Readonly<Record<string, string | Uint8Array>>,
  relationships: string,
): Uint8Array {
  const zip = new PizZip(bytes);
  for (const [name, content] of Object.entries(parts)) zip.file(name, content);
  const rels = zip.file("word/_rels/document.xml.rels")?.asText() ?? "";
  zip.file(
    "word/_rels/document.xml.rels",
    rels.replace("</Relationships>", `${relationships}</Relationships>`),
  );
  return zip.generate({ type: "uint8array" });
}

describe("an included template", () => {
  test("replaces the paragraph of its tag and sees the data of that place", async () => {
    const body =
      p("Before") +
      p("{{for c in customers}}") +
      p('{{include "terms.docx"}}') +
      p("{{endfor}}") +
      p("After");
    const template = await compileTemplate(
      docx({ body }),
      from({
        "terms.docx": {
          body:
            p("Dear {{c.name}}, {{city}}") +
            table([p("{{tablerow i in c.items}}{{i}}{{endtablerow}}")]) +
            p("End"),
        },
      }),
    );
    const { bytes, warnings } = template.render({
      city: "Rome",
      customers: [
        { name: "Ann", items: [1, 2] },
        { name: "Bob", items: [] },
      ],
    });
    expect(linesOf(bytes)).toEqual([
      "Before",
      "Dear Ann, Rome",
      "1",
      "2",
      "End",
      "Dear Bob, Rome",
      "End",
      "After",
    ]);
    expect(warnings).toEqual([]);
  });

  test("can include other templates, but not itself", async () => {
    const options = from({
      a: { body: p('{{include "b"}}') + p("a") },
      b: { body: p("b {{x}}") },
      loop: { body: p('{{include "loop"}}') },
    });
    const template = await compileTemplate(docx({ body: p('{{include "a"}}') }), options);
    expect(linesOf(template.render({ x: 1 }).bytes)).toEqual(["b 1", "a"]);
    expect(await problems(p('{{include "loop"}}'), options)).toEqual(["include_too_deep"]);
  });

  test("is rejected if there are more than 1000 includes", async () => {
    const body = p('{{include "ok"}}').repeat(1001);
    await expect(
      compileTemplate(docx({ body }), from({ ok: { body: p("x") } })),
    ).rejects.toMatchObject({ code: "limit_exceeded", message: expect.stringContaining("1000") });
  });

  test("is rejected if it cannot be read, is not a template, or is next to other text", async () => {
    const options = from({ bad: Buffer.from("no"), ok: { body: p("x") } });
    expect(
      await problems(
        p('{{include "gone"}}') + p('{{include "bad"}}') + p('a {{include "ok"}}'),
        options,
      ),
    ).toEqual(["include_failed", "include_failed", "include_not_alone"]);
    expect(await problems(p('{{include "ok"}}'), {})).toEqual(["include_failed"]);
  });

  test("that cannot be read has a hint about the ending of its name, unless the name is an id", async () => {
    const error: unknown = await compileTemplate(
      docx({ body: ["rent", "gone.docx", "123"].map((n) => p(`{{include "${n}"}}`)).join("") }),
      from({}),
    ).catch((e: unknown) => e);
    if (!isQuireError(error)) throw error;
    expect(error.diagnostics.map(({ hint }) => hint)).toEqual([
      'If the name lacks its ending, write "rent.docx".',
      undefined,
      undefined,
    ]);
  });

  test("reports its problems with its name", async () => {
    const error: unknown = await compileTemplate(
      docx({ body: p('{{include "t.docx"}}') }),
      from({ "t.docx": { body: p("ok") + p("{{for i in}}") } }),
    ).catch((e: unknown) => e);
    if (!isQuireError(error)) throw error;
    expect(error.diagnostics[0]?.template).toMatchObject({
      part: "t.docx:word/document.xml",
      paragraph: 2,
    });
  });

  test("adds its pictures, links and styles, and restarts its lists", async () => {
    const picture = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const included = withParts(
      docx({
        body:
          `<w:p><w:pPr><w:pStyle w:val="Special"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr>${r("{{n}}")}</w:p>` +
          `<w:p><w:hyperlink r:id="rId9">${r("link")}</w:hyperlink><w:bookmarkStart w:id="0" w:name="m"/><w:bookmarkEnd w:id="0"/></w:p>` +
          `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="rId8"/></v:shape></w:pict></w:r></w:p>`,
      }),
      {
        "word/media/image1.png": picture,
        "word/styles.xml": `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/></w:style><w:style w:type="paragraph" w:styleId="Special"><w:name w:val="Special"/><w:basedOn w:val="Base"/></w:style></w:styles>`,
        "word/numbering.xml": `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:nsid w:val="1"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
      },
      `<Relationship Id="rId8" Type="${OFFICE}/image" Target="media/image1.png"/><Relationship Id="rId9" Type="${OFFICE}/hyperlink" Target="https://example.com/" TargetMode="External"/><Relationship Id="rId5" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId6" Type="${OFFICE}/numbering" Target="numbering.xml"/>`,
    );
    const zipTypes = new PizZip(included);
    zipTypes.file(
      "[Content_Types].xml",
      (zipTypes.file("[Content_Types].xml")?.asText() ?? "").replace(
        "</Types>",
        '<Default Extension="png" ContentType="image/png"/></Types>',
      ),
    );
    const bytes = zipTypes.generate({ type: "uint8array" });
    const host = withParts(
      docx({ body: p('{{include "t"}}') + p('{{include "t"}}') }),
      {
        "word/styles.xml": `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/></w:style></w:styles>`,
      },
      `<Relationship Id="rId5" Type="${OFFICE}/styles" Target="styles.xml"/>`,
    );
    const template = await compileTemplate(host, from({ t: bytes }));
    const { bytes: out } = template.render({ n: 1 });
    const zip = new PizZip(out);
    expect(Object.keys(zip.files).filter((name) => name.includes("image1.png"))).toHaveLength(1);
    expect(partOf(out, "word/styles.xml").match(/w:styleId="Special"/g)).toHaveLength(1);
    const numbering = partOf(out, "word/numbering.xml");
    // Each inclusion has a separate list.
    expect(numbering.match(/<w:num /g)).toHaveLength(2);
    expect(partOf(out, "[Content_Types].xml")).toContain('PartName="/word/numbering.xml"');
    const rels = partOf(out, "word/_rels/document.xml.rels");
    expect(rels).toContain('Target="https://example.com/" TargetMode="External"');
    const body = partOf(out);
    for (const [, id] of body.matchAll(/ r:id="([^"]*)"/g)) expect(rels).toContain(`Id="${id}"`);
    const names = [...body.matchAll(/<w:bookmarkStart [^>]*w:name="([^"]*)"/g)].map(
      ([, name]) => name,
    );
    expect(new Set(names).size).toBe(2);
    const again = await compileTemplate(out);
    expect(linesOf(again.render({}).bytes)).toEqual(linesOf(out));
  });
});

describe("the lists of an included template", () => {
  const level = (index: number, text: string, more = ""): string =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering =
    `<w:abstractNum w:abstractNumId="0">${level(0, "%1.")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="L"/>${level(0, "(%1)")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="L"/></w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="3">${level(0, "%1)", '<w:pStyle w:val="Step"/>')}</w:abstractNum>` +
    [0, 1, 2, 3, 0]
      .map(
        (definition, index) =>
          `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${definition}"/></w:num>`,
      )
      .join("");
  const styles =
    '<w:style w:type="paragraph" w:styleId="Step"><w:name w:val="Step"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>';
  const item = (text: string, numId: number): string =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>${r(text)}</w:p>`;
  const file = (body: string): Uint8Array =>
    wordFile({ body, parts: { "numbering.xml": numbering, "styles.xml": styles } });
  const labels = async (
    body: string,
    files: Readonly<Record<string, string>>,
  ): Promise<string[]> => {
    const sources = Object.entries(files).map(([name, content]) => [name, file(content)] as const);
    const template = await compileTemplate(file(body), from(Object.fromEntries(sources)));
    return labelledLines(template.render({}).bytes);
  };
  const include = p('{{include "t"}}');

  test("restart in each inclusion and do not affect lists of the including template", async () => {
    expect(
      await labels(item("x", 1) + include + item("y", 1) + include, {
        t: item("a", 1) + item("b", 1),
      }),
    ).toEqual(["1. x", "1. a", "2. b", "2. y", "1. a", "2. b"]);
  });

  test("count together if they share a definition", async () => {
    expect(await labels(include, { t: item("a", 1) + item("b", 5) })).toEqual(["1. a", "2. b"]);
  });

  test("keep the numbers of their list style", async () => {
    expect(await labels(include, { t: item("a", 3) + item("b", 3) })).toEqual(["(1) a", "(2) b"]);
  });

  test("restart in each inclusion also if a style numbers them", async () => {
    expect(await labels(include + include, { t: p("a", "Step") })).toEqual(["1) a", "1) a"]);
  });

  test("keep their numbers when templates include each other", async () => {
    const files = { t: item("a", 1) + p('{{include "u"}}') + item("b", 1), u: item("c", 3) };
    expect(await labels(include, files)).toEqual(["1. a", "(1) c", "2. b"]);
  });
});

describe("content added by an included template", () => {
  const bookmarked = (name: string, text: string, id = 1): string =>
    `<w:p><w:bookmarkStart w:id="${id}" w:name="${name}"/>${r(text)}<w:bookmarkEnd w:id="${id}"/></w:p>`;
  const link = (name: string): string =>
    `<w:p><w:hyperlink w:anchor="${name}">${r("go")}</w:hyperlink></w:p>`;
  const reference = (...pieces: string[]): string =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${pieces.map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`).join("")}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  const simple = (name: string): string => `<w:p><w:fldSimple w:instr=" REF ${name} "/></w:p>`;
  const include = p('{{include "t"}}');

  test("has bookmarks with unique names, and links and references to these names", async () => {
    const own = bookmarked("B", "x") + link("B") + reference(" REF ", "B \\h ") + simple("B");
    const template = await compileTemplate(
      docx({ body: bookmarked("b", "host") + link("b") + include + include + p("{{x}}") }),
      from({ t: { body: own } }),
    );
    const xml = partOf(template.render({ x: 1 }).bytes);
    const names = [...xml.matchAll(/w:(?:name|anchor)="([^"]*)"|>? REF (\w+)/g)].map(
      ([, name, field]) => name ?? field,
    );
    expect(names).toEqual(["b", "b", "B_2", "B_2", "B_2", "B_2", "B_3", "B_3", "B_3", "B_3"]);
  });

  test("has bookmark names that loops of the including template do not repeat", async () => {
    const template = await compileTemplate(
      docx({ body: p("{{for i in l}}") + bookmarked("b", "{{i}}") + p("{{endfor}}") + include }),
      from({ t: { body: bookmarked("b", "x") } }),
    );
    const xml = partOf(template.render({ l: [1, 2, 3] }).bytes);
    const names = [...xml.matchAll(/w:name="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(4);
  });

  test("causes a warning if something was removed", async () => {
    const field =
      '<w:p><w:fldSimple w:instr=" INCLUDETEXT c:\\x.docx "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>';
    const template = await compileTemplate(
      docx({ body: include + p("{{x}}") }),
      from({ t: { body: field } }),
    );
    expect(template.warnings).toMatchObject([
      { code: "removed_field", message: expect.stringContaining('the included template "t"') },
    ]);
  });

  test("has styles and lists, also if the including template has none or only empty parts", async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="Fancy"><w:name w:val="Fancy"/></w:style>';
    const lists =
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
    const body = `<w:p><w:pPr><w:pStyle w:val="Fancy"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${r("a")}</w:p>`;
    const included = wordFile({ body, parts: { "numbering.xml": lists, "styles.xml": styles } });
    for (const parts of [{}, { "numbering.xml": "", "styles.xml": "" }]) {
      const template = await compileTemplate(
        wordFile({ body: include + p("{{x}}"), parts }),
        from({ t: included }),
      );
      const { bytes } = template.render({ x: 1 });
      expect(labelledLines(bytes)).toEqual(["1. a", "1"]);
      expect(partOf(bytes, "word/styles.xml")).toContain('w:styleId="Fancy"');
      assertSound(bytes);
    }
  });
});
