import { PDFDict, PDFDocument, PDFName, PDFRawStream } from "pdf-lib";
import { expect, test } from "vitest";
import { withMetadata } from "../src/index.ts";
import { linesPdf, rawPdf, rawStream } from "./support/pdf.ts";

const XMP = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2</pdfaid:part></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:p="http://ns.adobe.com/pdf/1.3/" p:Keywords="old" p:Producer="LibreOffice">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old title</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Kept</rdf:li></rdf:Alt></dc:description></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><xmp:CreateDate>2026-01-01T00:00:00Z</xmp:CreateDate></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

/** Returns a PDF of one page with this XMP and information dictionary. */
function archival(xmp: string | Buffer, compressed = false, info = "/Title (Old title)"): Buffer {
  return rawPdf(
    [
      "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>",
      rawStream("/Type /Metadata /Subtype /XML", Buffer.from(xmp), compressed),
      `<< ${info} /CreationDate (D:20260101000000Z) >>`,
    ],
    "/Info 5 0 R",
  );
}

async function xmpOf(bytes: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const stream = document.catalog.lookup(PDFName.of("Metadata"));
  return stream instanceof PDFRawStream ? Buffer.from(stream.contents).toString("utf8") : "";
}

const METADATA = {
  title: "Ein Titel – 中 & <b>",
  author: "Ann",
  subject: "About",
  keywords: "one, two",
  date: "2026-11-20T15:30:00+01:00",
};

test("metadata is written to a PDF, and the rest remains", async () => {
  const bytes = await withMetadata(await linesPdf(["x"]), METADATA);
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(document.getTitle()).toBe(METADATA.title);
  expect(document.getAuthor()).toBe("Ann");
  expect(document.getSubject()).toBe("About");
  expect(document.getKeywords()).toBe("one, two");
  expect(document.getCreationDate()?.toISOString()).toBe("2026-11-20T14:30:00.000Z");
  const again = await PDFDocument.load(await withMetadata(bytes, { title: "New" }), {
    updateMetadata: false,
  });
  expect(again.getTitle()).toBe("New");
  expect(again.getAuthor()).toBe("Ann");
  expect(again.getModificationDate()?.toISOString()).toBe("2000-01-01T00:00:00.000Z");
});

test("the id of a PDF depends on its content: equal PDFs get equal bytes, others do not", async () => {
  const pdf = await linesPdf(["x"]);
  const one = await withMetadata(pdf, METADATA);
  expect(await withMetadata(pdf, METADATA)).toEqual(one);
  const idOf = async (bytes: Uint8Array) =>
    (await PDFDocument.load(bytes, { updateMetadata: false })).context.trailerInfo.ID?.toString();
  expect(await idOf(one)).toMatch(/^\[ <([0-9a-f]{32})> <\1> \]$/);
  expect(await idOf(await withMetadata(pdf, { ...METADATA, title: "y" }))).not.toBe(
    await idOf(one),
  );
});

test("existing XMP metadata is updated, too", async () => {
  for (const compressed of [false, true]) {
    const xmp = await xmpOf(
      await withMetadata(archival(XMP, compressed), { ...METADATA, subject: undefined }),
    );
    expect(xmp).toContain("Ein Titel – 中 &amp; &lt;b");
    expect(xmp).toContain("<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li></rdf:Seq></dc:creator>");
    expect(xmp).toContain("<pdf:Keywords>one, two</pdf:Keywords>");
    expect(xmp).toContain("<xmp:ModifyDate>2026-11-20T14:30:00Z</xmp:ModifyDate>");
    expect(xmp).toContain("<pdfaid:part>2</pdfaid:part>");
    expect(xmp).toContain('p:Producer="LibreOffice"');
    expect(xmp).toContain("Kept");
    expect(xmp).not.toMatch(/Old title|old|2026-01-01/);
    expect(xmp.match(/dc:title>/g)).toHaveLength(2);
  }
});

test("the version of a file does not change, and an old version gets no object streams", async () => {
  const old = Buffer.from(
    archival(XMP).toString("latin1").replace("%PDF-1.7", "%PDF-1.4"),
    "latin1",
  );
  const bytes = Buffer.from(await withMetadata(old, METADATA)).toString("latin1");
  expect(bytes.slice(0, 8)).toBe("%PDF-1.4");
  expect(bytes).not.toContain("ObjStm");
  expect(bytes).toContain("trailer");
});

test("invalid XMP, wrong dates, and PDFs that cannot be changed are rejected", async () => {
  const wrong = ["<x", "<x/>", `<!DOCTYPE x [<!ENTITY a "b">]>${XMP.slice(XMP.indexOf("<x:"))}`];
  for (const xmp of wrong) {
    await expect(withMetadata(archival(xmp), METADATA)).rejects.toThrow("XMP");
  }
  const bomb = archival(Buffer.alloc(20_000_000, " "), true);
  await expect(withMetadata(bomb, METADATA)).rejects.toMatchObject({ code: "invalid_request" });
  const pdf = await linesPdf(["x"]);
  await expect(withMetadata(pdf, { date: "yesterday" })).rejects.toThrow('"yesterday"');
  const locked = rawPdf(["<< /Type /Catalog /Pages 2 0 R >>"], "/Encrypt << >>");
  await expect(withMetadata(locked, METADATA)).rejects.toThrow("encrypted");
});

test("a title of several lines becomes one line in both kinds of metadata", async () => {
  const bytes = await withMetadata(archival(XMP), { title: "a\nb\u0000c" });
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(document.getTitle()).toBe("a b c");
  expect(await xmpOf(bytes)).toContain(">a b c<");
  expect(document.context.lookup(document.context.trailerInfo.Info)).toBeInstanceOf(PDFDict);
});
