import fc from "fast-check";
import PizZip from "pizzip";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { isQuireError } from "../../contracts/src/errors.ts";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { openDocx } from "../src/docx.ts";
import { openPackage } from "../src/open.ts";
import { createWriter } from "../src/write.ts";
import { looksLikeXml } from "../src/xml/decode.ts";
import { checkDepth } from "../src/xml/depth.ts";
import { Edits } from "../src/xml/edits.ts";
import { unescapeXml } from "../src/xml/escape.ts";
import { scanXml } from "../src/xml/scan.ts";
import { canonicalXml, fullAllowance } from "../src/xml/xml.ts";
import { docx as document, p } from "./support/docx.ts";
import { png } from "./support/pictures.ts";
import { entriesOf, handmadeZip, NAMESPACES, testPackage } from "./support/zip.ts";

const DOCUMENT = "word/document.xml";
const TRANSITIONAL = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const STRICT = "http://purl.oclc.org/ooxml";

describe("an opened package", () => {
  test("returns its parts, their types, relationships and text", async () => {
    const docx = await openPackage(
      testPackage({
        parts: {
          "word/styles.xml": `<w:styles ${NAMESPACES}/>`,
          "word/header1.xml": `<w:hdr ${NAMESPACES}/>`,
          "word/media/image1.png": png(1, 1),
          "docProps/core.xml": "<core/>",
          "docProps/app.xml": "<app/>",
        },
        relationships: {
          "": [
            [
              "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
              "docProps/core.xml",
            ],
            [`${STRICT}/officeDocument/relationships/extendedProperties`, "docProps/app.xml"],
          ],
          [DOCUMENT]: [
            ["styles", "/word/styles.xml"],
            ["header", "./../word/header1.xml"],
            ["hyperlink", "https://example.org/", "External"],
            ["image", "Media/Image1.PNG"],
            ["image", "NULL"],
          ],
        },
        moreTypes: '<Default Extension="PNG" ContentType="image/png"/>',
      }),
    );
    expect(docx.mainPart).toBe(DOCUMENT);
    expect(docx.storyParts).toEqual([DOCUMENT, "word/header1.xml"]);
    expect(
      docx
        .relationshipsOf(DOCUMENT)
        .map(({ id, kind, target, part, external }) => [id, kind, target, part, external]),
    ).toEqual([
      ["rId1", "styles", "/word/styles.xml", "word/styles.xml", false],
      ["rId2", "header", "./../word/header1.xml", "word/header1.xml", false],
      ["rId3", "hyperlink", "https://example.org/", null, true],
      ["rId4", "image", "Media/Image1.PNG", "word/media/image1.png", false],
      ["rId5", "image", "NULL", null, false],
    ]);
    expect(docx.relationshipsOf("word/styles.xml")).toEqual([]);
    expect(docx.partByKind("styles")).toBe("word/styles.xml");
    expect(docx.partByKind("core-properties")).toBe("docProps/core.xml");
    expect(docx.partByKind("extended-properties")).toBe("docProps/app.xml");
    expect(docx.partByKind("numbering")).toBeNull();
    expect(docx.contentTypeOf("word/media/image1.png")).toBe("image/png");
    expect(docx.contentTypeOf("word/nothing")).toBeUndefined();
    expect([...docx.readBytes("word/media/image1.png")]).toEqual([...png(1, 1)]);
    expect(docx.has("WORD/STYLES.XML")).toBe(true);
    expect(docx.has("word/nothing")).toBe(false);
    expect(() => docx.readText("word/nothing")).toThrow("it has no word/nothing");
    expect(docx.parts).toHaveLength(9);
  });

  test("finds its main part by its relationship, also in strict form", async () => {
    const bytes = document({ body: p("x"), mainPart: "word/document22.xml" });
    expect((await openPackage(bytes)).mainPart).toBe("word/document22.xml");
    const strict = testPackage({
      parts: {
        "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${STRICT}/officeDocument/relationships/officeDocument" Target="/word/document.xml"/></Relationships>`,
      },
    });
    expect((await openPackage(strict)).mainPart).toBe(DOCUMENT);
  });

  test("may contain backslashes, folders and data after its end", async () => {
    const entries = entriesOf({}).map(({ name, content = "" }) => ({
      name: String(name).replaceAll("/", "\\"),
      content,
    }));
    const bytes = handmadeZip([{ name: "word/", method: 0 }, ...entries], { after: "\n" });
    const docx = await openPackage(bytes);
    expect(docx.mainPart).toBe(DOCUMENT);
    expect(docx.parts).not.toContain("word/");
  });

  test.each<[string, string, string]>([
    ["no main part", "", "does not name a main document"],
    ["a missing main part", "word/other.xml", "is not in it"],
    ["an external main part", "http://127.0.0.1/", "is not in it"],
  ])("with %s is rejected", async (_name, target, message) => {
    const main = `<Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/>`;
    const bytes = testPackage({
      parts: { "_rels/.rels": `<Relationships>${target === "" ? "" : main}</Relationships>` },
    });
    await expect(openPackage(bytes)).rejects.toThrow(message);
    expect(() => openDocx(bytes, { rendered: true })).toThrow(message);
  });

  test("with two main parts, two equal ids or two types of one part is rejected", async () => {
    const two = testPackage({
      relationships: { "": [["officeDocument", "word/other.xml"]] },
      parts: { "word/other.xml": "<a/>" },
    });
    await expect(openPackage(two)).rejects.toThrow("two main documents");
    const ids = testPackage({
      parts: {
        "word/_rels/document.xml.rels":
          '<Relationships><Relationship Id="a"/><Relationship Id="a"/></Relationships>',
      },
    });
    await expect(openPackage(ids)).rejects.toThrow("two relationships with the id a");
    const types = testPackage({
      moreTypes: '<Override PartName="/Word/document.xml" ContentType="text/html"/>',
    });
    await expect(openPackage(types)).rejects.toThrow("two content types");
  });

  test.each<[string, Buffer, string]>([
    ["UTF-8 with a byte order mark", Buffer.from("\ufeff<a>é</a>"), "<a>é</a>"],
    ["UTF-16", Buffer.from("\ufeff<a>é</a>", "utf16le"), "<a>é</a>"],
    ["big-endian UTF-16", Buffer.from("\ufeff<a>é</a>", "utf16le").swap16(), "<a>é</a>"],
    [
      "Latin 1",
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1"),
      '<?xml version="1.0"?><a>é</a>',
    ],
    [
      "Windows 1252",
      Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>\x80</a>', "latin1"),
      '<?xml version="1.0"?><a>€</a>',
    ],
    [
      "ASCII",
      Buffer.from("<?xml version='1.0' encoding='US-ASCII'?><a>e</a>"),
      "<?xml version='1.0' encoding='US-ASCII'?><a>e</a>",
    ],
  ])("can contain XML in %s", async (_name, content, text) => {
    const docx = await openPackage(testPackage({ parts: { "customXml/item1.xml": content } }));
    expect(docx.readText("customXml/item1.xml")).toBe(text);
  });

  test.each<[string, Buffer | string]>([
    ["invalid UTF-8", Buffer.from([0x3c, 0x61, 0x3e, 0xe9, 0x3c, 0x2f, 0x61, 0x3e])],
    ["an unknown encoding", '<?xml version="1.0" encoding="EBCDIC-CP-US"?><a/>'],
    ["two encodings", Buffer.from('\ufeff<?xml version="1.0" encoding="utf-8"?><a/>', "utf16le")],
    ["XML 1.1", '<?xml version="1.1"?><a/>'],
    ["no XML", "hello"],
    ["nothing", ""],
    ["two roots", "<a/><b/>"],
    ["text after its root", "<a/>~"],
    ["crossed tags", "<a><b></a></b>"],
    ["a missing end tag", "<a><b></b>"],
    ["an unclosed tag", "<a"],
    ["an attribute without quotes", "<a b=c/>"],
    ["attributes without space", '<a b="c"d="e"/>'],
    ["an unclosed comment", "<a><!-- </a>"],
    ["a control character", "<a>\x01</a>"],
    ["a noncharacter", "<a>\uffff</a>"],
    ["a noncharacter in an attribute", '<a b="\ufffe"/>'],
    ["a control character in a comment", "<a><!--\x0b--></a>"],
    ["a control character in a CDATA section", "<a><![CDATA[\0]]></a>"],
    ["a control character in a processing instruction", "<a><?b \x1f?></a>"],
    ["a reference to U+0000", "<a>&#0;</a>"],
    ["a reference to a noncharacter", "<a>&#xFFFE;</a>"],
    ["a reference to half a surrogate pair", '<a b="&#xD800;"/>'],
    ["a reference to an undeclared entity", "<a>&nbsp;</a>"],
    ["an ampersand", "<a>b & c</a>"],
    ["an ampersand in an attribute", '<a b="c&d"/>'],
    ["a tag in an attribute", '<a b="<c/>"/>'],
    ["the end of a CDATA section without one", "<a>]]></a>"],
    ["a CDATA section outside its root", "<a/><![CDATA[ ]]>"],
    ["a duplicate attribute", '<a b="1" c="2" b="3"/>'],
    [
      "a duplicate attribute with two prefixes",
      '<a xmlns:x="urn:x" xmlns:y="urn:x" x:b="1" y:b="2"/>',
    ],
    ["an undeclared prefix", "<a><b:c/></a>"],
    ["an undeclared prefix of an attribute", '<a b:c=""/>'],
    ["a prefix declared in another element", '<a><b xmlns:c="urn:c"/><c:d/></a>'],
    ["a prefix bound to an empty namespace", '<a xmlns:b=""/>'],
    ["a reserved prefix", '<a xmlns:xml="urn:x"/>'],
    ["a name that starts with a digit", "<a><1/></a>"],
    ["an invalid character in a name", "<a><b$/></a>"],
    ["an invalid character in an attribute name", '<a b×="1"/>'],
    ["a name with two prefixes", '<a xmlns:b="urn:b"><b:c:d/></a>'],
    ["a name with an empty prefix", "<a><:b/></a>"],
    ["two dashes in a comment", "<a><!-- b -- c --></a>"],
    ["three dashes at the end of a comment", "<a><!-- b ---></a>"],
    ["an XML declaration after its start", '\n<?xml version="1.0"?><a/>'],
    [
      "an XML declaration with attributes in the wrong order",
      '<?xml version="1.0" standalone="yes" encoding="UTF-8"?><a/>',
    ],
    [
      "an invalid XML declaration in UTF-16",
      Buffer.from('\ufeff<?xml version="1.0" x?><a/>', "utf16le"),
    ],
    ["a very long XML declaration", `<?xml version="1.0"${" ".repeat(2_000_000)}?><a/>`],
    ["a processing instruction without a name", "<a><? b?></a>"],
    ["a very long name", `<${"a".repeat(2_000_000)}/>`],
  ])("with %s in an XML part is rejected", async (_name, content) => {
    const bytes = testPackage({ parts: { "customXml/item1.xml": content } });
    const error: unknown = await openPackage(bytes).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "invalid_template" });
    expect(String(error)).toContain("customXml/item1.xml");
  });

  test("reports the place of an XML error", async () => {
    const content = '<?xml version="1.0"?>\r\n<a>\r\n  é😀<b c="\x02"/></a>';
    const bytes = testPackage({ parts: { "customXml/item1.xml": content } });
    await expect(openPackage(bytes)).rejects.toThrow(
      "The part customXml/item1.xml of the template cannot be read: its XML is broken (it has the character U+0002, which XML forbids, at line 3, column 11).",
    );
  });

  test("respects custom limits", async () => {
    const bytes = testPackage({ body: "<w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(10) });
    await openPackage(bytes, { parts: 3, depth: 5, elements: 50 });
    for (const limits of [
      { parts: 2 },
      { totalBytes: 800 },
      { partBytes: 400 },
      { textBytes: 300 },
      { listBytes: 500 },
      { elements: 20 },
    ]) {
      await expect(openPackage(bytes, limits)).rejects.toMatchObject({ code: "limit_exceeded" });
    }
    await expect(openPackage(bytes, { depth: 4 })).rejects.toThrow("deeper than 4 levels");
  });
});

describe("the scan of XML", () => {
  const name = fc.constantFrom("w:p", "w:tbl", "a", "ns0:x", "é");
  const value = fc.constantFrom("", "x", ">", "/>", "&lt;", "&#x41;", "'", "é€😀", "<!--".slice(1));
  const attribute = fc
    .record({ key: fc.constantFrom("k", "w:k", "é"), value, space: fc.constantFrom("", " ", "\n") })
    .map(({ key, value: text, space }) => ` ${key}${space}=${space}"${text}"`);
  const leaf = fc.constantFrom(
    "",
    "text",
    "a > b",
    "<!-- <x> -->",
    "<?pi <x> ?>",
    "<![CDATA[<x>]]>",
    "é&amp;",
  );
  const { element } = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .record({
        name,
        attribute: fc.option(attribute, { nil: "" }),
        space: fc.constantFrom("", " ", "\r\n"),
        inner: fc.array(fc.oneof({ maxDepth: 4 }, leaf, tie("element")), { maxLength: 4 }),
      })
      .map((each) =>
        each.inner.length === 0
          ? `<${each.name}${each.attribute}${each.space}/>`
          : `<${each.name}${each.attribute}${each.space}>${each.inner.join("")}</${each.name}${each.space}>`,
      ),
  }));

  test("reports the same as a parser for any XML", () => {
    fc.assert(
      fc.property(
        element,
        fc.constantFrom("", "<?xml version='1.0'?>", "<!-- x -->\n"),
        (xml, start) => {
          const expected: string[] = [];
          const whole = Buffer.from(
            `${start}<root xmlns:w="urn:w" xmlns:ns0="urn:x">${xml}</root>`,
          );
          const parser = new SaxesParser();
          parser.on("opentag", (tag) => {
            expected.push(tag.name, ...Object.entries(tag.attributes).flat());
          });
          parser.on("closetag", () => expected.push("/"));
          parser.write(whole.toString()).close();
          const seen: string[] = [];
          scanXml("part", whole, {
            open(tag) {
              const latin = (text: string): string => Buffer.from(text, "latin1").toString();
              seen.push(latin(tag.name));
              for (const each of tag.attributes()) seen.push(latin(each.name), each.value);
              if (tag.empty) seen.push("/");
            },
            close: () => seen.push("/"),
          });
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: manyRuns(100, 1_000) },
    );
  });

  test("rejects exactly what a parser rejects", () => {
    const piece = fc.constantFrom(
      ...[
        "<",
        ">",
        "</",
        "/>",
        "<a>",
        "</a>",
        "<b/>",
        "<n:a>",
        "</n:a>",
        "<n:b ",
        "<m:b ",
        "é",
        "×",
        "-",
        ":",
      ],
      ...[
        '"',
        "'",
        "=",
        " ",
        "a",
        'a="1" ',
        'n:a="2" ',
        "o:a='3' ",
        'xmlns:n="urn:n" ',
        'xmlns:n="" ',
        'xmlns="" ',
      ],
      ...[
        "<!--",
        "-->",
        "--",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<?x ",
        "<?xml ",
        "\n",
        "\0",
        "\x7f",
        "\ufffe",
        "\uffef",
      ],
      ...["&", "&amp;", "&#x41;", "&#0;", "&#xFFFF;", "&lt", "&x;", "😀", "1"],
    );
    const around = fc.constantFrom(
      ["", ""],
      ["<a>", "</a>"],
      ['<a xmlns:n="urn:n" xmlns:o="urn:n">', "</a>"],
      ['<a xmlns:n="urn:n" xmlns:o="urn:n" ', "/>"],
      ['<?xml version="1.0"?><a>', "</a> <!-- -->"],
    );
    const isRead = (xml: string): boolean => {
      const parser = new SaxesParser({ xmlns: true });
      let isFine = true;
      parser.on("error", () => {
        isFine = false;
      });
      parser.write(xml).close();
      return isFine;
    };
    const seen = { read: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), around, (pieces, [before, after]) => {
        const xml = before + pieces.join("") + after;
        let isScanned = true;
        try {
          scanXml("part", Buffer.from(xml), {});
        } catch {
          isScanned = false;
        }
        expect([xml, isScanned]).toEqual([xml, isRead(xml)]);
        seen[isScanned ? "read" : "refused"] += 1;
      }),
      { numRuns: manyRuns(2_000, 100_000) },
    );
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(100);
  });

  test("ends with a result or a QuireError for any input", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "=",
      '"',
      "'",
      " ",
      "!",
      "--",
      "[CDATA[",
      "]]>",
      "?",
      "&",
      "xmlns",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          scanXml("part", Buffer.from(pieces.join("")), {});
        } catch (error) {
          expect(isQuireError(error)).toBe(true);
        }
      }),
      { numRuns: manyRuns(200, 4_000) },
    );
  });
});

describe("escaped text", () => {
  test.each<[string, string]>([
    ["a &lt;b&gt; &amp;amp; &quot;&apos;", "a <b> &amp; \"'"],
    ["&#65;&#x41;&#x00041;&#0000000000065;", "AAAA"],
    ["é&#233;€&#x20ac;😀&#x1F600;", "éé€€😀😀"],
    ["&unknown; &AMP; &; &#; &#x; &#x110000; &#1114112; &#6a; &#X41; &amp &", ""],
    ["&&amp;&#99999999999999999999;&lt", "&&&#99999999999999999999;&lt"],
  ])("%s", (written, text) => {
    expect(unescapeXml(written)).toBe(text === "" ? written : text);
  });

  test("is the original text after unescaping", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const written = Array.from(text, (character, index) => {
          const code = character.codePointAt(0) ?? 0;
          if (index % 3 === 0) return `&#${code};`;
          if (index % 3 === 1) return `&#x${code.toString(16)};`;
          return character === "&" ? "&amp;" : character;
        });
        expect(unescapeXml(written.join(""))).toBe(text);
      }),
    );
  });
});

