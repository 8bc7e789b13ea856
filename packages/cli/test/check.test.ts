/** `quire check`: reports the problems of a template and its data without generating documents. */
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

async function letterPlace(...paragraphs: readonly string[]): Promise<Place> {
  const place = await makePlace();
  const own = ["Dear {{customer.name}},", "{{text :: optional}}"];
  await place.write("letter.docx", docx(paragraphs.length > 0 ? paragraphs : own));
  return place;
}

function jsonLines(entries: readonly unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Returns the lines of standard output as JSON. */
function parsed(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ANN = { customer: { name: "Ann" }, text: "x" };

describe("quire check of a template", () => {
  test("prints the number of tags of a valid template", async () => {
    const place = await letterPlace();
    const ended = await place.quire(["check", "letter.docx"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toBe("letter.docx: 2 tags, 0 errors, 0 warnings\n");
    expect(await place.names(".")).toEqual(["letter.docx", "tmp"]);
  });

  test("reports every problem with its place in words, the text around it, and a hint", async () => {
    const place = await makePlace();
    const body = ["fine", "Because {{if a}} of it", "{{name :: uppercas}}"];
    await place.write("letter.docx", docx(body, "{{endfor}}"));
    const { code, stdout, stderr } = await place.quire(["check", "letter.docx"]);
    expect([code, stderr]).toEqual([2, ""]);
    expect(stdout.split("\n\n")).toEqual([
      "error: The block {{if a}} is not closed.\n  Paragraph 2, in “Because {{if a}} of it”\n  Add {{endif}} where it ends.",
      "error: There is no modifier 'uppercas'.\n  Paragraph 3, in “{{name :: uppercas}}”\n  Did you mean 'uppercase'?",
      expect.stringMatching(
        /^error: \{\{endfor}} .+\n {2}In the header header1\.xml, paragraph 1\n/,
      ),
      "letter.docx: cannot be used, 3 errors, 0 warnings\n",
    ]);
  });

  test("reports a file that is not a Word document", async () => {
    const place = await makePlace();
    await place.write("letter.docx", "no zip");
    const { code, stdout, stderr } = await place.quire(["check", "letter.docx"]);
    expect([code, stderr]).toEqual([2, ""]);
    expect(stdout).toMatch(/^error: .*Word.*\n\nletter\.docx: cannot be used, 1 error/);
  });

  test("does not check the data of an invalid template, and says so", async () => {
    const place = await letterPlace("{{if a}}");
    await place.write("data.jsonl", "{");
    const { code, stdout } = await place.quire(["check", "letter.docx", "--data", "data.jsonl"]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^letter\.docx: cannot be used; data\.jsonl was not checked$/m);
  });

  test.for([
    ["the template is missing", ["none.docx"], /"none\.docx" .*does not exist/],
    ["the data is missing", ["letter.docx", "--data", "none.csv"], /"none\.csv" .*does not exist/],
    ["the data has an unknown type", ["letter.docx", "--data", "data.txt"], / Use \.json/],
    ["--on-missing is unknown", ["letter.docx", "--on-missing", "x"], /keep, blank, fail/],
    ["--locale is invalid", ["letter.docx", "--locale", "x y"], /locale "x y"/],
    ["--time-zone is invalid", ["letter.docx", "--time-zone", "Mars"], /time zone "Mars"/],
    [
      "--delimiters has only one delimiter",
      ["letter.docx", "--delimiters", "[["],
      /Use auto, or two/,
    ],
    ["--delimiters are equal", ["letter.docx", "--delimiters", "%,%"], /delimiters must differ/],
    [
      "--name is not a valid pattern",
      ["letter.docx", "--name", "{{if a}}"],
      /cannot be used in plain text/,
    ],
  ] as const)("exits with 1 when %s", async ([, args, message]) => {
    const place = await letterPlace();
    await place.write("data.txt", "x");
    const { code, stdout, stderr } = await place.quire(["check", ...args]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("bug in Quire");
  });
});

describe("quire check of entries", () => {
  test("names the entries and lines of each problem, but no values", async () => {
    const place = await letterPlace();
    const lines = Array.from({ length: 400 }, () => JSON.stringify(ANN));
    lines[16] = '{"customer": {"nmae": "secret"}}';
    lines[17] = "\n"; // a blank line, so that line numbers and entry numbers differ
    lines[40] = '{"customer": {"name": {"first": "secret"}}}';
    lines[41] = '{"customer": "secret';
    lines[42] = '["secret"]';
    for (let line = 100; line < 120; line++) lines[line] = '{"customer": {}, "text": "secret"}';
    await place.write("data.jsonl", lines.join("\n"));
    const { code, stdout, stderr } = await place.quire([
      "check",
      "letter.docx",
      "--data",
      "data.jsonl",
    ]);
    expect([code, stderr]).toEqual([2, ""]);
    expect(stdout).not.toContain("secret");
    expect(stdout.split("\n\n")).toEqual([
      "error: The tag 'customer.name' was not provided in the input data.\n" +
        "  Paragraph 1, in “Dear {{customer.name}},”\n" +
        "  Did you mean 'customer.nmae'?\n" +
        "  1 of 399 entries, data at /customer/name: 17 (line 17)",
      expect.stringMatching(
        /^error: The value for the tag \{\{customer\.name}} is an object.+\n.+\n.+\n {2}1 of 399 entries, data at \/customer\/name: 40 \(line 42\)$/,
      ),
      "error: Line 43 of data.jsonl is not valid JSON (column 14). The text has no closing quote.\n" +
        "  1 of 399 entries: 41 (line 43)",
      'error: Line 44 of data.jsonl is not a JSON object, so it contains no data. Write one, such as {"name": "Ann"}, and for a list one with its name, such as {"items": [ … ]}.\n' +
        "  1 of 399 entries: 42 (line 44)",
      expect.stringMatching(
        /^error: .+'customer\.name'.+\n.+\n {2}Add it.+\n {2}20 of 399 entries, data at \/customer\/name: 100 \(line 102\), (\d+ \(line \d+\), ){9}…$/,
      ),
      expect.stringMatching(
        /^warning: The tag 'customer\.nmae' was .+\n {2}Did you mean 'customer\.name'\?\n {2}1 of 399 entries/,
      ),
      "letter.docx: 2 tags\ndata.jsonl: 399 entries, 24 with errors, 1 with warnings\n",
    ]);
  });

  test("exits with 0 for entries with warnings, and with 2 with --strict", async () => {
    const place = await letterPlace();
    await place.write("data.json", [ANN, { ...ANN, more: "secret" }, { ...ANN, more: 1 }]);
    const args = ["check", "letter.docx", "--data", "data.json"];
    const ended = await place.quire(args);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toBe(
      "warning: The tag 'more' was provided but not used in the template.\n" +
        "  2 of 3 entries, data at /more: 2, 3\n\n" +
        "letter.docx: 2 tags\ndata.json: 3 entries, 0 with errors, 2 with warnings\n",
    );
    expect((await place.quire([...args, "--strict"])).code).toBe(2);
  });

  test("lists an entry once when it has a problem in many places", async () => {
    const place = await letterPlace("{{for item in items}}{{item.price}} {{endfor}}");
    await place.write("data.json", [
      { items: [{}, { price: 1 }, {}] },
      { items: [{ price: 1 }, {}] },
    ]);
    const { code, stdout } = await place.quire(["check", "letter.docx", "--data", "data.json"]);
    expect(code).toBe(2);
    expect(stdout).toContain(
      "  2 of 2 entries: 1 (/items/0/price, /items/2/price), 2 (/items/1/price)\n",
    );
  });

  test("warns of missing values with --on-missing blank, except for optional values", async () => {
    const place = await letterPlace();
    await place.write("data.json", {});
    const args = ["check", "letter.docx", "--data", "data.json", "--on-missing"];
    const blank = await place.quire([...args, "blank"]);
    expect([blank.code, blank.stdout.match(/^\w+: The tag/gm)]).toEqual([0, ["warning: The tag"]]);
    expect((await place.quire([...args, "fail"])).code).toBe(2);
  });

  test("reports the first line of each CSV row, and continues after an invalid row", async () => {
    const place = await letterPlace();
    const csv =
      'customer.name,text\r\n"Ann\r\nB.","x\ny"\r\n\r\nBob\r\n"C.\r\nD.",x,y\r\nDee,x\r\n';
    await place.write("data.csv", csv);
    const { code, stdout } = await place.quire(["check", "letter.docx", "--data", "data.csv"]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^error: Line 6 of .+1 cell.+\n {2}1 of 4 entries: 2 \(line 6\)$/m);
    expect(stdout).toMatch(/^error: Line 7 of .+3 cells.+\n {2}1 of 4 entries: 3 \(line 7\)$/m);
  });

  test("reports the lines of the items in a JSON list", async () => {
    const place = await letterPlace();
    await place.write("data.json", `[\n${JSON.stringify(ANN)}, {\n"customer":\n{}},\n\n5]\n`);
    const { code, stdout } = await place.quire(["check", "letter.docx", "--data", "data.json"]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ {2}1 of 3 entries, data at \/customer\/name: 2 \(line 2\)$/m);
    expect(stdout).toMatch(/^ {2}1 of 3 entries: 3 \(line 6\)$/m);
  });

  test.for([
    ["data.json", '[{"secret": 1', /^error: The file data\.json is not valid JSON/],
    ["data.json", "[]", /^error: The data file "data\.json" contains no entries\./m],
    ["data.csv", "customer.name\n", /^error: .+ contains no entries\./m],
    ["data.csv", 'customer.name\nAnn\n"Bob\n', /^error: The file data\.csv is not valid CSV/],
  ] as const)("reports a problem of the whole file %s: %j", async ([name, data, message]) => {
    const place = await letterPlace();
    await place.write(name, data);
    const { code, stdout, stderr } = await place.quire(["check", "letter.docx", "--data", name]);
    expect([code, stderr]).toEqual([2, ""]);
    expect(stdout).toMatch(message);
    expect(stdout).not.toContain("secret");
  });

  test("reports the other problems of a run: names, depth, locales of entries", async () => {
    const place = await letterPlace();
    const deep = JSON.parse(`${'{"a":'.repeat(70)}1${"}".repeat(70)}`);
    await place.write(
      "data.jsonl",
      jsonLines([
        { generated_file_name: "a/b", user_input: ANN },
        { ...ANN, text: deep },
        { generated_file_name: "c", user_input: ANN, locale: "no locale" },
        { generated_file_name: "d", user_input: ANN, locale: "de-DE", time_zone: "Europe/Berlin" },
      ]),
    );
    const { code, stdout } = await place.quire(["check", "letter.docx", "--data", "data.jsonl"]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^error: The file name "a\/b" .+\n {2}.+\n {2}1 of 4 entries: 1 /m);
    expect(stdout).toMatch(/^error: .+ deeper than 64 levels\.\n {2}1 of 4 entries: 2 /m);
    expect(stdout).toMatch(/^error: .+no locale.+\n {2}1 of 4 entries, data at \/locale: 3 /m);
    expect(stdout).toMatch(/4 entries, 3 with errors, 0 with warnings$/m);
  });

  test("checks the file names of --name, and counts their values as used", async () => {
    const place = await letterPlace();
    const entry = { ...ANN, id: "a", batch: { day: "1", hour: 2 } };
    await place.write(
      "data.jsonl",
      jsonLines([entry, { ...entry, id: "x/y" }, { ...entry, id: null }]),
    );
    const args = ["check", "letter.docx", "--data", "data.jsonl", "--name", "{{id}}-{{batch.day}}"];
    const { code, stdout } = await place.quire(args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^error: The file name "x\/y-1" /m);
    expect(stdout).toMatch(/^error: .+'id' was not provided/m);
    expect(stdout).not.toContain("warning:");
  });

  test("prints no control characters from the keys of the data", async () => {
    const place = await letterPlace();
    await place.write("data.json", { ...ANN, "\u001b[2J\u009b31m\u202ekey\n": 1 });
    const { stdout } = await place.quire(["check", "letter.docx", "--data", "data.json"]);
    expect(stdout).toMatch(/^warning: The tag ' \[2J 31mkey ' was provided/m);
  });
});

describe("quire check --json", () => {
  test("prints one object per line for each problem, then a summary", async () => {
    const place = await letterPlace();
    await place.write("data.jsonl", `${JSON.stringify(ANN)}\n\n{"x": "secret"}\n5\n`);
    const args = ["check", "letter.docx", "--data", "data.jsonl", "--json"];
    const { code, stdout, stderr } = await place.quire(args);
    expect([code, stderr]).toEqual([2, ""]);
    expect(parsed(stdout)).toEqual([
      {
        type: "problem",
        entry: 2,
        line: 3,
        severity: "error",
        code: "missing_value",
        message: "The tag 'customer.name' was not provided in the input data.",
        hint: expect.any(String),
        pointer: "/customer/name",
        template: {
          part: "word/document.xml",
          paragraph: 1,
          tag: "{{customer.name}}",
          near: "Dear {{customer.name}},",
        },
        place: "Paragraph 1, in “Dear {{customer.name}},”",
      },
      expect.objectContaining({ entry: 2, line: 3, severity: "warning", code: "unused_value" }),
      {
        type: "problem",
        entry: 3,
        line: 4,
        severity: "error",
        code: "invalid_data",
        message: expect.stringMatching(
          /^Line 4 of data\.jsonl is not a JSON object, so it contains/,
        ),
      },
      {
        type: "summary",
        template: "letter.docx",
        tags: 2,
        data: "data.jsonl",
        entries: 3,
        entries_with_errors: 2,
        entries_with_warnings: 1,
        errors: 2,
        warnings: 1,
      },
    ]);
  });

  test("reports problems of the template without an entry", async () => {
    const place = await letterPlace("{{if a}}");
    const { code, stdout } = await place.quire(["check", "letter.docx", "--json"]);
    expect(code).toBe(2);
    expect(parsed(stdout)).toEqual([
      expect.objectContaining({ type: "problem", entry: null, line: null, code: "unclosed_block" }),
      expect.objectContaining({
        type: "summary",
        tags: null,
        data: null,
        entries: null,
        errors: 1,
      }),
    ]);
  });
});
