/** Tests that every PDF option has its effect in the PDF. */
import { crc32, deflateSync } from "node:zlib";
import type { PdfOptions } from "@quire/contracts";
import { compileTemplate } from "@quire/core";
import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { libreOffice } from "../src/index.ts";
import { encryptionOf } from "../src/pdf/encryption.ts";
import { docx, pageBreak, paragraph, picture } from "./docx.ts";
import { closing, rejection, sharedOffice, slowTest, testFolder, until } from "./laboratory.ts";
import { catalogEntry, images, look, plainText } from "./pdf-look.ts";

const shared = sharedOffice({ lanes: 1 });
const other = sharedOffice({ lanes: 1, lazy: true });

function heading(text: string): string {
  return `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A document of four pages, each with a heading. The first page has a picture of noise. */
const REPORT = docx({
  body:
    `${heading("Alpha")}${picture("photo")}${paragraph("one")}${pageBreak()}` +
    `${heading("Beta")}${paragraph("two")}${pageBreak()}` +
    `${heading("Gamma")}${paragraph("three")}${pageBreak()}${paragraph("four")}`,
  relationships: [{ id: "photo", type: "image", target: "media/photo.png" }],
  parts: { "word/media/photo.png": noise(600) },
});

const made = new Map<string, Promise<Uint8Array>>();

/** Converts the report with these options. Cached, because several tests use the same PDF. */
function pdf(options: PdfOptions): Promise<Uint8Array> {
  const key = JSON.stringify(options);
  const bytes =
    made.get(key) ?? shared.convert(REPORT, { pdf: options }).then((converted) => converted.bytes);
  made.set(key, bytes);
  return bytes;
}

for (const [level, part] of [
  ["1b", 1],
  ["2b", 2],
  ["3b", 3],
] as const) {
  slowTest(`PDF/A-${level} is declared in the XMP and has an output intent`, async () => {
    const bytes = await pdf({ pdfA: level });
    const text = await plainText(bytes);
    expect(/<pdfaid:part>(.*?)</.exec(text)?.[1]).toBe(String(part));
    expect(/<pdfaid:conformance>(.*?)</.exec(text)?.[1]).toBe("B");
    expect(await catalogEntry(bytes, "OutputIntents")).not.toBe("");
  });
}

slowTest("a PDF is neither PDF/A nor tagged by default", async () => {
  const bytes = await pdf({});
  expect((await plainText(bytes)).includes("pdfaid")).toBe(false);
  expect(await catalogEntry(bytes, "StructTreeRoot")).toBe("");
  expect((await look(bytes)).outline).toEqual([]);
});

slowTest("tagged and accessible PDFs contain the structure", async () => {
  const tagged = await pdf({ tagged: true });
  expect(await catalogEntry(tagged, "MarkInfo")).toMatch(/Marked true/);
  expect(await catalogEntry(tagged, "StructTreeRoot")).not.toBe("");
  const accessible = await pdf({ pdfUA: true });
  expect(await catalogEntry(accessible, "StructTreeRoot")).not.toBe("");
  expect((await plainText(accessible)).includes("<pdfuaid:part>1</pdfuaid:part>")).toBe(true);
});

slowTest("bookmarks are the headings of the document", async () => {
  expect((await look(await pdf({ bookmarks: true }))).outline).toEqual(["Alpha", "Beta", "Gamma"]);
});

slowTest("only the requested pages are included, counted and with their text", async () => {
  const converted = await shared.convert(REPORT, { pdf: { pages: " 2-3 , 4" } });
  expect(converted.pages).toBe(3);
  const { text } = await look(converted.bytes);
  expect(text.map((page) => page.replace(/\s+/g, " ").trim())).toEqual([
    "Beta two",
    "Gamma three",
    "four",
  ]);
});

slowTest("a page without text may be the only requested page", async () => {
  const document = docx({
    body: `${paragraph("text")}${pageBreak()}${picture("photo")}`,
    relationships: [{ id: "photo", type: "image", target: "media/photo.png" }],
    parts: { "word/media/photo.png": noise(20) },
  });
  expect((await shared.convert(document, { pdf: { pages: "2" } })).pages).toBe(1);
});

slowTest("pictures have the requested resolution and quality", async () => {
  const [usual] = await images(await pdf({}));
  const [coarse] = await images(await pdf({ imageQuality: 20 }));
  const [exact] = await images(await pdf({ losslessImages: true, imageQuality: 20 }));
  const [small] = await images(await pdf({ imageDpi: 75 }));
  if (!usual || !coarse || !exact || !small) throw new Error("A picture is missing.");
  expect([usual.filter, exact.filter]).toEqual(["/DCTDecode", "/FlateDecode"]);
  expect(coarse.bytes).toBeLessThan(usual.bytes / 2);
  expect(exact.bytes).toBeGreaterThan(usual.bytes);
  expect([usual.width, exact.width]).toEqual([328, 328]); // 300 dpi
  expect(small.width).toBeLessThan(150); // about 1.1 inches wide
});

slowTest("a PDF with an open password cannot be read without it", async () => {
  const bytes = await pdf({ openPassword: "sesame Ä" });
  await expect(PDFDocument.load(bytes)).rejects.toThrow(/encrypted/);
  await expect(look(bytes)).rejects.toThrow(/password/i);
  expect((await look(bytes, "sesame Ä")).text.join(" ")).toContain("Alpha");
});

slowTest("weak encryption causes a warning, and a missing encryption is detected", async () => {
  for (const password of ["openPassword", "permissionPassword"]) {
    const { bytes, warnings } = await shared.convert(REPORT, { pdf: { [password]: "sesame" } });
    const weak = encryptionOf(Buffer.from(bytes)) === "weak"; // as with LibreOffice 7
    expect(warnings.map(({ code }) => code).includes("weak_encryption")).toBe(weak);
  }
  expect(encryptionOf(Buffer.from(await pdf({ metadata: { title: "/Standard" } })))).toBe("none");
});

slowTest("a permission password sets the permissions for readers", async () => {
  const [PRINT, MODIFY, COPY] = [0x04, 0x08, 0x10];
  const strict = await look(await pdf({ permissionPassword: "owner" }));
  expect(strict.permissions).not.toBeNull();
  for (const flag of [PRINT, MODIFY, COPY]) expect(strict.permissions).not.toContain(flag);
  const permissions = {
    printing: "high",
    changes: "all",
    copying: true,
    accessibility: true,
  } as const;
  const open = await look(await pdf({ permissionPassword: "owner", permissions }));
  for (const flag of [PRINT, MODIFY, COPY]) expect(open.permissions).toContain(flag);
  expect(open.text.join(" ")).toContain("Alpha");
});

slowTest("a watermark is on every page", async () => {
  const { text } = await look(await pdf({ watermark: "DRAFT ä & <b>" }));
  expect(text).toHaveLength(4);
  const plain = (await look(await pdf({}))).text;
  for (const [index, page] of text.entries()) {
    expect(page.length).toBeGreaterThan((plain[index] ?? "").length);
  }
});

slowTest("the initial view is set", async () => {
  const metadata = { title: "A report" };
  const bytes = await pdf({
    metadata,
    bookmarks: true,
    initialView: { page: 3, zoom: 150, layout: "facing", panel: "bookmarks", showTitle: true },
  });
  const { pageMode, pageLayout } = await look(bytes);
  expect([pageMode, pageLayout]).toEqual(["UseOutlines", "TwoColumnRight"]);
  expect(await catalogEntry(bytes, "OpenAction")).toMatch(/XYZ .*1\.5/);
  expect(await catalogEntry(bytes, "ViewerPreferences")).toContain("/DisplayDocTitle true");
  expect(await catalogEntry(await pdf({ metadata }), "ViewerPreferences")).toBe("");
  expect(await catalogEntry(await pdf({ metadata, pdfUA: true }), "ViewerPreferences")).toContain(
    "/DisplayDocTitle true",
  );
  const full = await pdf({ initialView: { fullScreen: true, zoom: "page", layout: "single" } });
  expect((await look(full)).pageMode).toBe("FullScreen");
  expect(await catalogEntry(full, "OpenAction")).toMatch(/\/Fit\b/);
  const wide = await pdf({
    initialView: { zoom: "width", panel: "thumbnails", layout: "continuous" },
  });
  expect(await catalogEntry(wide, "OpenAction")).toMatch(/\/FitH\b/);
  expect((await look(wide)).pageMode).toBe("UseThumbs");
});

slowTest(
  "metadata keeps all characters except control characters, which become spaces",
  async () => {
    const metadata = {
      title: "+A\tB\nC\r\0D 😀 + ä 中 \\ ( ) <b> & 'quoted'",
      author: "Ünal, Ö.",
      subject: "",
      keywords: "one, two three,four",
      date: "2024-02-29T23:59:58.123+02:00",
    };
    const { info } = await look(await pdf({ metadata }));
    expect(info).toMatchObject({
      Title: "+A B C  D 😀 + ä 中 \\ ( ) <b> & 'quoted'",
      Author: "Ünal, Ö.",
      Keywords: "one, two three,four",
      CreationDate: expect.stringMatching(/^D:20240229215958Z/),
    });
    expect(info.Subject ?? "").toBe("");
  },
);

slowTest("metadata defaults to the docx, and dates are fixed", async () => {
  const core = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>From the docx</dc:title><dc:creator>Its author</dc:creator><dcterms:modified xsi:type="dcterms:W3CDTF">2021-03-04T05:06:07Z</dcterms:modified></cp:coreProperties>`;
  const described = docx({
    body: paragraph("described"),
    packageRelationships: [
      {
        id: "core",
        type: "package/2006/relationships/metadata/core-properties",
        target: "docProps/core.xml",
      },
    ],
    parts: { "docProps/core.xml": core },
    types: { "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml" },
  });
  const { info } = await look((await shared.convert(described)).bytes);
  expect(info).toMatchObject({
    Title: "From the docx",
    Author: "Its author",
    CreationDate: expect.stringMatching(/^D:20210304050607Z/),
  });
  const bare = await look((await shared.convert(docx({ body: paragraph("bare") }))).bytes);
  expect(bare.info.CreationDate).toMatch(/^D:20000101000000Z/);
});