describe("edits", () => {
  test("have the same result in any order", () => {
    const edit = fc.record({
      at: fc.nat(40),
      length: fc.nat(6),
      text: fc.constantFrom("", "é", "xyz"),
    });
    fc.assert(
      fc.property(fc.uniqueArray(edit, { selector: ({ at }) => at, maxLength: 20 }), (list) => {
        const source = Buffer.from("0123456789".repeat(5));
        const made = (order: typeof list): string => {
          const edits = new Edits();
          for (const { at, length, text } of order) {
            if (text === "") edits.remove(at, at + length);
            else edits.replace(at, at + length, text);
          }
          return edits.applyTo(source).toString();
        };
        let expected = "";
        let done = 0;
        for (const { at, length, text } of list.toSorted((a, b) => a.at - b.at)) {
          if (at < done) continue;
          expected += source.toString("latin1", done, at) + text;
          done = at + length;
        }
        expected += source.toString("latin1", done);
        expect(made(list)).toBe(expected);
        expect(made(list.toSorted((a, b) => a.at - b.at))).toBe(expected);
      }),
    );
  });

  test("inside other edits are dropped", () => {
    const edits = new Edits();
    edits.remove(2, 3);
    edits.replace(1, 5, "-");
    edits.remove(1, 2);
    edits.replace(7, 7, "+");
    edits.replace(7, 7, "*");
    expect(edits.applyTo(Buffer.from("0123456789")).toString()).toBe("0-56+*789");
  });
});

