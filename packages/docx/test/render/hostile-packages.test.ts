import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isQuireError, type QuireError } from "../../../contracts/src/errors.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { openDocx } from "../../../ooxml/src/docx.ts";
import { openPackage } from "../../../ooxml/src/open.ts";
import { createWriter } from "../../../ooxml/src/write.ts";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import {
  entriesOf,
  type HandmadeEntry,
  handmadeZip,
  NAMESPACES,
  testPackage,
} from "../../../ooxml/test/support/zip.ts";
import { compileTemplate } from "../../src/compile-template.ts";

async function refusal(bytes: Uint8Array): Promise<QuireError> {
  const result: unknown = await openPackage(bytes).catch((error: unknown) => error);
  if (!isQuireError(result)) throw new Error("The package was accepted.", { cause: result });
  expect(result.message).toMatch(/\.$/);
  return result;
}

const GOOD = entriesOf({});

const UTF8_NAME = 0x800;

function withEntry(...more: HandmadeEntry[]): Uint8Array {
  return handmadeZip([...GOOD, ...more]);
}

/** Returns the package with its document entry changed. */
function withDocument(entry: Partial<HandmadeEntry>): Uint8Array {
  return handmadeZip(
    GOOD.map((each) => (each.name === "word/document.xml" ? { ...each, ...entry } : each)),
  );
}

describe("a zip bomb is rejected", () => {
  const zeros = deflateRawSync(Buffer.alloc(99_000_000));

  test.each<[string, HandmadeEntry, string, string]>([
    [
      "that declares its large size",
      { name: "word/media/a.bin", raw: deflateRawSync(Buffer.alloc(1_000_000)), size: 0xffff_fff0 },
      "limit_exceeded",
      "at most 100000000 are allowed",
    ],
    [
      "with a compression ratio above 1000",
      { name: "word/media/a.bin", raw: zeros, size: 99_000_000 },
      "invalid_template",
      "more than 1000 times",
    ],
    [
      "that declares a small size",
      { name: "word/media/a.bin", raw: zeros, size: 500_000 },
      "invalid_template",
      "is damaged",
    ],
    [
      "that declares a size of zero",
      { name: "word/media/a.bin", raw: zeros, size: 0 },
      "invalid_template",
      "is damaged",
    ],
    [
      "that is smaller than declared",
      { name: "word/media/a.bin", content: "abc", size: 900_000 },
      "invalid_template",
      "is damaged",
    ],
    [
      "that declares more than any compression can reach",
      { name: "word/media/a.bin", content: "abc", size: 99_000_000 },
      "invalid_template",
      "more than 1000 times",
    ],
    [
      "that is stored and has a different size than declared",
      { name: "word/media/a.bin", method: 0, content: "abc", size: 900 },
      "invalid_template",
      "damaged",
    ],
  ])("%s", async (_name, entry, code, message) => {
    const error = await refusal(withEntry(entry));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test("whose parts are too large only in total", async () => {
    const noise = Buffer.alloc(90_000_000, "0123456789abcdefghij");
    for (let at = 0; at < noise.length; at += 500) noise.writeUInt16LE(at % 60_000, at);
    const raw = deflateRawSync(noise, { level: 1 });
    const error = await refusal(
      withEntry(...["a", "b", "c"].map((name) => ({ name, raw, size: noise.length, crc32: 0 }))),
    );
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("at most 200000000 are allowed");
  });

  test("with overlapping entries", async () => {
    const error = await refusal(
      handmadeZip([
        ...GOOD,
        { name: "a", content: "x" },
        { name: "a", content: "x", sharedWith: GOOD.length },
      ]),
    );
    expect(error.message).toMatch(/overlaps|two parts/);
    const other = await refusal(
      handmadeZip([
        ...GOOD,
        { name: "a", content: "x".repeat(1000) },
        { name: "b", content: "x".repeat(1000), local: { compressedSize: 1 }, compressedSize: 400 },
      ]),
    );
    expect(other.code).toBe("invalid_template");
  });

  test("with entries that overlap the next entry or the directory", async () => {
    const stored = { method: 0, content: "x".repeat(10) };
    const long = { size: 60, compressedSize: 60 };
    const into = await refusal(
      handmadeZip([...GOOD, { name: "a", ...stored, ...long }, { name: "b", ...stored }]),
    );
    expect(into.message).toContain("overlaps");
    const directory = await refusal(handmadeZip([...GOOD, { name: "a", ...stored, ...long }]));
    expect(directory.message).toContain("overlap the directory");
  });

  test("with 100,000 entries, for any declared number of entries", async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({ name: `a${index}`, method: 0 }));
    expect((await refusal(handmadeZip([...GOOD, ...many]))).message).toContain(
      "more than 2000 parts",
    );
    const some = [...GOOD, ...many.slice(0, 3_000)];
    const lying = await refusal(handmadeZip(some, { count: GOOD.length }));
    expect(lying.message).toContain("more parts than it declares");
    const short = await refusal(handmadeZip(GOOD, { count: GOOD.length + 1 }));
    expect(short.message).toContain("truncated or damaged");
  });
});