slowTest("indexes are updated only on request", async () => {
  const field = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
  const contents = docx({
    body:
      `<w:p>${field("begin")}<w:r><w:instrText> TOC \\o "1-3" \\u </w:instrText></w:r>` +
      `${field("separate")}<w:r><w:t>STALE</w:t></w:r>${field("end")}</w:p>` +
      `${heading("Fresh heading")}${pageBreak()}${heading("Second heading")}`,
  });
  const text = async (options: PdfOptions) =>
    (await look((await shared.convert(contents, { pdf: options })).bytes)).text[0];
  expect(await text({})).toContain("STALE");
  const anew = await text({ updateIndexes: true });
  expect(anew).not.toContain("STALE");
  expect(anew).toContain("Second heading");
});

slowTest("cross-references, captions and contents of a rendered document are right", async () => {
  const mark = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const field = (code: string, result: string) =>
    `${mark("begin")}<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>${mark("separate")}${run(result)}${mark("end")}`;
  const marked = (name: string, content: string) =>
    `<w:bookmarkStart w:id="1" w:name="${name}"/>${content}<w:bookmarkEnd w:id="1"/>`;
  const p = (...content: string[]) => `<w:p>${content.join("")}</w:p>`;
  const template = await compileTemplate(
    docx({
      body: [
        p(field('TOC \\o "1-3" \\u', "{{c.title}}")),
        p(
          run("See clause "),
          field("REF gone \\r \\h", "7"),
          run(" on "),
          field("PAGEREF gone", "8"),
        ),
        p(run("and "), field("REF there \\h", "9"), run(".")),
        p(run("{{if x}}")) + p(marked("gone", run("gone"))) + p(run("{{endif}}")),
        p(run("{{for c in clauses}}")),
        heading("{{c.title}}"),
        p(run("Figure "), field("SEQ Figure", "1")),
        p(run("{{endfor}}")),
        p(run("Figure "), marked("there", field("SEQ Figure", "1"))),
      ].join(""),
    }),
  );
  const { bytes } = template.render({ clauses: [{ title: "Fees" }, { title: "Terms" }] });
  const pdf = { updateIndexes: true };
  const converted = await shared.convert(bytes, { rendered: true, pdf });
  const text = (await look(converted.bytes)).text.join(" ").replaceAll(/\s+/g, " ");
  expect(text).not.toContain("Error");
  expect(text).toMatch(/Fees[ .]*1 Terms[ .]*1 See clause 7 on 8 and 3\./);
  expect(text).toMatch(/Fees Figure 1 Terms Figure 2 Figure 3$/);
});

