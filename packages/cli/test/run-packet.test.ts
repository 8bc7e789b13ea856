import { mkdir, readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { interruptWhenItListens, makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

const NEXT_PAGE = '</w:t><w:br w:type="page"/><w:t>';

/** Creates a test folder with a letter and these entries. */
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

/** Returns the bookmarks of a packet, each with the text of its page. */
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

async function titlesOf(path: string): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(path)), { verbosity: 0 });
  const titles = ((await pdf.getOutline()) ?? []).map(({ title }) => title);
  await pdf.loadingTask.destroy();
  return titles;
}

async function load(path: string): Promise<PDFDocument> {
  return PDFDocument.load(await readFile(path), { updateMetadata: false });
}

describe("quire run --packet", () => {
  test("also merges all documents into one PDF, in the order of the entries, with options for PDFs", async () => {
    const names = ["Ann", "Bob", "Cid", "Dee", "Eve"];
    const place = await letterPlace(names.map((name) => ({ name })));
    await place.write("letter.docx", docx([`Dear {{name}}${NEXT_PAGE}left out`]));
    const args = run("--name", "{{name}}", "--packet", "all/letters.pdf", "--concurrency", "2");
    const { code, stdout, stderr } = await place.quire([...args, "--pages", "1", "--subject", "S"]);
    expect(stderr).not.toMatch(/warning|error/);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^all\/letters\.pdf: 5 pages of 5 documents$/m);
    expect(await place.names()).toEqual(names.map((name) => `${name}.pdf`));
    expect(await bookmarksOf(place.path("all", "letters.pdf"))).toEqual(
      names.map((name) => `${name}: Dear ${name}`),
    );
    expect(await place.names("all")).toEqual(["letters.pdf"]);
    const document = await load(place.path("out", "Ann.pdf"));
    expect([document.getPageCount(), document.getSubject()]).toEqual([1, "S"]);
  }, 60_000);

  test("makes a packet for each group if its name has tags, and replaces no document of the run", async () => {
    const place = await letterPlace([
      { name: "Ann", region: "north" },
      { name: "Bob", region: "south" },
      { name: "Cid", region: "North" },
      { name: "Dee" },
      { name: "Eve", region: "a/b" },
      { name: { x: 1 }, region: "north" },
      { name: "Fay", region: "letter" },
    ]);
    const { code, stdout, stderr } = await place.quire(run("--packet", "out/{{region}}-1.pdf"));
    expect(code).toBe(2);
    const documents = [1, 2, 3, 4, 5, 7].map((entry) => `letter-${entry}.pdf`);
    expect(await place.names()).toEqual([...documents, "north-1.pdf", "south-1.pdf"]);
    expect(await bookmarksOf(place.path("out", "north-1.pdf"))).toEqual([
      "letter-1: Dear Ann",
      "letter-3: Dear Cid",
    ]);
    expect(stdout).toMatch(/^out\/south-1\.pdf: 1 page of 1 document$/m);
    expect(stderr).toMatch(/^entry 4 is not in a packet: .+'region' was not provided/m);
    expect(stderr).toMatch(
      /^entry 5 is not in a packet: The file name .+ contains the character \/\./m,
    );
    expect(stderr).toMatch(/^Not in a packet: entries 4, 5, 6 \(total 3\)\.$/m);
    expect(stderr).not.toMatch(/unused|no tag uses/);
    expect(stderr).toMatch(/^quire: The output "out\/letter-1\.pdf" is the same file as/m);
    expect(stderr).toMatch(/^The packet "out\/letter-1\.pdf" was not written\.$/m);
    expect((await load(place.path("out", "letter-1.pdf"))).getPageCount()).toBe(1);
  }, 60_000);

  test("sorts the documents of each packet, and begins each on a new sheet", async () => {
    const place = await letterPlace([
      { name: "Ann", zip: 900, region: "north" },
      { name: "Bob", zip: 80, region: "south" },
      { name: "Cid", zip: 1000, region: "north" },
      { name: "Dee", region: "north" },
      { name: "Eve", zip: 80, region: "north" },
    ]);
    const flags = ["--packet", "{{region}}.pdf", "--packet-order", "{{zip}}", "--duplex"];
    const tried = await place.quire(run(...flags, "--dry-run", "--name", "{{name}}"));
    expect(tried.stdout).toMatch(/^north\.pdf: 3 documents\nsouth\.pdf: 1 documents$/m);
    const { code, stdout, stderr } = await place.quire(run(...flags, "--name", "{{name}}"));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^entry 4 is not in a packet: /m)]);
    expect(stderr).toMatch(/The text of --packet-order cannot be created\..+'zip'/);
    expect(stdout).toMatch(/^north\.pdf: 6 pages \(3 blank\) of 3 documents$/m);
    const packet = await load(place.path("north.pdf"));
    expect(packet.getPageCount()).toBe(6);
    expect(await titlesOf(place.path("north.pdf"))).toEqual(["Eve", "Ann", "Cid"]);
  }, 60_000);

  test("skips and reports entries without a document, and replaces no file whose name differs only in case", async () => {
    const place = await letterPlace([{ name: "Ann" }, { name: { x: 1 } }, { name: "Cid" }]);
    const args = run("--packet", "out/LETTER-1.pdf");
    const { code, stdout, stderr } = await place.quire(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Not in a packet: entry 2 \(total 1\)\.$/m);
    expect((await load(place.path("out", "letter-1.pdf"))).getPageCount()).toBe(1);
    // If the file system ignores case, no packet is written.
    if ((await place.names()).length < 3) return;
    expect(stdout).toMatch(/^out\/LETTER-1\.pdf: 2 pages of 2 documents$/m);
    const wanted = ["letter-1: Dear Ann", "letter-3: Dear Cid"];
    expect(await bookmarksOf(place.path("out", "LETTER-1.pdf"))).toEqual(wanted);
  }, 60_000);

  test("writes no packet if the run is interrupted, and says so", async () => {
    const place = await letterPlace([{ name: "Ann" }]);
    const begun = place.begin(run("--packet", "all.pdf"));
    interruptWhenItListens(begun);
    const { code, stderr } = await begun.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^No packet was written, because the run was interrupted\.$/m);
    expect(await place.names(".")).not.toContain("all.pdf");
  });

  test.for([
    ["--to is docx", ["--to", "docx", "--packet", "all.pdf"], /needs --to pdf/],
    [
      "its documents have passwords",
      ["--packet", "all.pdf", "--open-password-file", "letter.docx"],
      /documents with passwords cannot be merged/,
    ],
    ["it is not a .pdf", ["--packet", "all.zip"], /must end in \.pdf/],
    ["it is the data", ["--packet", "same.pdf"], /is the same file as "data\.jsonl"/],
    ["its folder has tags", ["--packet", "{{a}}/b.pdf"], /not in the folder/],
    [
      "its tags are wrong",
      ["--packet", "{{a :: uppercas}}.pdf"],
      /--packet pattern .+'uppercase'/s,
    ],
    ["it is missing", ["--duplex"], /--duplex applies to packets\. Add --packet/],
    [
      "its order is not valid",
      ["--packet", "a.pdf", "--packet-order", "{{"],
      /--packet-order pattern/,
    ],
    ["its folder cannot exist", ["--packet", "data.jsonl/all.pdf"], /cannot be written/],
  ] as const)("rejects a packet before the run when %s", async ([, more, message]) => {
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