/** Returns the Info-ZIP extra field that sets another name for an entry. */
function unicodePath(name: string, other: string): Buffer {
  const path = Buffer.from(other);
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + path.length, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(crc32(Buffer.from(name)), 5);
  return Buffer.concat([field, path]);
}

describe("a zip that can be read in two ways is rejected", () => {
  const document = GOOD.find(({ name }) => name === "word/document.xml")?.content ?? "";

  test.each<[string, Uint8Array, string]>([
    [
      "two parts with the same name",
      withEntry({ name: "word/document.xml", content: document }),
      "two parts",
    ],
    ["names that differ in case", withEntry({ name: "Word/Document.xml" }), "two parts"],
    ["a percent-encoded duplicate", withEntry({ name: "word/d%6Fcument.xml" }), "percent-encoded"],
    [
      "a duplicate with a space",
      withEntry({ name: "a b.xml" }, { name: "a%20b.xml" }),
      "two parts",
    ],
    ["a duplicate with a backslash", withEntry({ name: "word\\document.xml" }), "two parts"],
    [
      "a different name in the local header",
      withDocument({ local: { name: "word/documenT.xml" } }),
      "contradicts itself",
    ],
    [
      "a different size in the local header",
      withDocument({ local: { size: 3 } }),
      "contradicts itself",
    ],
    [
      "a different checksum in the local header",
      withDocument({ local: { crc32: 3 } }),
      "contradicts itself",
    ],
    [
      "a different method in the local header",
      withDocument({ local: { method: 0 } }),
      "contradicts itself",
    ],
    ["a wrong checksum", withDocument({ crc32: 7 }), "is damaged"],
    ["encryption", withDocument({ flags: 1 }), "encrypted"],
    [
      "an unsupported compression method",
      withDocument({ method: 14 }),
      "method that Word does not use",
    ],
    ["a part split into pieces", withEntry({ name: "word/header1.xml/[0].piece" }), "piece"],
  ])("%s", async (_name, bytes, message) => {
    const error = await refusal(bytes);
    expect(error.code).toBe("invalid_template");
    expect(error.message).toContain(message);
  });

  test.each([
    "../evil.xml",
    "word/../../evil.xml",
    "word\\..\\..\\evil.xml",
    "/etc/passwd",
    "C:/evil.xml",
    "c:evil.xml",
    "word/./a.xml",
    "word//a.xml",
    "a\0.xml",
    "a\nb.xml",
    "word/%5Frels/document.xml.rels",
    "word/_rels/document.xml%2Erels",
    "word/_rels/document.xml%2erels",
    "word/_rels/documen%74.xml.rels",
    "word%2F_rels/document.xml.rels",
    "word%5C_rels/document.xml.rels",
    "%77ord/a.xml",
    "%2e%2e/x",
    "a%0A.xml",
    "a%7E.xml",
    "a%2D.xml",
    "a%39.xml",
    "media/a.png?b",
    "media/a.png#b",
    "word/document.xml ",
    "word/document.xml\u00a0",
    "word/document.xml%20",
    "word /a.xml",
    " word/a.xml",
  ])("the name %j", async (name) => {
    const error = await refusal(withEntry({ name, flags: UTF8_NAME }));
    expect(error.code).toBe("invalid_template");
    expect(error.message).toMatch(/path|control character|percent-encoded|number sign|white space/);
  });

  test.each(["word/document.xml\u00a0", "word/\u2003a.xml"])(
    "the name %j, also without the UTF-8 flag",
    async (name) => {
      const error = await refusal(withEntry({ name: Buffer.from(name), flags: 0 }));
      expect(error.message).toContain("white space");
    },
  );

  test("but a name without this flag is read as UTF-8", async () => {
    const docx = await openPackage(withEntry({ name: Buffer.from("media/é.bin"), content: "a" }));
    expect(docx.parts).toContain("media/é.bin");
  });

  test("a name that is not UTF-8, with and without the flag", async () => {
    for (const flags of [0, UTF8_NAME]) {
      const error = await refusal(
        withEntry({ name: Buffer.from("media/\xe9.png", "latin1"), flags }),
      );
      expect(error.message).toContain("not UTF-8");
    }
  });

  test.each([
    "a b.xml",
    "a%20b.xml",
    "ä.xml",
    "%C3%A4.xml",
    "100%.xml",
    "a%23b.xml",
    "[1].xml",
    "a%5B1%5D.xml",
  ])("but not the name %j", async (name) => {
    const docx = await openPackage(
      withEntry({ name: Buffer.from(`media/${name}`), content: "<a/>", flags: UTF8_NAME }),
    );
    expect(docx.parts).toContain(`media/${name}`);
  });
});

