import { mkdir, readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { makePlace, nothingInstalled, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

const NEXT_PAGE = '</w:t><w:br w:type="page"/><w:t>';

/** Creates a test folder with a document of three pages. */
async function documentPlace(): Promise<Place> {
  const place = await makePlace();
  await place.write("a.docx", docx([["one", "two {{tag}}", "three"].join(NEXT_PAGE)]));
  return place;
}

async function load(place: Place, ...path: string[]): Promise<PDFDocument> {
  return PDFDocument.load(await readFile(place.path(...path)), { updateMetadata: false });
}

/** Asserts that a command failed with a message and wrote nothing. */
async function expectRefusal(place: Place, args: readonly string[], message: RegExp) {
  const before = await place.names(".");
  const { code, stdout, stderr } = await place.quire(args);
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)]);
  expect(stderr).not.toMatch(/bug in Quire|^\s+at /m);
  expect(await place.names(".")).toEqual(before);
}

describe("quire convert", () => {
  test("converts documents into a folder, and fails only for files that are not documents", async () => {
    const place = await documentPlace();
    await place.write("b.docx", "no document");
    await mkdir(place.path("deep"));
    await place.write("deep/c.docx", docx(["c"]));
    const files = ["a.docx", "b.docx", "no.docx", "deep/c.docx"];
    const { code, stdout, stderr } = await place.quire(["convert", ...files, "--out", "pdfs"]);
    expect(code).toBe(2);
    expect(stdout.trimEnd().split("\n").sort()).toEqual(["pdfs/a.pdf", "pdfs/c.pdf"]);
    expect(stderr).toMatch(/^"b\.docx" failed:\nquire: .+\.$/m);
    expect(stderr).toMatch(/^"no\.docx" failed:\nquire: The file "no\.docx" does not exist/m);
    expect(await place.names("pdfs")).toEqual(["a.pdf", "c.pdf"]);
    expect((await load(place, "pdfs", "a.pdf")).getPageCount()).toBe(3);
    expect((await load(place, "pdfs", "c.pdf")).getPageCount()).toBe(1);
  }, 60_000);

  test("limits the time for a document to --deadline, and names the option when the time is up", async () => {
    const place = await documentPlace();
    await place.write("long.docx", docx(Array(60_000).fill("This is a line.")));
    const args = ["convert", "long.docx", "-o", "long.pdf"];
    await expectRefusal(place, [...args, "--deadline", "1"], /longer than 1000 ms .*--deadline/);
    for (const wrong of ["0", "", "soon", "86401"]) {
      await expectRefusal(
        place,
        [...args, "--deadline", wrong],
        /number of seconds from 1 to 86400/,
      );
    }
  }, 60_000);

  test("stops between documents on Ctrl-C", async () => {
    const place = await documentPlace();
    const files = Array.from({ length: 60 }, (_, index) => `${index}.docx`);
    const document = docx(Array(400).fill("This is a line."));
    for (const file of files) await place.write(file, document);
    const { signals, stdout, ended } = place.begin(["convert", ...files, "--out", "pdfs"]);
    // The first output is the path of the first PDF.
    stdout.once("data", () => signals.emit("SIGINT"));
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("Interrupted: ")]);
    const names = await place.names("pdfs");
    expect(names.length).toBeLessThan(60);
    for (const name of names) {
      expect(name).toMatch(/^\d+\.pdf$/);
      expect((await load(place, "pdfs", name)).getPageCount()).toBeGreaterThan(5);
    }
    expect(await place.names("tmp")).toEqual([]);
  }, 60_000);

  test("rejects a file that is not a Word document, and writes nothing", async () => {
    const place = await documentPlace();
    await place.write("x.docx", "no document");
    await expectRefusal(place, ["convert", "x.docx", "-o", "x.pdf"], /^quire: .+\.$/m);
  }, 60_000);

  test.for([
    [["convert", "a.docx"], /needs --out <path>/],
    [["convert", "a.docx", "a.docx", "-o", "a.pdf"], /quire merge/],
    [["convert", "a.docx", "a.docx", "--out", "out"], /"a\.docx" is named twice/],
    [["convert", "a.docx", "x/A.docx", "--out", "out"], /would both be written to/],
    [["convert", "a.docx", "-o", "a.docx"], /must end in \.pdf/],
    [["convert", "no.docx", "-o", "a.pdf"], /"no\.docx" does not exist/],
    [["convert", "a.docx", "-o", "a.pdf", "--pdfa", "4"], /1b, 2b, 3b/],
    [["convert", "a.docx", "-o", "a.pdf", "--image-quality", "101"], /from 1 to 100/],
    [["convert", "a.docx", "-o", "a.pdf", "--image-dpi", "1e2"], /from 36 to 2400/],
    [["convert", "a.docx", "-o", "a.pdf", "--view-zoom", "5%"], /from 10 to 1600/],
    [["convert", "a.docx", "-o", "a.pdf", "--view-zoom", "x"], /page, width, or a percentage/],
    [["convert", "a.docx", "-o", "a.pdf", "--open-password-file", "no"], /"no" does not exist/],
    [
      ["convert", "a.docx", "-o", "a.pdf", "--open-password-file", "empty"],
      /does not contain a password/,
    ],
    [["convert", "a.docx", "-o", "a.pdf", "--open-password-env", "QUIRE_NO"], /"QUIRE_NO".+Set it/],
    [
      ["convert", "a.docx", "-o", "a.pdf", "--open-password-env", "A", "--open-password-file", "b"],
      /cannot be used together with/,
    ],
    [["convert", "a.docx", "-o", "a.pdf", "--soffice", "/no/soffice"], /\/no\/soffice/],
  ] as const)("rejects %j", async ([args, message]) => {
    const place = await documentPlace();
    await place.write("empty", "\n");
    await expectRefusal(place, args, message);
  });

  test("says how to install LibreOffice if it is missing", async () => {
    const place = await documentPlace();
    const args = ["convert", "a.docx", "-o", "a.pdf"];
    const { code, stderr } = await place.start(args, { nodeArgs: nothingInstalled(place) }).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/LibreOffice.+not found/)]);
  });
});

