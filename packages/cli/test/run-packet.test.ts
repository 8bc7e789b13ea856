import { mkdir, readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { isPdf, makePlace, type Place, until } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

/** A place with a letter of two pages, and these entries. */
async function letterPlace(entries: readonly unknown[]): Promise<Place> {
  const place = await makePlace();
  await place.write("letter.docx", docx(["Dear {{name}}"]));
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  await place.write("data.jsonl", lines);
  return place;
}

function run(...more: string[]): string[] {
  return ["run", "letter.docx", "--data", "data.jsonl", "--to", "pdf", "--out", "out", ...more];
}

/** The bookmarks of a packet, each with the text of its page. */
async function bookmarksOf(path: string): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(path)), { verbosity: 0 });
  const found: string[] = [];
  for (const { title, dest } of (await pdf.getOutline()) ?? []) {
    const index = await pdf.getPageIndex((dest as unknown as readonly never[])[0] as never);
    const { items } = await (await pdf.getPage(index + 1)).getTextContent();
    found.push(`${title}: ${items.map((item) => ("str" in item ? item.str : "")).join("")}`);
  }
  expect(pdf.numPages).toBe(found.length);
  await pdf.loadingTask.destroy();
  return found;
}

describe("quire run --packet", () => {
  test("makes one PDF of all documents beside them, in the order of the entries", async () => {
    const names = ["Ann", "Bob", "Cid", "Dee", "Eve"];
    const place = await letterPlace(names.map((name) => ({ name })));
    const args = run("--name", "{{name}}", "--packet", "all/letters.pdf", "--concurrency", "2");
    const { code, stdout, stderr } = await place.quire(args);
    expect(stderr).not.toMatch(/warning|error/);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^all\/letters\.pdf: 5 pages of 5 documents$/m);
    expect(await place.names()).toEqual(names.map((name) => `${name}.pdf`));
    expect(await bookmarksOf(place.path("all", "letters.pdf"))).toEqual(
      names.map((name) => `${name}: Dear ${name}`),
    );
    expect(await place.names("all")).toEqual(["letters.pdf"]);
  }, 60_000);

  test("leaves out entries without a document, and says which", async () => {
    const place = await letterPlace([{ name: "Ann" }, { name: { x: 1 } }, { name: "Cid" }]);
    const { code, stdout, stderr } = await place.quire(run("--packet", "out/all.pdf"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Not in a packet: entry 2, 1 in all\.$/m);
    expect(stdout).toMatch(/^out\/all\.pdf: 2 pages of 2 documents$/m);
    const wanted = ["letter-1: Dear Ann", "letter-3: Dear Cid"];
    expect(await bookmarksOf(place.path("out", "all.pdf"))).toEqual(wanted);
  }, 60_000);

  test("makes a packet for each group when its name has tags", async () => {
    const place = await letterPlace([
      { name: "Ann", region: "north" },
      { name: "Bob", region: "south" },
      { name: "Cid", region: "North" },
      { name: "Dee" },
      { name: "Eve", region: "a/b" },
    ]);
    const { code, stdout, stderr } = await place.quire(run("--packet", "by/{{region}} x.pdf"));
    expect(code).toBe(2);
    expect(await place.names("by")).toEqual(["north x.pdf", "south x.pdf"]);
    expect(await bookmarksOf(place.path("by", "north x.pdf"))).toEqual([
      "letter-1: Dear Ann",
      "letter-3: Dear Cid",
    ]);
    expect(stdout).toMatch(/^by\/south x\.pdf: 1 page of 1 document$/m);
    expect(stderr).toMatch(/^entry 4 is in no packet: .+'region' was not provided/m);
    expect(stderr).toMatch(/^entry 5 is in no packet: The file name .+ holds the character \/\./m);
    expect(stderr).not.toMatch(/unused|no tag uses/);
  }, 60_000);

  test("replaces neither a document of the run nor the data", async () => {
    const place = await letterPlace([{ name: "Ann" }, { name: "Bob" }]);
    const args = run("--name", "{{name}}", "--packet", "out/ann.pdf");
    const first = await place.quire(args);
    // Where case does not count, or else the packet stands beside the document.
    expect([0, 2]).toContain(first.code);
    const { code, stderr } = await place.quire(
      run("--name", "x{{name}}", "--packet", "out/xAnn.pdf"),
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/^quire: The output "out\/xAnn\.pdf" is the same file as/m);
    expect(stderr).toMatch(/^The packet "out\/xAnn\.pdf" was not written\.$/m);
    const document = await PDFDocument.load(await readFile(place.path("out", "xAnn.pdf")));
    expect(document.getPageCount()).toBe(1);
  }, 60_000);

  test("writes no packet when the run is interrupted, and says so", async () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({ name: `Ann ${index}` }));
    const place = await letterPlace(entries);
    const { process: child, ended } = place.start(run("--packet", "all.pdf"));
    await until("there is a PDF", async () => (await place.names()).some(isPdf));
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^No packet was written, because the run was interrupted\.$/m);
    expect(await place.names(".")).not.toContain("all.pdf");
  }, 60_000);

  test.for([
    ["--to is docx", ["--to", "docx", "--packet", "all.pdf"], /add --to pdf/],
    [
      "its documents have passwords",
      ["--packet", "all.pdf", "--open-password-file", "letter.docx"],
      /documents with passwords cannot be merged/,
    ],
    ["it is no .pdf", ["--packet", "all.zip"], /must end in \.pdf/],
    ["it is the data", ["--packet", "same.pdf"], /is the same file as "data\.jsonl"/],
    ["its folder has tags", ["--packet", "{{a}}/b.pdf"], /not in its folder/],
    ["its tags are wrong", ["--packet", "{{a :: uppercas}}.pdf"], /of --packet .+'uppercase'/s],
    ["its folder cannot be", ["--packet", "data.jsonl/all.pdf"], /cannot be written/],
  ] as const)("refuses at once a packet when %s", async ([, more, message]) => {
    const place = await letterPlace([{ name: "Ann" }]);
    const { symlink } = await import("node:fs/promises");
    await symlink(place.path("data.jsonl"), place.path("same.pdf"));
    await mkdir(place.path("out"));
    const { code, stdout, stderr } = await place.quire(run(...more));
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/bug in Quire/);
    expect(await place.names()).toEqual([]);
  });
});