describe("entities and document type declarations are rejected", () => {
  const evil = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const body = `<w:document ${NAMESPACES}><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>`;
  const utf16 = (text: string, swap = false): Buffer => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return swap ? bytes.swap16() : bytes;
  };
  const laughs = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(10)}"><!ENTITY c "${"&b;".repeat(10)}">]>`;
  const utf7 = '<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE d+AD4-<d/>';

  test.each<[string, string | Buffer]>([
    ["an external entity", evil + body],
    ["a billion laughs", laughs + body],
    ["a parameter entity", `<!DOCTYPE d [<!ENTITY % x SYSTEM "http://127.0.0.1/"> %x;]>${body}`],
    ["an empty declaration", `<!DOCTYPE d>${body}`],
    ["a declaration after a long comment", `<!--${" x".repeat(50_000)}-->${evil}${body}`],
    ["a declaration after a processing instruction", `<?x ${"y".repeat(9_999)}?>\n${evil}${body}`],
    ["a declaration in lower case", `<!doctype d>${body}`],
    ["a declaration in UTF-16", utf16(`<?xml version="1.0" encoding="UTF-16"?>${evil}${body}`)],
    ["a declaration in big-endian UTF-16", utf16(evil + body, true)],
    ["a declaration in UTF-16 without a byte order mark", utf16(evil + body).subarray(2)],
    ["a declaration in UTF-7", utf7],
    [
      "an encoding declared after many spaces",
      `<?xml version="1.0" ${" ".repeat(5_000)}encoding="utf-7"?>${body}`,
    ],
    ["a declaration before another prefix", evil + body.replaceAll("w:", "x:")],
    ["a declaration within the root", body.replace("<w:p>", "<!DOCTYPE d><w:p>")],
  ])("%s", async (_name, content) => {
    const error = await refusal(testPackage({ parts: { "word/document.xml": content } }));
    expect(error.code).toBe("invalid_template");
    // The content is also rejected in an unreferenced part and in a part with the wrong type.
    const inPart = await refusal(testPackage({ parts: { "customXml/item1.xml": content } }));
    expect(inPart.code).toBe("invalid_template");
    if (content !== utf7)
      await refusal(testPackage({ parts: { "word/media/image1.png": content } }));
  });

  test("in a relationships part and in the content types", async () => {
    const relationships = `${evil}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>`;
    for (const part of ["_rels/.rels", "word/_rels/document.xml.rels", "[Content_Types].xml"]) {
      const error = await refusal(testPackage({ parts: { [part]: relationships } }));
      expect(error.message).toContain("document type declaration");
    }
  });
});