describe("bytes that a parser could take for XML", () => {
  const texts = ["<a/>", " \r\n\t<a/>", "\ufeff<a/>", "\ufeff \n<a/>"];
  const wide = (text: string, big: boolean): Buffer =>
    Buffer.concat(
      Array.from(text, (character) => {
        const bytes = Buffer.alloc(4);
        const code = character.codePointAt(0) ?? 0;
        if (big) bytes.writeUInt32BE(code);
        else bytes.writeUInt32LE(code);
        return bytes;
      }),
    );

  test.each(texts)("are %j in any encoding", (text) => {
    expect(looksLikeXml(Buffer.from(text))).toBe(true);
    expect(looksLikeXml(Buffer.from(text, "utf16le"))).toBe(true);
    expect(looksLikeXml(Buffer.from(text, "utf16le").swap16())).toBe(true);
    expect(looksLikeXml(wide(text, true))).toBe(true);
    expect(looksLikeXml(wide(text, false))).toBe(true);
  });

  test("exclude bytes that start with many zeros, and bytes that are not XML", () => {
    expect(looksLikeXml(Buffer.concat([Buffer.alloc(100), Buffer.from("<a/>")]))).toBe(false);
    expect(looksLikeXml(Buffer.from("PNG<a/>"))).toBe(false);
    expect(looksLikeXml(Buffer.alloc(0))).toBe(false);
  });
});