slowTest(
  "the same document gives the same bytes at any time, after any other documents and in any folder",
  async () => {
    const letter = docx({
      body: `${paragraph("Dear Sir,")}${picture("p")}`,
      relationships: [{ id: "p", type: "image", target: "media/p.png" }],
      parts: { "word/media/p.png": noise(20) },
    });
    for (const options of [
      {},
      { metadata: { date: "2030-01-01T00:00:00Z", title: "T" } },
      { tagged: true },
    ]) {
      const first = await shared.convert(letter, { pdf: options });
      await shared.convert(REPORT);
      const second = Math.floor(Date.now() / 1000);
      await until("the next second", () => Math.floor(Date.now() / 1000) > second);
      for (const office of [shared, other]) {
        const again = await office.convert(letter, { pdf: options });
        expect(Buffer.from(again.bytes).equals(first.bytes)).toBe(true);
        expect(again.fingerprint).toEqual(first.fingerprint);
      }
    }
  },
);

slowTest("a converter's options are defaults that a conversion can override", async () => {
  await using office = closing(
    libreOffice({ lanes: 1, tempDir: await testFolder(), pdf: { pages: "1", bookmarks: true } }),
  );
  expect((await office.convert(REPORT)).pages).toBe(1);
  const other = await office.convert(REPORT, { pdf: { pages: "1-2" } });
  expect(other.pages).toBe(2);
  expect((await look(other.bytes)).outline).not.toEqual([]);
  expect((await office.convert(REPORT, { pdf: { pages: undefined } })).pages).toBe(1);
  expect((await rejection(office.convert(REPORT, { pdf: { pages: "9" } }))).code).toBe(
    "conversion_failed",
  );
});

