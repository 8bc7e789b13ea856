import { describe, expect, test } from "vitest";
import { docx, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { edited, from, include, related, renderIncluding } from "../support/including.ts";
import { labelledLines } from "../support/labels.ts";
import { assertSound } from "../support/sound.ts";
import { assertWellFormed } from "../support/well-formed.ts";
import { wordFile } from "../support/word-file.ts";

const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math";
const W14 = "http://schemas.microsoft.com/office/word/2010/wordml";
const W15 = "http://schemas.microsoft.com/office/word/2012/wordml";
const MC = "http://schemas.openxmlformats.org/markup-compatibility/2006";

/** Returns a file whose main part has only the given declarations. */
function bare(body: string, declarations = ""): Uint8Array {
  return edited(docx({ body: "" }), {
    "word/document.xml": `<w:document xmlns:w="${MAIN}" ${declarations}><w:body>${body}</w:body></w:document>`,
  });
}

/** Returns the attributes of the root of a part. */
function rootOf(bytes: Uint8Array, part?: string): string {
  return /<w:\w+ ([^>]*)>/.exec(partOf(bytes, part))?.[1] ?? "";
}

const list = (attributes: string): string =>
  `<w:abstractNum w:abstractNumId="0"${attributes}><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
const item = `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${r("a")}</w:p>`;

describe("a prefix in included content", () => {
  test("is declared on a new numbering part that gets a list of Word 2013", async () => {
    const t = edited(
      wordFile({
        body: item,
        parts: { "numbering.xml": list(' w15:restartNumberingAfterBreak="0"') },
      }),
      {
        "word/numbering.xml": (xml) =>
          xml.replace('mc:Ignorable="w14"', `xmlns:w15="${W15}" mc:Ignorable="w14 w15"`),
      },
    );
    for (const host of [bare(include), wordFile({ body: include })]) {
      const { bytes } = await renderIncluding(host, t);
      assertSound(bytes);
      expect(rootOf(bytes, "word/numbering.xml")).toBe(
        `xmlns:w="${MAIN}" xmlns:w15="${W15}" xmlns:mc="${MC}" mc:Ignorable="w15"`,
      );
      expect(labelledLines(bytes)).toEqual(["1. a"]);
    }
  });

  test("is declared on the main part and remains ignorable", async () => {
    const t = bare(
      `<w:p><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></w:p><w:p w14:x="1">${r("a")}</w:p>`,
      `xmlns:m="${MATH}" xmlns:mc="${MC}" xmlns:w14="${W14}" xmlns:w15="${W15}" xmlns:x="urn:x" mc:Ignorable="w14 w15 x" mc:ProcessContent="x:a"`,
    );
    const { bytes } = await renderIncluding(bare(include), t);
    assertSound(bytes);
    // Unused declarations are not copied.
    expect(rootOf(bytes)).not.toContain("w15");
    expect(rootOf(bytes)).not.toContain("urn:x");
    expect(rootOf(bytes)).toContain(`xmlns:m="${MATH}"`);
    expect(rootOf(bytes)).toContain('mc:Ignorable="w14"');
  });

  test("is added to the ignorable prefixes of the including template", async () => {
    const declared = `xmlns:mc="${MC}" xmlns:w14="${W14}" xmlns:w15="${W15}"`;
    const t = bare(
      '<w:p w14:a="1" x:a="1"><x:b/></w:p>',
      `${declared} xmlns:x="urn:x" mc:Ignorable="w14 x" mc:ProcessContent="x:b x:c" mc:MustUnderstand="w14"`,
    );
    const host = bare(`<w:p w15:a="1"/>${include}`, `${declared} mc:Ignorable="w15"`);
    const { bytes } = await renderIncluding(host, t);
    assertSound(bytes);
    const root = rootOf(bytes);
    expect(root).toContain('mc:Ignorable="w15 w14 x"');
    expect(root).toContain('mc:ProcessContent="x:b x:c"');
    expect(root).toContain('mc:MustUnderstand="w14"');
  });

  test("is declared if only the choice of a drawing names it", async () => {
    const t = bare(
      '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:t>a</w:t></mc:Choice></mc:AlternateContent></w:r></w:p>',
      `xmlns:mc="${MC}" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`,
    );
    assertSound((await renderIncluding(bare(include), t)).bytes);
  });

  test("is declared on headers, also through nested includes", async () => {
    const u = bare(
      '<w:p w14:a="1"><m:oMath/></w:p>',
      `xmlns:m="${MATH}" xmlns:w14="${W14}" xmlns:mc="${MC}" mc:Ignorable="w14"`,
    );
    const t = bare(p('{{include "u"}}') + p("b"));
    const host = edited(wordFile({ body: p("x"), parts: { "header1.xml": "" } }), {
      "word/header1.xml": `<w:hdr xmlns:w="${MAIN}">${include}</w:hdr>`,
    });
    const template = await compileTemplate(host, from({ t, u }));
    const { bytes } = template.render({});
    assertSound(bytes);
    expect(rootOf(bytes, "word/header1.xml")).toContain('mc:Ignorable="w14"');
  });

  test("is declared on the styles part", async () => {
    const style =
      '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/><w:rPr><w14:ligatures w14:val="none"/></w:rPr></w:style>';
    const t = wordFile({ body: p("a", "S"), parts: { "styles.xml": style } });
    const host = edited(wordFile({ body: include, parts: { "styles.xml": "" } }), {
      "word/styles.xml": `<w:styles xmlns:w="${MAIN}"/>`,
    });
    for (const each of [host, wordFile({ body: include })]) {
      const { bytes } = await renderIncluding(each, t);
      assertSound(bytes);
      expect(partOf(bytes, "word/styles.xml")).toContain("w14:ligatures");
    }
  });

  test("keeps its meaning if the including template uses it for another namespace", async () => {
    const t = bare(
      '<w:p x:a="1"><x:b/></w:p><w:p/><w:p><x:c xmlns:x="urn:third"/></w:p>',
      `xmlns:mc="${MC}" xmlns:x="urn:inner" mc:Ignorable="x"`,
    );
    const host = bare(`<w:p x:a="0"/>${include}`, `xmlns:x="urn:outer" xmlns:mc="${MC}"`);
    const { bytes } = await renderIncluding(host, t);
    assertSound(bytes);
    const body = partOf(bytes);
    expect(body).toContain('<w:p x:a="1" xmlns:x="urn:inner" mc:Ignorable="x"><x:b/></w:p><w:p/>');
    expect(body).toContain('<x:c xmlns:x="urn:third"/>');
    expect(rootOf(bytes)).toContain('xmlns:x="urn:outer"');
    expect(rootOf(bytes)).not.toContain("mc:Ignorable");
  });

  test("keeps its meaning if an element around the tag uses it for another namespace", async () => {
    const inner = `xmlns:mc="${MC}" xmlns:x="urn:x" mc:Ignorable="x"`;
    const around = (uri: string, root = ""): Uint8Array =>
      bare(`<w:customXml xmlns:x="${uri}">${include}</w:customXml>`, root);
    for (const [host, expected] of [
      [around("urn:y"), '<w:p x:a="1" xmlns:x="urn:x" mc:Ignorable="x"/>'],
      [around("urn:x"), '<w:p x:a="1" mc:Ignorable="x"/>'],
      [around("urn:x", 'xmlns:x="urn:x"'), '<w:p x:a="1"/>'],
    ] as const) {
      const { bytes } = await renderIncluding(host, bare('<w:p x:a="1"/>', inner));
      assertSound(bytes);
      expect(partOf(bytes)).toContain(expected);
    }
  });

  test("can be empty: names without a prefix keep their namespace", async () => {
    const own = bare('<w:p><data xmlns=""/></w:p><w:p><b/></w:p>', 'xmlns="urn:inner"');
    const { bytes } = await renderIncluding(bare(`<w:p><c/></w:p>${include}`), own);
    assertWellFormed(bytes);
    expect(partOf(bytes)).toContain('<w:p xmlns="urn:inner"><b/></w:p>');
    expect(rootOf(bytes)).not.toContain('xmlns="');
    const other = bare(`<w:p><c/></w:p>${include}`, 'xmlns="urn:outer"');
    const without = await renderIncluding(other, bare("<w:p><d/></w:p>"));
    expect(partOf(without.bytes)).toContain('<w:p xmlns=""><d/></w:p>');
  });

  test("can be declared on the content itself and remains ignorable", async () => {
    const t = bare(
      `<w:p xmlns:x="urn:x" x:a="1">${r("a")}</w:p>`,
      `xmlns:mc="${MC}" xmlns:x="urn:x" mc:Ignorable="x"`,
    );
    const { bytes } = await renderIncluding(bare(include), t);
    assertSound(bytes);
    expect(partOf(bytes)).toContain('<w:p xmlns:x="urn:x" x:a="1" mc:Ignorable="x">');
  });
});

describe("a file in the strict form of the standard", () => {
  const strict = (bytes: Uint8Array): Uint8Array => {
    const rewritten = (xml: string): string =>
      xml.replace(
        /http:\/\/schemas\.openxmlformats\.org\/(officeDocument|wordprocessingml)\/2006\//g,
        "http://purl.oclc.org/ooxml/$1/",
      );
    return edited(bytes, {
      "_rels/.rels": rewritten,
      "word/document.xml": rewritten,
      "word/_rels/document.xml.rels": rewritten,
    });
  };
  const link = (): Uint8Array =>
    wordFile({
      body: `<w:p><w:hyperlink r:id="rIdX">${r("a")}</w:hyperlink></w:p>`,
      links: { rIdX: "https://example.com/" },
    });

  test("can include and be included, and the output uses one form", async () => {
    for (const [host, t, form] of [
      [
        wordFile({ body: include }),
        strict(link()),
        "schemas.openxmlformats.org/officeDocument/2006/",
      ],
      [strict(wordFile({ body: include })), link(), "purl.oclc.org/ooxml/officeDocument/"],
    ] as const) {
      const { bytes } = await renderIncluding(host, t);
      assertSound(bytes);
      expect(partOf(bytes).match(/xmlns:w=/g)).toHaveLength(1);
      expect(partOf(bytes, "word/_rels/document.xml.rels")).toContain(
        `Type="http://${form}relationships/hyperlink"`,
      );
    }
  });

  test("gets new styles and lists in strict form", async () => {
    const style = '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/></w:style>';
    const t = wordFile({
      body: item + p("b", "S"),
      parts: { "numbering.xml": list(""), "styles.xml": style },
    });
    const { bytes } = await renderIncluding(strict(wordFile({ body: include })), t);
    assertSound(bytes);
    for (const part of ["word/numbering.xml", "word/styles.xml"]) {
      expect(partOf(bytes, part)).not.toContain(MAIN);
      expect(rootOf(bytes, part)).toContain("http://purl.oclc.org/ooxml/wordprocessingml/main");
    }
  });
});

describe("a reference in included content", () => {
  test("is dangling if it was dangling in its file", async () => {
    const t = wordFile({
      body: `<w:p><w:hyperlink r:id="rIdHost">${r("a")}</w:hyperlink></w:p><w:p><w:r><w:pict><v:shape><v:imagedata r:id="rIdGone"/></v:shape></w:pict></w:r></w:p>`,
    });
    const missing = edited(t, {
      "word/_rels/document.xml.rels": related(
        `<Relationship Id="rIdGone" Type="${OFFICE}/image" Target="media/image1.png"/>`,
      ),
    });
    const host = wordFile({ body: include, links: { rIdHost: "https://example.com/" } });
    const { bytes } = await renderIncluding(host, missing);
    assertSound(bytes);
    expect(partOf(bytes)).toContain(`<w:hyperlink r:id="">`);
    expect(partOf(bytes)).toContain(`<v:imagedata r:id=""/>`);
  });

  test("has a new id also in a document that already has included content", async () => {
    const link = (address: string): Uint8Array =>
      wordFile({
        body: `<w:p><w:hyperlink r:id="rIdX">${r("a")}</w:hyperlink></w:p>`,
        links: { rIdX: address },
      });
    const both = include + p('{{include "u"}}');
    const files = from({ t: link("https://example.com/1"), u: link("https://example.com/2") });
    const once = (await compileTemplate(wordFile({ body: both }), files)).render({}).bytes;
    const again = edited(once, {
      "word/document.xml": (xml) => xml.replace("<w:body>", `<w:body>${both}`),
    });
    const other = from({ t: link("https://example.com/3"), u: link("https://example.com/4") });
    assertSound((await compileTemplate(again, other)).render({}).bytes);
  });

  test("can be a picture bullet", async () => {
    const picture = (id: number): string =>
      `<w:numPicBullet w:numPicBulletId="${id}"><w:pict><v:shape><v:imagedata r:id="rId1"/></v:shape></w:pict></w:numPicBullet>`;
    const bullets = (id: number): string =>
      picture(id) +
      `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/><w:lvlPicBulletId w:val="${id}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
    const file = (body: string, image: string): Uint8Array =>
      edited(wordFile({ body, parts: { "numbering.xml": bullets(0) } }), {
        "word/_rels/numbering.xml.rels": related(
          `<Relationship Id="rId1" Type="${OFFICE}/image" Target="${image}"/>`,
        ),
        [`word/${image}`]: "<svg/>",
      });
    const t = file(item, "inner.xml");
    for (const host of [file(item + include + include, "outer.xml"), wordFile({ body: include })]) {
      const { bytes } = await renderIncluding(host, t);
      assertSound(bytes);
      const numbering = partOf(bytes, "word/numbering.xml");
      const ids = [...numbering.matchAll(/numPicBulletId="(\d+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, id] of numbering.matchAll(/lvlPicBulletId w:val="(\d+)"/g)) {
        expect(ids).toContain(id);
      }
      expect(partOf(bytes, "word/_rels/numbering.xml.rels")).toContain("included1/word/inner.xml");
    }
  });

  test("does not use part names that the including template only lists", async () => {
    const t = wordFile({
      body: p("a", "S") + item,
      parts: {
        "numbering.xml": list(""),
        "styles.xml": '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/></w:style>',
      },
    });
    const host = edited(wordFile({ body: include }), {
      "word/styles.xml": "<x/>",
      "[Content_Types].xml": (xml) =>
        xml.replace(
          "</Types>",
          '<Override PartName="/word/numbering.xml" ContentType="a/b"/></Types>',
        ),
    });
    const { bytes } = await renderIncluding(host, t);
    assertSound(bytes);
    expect(partOf(bytes, "word/styles2.xml")).toContain('w:styleId="S"');
    expect(partOf(bytes, "word/numbering2.xml")).toContain("<w:num ");
  });

  test("has a content type if the including template has no default type for relationships", async () => {
    const chart = edited(wordFile({ body: `<w:p><w:r><w:object r:id="rIdC"/></w:r></w:p>` }), {
      "word/chart.xml": "<c/>",
      "word/_rels/document.xml.rels": related(
        `<Relationship Id="rIdC" Type="${OFFICE}/chart" Target="chart.xml"/>`,
      ),
      "word/_rels/chart.xml.rels": related(""),
    });
    const host = relationshipsByName(wordFile({ body: include }));
    assertWellFormed((await renderIncluding(host, chart)).bytes);
  });
});