describe("the depth of a rendered part", () => {
  const nested = (open: string, close: string, levels: number): string =>
    `<?xml version="1.0"?>\n${open.repeat(levels)}<w:tblPr/><w:tbl/>${close.repeat(levels)}`;

  test("is limited to 128 levels and 32 tables", () => {
    checkDepth("p", nested("<w:p>", "</w:p>", 127));
    checkDepth("p", nested("<w:tbl><w:tr>", "</w:tr></w:tbl>", 31));
    checkDepth("p", `<w:body>${"<w:tbl><w:tblPr/></w:tbl><w:p/>".repeat(1_000)}</w:body>`);
    expect(() => checkDepth("p", nested("<w:p>", "</w:p>", 128))).toThrow(
      /part p has elements nested deeper than 128 levels/,
    );
    expect(() => checkDepth("p", nested('<w:tbl a="b">', "</w:tbl>", 32))).toThrow(
      /tables nested deeper than 32 levels/,
    );
  });
});

describe("canonical XML", () => {
  const inner = (xml: string): string => canonicalXml("p", xml).replace(/^<\?xml[^>]*\?>\n/, "");

  test.each<[string, string]>([
    [
      `<ns0:document xmlns:ns0="${TRANSITIONAL}"><ns0:p ns0:a="b"/></ns0:document>`,
      `<w:document xmlns:w="${TRANSITIONAL}"><w:p w:a="b"/></w:document>`,
    ],
    [
      `<document xmlns="${STRICT}/wordprocessingml/main" a="b"/>`,
      `<w:document xmlns:w="${STRICT}/wordprocessingml/main" a="b"/>`,
    ],
    [
      `<w:document xmlns:w="${TRANSITIONAL}" xmlns="${TRANSITIONAL}"><p/></w:document>`,
      `<w:document xmlns:w="${TRANSITIONAL}"><w:p/></w:document>`,
    ],
    [
      `<w:p xmlns:w="${TRANSITIONAL}"><x:y xmlns:x="urn:x"/><z xmlns="urn:z" xml:space="preserve"/></w:p>`,
      `<w:p xmlns:w="${TRANSITIONAL}"><x:y xmlns:x="urn:x"/><z xmlns="urn:z" xml:space="preserve"/></w:p>`,
    ],
    [
      `<w:p xmlns:w="${TRANSITIONAL}" xmlns:ve="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:n="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:q="urn:q" ve:Ignorable="n q"><ve:Choice Requires="n"/></w:p>`,
      `<w:p xmlns:w="${TRANSITIONAL}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:q="urn:q" mc:Ignorable="w14 q"><mc:Choice Requires="w14"/></w:p>`,
    ],
    [
      `<a:b xmlns:a="${TRANSITIONAL}"><a:b xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/><a:b/></a:b>`,
      `<w:b xmlns:w="${TRANSITIONAL}"><a:b xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/><w:b/></w:b>`,
    ],
    // Early versions of Office bound the prefixes of extensions to other namespaces.
    [
      `<w:p xmlns:w="${TRANSITIONAL}" xmlns:w14="http://schemas.microsoft.com/office/word/2007/5/30/wordml" w14:a="b"/>`,
      `<w:p xmlns:w="${TRANSITIONAL}" xmlns:w14="http://schemas.microsoft.com/office/word/2007/5/30/wordml" w14:a="b"/>`,
    ],
    [
      `<w:p xmlns:w="${TRANSITIONAL}"><w:moveFrom><w:r><w:t>a</w:t></w:r></w:moveFrom><w:t>b</w:t></w:p>`,
      `<w:p xmlns:w="${TRANSITIONAL}"><w:moveFrom><w:r><w:movedText>a</w:movedText></w:r></w:moveFrom><w:t>b</w:t></w:p>`,
    ],
  ])("uses the prefixes of Word: %s", (xml, expected) => {
    expect(inner(xml)).toBe(expected);
    const parser = new SaxesParser({ xmlns: true });
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(expected).close();
  });

  test.each<[string, string]>([
    ['<w:p xmlns:w="urn:other"/>', "binds the prefix 'w' to a different namespace"],
    [`<w:p xmlns:w="${TRANSITIONAL}"><v:shape xmlns:v="urn:other"/></w:p>`, "binds the prefix 'v'"],
    [
      `<w:p xmlns:w="${TRANSITIONAL}"><x:p xmlns:x="${STRICT}/wordprocessingml/main"/></w:p>`,
      "binds the prefix 'w'",
    ],
    ['<document xmlns="urn:other"/>', "its root element is document, which Word does not write"],
    ["<w:p/>", "its prefix 'w' is not bound to a namespace"],
    [`<w:p xmlns:w="${TRANSITIONAL}" x:a="b"/>`, "its prefix 'x' is not bound to a namespace"],
    [
      `<w:p xmlns:w="${TRANSITIONAL}" xmlns:x="${TRANSITIONAL}" w:a="b" x:a="c"/>`,
      "the attribute w:a twice",
    ],
  ])("is rejected: %s", (xml, message) => {
    expect(() => canonicalXml("p", xml)).toThrow(message);
  });
});

