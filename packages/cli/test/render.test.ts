import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";

async function letterPlace(): Promise<Place> {
  const place = await makePlace();
  await place.write("letter.docx", docx(["Dear {{name}},", "{{text}}"]));
  await place.write("data.json", { name: "Ann & Bob", text: "one\ntwo" });
  return place;
}

/** Asserts that a command failed with a message and wrote nothing. Returns the message. */
async function expectRefusal(
  place: Place,
  args: readonly string[],
  message: RegExp,
): Promise<string> {
  const before = await place.names(".");
  const { code, stdout, stderr } = await place.quire(args);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^quire: .+[.…]$/m);
  expect(stderr).not.toMatch(/bug in Quire|^\s+at /m);
  expect([code, stdout]).toEqual([1, ""]);
  expect(await place.names(".")).toEqual(before);
  return stderr;
}

describe("quire render", () => {
  test("makes a .docx and prints its path", async () => {
    const place = await letterPlace();
    const ended = await place.quire(["render", "letter.docx", "data.json", "-o", "out.docx"]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "out.docx\n", stderr: "" });
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear Ann & Bob,", "one\ntwo"]);
    expect(await place.names(".")).toEqual(["data.json", "letter.docx", "out.docx", "tmp"]);
  });

  test("makes a .pdf with options for PDFs, and leaves no files of LibreOffice", async () => {
    const place = await letterPlace();
    const second = '</w:t><w:br w:type="page"/><w:t>{{text}}';
    await place.write("letter.docx", docx([`Dear {{name}},${second}`]));
    const args = ["render", "letter.docx", "data.json", "-o", "out.PDF"];
    const ended = await place.quire([...args, "--pages", "2", "--subject", "Sub"]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "out.PDF\n", stderr: "" });
    const bytes = await readFile(place.path("out.PDF"));
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    expect([pdf.getPageCount(), pdf.getSubject()]).toEqual([1, "Sub"]);
    expect(await place.names("tmp")).toEqual([]);
  }, 60_000);

  test("reports indexes that are out of date, unless --update-indexes updates them", async () => {
    const place = await letterPlace();
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const instruction = '<w:r><w:instrText> TOC \\o "1-3" \\h </w:instrText></w:r>';
    const toc = `${mark("begin")}${instruction}${mark("separate")}<w:r><w:t>{{name}}</w:t></w:r>${mark("end")}`;
    await place.write("toc.docx", docx([`</w:t></w:r>${toc}<w:r><w:t>`, "{{name}} {{text}}"]));
    const render = (...args: string[]) => place.quire(["render", "toc.docx", "data.json", ...args]);
    const stale = /^warning: .+ contents .+--update-indexes/m;
    for (const output of ["out.docx", "out.pdf"]) {
      const ended = await render("-o", output);
      expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(stale)]);
    }
    const updated = await render("-o", "out.pdf", "--update-indexes");
    expect(updated).toMatchObject({ code: 0, stderr: "" });
  }, 60_000);

  test("names the line of a mistake in a JSON file of several lines", async () => {
    const place = await letterPlace();
    await place.write("data.json", '{\n  "name": "Ann",\n  "text": "x",,\n}\n');
    const args = ["render", "letter.docx", "data.json", "-o", "out.docx"];
    await expectRefusal(place, args, /data\.json is not valid JSON \(line 3, column 15\)\./);
  });

  test("prints all digits of long numbers", async () => {
    const place = await letterPlace();
    await place.write(
      "data.json",
      '{"name": 12345678901234567890, "text": -0.12345678901234567890}',
    );
    const { code } = await place.quire(["render", "letter.docx", "data.json", "-o", "out.docx"]);
    expect(code).toBe(0);
    expect(await linesOf(place.path("out.docx"))).toEqual([
      "Dear 12345678901234567890,",
      "-0.12345678901234567890",
    ]);
  });

  test("reports a missing LibreOffice at the path of --soffice", async () => {
    const place = await letterPlace();
    await expectRefusal(
      place,
      ["render", "letter.docx", "data.json", "-o", "out.pdf", "--soffice", "/no/soffice"],
      /\/no\/soffice/,
    );
  });

  test("atomically replaces an existing file", async () => {
    const place = await letterPlace();
    await place.write("out.docx", "x".repeat(100_000));
    const { code } = await place.quire(["render", "letter.docx", "data.json", "-o", "out.docx"]);
    expect(code).toBe(0);
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear Ann & Bob,", "one\ntwo"]);
  });

  test.for([
    ["the template", "letter.docx", "letter.docx", /"letter\.docx".+would be overwritten/],
    ["the template by another path", "tmp/../letter.docx", "letter.docx", /would be overwritten/],
    ["the template by a link", "link.docx", "letter.docx", /"link\.docx" is the same file as/],
    ["the data by a link", "data.docx", "data.json", /same file as "data\.json"/],
  ] as const)("refuses to replace %s", async ([, output, input, message]) => {
    const place = await letterPlace();
    await symlink("letter.docx", place.path("link.docx"));
    await symlink("data.json", place.path("data.docx"));
    const before = await readFile(place.path(input));
    await expectRefusal(place, ["render", "letter.docx", "data.json", "-o", output], message);
    expect(await readFile(place.path(input))).toEqual(before);
  });

  test("keeps a symbolic link and replaces its target", async () => {
    const place = await letterPlace();
    await mkdir(place.path("far"));
    await place.write("far/old.docx", "old");
    await symlink("far/old.docx", place.path("out.docx"));
    await symlink("far/new.docx", place.path("dangling.docx"));
    for (const output of ["out.docx", "dangling.docx"]) {
      const ended = await place.quire(["render", "letter.docx", "data.json", "-o", output]);
      expect(ended).toEqual({ code: 0, signal: null, stdout: `${output}\n`, stderr: "" });
      expect((await lstat(place.path(output))).isSymbolicLink()).toBe(true);
    }
    expect(await place.names("far")).toEqual(["new.docx", "old.docx"]);
    for (const name of ["old.docx", "new.docx"]) {
      expect(await linesOf(place.path("far", name))).toEqual(["Dear Ann & Bob,", "one\ntwo"]);
    }
  });

  test.for([0o600, 0o664, 0o444])("keeps the mode %o of the old file", async (mode) => {
    const place = await letterPlace();
    await place.write("out.docx", "old");
    await chmod(place.path("out.docx"), mode);
    const { code } = await place.quire(["render", "letter.docx", "data.json", "-o", "out.docx"]);
    expect(code).toBe(0);
    expect((await stat(place.path("out.docx"))).mode & 0o777).toBe(mode);
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear Ann & Bob,", "one\ntwo"]);
  });

  test("accepts a relative --soffice, and prints its output when it fails", async () => {
    const place = await letterPlace();
    const script = "#!/bin/sh\necho out of toner >&2\necho really >&2\n";
    await writeFile(place.path("office.sh"), script, { mode: 0o755 });
    const args = ["letter.docx", "data.json", "-o", "out.pdf", "--soffice", "./office.sh"];
    const { code, stderr } = await place.quire(["render", ...args]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^quire: .+ in the cause\.\n {2}Cause: out of toner really .+\n$/);
  });

  test("writes the document and exits with 2 when a tag was not provided", async () => {
    const place = await letterPlace();
    await place.write("data.json", { name: "Ann" });
    const ended = await place.quire(["render", "letter.docx", "data.json", "-o", "out.docx"]);
    expect([ended.code, ended.stdout]).toEqual([2, "out.docx\n"]);
    expect(ended.stderr).toContain("error: The tag 'text' was not provided in the input data.");
    expect(ended.stderr).toContain("[Paragraph 2, in “{{text}}”, data at /text]");
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear Ann,", "{{text}}"]);
  });

  test("lists every problem of an invalid template with its place in words", async () => {
    const place = await letterPlace();
    const body = ["fine", "{{if a}}", "{{name :: uppercas}}"];
    await place.write("letter.docx", docx(body, "{{endfor}}"));
    const args = ["render", "letter.docx", "data.json", "-o", "out.docx"];
    const stderr = await expectRefusal(place, args, /\[Paragraph 2\]/);
    expect(stderr).toMatch(/'uppercas'.+\[Paragraph 3, in “\{\{name :: uppercas}}”\] Did you mean/);
    expect(stderr).toMatch(/endfor.+\[In the header header1\.xml, paragraph 1\]/);
    expect(stderr.trimEnd().split("\n")).toHaveLength(4);
  });

  test("rejects a template that is not a Word document", async () => {
    const place = await letterPlace();
    await place.write("letter.docx", "no zip");
    await expectRefusal(place, ["render", "letter.docx", "data.json", "-o", "out.docx"], /Word/);
  });

  test("rejects data that does not fit the template, and keeps the old document", async () => {
    const place = await letterPlace();
    await place.write("data.json", { name: { first: "secret" }, text: "" });
    await place.write("out.docx", "old");
    await expectRefusal(
      place,
      ["render", "letter.docx", "data.json", "-o", "out.docx"],
      /\{\{name\}\} is an object/,
    );
    expect(await readFile(place.path("out.docx"), "utf8")).toBe("old");
  });

  test.for([
    [
      "JSON that breaks off",
      '{"secret": 1',
      /data\.json is not valid JSON \(column 13\)\. It ends too early/,
    ],
    ["JSON with an error", '{"secret": 1,, }', /data\.json is not valid JSON \(column 14\)\./],
    [
      "text that looks like a position",
      "at position 7 of secret",
      /data\.json is not valid JSON \(column 1\)\./,
    ],
    ["an empty file", "", /data\.json is not valid JSON\. It is empty\./],
    [
      "a list",
      '[{"name":"secret"}]',
      /is a list of entries.+`quire run letter\.docx.+whole list, name the list in the file, as in \{"items": \[ … \]\}/,
    ],
    ["a text", '"secret"', /must contain one JSON object/],
    ["null", "null", /must contain one JSON object/],
    ["Latin-1", Buffer.from('{"name":"\xe9"}', "latin1"), /data\.json is not UTF-8 text\./],
  ] as const)("rejects data that is %s, and does not quote it", async ([, data, message]) => {
    const place = await letterPlace();
    await place.write("data.json", data);
    const args = ["render", "letter.docx", "data.json", "-o", "out.docx"];
    expect(await expectRefusal(place, args, message)).not.toContain("secret");
  });

  test("reads data with a byte order mark", async () => {
    const place = await letterPlace();
    await place.write("data.json", '\ufeff{"name":"Ann","text":""}');
    const { code } = await place.quire(["render", "letter.docx", "data.json", "-o", "out.docx"]);
    expect(code).toBe(0);
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear Ann,", ""]);
  });

  test.for([
    [
      "a missing template",
      ["none.docx", "data.json", "-o", "o.docx"],
      /"none\.docx" .*does not exist/,
    ],
    ["missing data", ["letter.docx", "none.json", "-o", "o.docx"], /"none\.json" .*does not exist/],
    ["a folder as template", ["tmp", "data.json", "-o", "o.docx"], /"tmp" .*is a folder/],
    ["a folder as data", ["letter.docx", "tmp", "-o", "o.docx"], /"tmp" .*is a folder/],
    [
      "another extension",
      ["letter.docx", "data.json", "-o", "o.odt"],
      /in \.docx or \.pdf, for example/,
    ],
    ["no extension", ["letter.docx", "data.json", "-o", "docx"], /in \.docx or \.pdf, for example/],
    [
      "a missing folder",
      ["letter.docx", "data.json", "-o", "no/o.docx"],
      /"no\/o\.docx" .+ the folder "no" does not exist/,
    ],
  ] as const)("rejects %s", async ([, args, message]) => {
    const place = await letterPlace();
    await expectRefusal(place, ["render", ...args], message);
  });

  test("refuses to replace a folder and leaves no temporary file", async () => {
    const place = await letterPlace();
    await mkdir(place.path("out.docx"));
    await expectRefusal(
      place,
      ["render", "letter.docx", "data.json", "-o", "out.docx"],
      /"out\.docx" cannot be written/,
    );
  });

  test("exits with 1 and names the missing option or the unknown command", async () => {
    const place = await letterPlace();
    const without = await place.quire(["render", "letter.docx", "data.json"]);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("--out <file>")]);
    const unknown = await place.quire(["rendr"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("rendr")]);
  });
});