describe("a part that Word would not open is rejected", () => {
  const KINDS = {
    "word/header1.xml": ["header", "w:hdr"],
    "word/footnotes.xml": ["footnotes", "w:footnotes"],
    "word/styles.xml": ["styles", "w:styles"],
    "word/numbering.xml": ["numbering", "w:numbering"],
    "word/settings.xml": ["settings", "w:settings"],
    "word/charts/chart1.xml": ["chart", "w:any"],
    "customXml/item1.xml": ["customXml", "w:any"],
    "docProps/app.xml": ["extended-properties", "w:any"],
    "word/other.bin": ["unknown", "w:any"],
  } as const;
  const whole = (root: string, inner: string): string =>
    `<${root} ${NAMESPACES}>${inner}</${root}>`;
  const PARTS: readonly (readonly [string, (inner: string) => string])[] = [
    ["word/document.xml", (inner) => whole("w:document", `<w:body><w:p/>${inner}</w:body>`)],
    ["[Content_Types].xml", (inner) => whole("Types", inner)],
    ["_rels/.rels", (inner) => whole("Relationships", inner)],
    ["word/_rels/document.xml.rels", (inner) => whole("Relationships", inner)],
    ...Object.entries(KINDS).map(([part, [, root]]) => {
      return [part, (inner: string) => whole(root, inner)] as const;
    }),
  ];
  const WRONG = {
    "a control character": "\x01",
    "a reference to U+0000": "&#0;",
    "a duplicate attribute": '<a b="1" b="2"/>',
    "an undeclared prefix": "<none:a/>",
    "tags that do not match": "<a></b>",
  };
  const file = (part: string, content: string): Uint8Array =>
    testPackage({
      parts: { [part]: content },
      relationships: {
        "word/document.xml": Object.entries(KINDS).flatMap(([name, [kind]]) =>
          name === part ? [[kind, `/${part}`] as const] : [],
        ),
      },
    });

  test.each(PARTS)("%s", async (part, xml) => {
    for (const [what, wrong] of Object.entries(WRONG)) {
      for (const tag of ["", "{{name}}"]) {
        const inner = `<w:p><w:r><w:t>${tag}</w:t></w:r></w:p>${wrong}`;
        const made = compileTemplate(file(part, xml(inner)));
        const error: unknown = await made.catch((reason: unknown) => reason);
        expect([what, error]).toEqual([
          what,
          expect.objectContaining({ code: "invalid_template" }),
        ]);
        expect(String(error)).toContain(`The part ${part} of the template cannot be read`);
        expect(String(error)).toMatch(/ at line \d+, column \d+\)/);
      }
    }
  });

  test("also at conversion", () => {
    const xml = whole("w:document", '<w:body><w:p/><a b="1" b="2"/></w:body>');
    expect(() => openDocx(file("word/document.xml", xml))).toThrow("has the attribute b twice");
  });
});

describe("a text part with another root element is rejected", () => {
  const html = '<html xmlns="http://www.w3.org/1999/xhtml"><img src="http://127.0.0.1/"/></html>';
  const strict = "http://purl.oclc.org/ooxml/wordprocessingml/main";

  test("as the main document", async () => {
    for (const xml of [
      html,
      '<w:document xmlns:w="urn:other"/>',
      `<w:body ${NAMESPACES}/>`,
      `<w:hdr ${NAMESPACES}/>`,
      "<document/>",
    ]) {
      const error = await refusal(testPackage({ parts: { "word/document.xml": xml } }));
      expect(error.code).toBe("invalid_template");
      expect(error.message).toMatch(
        /its root element is (?:html|w:document|w:body|w:hdr|document),/,
      );
    }
    await openPackage(
      testPackage({ parts: { "word/document.xml": `<document xmlns="${strict}"/>` } }),
    );
  });

  test.each(["header", "footer", "footnotes", "endnotes", "comments"])("as %s", async (kind) => {
    const relationships = { "word/document.xml": [[kind, "x.xml"] as const] };
    for (const xml of [html, `<w:document ${NAMESPACES}/>`]) {
      const error = await refusal(testPackage({ parts: { "word/x.xml": xml }, relationships }));
      expect(error.message).toContain("its root element is");
    }
    const root = { header: "hdr", footer: "ftr" }[kind] ?? kind;
    const xml = `<w:${root} ${NAMESPACES}/>`;
    await openPackage(testPackage({ parts: { "word/x.xml": xml }, relationships }));
  });
});

