import { type PDFDict, PDFDocument, PDFName } from "pdf-lib";
import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import {
  merged,
  onePage,
  packetInMemory,
  pdfOf,
  type RawObject,
  rawPdf,
  seen,
} from "./support/packet-sources.ts";

/** Merges one source between two others. */
async function amid(source: Uint8Array) {
  return merged([
    [await pdfOf("before"), "before"],
    [source, "source"],
    [await pdfOf("after"), "after"],
  ]);
}

/** Returns all objects of a PDF as text, including compressed ones. */
async function everythingIn(bytes: Uint8Array): Promise<string> {
  const { context } = await PDFDocument.load(bytes);
  return context
    .enumerateIndirectObjects()
    .map(([, object]) => object.toString())
    .join("\n");
}

/** Returns a PDF with three pages. The first page has these annotations. */
function threePages(
  annotations: string,
  more: readonly RawObject[] = [],
  catalog = "",
): Uint8Array {
  const page = (contents: number, rest = "") =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents ${contents} 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>${rest}>>`;
  const text = (word: string) => ({ dict: "", data: `BT /F1 9 Tf 9 9 Td (${word}) Tj ET` });
  return rawPdf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    "<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>",
    page(6, `/Annots[${annotations}]`),
    page(7),
    page(8),
    text("one"),
    text("two"),
    text("three"),
    ...more,
  ]);
}

describe("a source in a packet", () => {
  test("keeps inherited page attributes, at any depth", async () => {
    const source = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R 7 0 R]/Count 3/MediaBox[0 0 500 600]/Rotate 90/Resources<</Font<</F1 8 0 R>>>>>>",
      "<</Type/Pages/Parent 2 0 R/Kids[4 0 R 5 0 R]/Count 2/CropBox[10 10 210 310]>>",
      "<</Type/Page/Parent 3 0 R/Contents 6 0 R>>",
      "<</Type/Page/Parent 3 0 R/Contents 6 0 R/Rotate 0/MediaBox[0 0 100 100]/CropBox[0 0 50 50]>>",
      { dict: "", data: "BT /F1 12 Tf 20 20 Td (text) Tj ET" },
      "<</Parent 2 0 R/Contents 6 0 R>>",
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]);
    const { pages, sizes } = await seen((await amid(source)).bytes);
    expect(pages).toEqual(["before", "text", "text", "text", "after"]);
    expect(sizes.slice(1, 4)).toEqual(["200 x 300, 90°", "50 x 50, 0°", "500 x 600, 90°"]);
  });

  test("has a page of the default size of PDF readers if it gives none", async () => {
    const source = rawPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R>>",
    ]);
    expect((await seen((await amid(source)).bytes)).sizes[1]).toBe("612 x 792, 0°");
  });

  test("keeps its links: to its pages, to names in both forms, and to addresses", async () => {
    const link = (rest: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]${rest}>>`;
    const source = threePages(
      [
        link("/Dest[4 0 R/XYZ 0 100 null]"),
        link("/Dest(deep)"),
        link("/Dest/old"),
        link("/A<</S/GoTo/D(wide)>>"),
        link("/A 9 0 R"),
        link("/A<</S/URI/URI(https://example.com/?a=1)>>"),
        link("/Dest[2/Fit]"),
        link("/Dest(nowhere)"),
      ].join(""),
      [
        "<</S/GoTo/D[3 0 R/Fit]>>",
        "<</Kids[11 0 R 12 0 R]>>",
        "<</Names[(deep)[5 0 R/Fit]]/Limits[(deep)(deep)]>>",
        "<</Names[(wide)<</D[4 0 R/FitH 9]>>]/Limits[(wide)(wide)]>>",
      ],
      "/Names<</Dests 10 0 R>>/Dests<</old[4 0 R/Fit]>>",
    );
    const { bytes } = await merged([
      [await pdfOf("before"), "before"],
      [source, "first"],
      [source, "second"],
    ]);
    const { links } = await seen(bytes);
    const address = "https://example.com/?a=1";
    expect(links[1]).toEqual([3, 4, 3, 3, 2, address, 4, null]);
    expect(links[4]).toEqual([6, 7, 6, 6, 5, address, 7, null]);
  });

  test("keeps its bookmarks below the bookmark for the source", async () => {
    const source = threePages(
      "",
      [
        "<</Type/Outlines/First 10 0 R/Last 12 0 R/Count 3>>",
        "<</Title(Chapter \\(1\\))/Parent 9 0 R/Next 12 0 R/First 11 0 R/Last 11 0 R/Count 1/Dest[4 0 R/Fit]/C[1 0 0]/F 2>>",
        "<</Title<FEFF00DC006200650072>/Parent 10 0 R/A<</S/GoTo/D[5 0 R/Fit]>>>>",
        // The linked list of bookmarks is circular.
        "<</Title(Run)/Parent 9 0 R/Prev 10 0 R/Next 10 0 R/A<</S/Launch/F(calc.exe)>>>>",
      ],
      "/Outlines 9 0 R",
    );
    const { bytes, summary } = await amid(source);
    expect((await seen(bytes)).bookmarks[1]).toEqual({
      title: "source",
      page: 2,
      items: [
        {
          title: "Chapter (1)",
          page: 3,
          items: [{ title: "Über", page: 4, items: [] }],
        },
        { title: "Run", page: null, items: [] },
      ],
    });
    expect(summary.warnings.map(({ code }) => code)).toEqual(["packet_actions"]);
    expect(await everythingIn(bytes)).not.toContain("calc.exe");
  });

  test("keeps its form, with unique field names", async () => {
    const form = async (value: string) => {
      const pdf = await PDFDocument.create();
      const page = pdf.addPage([300, 400]);
      const total = pdf.getForm().createTextField("order.total");
      total.setText(value);
      total.addToPage(page, { x: 10, y: 10, width: 100, height: 20 });
      const sort = pdf.getForm().createRadioGroup("sort");
      sort.addOptionToPage("a", page, { x: 10, y: 50, width: 10, height: 10 });
      sort.addOptionToPage("b", page, { x: 30, y: 50, width: 10, height: 10 });
      sort.select(value === "7" ? "a" : "b");
      return pdf.save();
    };
    const { bytes, summary } = await merged([
      [await form("7"), "first"],
      [await pdfOf("none"), "second"],
      [await form("8"), "third"],
    ]);
    const loaded = await PDFDocument.load(bytes);
    const fields = loaded.getForm();
    expect(fields.getFields().map((field) => field.getName())).toEqual([
      "e1.order.total",
      "e1.sort",
      "e3.order.total",
      "e3.sort",
    ]);
    expect(fields.getTextField("e1.order.total").getText()).toBe("7");
    expect(fields.getTextField("e3.order.total").getText()).toBe("8");
    expect(fields.getRadioGroup("e1.sort").getSelected()).toBe("a");
    expect(fields.getRadioGroup("e3.sort").getSelected()).toBe("b");
    expect(Object.keys((await seen(bytes)).fields)).toContain("e3.order.total");
    expect(summary.warnings).toEqual([]);
  });

  test("keeps the visibility of its layers, although another source has equal layers", async () => {
    const layered = (configuration: string) =>
      rawPdf([
        ...onePage({
          catalog: `/OCProperties<</OCGs[6 0 R 7 0 R]/D<</Order[6 0 R 7 0 R]${configuration}>>>>`,
          page: "/Resources<</Properties<</L1 6 0 R/L2 7 0 R>>/Font<</F1 5 0 R>>>>",
        }),
        "<</Type/OCG/Name(Draft)>>",
        "<</Type/OCG/Name(Print)>>",
      ]);
    const { bytes } = await merged([
      [layered("/OFF[6 0 R]"), "1"],
      [layered("/BaseState/OFF/ON[6 0 R]"), "2"],
      [layered(""), "3"],
    ]);
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const layers = await pdf.getOptionalContentConfig();
    const order = layers.getOrder() as readonly string[];
    const shown = order.map((id) => `${layers.getGroup(id)?.name} ${layers.getGroup(id)?.visible}`);
    await pdf.loadingTask.destroy();
    expect(shown).toEqual([
      "Draft false",
      "Print true",
      "Draft true",
      "Print false",
      "Draft true",
      "Print true",
    ]);
  });

  test("may refer to pages outside of its page tree, which are not copied", async () => {
    const source = threePages("<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/X 9 0 R/Parent 9 0 R>>", [
      "<</Type/Page/Parent 2 0 R/Contents 10 0 R>>",
      { dict: "", data: "(not shown)" },
    ]);
    const { bytes } = await amid(source);
    expect((await seen(bytes)).pages).toEqual(["before", "one", "two", "three", "after"]);
    expect(bytes.toString("latin1")).not.toContain("not shown");
  });

  test("may contain the same page twice", async () => {
    const objects = onePage();
    objects[1] = (objects[1] as string).replace("[3 0 R]/Count 1", "[3 0 R 3 0 R]/Count 2");
    const { pages } = await seen((await amid(rawPdf(objects))).bytes);
    expect(pages).toEqual(["before", "Hello", "Hello", "after"]);
  });

  test("may contain circular references, but not extremely deep ones", async () => {
    const ring = rawPdf([...onePage({ page: "/X 6 0 R" }), "<</A 7 0 R/Self 6 0 R>>", "[6 0 R]"]);
    expect((await amid(ring)).summary.pages).toBe(3);
    const chain = Array.from({ length: 5000 }, (_, at) => `<</Next ${at + 7} 0 R>>`);
    const deep = rawPdf([...onePage({ page: "/X 6 0 R" }), ...chain]);
    await expect(amid(deep)).rejects.toMatchObject({ code: "invalid_data" });
  });

  test("keeps its names and strings byte for byte", async () => {
    const name = "/F#c3#a9#20#2F";
    const source = rawPdf([
      ...onePage({
        page: `/Resources<</Font<<${name} 5 0 R>>>>/Note(a\\)b\\\\\xff\\)\r\n)/Real -.50/Hex<0aF>`,
      }).map((object) =>
        typeof object === "string"
          ? object
          : { dict: "", data: `BT ${name} 12 Tf 20 350 Td (Hello) Tj ET` },
      ),
    ]);
    const { bytes } = await amid(source);
    expect((await seen(bytes)).pages[1]).toBe("Hello");
    const loaded = await PDFDocument.load(bytes);
    const page = loaded.getPage(1).node;
    const fonts = page.Resources()?.lookup(PDFName.of("Font")) as PDFDict;
    expect(fonts.keys().map((key) => [...key.asBytes()])).toEqual([[0x46, 0xc3, 0xa9, 0x20, 0x2f]]);
    expect(page.get(PDFName.of("Note"))?.toString()).toBe("(a\\)b\\\\\xff\\)\r\n)");
    expect(page.get(PDFName.of("Real"))?.toString()).toBe("-0.5");
    expect(page.get(PDFName.of("Hex"))?.toString()).toBe("<0aF>");
  });
});

