import { chmod, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";

/** Creates a PDF with one page for each string. */
async function pdfOf(texts: readonly string[], title?: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage([300, 400]).drawText(text, { x: 20, y: 350, font });
  if (title !== undefined) pdf.setTitle(title);
  return pdf.save();
}

/** Reads the text of each page, and the bookmarks. */
async function contentOf(path: string): Promise<{ pages: string[]; bookmarks: string[] }> {
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(path)), { verbosity: 0 });
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => ("str" in item ? item.str : "")).join(""));
  }
  const bookmarks = ((await pdf.getOutline()) ?? []).map(({ title }) => title);
  await pdf.loadingTask.destroy();
  return { pages, bookmarks };
}

async function pdfPlace(): Promise<Place> {
  const place = await makePlace();
  await place.write("b.pdf", await pdfOf(["one"]));
  await place.write("a.pdf", await pdfOf(["two", "three"], "Größe"));
  return place;
}

describe("quire merge", () => {
  test("joins files in the given order, with a bookmark for each, and prints the path", async () => {
    const place = await pdfPlace();
    const ended = await place.quire(["merge", "b.pdf", "a.pdf", "b.pdf", "-o", "out.PDF"]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "out.PDF\n", stderr: "" });
    expect(await contentOf(place.path("out.PDF"))).toEqual({
      pages: ["one", "two", "three", "one"],
      bookmarks: ["b", "a", "b"],
    });
    expect(await place.names(".")).toEqual(["a.pdf", "b.pdf", "out.PDF", "tmp"]);
  });

  test("with --duplex begins each file on a new sheet", async () => {
    const place = await pdfPlace();
    const args = ["merge", "b.pdf", "a.pdf", "b.pdf", "-o", "out.pdf", "--duplex"];
    expect((await place.quire(args)).code).toBe(0);
    const { pages } = await contentOf(place.path("out.pdf"));
    expect(pages).toEqual(["one", "", "two", "three", "one", ""]);
  });

  test("takes the bookmarks from the titles of the files, and sets its own title", async () => {
    const place = await pdfPlace();
    const args = ["merge", "b.pdf", "a.pdf", "-o", "out.pdf", "--name-from", "title"];
    const { code } = await place.quire([...args, "--title", "Alles (2026)"]);
    expect(code).toBe(0);
    expect((await contentOf(place.path("out.pdf"))).bookmarks).toEqual(["b", "Größe"]);
    const merged = await PDFDocument.load(await readFile(place.path("out.pdf")));
    expect(merged.getTitle()).toBe("Alles (2026)");
  });

  test("prints the pages of each file as JSON", async () => {
    const place = await pdfPlace();
    const { stdout } = await place.quire(["merge", "b.pdf", "a.pdf", "-o", "out.pdf", "--json"]);
    const lines = stdout.trimEnd().split("\n");
    const { size } = await stat(place.path("out.pdf"));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: "source", file: "b.pdf", title: "b", first_page: 1, pages: 1 },
      { type: "source", file: "a.pdf", title: "a", first_page: 2, pages: 2 },
      { type: "summary", output: "out.pdf", sources: 2, refused: 0, pages: 3, bytes: size },
    ]);
  });

  test("reports every file that cannot be merged, and keeps the old file", async () => {
    const place = await pdfPlace();
    await place.write("cut.pdf", (await pdfOf(["x"])).subarray(0, 500));
    await place.write("out.pdf", "mine");
    const args = ["merge", "cut.pdf", "a.pdf", "no.pdf", "tmp", "-o", "out.pdf"];
    const { code, stdout, stderr } = await place.quire(args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^quire: The PDF "cut\.pdf" cannot be merged: it is damaged.+\.$/),
      expect.stringMatching(/^quire: The file "no\.pdf" does not exist\./),
      expect.stringMatching(/^quire: "tmp" is a folder\./),
      'quire: "out.pdf" was not written.',
    ]);
    expect(await readFile(place.path("out.pdf"), "utf8")).toBe("mine");
    expect(await place.names(".")).not.toContainEqual(expect.stringContaining("quire-tmp"));
  });

  test("skips such files with --keep-going, and exits with 2", async () => {
    const place = await pdfPlace();
    await place.write("cut.pdf", "%PDF-1.7 and no more");
    const args = ["merge", "b.pdf", "cut.pdf", "a.pdf", "-o", "out.pdf", "--keep-going"];
    const { code, stdout, stderr } = await place.quire(args);
    expect([code, stdout]).toEqual([2, "out.pdf\n"]);
    expect(stderr).toMatch(/"cut\.pdf" cannot be merged/);
    expect((await contentOf(place.path("out.pdf"))).pages).toEqual(["one", "two", "three"]);
    const nothing = await place.quire(["merge", "cut.pdf", "-o", "no.pdf", "--keep-going"]);
    expect(nothing.code).toBe(1);
    expect(await place.names(".")).not.toContain("no.pdf");
  });

  test("never replaces one of its files, not through a link either", async () => {
    const place = await pdfPlace();
    await symlink(place.path("a.pdf"), place.path("link.pdf"));
    const before = await readFile(place.path("a.pdf"));
    for (const output of ["a.pdf", "link.pdf", "./tmp/../a.pdf"]) {
      const { code, stderr } = await place.quire(["merge", "b.pdf", "a.pdf", "-o", output]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/is the same file as "a\.pdf"/)]);
    }
    expect((await readFile(place.path("a.pdf"))).equals(before)).toBe(true);
  });

  test("atomically replaces another file, and keeps its mode and a link to it", async () => {
    const place = await pdfPlace();
    await mkdir(place.path("far"));
    await place.write("far/out.pdf", "old");
    await chmod(place.path("far", "out.pdf"), 0o640);
    await symlink(place.path("far", "out.pdf"), place.path("out.pdf"));
    expect((await place.quire(["merge", "b.pdf", "-o", "out.pdf"])).code).toBe(0);
    expect((await contentOf(place.path("far", "out.pdf"))).pages).toEqual(["one"]);
    expect((await stat(place.path("far", "out.pdf"))).mode & 0o777).toBe(0o640);
  });

  test.for([
    [["merge", "-o", "out.pdf"], /needs <files>/],
    [["merge", "b.pdf"], /needs --out <file>/],
    [["merge", "b.pdf", "-o", "out.txt"], /must end in \.pdf/],
    [["merge", "b.pdf", "-o", "out.pdf", "--name-from", "x"], /file, title/],
    [
      ["merge", "b.pdf", "-o", "no/where/out.pdf"],
      /cannot be written: the folder "no\/where" does not exist/,
    ],
    [["merge", "-", "-o", "out.pdf"], /The file "-" does not exist/],
  ] as const)("rejects %j", async ([args, message]) => {
    const place = await pdfPlace();
    const { code, stdout, stderr } = await place.quire(args);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/bug in Quire/);
    expect(await place.names(".")).toEqual(["a.pdf", "b.pdf", "tmp"]);
  });

  test("warns of features of the sources that the packet does not have", async () => {
    const place = await pdfPlace();
    const attached = await PDFDocument.load(await pdfOf(["x"]));
    await attached.attach(Buffer.from("data"), "data.csv");
    await place.write("with.pdf", await attached.save());
    const { code, stderr } = await place.quire(["merge", "with.pdf", "a.pdf", "-o", "out.pdf"]);
    expect([code, stderr]).toEqual([
      0,
      'warning: The packet does not have the files attached to "with.pdf".\n',
    ]);
  });
});