describe("deep nesting", () => {
  const nested = (open: string, close: string, levels: number): Uint8Array =>
    testPackage({ body: open.repeat(levels) + close.repeat(levels) });

  test.each([1, 2, 8, 31, 32, 33, 100, 1_000, 10_000, 100_000])("of %i tables", async (levels) => {
    const bytes = nested("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", levels);
    if (levels <= 32) await openPackage(bytes);
    else expect((await refusal(bytes)).message).toContain("nested deeper than");
  });

  test.each([1, 100, 126, 127, 1_000, 100_000])("of %i other elements", async (levels) => {
    const bytes = nested("<w:sdt>", "</w:sdt>", levels);
    if (levels <= 126) await openPackage(bytes);
    else expect((await refusal(bytes)).message).toContain("deeper than 128 levels");
  });

  test("of tables with another prefix or in another part", async () => {
    const tables = "<x:tbl>".repeat(40) + "</x:tbl>".repeat(40);
    const xml = `<x:document xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${tables}</x:document>`;
    for (const part of ["word/document.xml", "word/header9.xml", "word/glossary/document.xml"]) {
      expect((await refusal(testPackage({ parts: { [part]: xml } }))).message).toContain("tables");
    }
  });

  test("of fields", async () => {
    const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
    const error = await refusal(testPackage({ body: begin.repeat(1_001) }));
    expect(error.message).toContain("too many fields");
  });
});

describe("too much of anything is rejected", () => {
  test("the total number of elements of all parts", async () => {
    const xml = `<a>${Array.from({ length: 600_000 }, (_, index) => `<b c="${index % 99}"/>`).join("")}</a>`;
    const error = await refusal(testPackage({ parts: { "a.xml": xml, "b.xml": xml } }));
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("1000000 elements");
  });

  test("attributes of an element", async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `a${index}=""`).join(" ");
    expect((await refusal(testPackage({ body: `<w:p ${many}/>` }))).message).toContain(
      "attributes",
    );
  });

  test("the total number of attributes and their escaped characters", async () => {
    const wide = `<b ${Array.from({ length: 900 }, (_, index) => `a${index}=""`).join(" ")}/>`;
    const escaped = `<b a="${"&#38;".repeat(4_000)}"/>`;
    for (const element of [wide, escaped]) {
      const count = 40_000_000 / element.length;
      const xml = `<a>${Array.from({ length: count }, () => element).join("")}</a>`;
      const raw = deflateRawSync(xml, { level: 1 });
      const error = await refusal(
        withEntry({ name: "a.xml", raw, size: xml.length, crc32: crc32(xml) }),
      );
      expect(error.code).toBe("limit_exceeded");
      expect(error.message).toContain("1000000 elements");
    }
  });

  test("the length of an attribute", async () => {
    const long = Array.from({ length: 600_000 }, (_, index) => `x${index}`).join("");
    for (const value of [long, long.replaceAll("x", "&amp;")]) {
      const error = await refusal(testPackage({ parts: { "a.xml": `<a b="${value}"/>` } }));
      expect(error.message).toContain("an attribute of more than 4000000 bytes");
    }
    // A drawing stored in an attribute is accepted.
    const drawing = "UEsDBBQABgAI&#xA;".repeat(50_000);
    await openPackage(
      testPackage({ parts: { "a.xml": `<v:shape xmlns:v="urn:x" gfxdata="${drawing}"/>` } }),
    );
  });

  test("relationships", async () => {
    const list = Array.from({ length: 70_001 }, () => ["hyperlink", "a", "External"] as const);
    const error = await refusal(testPackage({ relationships: { "word/document.xml": list } }));
    expect(error.code).toBe("limit_exceeded");
  });

  test("the total number of relationships, including relationships of missing parts", async () => {
    const list = Array.from({ length: 10_000 }, () => ["image", "a", "External"] as const);
    const relationships = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`word/h${index}.xml`, list]),
    );
    const error = await refusal(testPackage({ relationships }));
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("70000 relationships");
  });

  test("the length of a target", async () => {
    const target = "/a".repeat(16_385);
    const error = await refusal(
      testPackage({ relationships: { "word/document.xml": [["header", target]] } }),
    );
    expect(error.message).toContain("a target of more than 32768 characters");
  });

  test("bytes of content types and relationships", async () => {
    const moreTypes = Array.from(
      { length: 60_000 },
      (_, index) => `<Default Extension="${"x".repeat(230)}${index}" ContentType="a/b"/>`,
    ).join("");
    const error = await refusal(testPackage({ moreTypes }));
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("at most 16000000 are allowed");
  });

  test("bytes in another encoding", async () => {
    const text = Buffer.alloc(33_000_000, "Lorem ipsum dolor sit amet. ");
    const start = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>');
    const part = Buffer.concat([start, text, Buffer.from("</a>")]);
    const error = await refusal(testPackage({ parts: { "a.xml": part } }));
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("which is not UTF-8");
  });

  test("text of the document", async () => {
    const text = Buffer.alloc(20_000_000, "Lorem ipsum dolor sit amet. ");
    for (let at = 0; at < text.length; at += 400) text[at] = 97 + (at % 23);
    const part = Buffer.concat([
      Buffer.from(`<w:document ${NAMESPACES}>`),
      text,
      Buffer.from("</w:document>"),
    ]);
    const error = await refusal(testPackage({ parts: { "word/document.xml": part } }));
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("its text has");
    const styles = Buffer.concat([Buffer.from("<a>"), text, Buffer.from("</a>")]);
    const other = await refusal(
      testPackage({
        parts: { "word/styles.xml": styles },
        relationships: { "word/document.xml": [["styles", "styles.xml"]] },
      }),
    );
    expect(other.message).toContain("its text has");
  });
});

