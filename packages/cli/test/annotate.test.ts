/** `quire annotate`: copies a template and adds comments. */
import { readFile } from "node:fs/promises";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";

/** Returns the comments of a document, each with its paragraphs in one line. */
async function commentsOf(path: string): Promise<string[]> {
  const xml = new PizZip(await readFile(path)).file("word/comments.xml")?.asText() ?? "";
  return [...xml.matchAll(/<w:comment .*?<\/w:comment>/gs)].map(([comment]) =>
    [...comment.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)]
      .map(([, text = ""]) => text)
      .join(" ")
      .replaceAll("&apos;", "'")
      .replaceAll("\u200d", ""),
  );
}

async function wrongPlace(): Promise<Place> {
  const place = await makePlace();
  await place.write("offer.docx", docx(["Dear {{name :: uppercas}}", "{{if a}}"]));
  return place;
}

async function soundPlace(data: object): Promise<Place> {
  const place = await makePlace();
  await place.write("offer.docx", docx(["Dear {{name}}", "{{text}}"]));
  await place.write("data.json", data);
  return place;
}

describe("quire annotate", () => {
  test("writes a copy next to the template with a comment at each problem", async () => {
    const place = await wrongPlace();
    const before = await readFile(place.path("offer.docx"));
    const ended = await place.quire(["annotate", "offer.docx"]);
    expect(ended).toMatchObject({
      code: 0,
      stdout: "offer.review.docx\n",
      stderr: "2 problems are marked with comments.\n",
    });
    expect(await place.names(".")).toEqual(["offer.docx", "offer.review.docx", "tmp"]);
    expect(await readFile(place.path("offer.docx"))).toEqual(before);
    expect(await commentsOf(place.path("offer.review.docx"))).toEqual([
      "There is no modifier 'uppercas'. Did you mean 'uppercase'?",
      expect.stringMatching(/^The block \{\{if a}} is not closed\. Add \{\{endif}}/),
    ]);
    const lines = await linesOf(place.path("offer.review.docx"));
    expect(lines).toEqual(["Dear {{name :: uppercas}}", "{{if a}}"]);
  });

  test("replaces an older copy only when -o names it", async () => {
    const place = await wrongPlace();
    await place.write("offer.review.docx", "mine");
    const refused = await place.quire(["annotate", "offer.docx"]);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^quire: "offer\.review\.docx" already exists\. .+-o/);
    expect(await readFile(place.path("offer.review.docx"), "utf8")).toBe("mine");
    const args = ["annotate", "offer.docx", "-o", "offer.review.docx"];
    expect((await place.quire(args)).code).toBe(0);
    expect(await commentsOf(place.path("offer.review.docx"))).toHaveLength(2);
    expect(await place.names(".")).toEqual(["offer.docx", "offer.review.docx", "tmp"]);
  });

  test.for([
    ["the template", ["offer.docx", "-o", "tmp/../offer.docx"], /which would be overwritten/],
    ["another kind of file", ["offer.docx", "-o", "offer.pdf"], /must end in \.docx, for example/],
    ["no folder", ["offer.docx", "-o", "no/x.docx"], /"no\/x\.docx" cannot be written/],
    ["a file that is not a Word document", ["x.docx"], /Word/],
  ] as const)("refuses to write %s", async ([, args, message]) => {
    const place = await wrongPlace();
    await place.write("x.docx", "no zip");
    const before = await place.names(".");
    const { code, stdout, stderr } = await place.quire(["annotate", ...args]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(await place.names(".")).toEqual(before);
  });

  test("says when there are no problems", async () => {
    const place = await soundPlace({ name: "Ann", text: "x" });
    const { code, stderr } = await place.quire(["annotate", "offer.docx", "--data", "data.json"]);
    expect([code, stderr]).toEqual([0, "No problems were found, so no comments were added.\n"]);
    expect(await commentsOf(place.path("offer.review.docx"))).toEqual([]);
  });

  test("reports each problem of the entries once, with the entries that have it", async () => {
    const place = await soundPlace([
      { name: "secret", text: "x" },
      { name: "secret", txt: "secret" },
      { name: "secret" },
      7,
    ]);
    const args = ["annotate", "offer.docx", "--data", "data.json"];
    const { code, stdout, stderr } = await place.quire(args);
    expect([code, stdout]).toEqual([0, "offer.review.docx\n"]);
    expect(stderr).toBe(
      "1 of the entries cannot be read. Run quire check to see why.\n" +
        "3 problems are marked with comments.\n",
    );
    const comments = await commentsOf(place.path("offer.review.docx"));
    expect(comments).toEqual([
      expect.stringMatching(
        /^The tag 'text' was not provided in the input data\. In 1 of 4 entries, data at \/text: 2 Did you mean 'txt'\?$/,
      ),
      expect.stringMatching(/^The tag 'text' was .+ In 1 of 4 entries, data at \/text: 3 Add it/),
      expect.stringMatching(/^The tag 'txt' was provided but not used .+ In 1 of 4 entries/),
    ]);
    expect(comments.join()).not.toContain("secret");
  });

  test("does not check the data when the tags are invalid", async () => {
    const place = await wrongPlace();
    await place.write("data.json", {});
    const { code, stderr } = await place.quire(["annotate", "offer.docx", "--data", "data.json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The data was not checked, .+\n2 problems are marked/);
  });
});
