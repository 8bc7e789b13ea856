import fc from "fast-check";
import { degrees, PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { isQuireError } from "../../contracts/src/errors.ts";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { createPacket } from "../src/packet/packet.ts";
import { merged, onePage, packetInMemory, pdfOf, rawPdf, seen } from "./support/packet-sources.ts";

describe("a packet", () => {
  test("contains the pages of its sources in order, and returns the range of each source", async () => {
    const packet = packetInMemory({ title: "Letters (May) für Zoë" });
    const ranges = [
      await packet.add(await pdfOf("one"), { title: "a.pdf" }),
      await packet.add(await pdfOf("two", "three", "four"), { title: "b.pdf" }),
      await packet.add(await pdfOf("five"), { title: "c.pdf" }),
    ];
    const summary = await packet.finish();
    expect(ranges).toEqual([
      { firstPage: 1, pages: 1, title: "a.pdf" },
      { firstPage: 2, pages: 3, title: "b.pdf" },
      { firstPage: 5, pages: 1, title: "c.pdf" },
    ]);
    expect(summary).toMatchObject({ entries: 3, pages: 5, warnings: [] });
    expect(summary.bytes).toBe(packet.bytes().length);
    const { pages, bookmarks, title } = await seen(packet.bytes());
    expect(pages).toEqual(["one", "two", "three", "four", "five"]);
    expect(title).toBe("Letters (May) für Zoë");
    expect(bookmarks).toEqual([
      { title: "a.pdf", page: 1, items: [] },
      { title: "b.pdf", page: 2, items: [] },
      { title: "c.pdf", page: 5, items: [] },
    ]);
  });

  test("with evenPages begins each source on an odd page, after a blank page of the same size", async () => {
    const packet = packetInMemory({ evenPages: true });
    const turned = await PDFDocument.create();
    turned.addPage([300, 500]).setRotation(degrees(90));
    const ranges = [
      await packet.add(await turned.save(), { title: "a" }),
      await packet.add(await pdfOf("two", "three"), { title: "b" }),
      await packet.add(await pdfOf("four", "five", "six"), { title: "c" }),
    ];
    expect(ranges.map(({ firstPage, pages }) => [firstPage, pages])).toEqual([
      [1, 1],
      [3, 2],
      [5, 3],
    ]);
    expect(await packet.finish()).toMatchObject({ entries: 3, pages: 8, blankPages: 2 });
    const { pages } = await seen(packet.bytes());
    expect(pages).toEqual(["", "", "two", "three", "four", "five", "six", ""]);
    const [, blank] = (await PDFDocument.load(packet.bytes())).getPages();
    expect([blank?.getSize(), blank?.getRotation().angle]).toEqual([
      { width: 300, height: 500 },
      90,
    ]);
  });

  test("has bookmarks by group, in the order of each group's first entry", async () => {
    const pdf = await pdfOf("x");
    const { bytes } = await merged([
      [pdf, { title: "1", group: "Köln" }],
      [pdf, { title: "2" }],
      [pdf, { title: "3", group: "Bonn" }],
      [pdf, { title: "4", group: "Köln" }],
    ]);
    expect((await seen(bytes)).bookmarks).toEqual([
      {
        title: "Köln",
        page: 1,
        items: [
          { title: "1", page: 1, items: [] },
          { title: "4", page: 4, items: [] },
        ],
      },
      { title: "2", page: 2, items: [] },
      { title: "Bonn", page: 3, items: [{ title: "3", page: 3, items: [] }] },
    ]);
  });

  test("has bookmarks with the sources' own titles on request, if they have one", async () => {
    const titled = async (title: string) => {
      const pdf = await PDFDocument.load(await pdfOf("x"));
      pdf.setTitle(title);
      return pdf.save();
    };
    const { bytes } = await merged([
      [await titled("Größe"), { title: "a", useOwnTitle: true }],
      [await titled(" "), { title: "b", useOwnTitle: true }],
      [await pdfOf("x"), { title: "c", useOwnTitle: true }],
      [await titled("Größe"), { title: "d" }],
    ]);
    const titles = (await seen(bytes)).bookmarks.map(({ title }) => title);
    expect(titles).toEqual(["Größe", "b", "c", "d"]);
  });

  test.for([1, 63, 64, 65, 128, 4100])("contains all of %i pages", async (count) => {
    const packet = packetInMemory();
    const pdf = await pdfOf("first", "second");
    const single = await pdfOf("alone");
    for (let done = 0; done < count; done += 2) {
      await packet.add(done + 1 === count ? single : pdf, { title: `from ${done}` });
    }
    expect((await packet.finish()).pages).toBe(count);
    const { getDocumentProxy } = await import("unpdf");
    const read = await getDocumentProxy(new Uint8Array(packet.bytes()));
    expect(read.numPages).toBe(count);
    for (const number of [1, Math.ceil(count / 2), count]) {
      const { items } = await (await read.getPage(number)).getTextContent();
      const wanted = number % 2 === 0 ? "second" : number === count ? "alone" : "first";
      expect(items.map((item) => ("str" in item ? item.str : "")).join("")).toBe(wanted);
    }
    const outline = await read.getOutline();
    expect(outline).toHaveLength(Math.ceil(count / 2));
    await read.loadingTask.destroy();
  });

  test("has the same bytes for the same sources, and a different id for others", async () => {
    const sources = [
      [await pdfOf("one"), "a"],
      [await pdfOf("two"), "b"],
    ] as const;
    const [first, second] = [await merged(sources), await merged(sources)];
    expect(first.bytes.equals(second.bytes)).toBe(true);
    const other = await merged(sources.toReversed());
    const id = (bytes: Buffer) => /\/ID\[<([\da-f]+)>/.exec(bytes.toString("latin1"))?.[1];
    expect(id(first.bytes)).toMatch(/^[\da-f]{32}$/);
    expect(id(other.bytes)).not.toBe(id(first.bytes));
  });

  test("accepts concurrent calls, and keeps their order", async () => {
    const packet = packetInMemory();
    const texts = ["one", "two", "three"];
    const pdfs = await Promise.all(texts.map((text) => pdfOf(text)));
    const added = pdfs.map((pdf, at) => packet.add(pdf, { title: String(at) }));
    const finished = packet.finish();
    expect((await Promise.all(added)).map(({ firstPage }) => firstPage)).toEqual([1, 2, 3]);
    await finished;
    expect((await seen(packet.bytes())).pages).toEqual(texts);
  });

  test("can be merged again, with its bookmarks below the new ones", async () => {
    const inner = await merged([
      [await pdfOf("one"), { title: "a", group: "G" }],
      [await pdfOf("two"), "b"],
    ]);
    const { bytes } = await merged([
      [await pdfOf("zero"), "zero"],
      [inner.bytes, "packet"],
    ]);
    const { pages, bookmarks } = await seen(bytes);
    expect(pages).toEqual(["zero", "one", "two"]);
    expect(bookmarks).toEqual([
      { title: "zero", page: 1, items: [] },
      {
        title: "packet",
        page: 2,
        items: [
          { title: "G", page: 2, items: [{ title: "a", page: 2, items: [] }] },
          { title: "b", page: 3, items: [] },
        ],
      },
    ]);
  });
});

describe("an object that is equal in several sources", () => {
  test("is written once: a font, a picture, the contents of a page", async () => {
    const letter = (text: string, font: string) =>
      rawPdf([
        ...onePage({ text }).slice(0, 4),
        "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Lato/FontDescriptor 6 0 R>>",
        "<</Type/FontDescriptor/FontName/ABCDEF+Lato/FontFile2 7 0 R>>",
        { dict: "", data: font },
      ]);
    const font = "glyphs ".repeat(3000);
    const sources = [
      [letter("one", font), "1"],
      [letter("two", font), "2"],
      [letter("one", font), "3"],
      [letter("two", `${font}!`), "4"],
    ] as const;
    const once = await merged(sources);
    const each = await merged(sources, { keepDuplicates: true });
    const count = (bytes: Buffer, text: string) => bytes.toString("latin1").split(text).length - 1;
    expect(count(once.bytes, font)).toBe(2);
    expect(count(each.bytes, font)).toBe(4);
    expect(count(once.bytes, "(one)")).toBe(1);
    expect(count(once.bytes, "(two)")).toBe(1);
    expect(once.summary.shared.bytes).toBeGreaterThan(2 * font.length);
    expect(each.summary.shared).toEqual({ objects: 0, bytes: 0 });
    expect((await seen(once.bytes)).pages).toEqual((await seen(each.bytes)).pages);
    expect((await seen(once.bytes)).pages).toEqual(["one", "two", "one", "two"]);
  });

  test("is not shared if it refers to different objects", async () => {
    const picture = (pixel: string) =>
      rawPdf([
        ...onePage({ page: "/Resources<</XObject<</P 6 0 R>>>>" }),
        {
          dict: "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/SMask 7 0 R",
          data: "x",
        },
        {
          dict: "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8",
          data: pixel,
        },
      ]);
    const { summary } = await merged([
      [picture("a"), "1"],
      [picture("b"), "2"],
      [picture("a"), "3"],
    ]);
    // Shared: the page contents of sources 2 and 3, and the picture and mask of source 3.
    expect(summary.shared.objects).toBe(4);
  });
});

describe("a packet rejects", () => {
  test("an invalid source without a trace, and accepts further sources", async () => {
    const packet = packetInMemory();
    const whole = await pdfOf("two", "three");
    await packet.add(await pdfOf("one"), { title: "a" });
    const refusals = [
      [rawPdf(onePage(), "/Encrypt<</Filter/Standard/V 2/R 3>>"), /encrypted/],
      [whole.subarray(0, whole.length - 200), /damaged/],
      [Buffer.from("no PDF at all"), /damaged/],
      [Buffer.alloc(0), /damaged/],
      [rawPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"]), /no pages/],
      [rawPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]>>"]), /damaged/],
      [rawPdf(onePage({ page: "/Contents 77 0 R" })), /damaged/],
      [rawPdf(onePage({ page: "/Resources<</Font<</F1 77 0 R>>>>" })), /damaged/],
    ] as const;
    for (const [bytes, message] of refusals) {
      const adding = packet.add(bytes, { title: "b", name: "b (bad).pdf", group: "bad" });
      await expect(adding).rejects.toMatchObject({
        code: "invalid_data",
        message: expect.stringMatching(/^The PDF "b \(bad\)\.pdf" cannot be merged: it .+\.$/),
      });
      await expect(adding).rejects.toThrow(message);
    }
    const last = await packet.add(whole, { title: "c" });
    expect(last).toEqual({ firstPage: 2, pages: 2, title: "c" });
    expect(await packet.finish()).toMatchObject({ entries: 2, pages: 3 });
    const plain = await merged([
      [await pdfOf("one"), "a"],
      [whole, "c"],
    ]);
    expect(packet.bytes().equals(plain.bytes)).toBe(true);
  });

  test("a source that exceeds the limit, before it writes anything of it", async () => {
    const source = await pdfOf("one");
    const large = rawPdf([...onePage({ page: "/X 6 0 R" }), { dict: "", data: "x".repeat(9000) }]);
    const packet = packetInMemory({ maxBytes: 9000 });
    await packet.add(source, { title: "a" });
    await expect(packet.add(large, { title: "large" })).rejects.toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining(`"large", the packet could exceed its limit of 9,000 bytes`),
    });
    await packet.add(source, { title: "b" });
    await packet.finish();
    expect((await seen(packet.bytes())).pages).toEqual(["one", "one"]);
  });

  test("finishing without pages, calls after the end, and invalid options", async () => {
    const written: Uint8Array[] = [];
    const packet = createPacket((bytes) => void written.push(bytes));
    await expect(packet.add(Buffer.from("x"), { title: "x" })).rejects.toThrow(/cannot be merged/);
    await expect(packet.finish()).rejects.toMatchObject({ code: "invalid_request" });
    expect(written).toEqual([]);
    const finished = packetInMemory();
    await finished.add(await pdfOf("x"), { title: "x" });
    await finished.finish();
    const more = finished.add(await pdfOf("x"), { title: "x" });
    await expect(more).rejects.toMatchObject({ code: "invalid_request" });
    await expect(finished.finish()).rejects.toMatchObject({ code: "invalid_request" });
    for (const maxBytes of [0, 1.5, Number.NaN, 10_000_000_000]) {
      expect(() => createPacket(() => {}, { maxBytes })).toThrow(/maxBytes/);
    }
  });

  test("all calls after a failed write", async () => {
    const error = new Error("disk full");
    const packet = createPacket(async () => {
      throw error;
    });
    const large = rawPdf([
      ...onePage({ page: "/X 6 0 R" }),
      { dict: "", data: Buffer.alloc(300_000) },
    ]);
    await expect(packet.add(large, { title: "a" })).rejects.toBe(error);
    await expect(packet.add(large, { title: "b" })).rejects.toBe(error);
    await expect(packet.finish()).rejects.toBe(error);
  });
});

describe("a packet of random sources", () => {
  test("contains their pages in order, with a bookmark at the first page of each", async () => {
    const source = fc.record({
      texts: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 4 }),
      title: fc.string({ unit: "binary", maxLength: 12 }),
      group: fc.option(fc.constantFrom("A", "B (x)", "ß\\"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 8 }), async (sources) => {
        const packet = packetInMemory();
        for (const { texts, title, group } of sources) {
          await packet.add(await pdfOf(...texts), { title, group });
        }
        await packet.finish();
        const { pages, bookmarks } = await seen(packet.bytes());
        expect(pages).toEqual(sources.flatMap(({ texts }) => texts));
        const groups = [...new Set(sources.map(({ group }, at) => group ?? at))];
        expect(bookmarks).toHaveLength(groups.length);
        const leaves = bookmarks.flatMap((each) => (each.items.length > 0 ? each.items : [each]));
        const firsts = sources.map((_, at) => sources.slice(0, at).flatMap(({ texts }) => texts));
        const wanted = firsts.map(({ length }) => length + 1);
        expect(leaves.map(({ page }) => page ?? 0).sort((a, b) => a - b)).toEqual(wanted);
      }),
      { numRuns: manyRuns(3, 40) },
    );
  });

  test("rejects damaged sources or remains readable", async () => {
    const sound = Buffer.from((await merged([[rawPdf(onePage()), "x"]])).bytes);
    const raw = Buffer.from(rawPdf(onePage({ page: "/Annots[<</Subtype/Link/Rect[0 0 1 1]>>]" })));
    const change = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(sound, raw), change, async (pdf, { at, byte, cut }) => {
        const place = at % pdf.length;
        const bytes = Buffer.from(cut ? pdf.subarray(0, place) : pdf);
        if (!cut) bytes[place] = byte;
        const packet = packetInMemory();
        await packet.add(await pdfOf("before"), { title: "before" });
        await packet.add(bytes, { title: "source" }).catch((error: unknown) => {
          if (!isQuireError(error)) throw error;
        });
        const { pages } = await packet.finish();
        expect((await seen(packet.bytes())).pages).toHaveLength(pages);
      }),
      { numRuns: manyRuns(8, 120) },
    );
  });
});