describe("another format with the name of a Word document is rejected", () => {
  const odt = [
    { name: "mimetype", method: 0, content: "application/vnd.oasis.opendocument.text" },
    { name: "content.xml", content: "<office:document-content xmlns:office='x'/>" },
  ];
  const good = docx({ body: p("x") });
  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "it is empty"],
    ["HTML", Buffer.from("<!DOCTYPE html><html><img src='http://127.0.0.1/'></html>"), "not a zip"],
    ["RTF", Buffer.from("{\\rtf1 x}"), "an RTF file"],
    ["a flat ODF", Buffer.from("<?xml version='1.0'?><office:document/>"), "not a zip"],
    ["plain text", Buffer.from("Dear Sir"), "not a zip"],
    ["a PDF", Buffer.from("%PDF-1.7\n"), "a PDF"],
    ["an old .doc", Buffer.from("d0cf11e0a1b11ae1", "hex"), "old .doc file"],
    ["an .odt", handmadeZip(odt), "[Content_Types].xml"],
    ["a zip of other files", handmadeZip([{ name: "a.txt", content: "x" }]), "[Content_Types].xml"],
    [
      "a spreadsheet",
      testPackage({
        mainType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
      }),
      "has the content type",
    ],
    ["an empty zip", handmadeZip([]), "not a zip"],
    ["a truncated file", good.subarray(0, good.length - 30), "truncated"],
    ["half a file", good.subarray(0, good.length >> 1), "truncated"],
  ])("%s", async (_name, bytes, message) => {
    const error = await refusal(bytes);
    expect(error.code).toBe("invalid_template");
    expect(error.message).toContain(message);
    expect(() => openDocx(bytes, { rendered: true })).toThrow(message);
  });
});

describe("a damaged file", () => {
  const good = docx({ body: p("Hello {{name}}"), stories: { "header1.xml": p("x") } });

  test("is opened or rejected with a message if any byte is changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const bytes = Uint8Array.from(good);
          bytes[at] = (bytes[at] ?? 0) ^ change;
          const result: unknown = await openPackage(bytes).catch((error: unknown) => error);
          if (result instanceof Error) expect(isQuireError(result)).toBe(true);
        },
      ),
      { numRuns: manyRuns(60, 2_000) },
    );
  });

  test("is rejected when truncated at any place", async () => {
    for (let length = 0; length < good.length; length += 7) {
      expect((await refusal(good.subarray(0, length))).code).toBe("invalid_template");
    }
  });
});

test("the name of an entry comes from its header, not from an extra field", async () => {
  const extra = unicodePath("word/a.xml", "word/b.xml");
  const docx = await openPackage(withEntry({ name: "word/a.xml", content: "<a/>", extra }));
  expect(docx.parts).toContain("word/a.xml");
  const written = Buffer.from(createWriter(docx).write(new Map())).toString("latin1");
  expect(written).not.toContain("word/b.xml");
});