describe("content that a packet omits", () => {
  test("is reported once for all sources, with the name of the first", async () => {
    const source = rawPdf([
      ...onePage({
        catalog:
          "/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>/PageLabels<</Nums[0<</S/r>>]>>" +
          "/OutputIntents[<</S/GTS_PDFA1>>]/AcroForm<</Fields[8 0 R]/XFA(x)>>" +
          "/Names<</EmbeddedFiles<</Names[]>>/JavaScript<</Names[(a)7 0 R]>>>>/OpenAction 7 0 R",
        page: "/StructParents 0/AA<</O 7 0 R>>/Annots[8 0 R]",
      }),
      "<</Type/StructTreeRoot/K[]/SECRET true>>",
      "<</S/JavaScript/JS(app.alert\\(1\\))>>",
      "<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Sig/T(sig)/V 9 0 R/StructParent 1/AA<</E 7 0 R>>>>",
      "<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>",
    ]);
    const packet = packetInMemory();
    await packet.add(source, { title: "first.pdf" });
    await packet.add(await pdfOf("plain"), { title: "plain.pdf" });
    await packet.add(source, { title: "third.pdf" });
    await packet.add(source, { title: "fourth.pdf" });
    const { warnings } = await packet.finish();
    expect(warnings.map(({ code }) => code).sort()).toEqual([
      "packet_actions",
      "packet_archival",
      "packet_attachments",
      "packet_page_labels",
      "packet_signatures",
      "packet_tags",
      "packet_xfa",
    ]);
    for (const { message, severity } of warnings) {
      expect(message).toMatch(/^The packet .*"first\.pdf" and 2 others.*\.$/);
      expect(severity).toBe("warning");
    }
    const everything = await everythingIn(packet.bytes());
    expect(everything).not.toMatch(/JavaScript|SECRET|StructParent|ByteRange|\/AA/);
  });

  test("includes the appearance of form fields if one of several sources asks readers to draw new ones", async () => {
    const form = (rest: string) =>
      rawPdf([
        ...onePage({ catalog: `/AcroForm<</Fields[6 0 R]${rest}>>`, page: "/Annots[6 0 R]" }),
        "<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(a)/V(1)>>",
      ]);
    const anew = form("/NeedAppearances true");
    const alone = await merged([[anew, "1"]]);
    expect(alone.summary.warnings).toEqual([]);
    const { bytes, summary } = await merged([
      [form(""), "1"],
      [anew, "2"],
    ]);
    expect(summary.warnings.map(({ code }) => code)).toEqual(["packet_appearances"]);
    const loaded = await PDFDocument.load(bytes);
    const dict = loaded.catalog.lookup(PDFName.of("AcroForm")) as PDFDict;
    expect(dict.get(PDFName.of("NeedAppearances"))?.toString()).toBe("true");
  });
});