describe("a template that declares the type of each relationships part by name", () => {
  test("does not change its content types if it needs no new type", async () => {
    const types = (bytes: Uint8Array): string => partOf(bytes, "[Content_Types].xml");
    for (const body of [p("plain"), p("{{v}}"), p('{{v :: link("there")}}')]) {
      const template = relationshipsByName(wordFile({ body }));
      const { bytes } = (await compileTemplate(template)).render({ v: "https://example.com" });
      expect(types(bytes)).toBe(types(template));
    }
  });

  test("gets a type for the first relationships of a part", async () => {
    const template = relationshipsByName(
      wordFile({ body: p("{{v}}"), parts: { "header1.xml": p('{{v :: link("there")}}') } }),
    );
    const { bytes } = (await compileTemplate(template)).render({ v: "https://example.com" });
    expect(partOf(bytes, "word/_rels/header1.xml.rels")).toContain("https://example.com");
    expect(partOf(bytes, "[Content_Types].xml")).toContain('<Default Extension="rels"');
    assertSound(bytes);
  });
});

/** Returns the file with a content type for each relationships part, but not for their extension. */
function relationshipsByName(file: Uint8Array): Uint8Array {
  const type = "application/vnd.openxmlformats-package.relationships+xml";
  const overrides = ["_rels/.rels", "word/_rels/document.xml.rels"].map(
    (name) => `<Override PartName="/${name}" ContentType="${type}"/>`,
  );
  return edited(file, {
    "[Content_Types].xml": (xml) =>
      xml
        .replace(/<Default Extension="rels"[^>]*>/, "")
        .replace("</Types>", `${overrides.join("")}</Types>`),
  });
}

test("marks and content controls of included content get unique ids", async () => {
  const marks = `<w:sdt><w:sdtPr><w:id w:val="5"/></w:sdtPr><w:sdtContent><w:p><w:ins w:id="1" w:author="A">${r("a")}</w:ins><w:del w:id="2" w:author="A"><w:r><w:delText>b</w:delText></w:r></w:del><w:bookmarkStart w:id="3" w:name="m"/><w:bookmarkEnd w:id="3"/></w:p></w:sdtContent></w:sdt>`;
  const host = wordFile({ body: marks + include + include });
  assertSound((await renderIncluding(host, wordFile({ body: marks }))).bytes);
  // Some files give several marks or drawings the same id.
  const twice = `<w:p><w:ins w:id="1" w:author="A">${r("a")}</w:ins><w:ins w:id="1" w:author="A">${r("b")}</w:ins>${'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="s"/></wp:inline></w:drawing></w:r>'.repeat(2)}</w:p>`;
  assertSound((await renderIncluding(host, wordFile({ body: twice }))).bytes);
});