test("invalid options are rejected by name, and passwords are not quoted", async () => {
  const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["pdfA", { pdfA: "4" }],
    ["imageQuality", { imageQuality: 0 }],
    ["imageQuality", { imageQuality: 101 }],
    ["imageDpi", { imageDpi: 35 }],
    ["imageDpi", { imageDpi: 72.5 }],
    ["pages", { pages: "" }],
    ["pages", { pages: "3-1" }],
    ["pages", { pages: "0" }],
    ["pages", { pages: "1;2" }],
    ["initialView.page", { initialView: { page: 0 } }],
    ["initialView.zoom", { initialView: { zoom: 5 } }],
    ["initialView.zoom", { initialView: { zoom: "huge" } }],
    ["initialView.layout", { initialView: { layout: "wide" } }],
    ["initialView.panel", { initialView: { panel: "left" } }],
    ["metadata.date", { metadata: { date: "tomorrow" } }],
    ["metadata.date", { metadata: { date: "2024-02-30T00:00:00Z" } }],
    ["metadata.date", { metadata: { date: "2024-02-29T00:00:00" } }],
    ["password", { openPassword: "" }],
    ["passwords", { openPassword: "s3cret", pdfA: "2b" }],
    ["permissionPassword", { permissions: { copying: true } }],
    ["permissions.printing", { permissionPassword: "s3cret", permissions: { printing: "all" } }],
    ["permissions.changes", { permissionPassword: "s3cret", permissions: { changes: "some" } }],
    ['did you mean "pdfA"?', { pdfa: "2b" }],
    ['did you mean "printing"?', { permissions: { print: "low" } }],
    ['did you mean "title"?', { metadata: { titel: "A" } }],
    ['did you mean "zoom"?', { initialView: { zom: "page" } }],
  ];
  for (const [name, options] of wrong) {
    const error = await rejection(shared.convert(REPORT, { pdf: options }));
    expect([name, error.code]).toEqual([name, "invalid_request"]);
    expect(error.message).toContain(name);
    expect(error.message).not.toContain("s3cret");
    const made = await rejection((async () => libreOffice({ lazy: true, pdf: options }))());
    expect(made.message).toBe(error.message);
  }
});

/** Creates a square picture, `size` pixels wide, that cannot be compressed. */
function noise(size: number): Uint8Array {
  const rows = Buffer.alloc((size * 3 + 1) * size);
  let state = 1;
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    rows[at] = at % (size * 3 + 1) === 0 ? 0 : state >>> 24;
  }
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(data.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.length + 4);
    return whole;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