describe("a part with tags", () => {
  const root = (inner: string): string => `<w:p xmlns:w="${TRANSITIONAL}">${inner}</w:p>`;
  const spent = (xml: string): number => {
    const allowance = fullAllowance(1_000);
    canonicalXml("p", xml, allowance);
    return allowance.most - allowance.nodes;
  };

  test("uses its allowance for everything for which a parser creates objects", () => {
    expect(spent(root(""))).toBe(1);
    expect(spent(root("<w:r/><w:r/>"))).toBe(3);
    expect(spent(root('<w:r a="" b="" c="" d=""/>'))).toBe(3);
    expect(spent(root("{{x}} &amp; > x"))).toBe(1 + 2 + 1 + 1);
    expect(spent(root("\r\n\r\n\r\n\r\n"))).toBe(2);
    for (const inner of ["&amp;".repeat(1_000), ">".repeat(1_000), "\r".repeat(4_000)]) {
      expect(() => spent(root(inner))).toThrow("1000 elements, braces and escaped characters");
    }
  });

  test("has normalized line ends", () => {
    expect(canonicalXml("p", root("a\r\nb\rc\r\r\n&#13;")).slice(-20)).toContain(
      "a\nb\nc\n\n&#13;<",
    );
  });

  test("ends after its root element", () => {
    expect(canonicalXml("p", `${root("")}\n \n`)).toMatch(/\/>$/);
  });

  test.each(["<!--", "<?x ", "<![CDATA["])(
    "is limited to a million characters after %s",
    (start) => {
      const end = { "<!--": "-->", "<?x ": "?>", "<![CDATA[": "]]>" }[start] ?? "";
      const long = `${start}${"a".repeat(500_001)}${end}`;
      canonicalXml("p", root(long));
      expect(() => canonicalXml("p", root(long + long))).toThrow("more than 1000000 characters");
    },
  );
});