describe("the options for PDFs", () => {
  test("make an archival PDF of some pages with a title, and print its path", async () => {
    const place = await documentPlace();
    const args = ["convert", "a.docx", "-o", "out.PDF", "--pdfa", "2b", "--pages", "2-3"];
    const ended = await place.quire([...args, "--title", "Größe", "--author", "Ann"]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "out.PDF\n", stderr: "" });
    const pdf = await load(place, "out.PDF");
    expect([pdf.getPageCount(), pdf.getTitle(), pdf.getAuthor()]).toEqual([2, "Größe", "Ann"]);
    expect(await readFile(place.path("out.PDF"), "latin1")).toMatch(/pdfaid:part\D+2\D/);
    expect(await place.names("tmp")).toEqual([]);
  }, 60_000);

  test("make a tagged PDF with bookmarks, a view and a password", async () => {
    const place = await makePlace();
    await place.write("password", "geheim\n");
    const heading = '</w:t></w:r></w:p><w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>';
    await place.write("a.docx", docx([`text${heading}Chapter`]));
    const view = ["--view-panel", "bookmarks", "--view-layout", "single"];
    const locked = ["--open-password-file", "password"];
    const args = ["convert", "a.docx", "-o", "a.pdf", "--tagged", "--bookmarks", ...view];
    const { code, stderr } = await place.quire([...args, ...locked]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^(warning: "a\.docx": .* RC4.*\n)?$/),
    ]);
    const bytes = new Uint8Array(await readFile(place.path("a.pdf")));
    await expect(getDocumentProxy(bytes.slice(), { verbosity: 0 })).rejects.toThrow(/password/i);
    const opened = await getDocumentProxy(bytes, { verbosity: 0, password: "geheim" });
    expect(opened.numPages).toBe(1);
    expect(await (await opened.getPage(1)).getStructTree()).toMatchObject({ role: "Root" });
    expect((await opened.getOutline()).map(({ title }) => title)).toEqual(["Chapter"]);
    expect(await opened.getPageMode()).toBe("UseOutlines");
    expect(await opened.getPageLayout()).toBe("SinglePage");
    await opened.loadingTask.destroy();
  }, 60_000);

  test("are rejected when they conflict", async () => {
    const place = await documentPlace();
    await place.write("password", "geheim");
    const args = ["convert", "a.docx", "-o", "a.pdf", "--pdfa", "2b"];
    await expectRefusal(place, [...args, "--open-password-file", "password"], /PDF\/A/);
    const alone = ["convert", "a.docx", "-o", "a.pdf", "--allow-printing", "low"];
    await expectRefusal(place, alone, /permission/);
  });

  test("are rejected when no PDF is made", async () => {
    const place = await documentPlace();
    await place.write("data.json", { tag: "x" });
    const render = ["render", "a.docx", "data.json", "-o", "a2.docx"];
    const run = ["run", "a.docx", "--data", "data.json", "--out", "out", "--to", "docx"];
    await expectRefusal(place, [...render, "--pages", "2"], /output is not a PDF/);
    await expectRefusal(place, [...run, "--title", "x"], /output is not a PDF/);
  });
});