describe("a written package", () => {
  const source = testPackage({
    parts: { "word/media/image1.png": Buffer.alloc(3_000, "x"), "word/styles.xml": "<a/>" },
  });

  test("contains replaced parts and new parts", async () => {
    const writer = createWriter(await openPackage(source));
    const picture = Buffer.alloc(5_000, "pixels");
    const parts = new Map<string, string | Uint8Array>([
      ["word/z.xml", "<z/>"],
      ["word/styles.xml", "<é/>"],
      ["word/media/image2.png", picture],
      ["word/ä.xml", "<ä/>"],
    ]);
    const bytes = writer.write(parts);
    const zip = new PizZip(bytes);
    expect(Object.keys(zip.files)).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      DOCUMENT,
      "word/media/image1.png",
      "word/styles.xml",
      "word/media/image2.png",
      "word/z.xml",
      "word/ä.xml",
    ]);
    expect(zip.file("word/styles.xml")?.asText()).toBe("<é/>");
    expect(zip.file("word/ä.xml")?.asText()).toBe("<ä/>");
    expect(zip.file("word/media/image1.png")?.asNodeBuffer()).toEqual(Buffer.alloc(3_000, "x"));
    // Pictures are already compressed, so they are stored.
    expect(Buffer.from(bytes).includes(picture)).toBe(true);
    expect(zip.file(DOCUMENT)?.date.getFullYear()).toBe(1980);
    expect(writer.write(new Map([...parts].toReversed()))).toEqual(bytes);
    openDocx(bytes, { rendered: true });
    expect((await openPackage(bytes)).warnings).toEqual([]);
  });

  test("starts with its content types, even if the source does not", async () => {
    const [types, ...others] = entriesOf({});
    if (types === undefined) throw new Error("The test package has no entries.");
    const docx = await openPackage(handmadeZip([...others, types]));
    const written = await openPackage(createWriter(docx).write(new Map()));
    expect(written.parts).toEqual(["[Content_Types].xml", "_rels/.rels", DOCUMENT]);
  });
});
