import { describe, expect, test } from "vitest";
import { dataKey } from "../src/data/data-options.ts";
import { parseTypes } from "../src/entries/column-types.ts";
import { fileNames } from "../src/files/file-names.ts";
import { loadTemplate } from "../src/files/template.ts";
import { RunEntries } from "../src/run/entries.ts";
import { runKey } from "../src/run/key.ts";
import { type Ended, makePlace, type Place, until } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";
import { n, t, xlsx } from "./support/xlsx.ts";

/** The result of a run. `documents` contains the text of each document, by name. */
interface Made extends Ended {
  readonly documents: Readonly<Record<string, string>>;
}

async function make(
  dataName: string,
  data: string | Uint8Array | object,
  ...more: string[]
): Promise<Made> {
  const place = await makePlace();
  await place.write("t.docx", docx(["{{name}} in {{address.city}}"]));
  await place.write(dataName, data);
  // One process renders all documents, because starting more processes would take longer.
  const out = ["--to", "docx", "--out", "out", "--concurrency", "1"];
  const args = ["run", "t.docx", "--data", dataName, ...out, ...more];
  const ended = await place.quire(args);
  return { ...ended, documents: await documentsOf(place) };
}

async function documentsOf(place: Place): Promise<Record<string, string>> {
  const documents: Record<string, string> = {};
  for (const name of await place.names()) {
    documents[name] = (await linesOf(place.path("out", name))).join("\n");
  }
  return documents;
}

const ANN = { name: "Ann", address: { city: "Rome" } };
const BOB = { name: "Bob", address: { city: "Oslo" } };

/** A PNG of one pixel. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("a CSV file", () => {
  test("may have dots in its header, and quotes and newlines in its cells", async () => {
    const csv = 'name,address.city,note\r\n"Ann ""A"" O\'Hara","Rome,\r\nItaly",\r\nBob,Oslo,x\r\n';
    const made = await make("data.csv", csv);
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("entry")]);
    expect(made.documents).toEqual({
      "t-1.docx": 'Ann "A" O\'Hara in Rome,\nItaly',
      "t-2.docx": "Bob in Oslo",
    });
  });

  test("names images in columns for type and id, and gives a hint for a name alone", async () => {
    const run = async (csv: string): Promise<Ended> => {
      const place = await makePlace();
      await place.write("t.docx", docx(['{{photo :: width("2cm")}}']));
      await place.write("a.png", DOT);
      await place.write("data.csv", csv);
      return place.quire(["run", "t.docx", "--data", "data.csv", "--to", "docx", "--out", "out"]);
    };
    const good = await run("photo.type,photo.id\nfile,a.png\n");
    expect([good.code, good.stderr]).toEqual([0, expect.not.stringContaining("image")]);
    const bad = await run("photo\na.png\n");
    expect(bad.code).not.toBe(0);
    expect(bad.stderr).toContain("photo has the columns photo.type and photo.id");
  });

  test("has a missing value for an empty cell, and no object if all of its cells are empty", async () => {
    const csv = "name,address.city\n ,Oslo\nAnn,\n";
    const kept = await make("data.csv", csv, "--no-check");
    expect(kept.code).toBe(2);
    expect(kept.documents).toEqual({
      "t-1.docx": "{{name}} in Oslo",
      "t-2.docx": "Ann in {{address.city}}",
    });
    const failed = await make("data.csv", csv, "--on-missing", "fail");
    expect([failed.code, failed.documents]).toEqual([2, {}]);
    const blank = await make("data.csv", csv, "--on-missing", "blank");
    expect(Object.values(blank.documents)).toEqual([" in Oslo", "Ann in "]);
  });

  test("has its blank rows skipped and counted", async () => {
    const csv = 'name,address.city\n,\nAnn,Rome\n , \t\n\n"",\u00a0\nBob,Oslo\n,\n';
    const made = await make("data.csv", csv);
    expect([made.code, made.documents]).toEqual([
      0,
      { "t-1.docx": "Ann in Rome", "t-2.docx": "Bob in Oslo" },
    ]);
    expect(made.stdout).toMatch(/^blank rows skipped +4$/m);
    const none = await make("data.csv", "name,address.city\nAnn,Rome\n");
    expect(none.stdout).not.toContain("blank");
  });

  test.for([
    ["semicolons", "name;address.city\nAnn, of;Rome\n"],
    ["tabs", "name\taddress.city\nAnn, of\tRome\n"],
    [
      "semicolons, with decimal commas and a comma in a name",
      "name;address.city;a, b\nAnn, of;Rome;1,5\n",
    ],
    ["bars", "name|address.city\nAnn, of|Rome\n"],
    ["a first line that names the semicolon", "sep=;\r\nname;address.city\r\nAnn, of;Rome\r\n"],
    ["a byte order mark", '\ufeff"name","address.city"\n"Ann, of",Rome\n'],
    ["a byte order mark before a name", '\ufeffname,address.city\n"Ann, of",Rome'],
    ["a delimiter within a quoted header", '"x;y;z";name;address.city\n1;Ann, of;Rome'],
    ["lines that end with a carriage return", "name;address.city\rAnn, of;Rome\r"],
    ["a blank line before its header", " \t\r\n\nname;address.city\r\nAnn, of;Rome"],
    ["empty lines before its header", "\r\n\r\nname;address.city\r\n\r\nAnn, of;Rome\r\n\r\n"],
    ["spaces around its headers", 'name , address.city\n"Ann, of",Rome'],
  ] as const)("may have %s", async ([, csv]) => {
    const made = await make("data.CSV", csv);
    expect([made.code, made.documents]).toEqual([0, { "t-1.docx": "Ann, of in Rome" }]);
  });

  test("fails only for a row with a wrong number of cells", async () => {
    const csv = 'name,address.city\r\n"A\r\nnn",Rome\r\nBob\r\nCid,Oslo,x\r\n\r\nDee,Bonn\r\n';
    const made = await make("data.csv", csv);
    expect(made.code).toBe(2);
    expect(made.stderr).toContain(
      "entry 2 failed:\n  Line 4 of data.csv has 1 cell, but the first line names 2 columns.\n" +
        "entry 3 failed:\n  Line 5 of data.csv has 3 cells, but the first line names 2 columns.\n",
    );
    expect(made.documents).toEqual({ "t-1.docx": "A\nnn in Rome", "t-4.docx": "Dee in Bonn" });
  });

  test("in UTF-8 is not read in an older encoding, in which all bytes are letters", async () => {
    // In the second file, a multi-byte character crosses the end of the examined part.
    for (const filling of ["", "x".repeat(64 * 1024 - 28)]) {
      const csv = `name,address.city\nR\u00e9mi,${filling}\u00e9\u00e9\n`;
      const made = await make("data.csv", csv, "--encoding", "windows-1252");
      expect([made.code, made.documents]).toEqual([1, {}]);
      expect(made.stderr).toContain(
        "The file data.csv is UTF-8 text, but --encoding says windows-1252. Remove the option.",
      );
    }
    for (const bytes of [
      Buffer.from("name,address.city\nR\xe9mi,Lyon\n", "latin1"),
      "name,address.city\nAnn,Rome\n",
    ]) {
      expect((await make("data.csv", bytes, "--encoding", "windows-1252")).code).toBe(0);
    }
  });

  const before = `name,address.city\n${'Ann,Rome\nBob,"Oslo, N"\n'.repeat(30)}`;
  test.for([
    ["a quote that is not closed", `${before}"Cid,3\nDee,4\n`, /in row 62: a quote is not cl/],
    ["a quote in the wrong place", `${before}Cid,1"2\nDee,4\n`, /in row 62: .+wrong place/],
    [
      "bytes that are not UTF-8",
      Buffer.from(`${before}R\xe9mi,Lyon\nDee,4\n`, "latin1"),
      /Line 62 of data\.csv is not UTF-8 text\. Save the file as UTF-8, or name its encoding with --encoding, for example windows-1252 /,
    ],
    [
      "UTF-8 that breaks off",
      Buffer.concat([Buffer.from(`${before}Ann,R`), Buffer.from([0xc3])]),
      /Line 62 of data\.csv is not UTF-8 text/,
    ],
    [
      "a byte order mark and bytes that are not UTF-8",
      Buffer.concat([Buffer.from(`\ufeff${before}`), Buffer.from("R\xe9mi,Lyon", "latin1")]),
      /Line 62 of data\.csv is not UTF-8 text/,
    ],
  ] as const)(
    "with %s makes documents for the rows before it and exits with 2",
    async ([, csv, message]) => {
      const made = await make("data.csv", csv);
      expect(made.stderr).toMatch(message);
      expect(made.stderr).not.toMatch(/bug in Quire|^entry/m);
      expect(made.code).toBe(2);
      expect(made.stdout).toMatch(/^completed +60$/m);
      expect(Object.keys(made.documents)).toHaveLength(60);
      expect(made.documents["t-1.docx"]).toBe("Ann in Rome");
      expect(made.documents["t-60.docx"]).toBe("Bob in Oslo, N");
    },
  );

  test.for([
    ["a quote that is not closed", 'name,x\n"Ann,1\nBob,2\n', /in row 2: a quote is not cl/],
    ["a quote in the wrong place", 'name,x\nAnn,1"2\n', /in row 2: .+wrong place/],
    ["bytes that are not UTF-8", Buffer.from("name\nR\xe9mi", "latin1"), /not UTF-8 text\. Save/],
    ["names that are not UTF-8", Buffer.from("pr\xe9nom\nAnn", "latin1"), /not UTF-8 text\. Save/],
    ["UTF-8 that breaks off", Buffer.from("name\nRémi").subarray(0, 7), /not UTF-8 text/],
    ["UTF-16 without a mark", Buffer.from("name\nAnn\n", "utf16le"), /try --encoding utf-16le/],
    ["two possible delimiters", "a,b;c\n1,2;3\n", /separated by "," or by ";"\. .+sep=;/],
    ["a duplicate column", "name,name\na,b", /"name" occurs twice/],
    ["a column with an empty key", "name,a..b\na,b", /"a\.\.b" is not a valid name/],
    [
      "a column with a dot at its end",
      "Nr.,name\n1,b",
      /"Nr\." is not a valid name\. .+Rename the col/,
    ],
    ["a column with very many keys", `name,${"a.".repeat(200)}a\na,b`, /100 or more dots/],
    [
      "a column that is both text and object",
      "a,a.b\nx,y",
      /"a" cannot be both text and the parent of "a\.b"/,
    ],
    ["a header alone", "name,x\n", /"data\.csv" contains no entries\./],
    ["nothing", "", /"data\.csv" contains no entries\./],
    ["a byte order mark alone", "\ufeff", /"data\.csv" contains no entries\./],
    ["blank lines alone", "\ufeff\r\n\n \t\n", /"data\.csv" contains no entries\./],
  ] as const)("with %s is rejected before the first document", async ([, csv, message]) => {
    const made = await make("data.csv", csv);
    expect(made.stderr).toMatch(message);
    expect(made.stderr).not.toContain("bug in Quire");
    expect([made.code, made.stdout, made.documents]).toEqual([1, "", {}]);
  });
});

describe("the cells of a CSV file", () => {
  const pay = async (csv: string) => {
    const place = await makePlace();
    const bonus = '{{if bonus}}Bonus {{bonus :: currency("EUR")}}{{else}}no bonus{{endif}}';
    await place.write("pay.docx", docx(["{{name}} {{married :: checkbox}}", bonus]));
    await place.write("pay.csv", csv);
    return place;
  };
  const CSV = "name,married,bonus\nAnn,ja,0\nBob,nein,12.5\n";
  const run = (...more: string[]) => [
    ...["run", "pay.docx", "--data", "pay.csv", "--to", "docx", "--out", "out"],
    ...["--concurrency", "1", ...more],
  ];

  test("have the types that the template needs", async () => {
    const place = await pay(CSV);
    const { code, stderr } = await place.quire(run());
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(await documentsOf(place)).toEqual({
      "pay-1.docx": "Ann ☒\nno bonus",
      "pay-2.docx": "Bob ☐\nBonus €12.50",
    });
    expect((await place.quire(["check", "pay.docx", "--data", "pay.csv"])).stdout).toContain(
      "pay.csv: 2 entries, 0 with errors, 0 with warnings\n",
    );
  });

  test("of another type make their row fail, in a run and in a check", async () => {
    const place = await pay(`${CSV}\n,,\nCid,perhaps,1\nDee,perhaps,2\n`);
    const { code, stderr } = await place.quire(run());
    expect(code).toBe(2);
    expect(stderr).toContain(
      'entry 3 failed:\n  Line 6 of pay.csv: The cell in column 2, "married", is not a word for yes or no,',
    );
    expect(await place.names()).toEqual(["pay-1.docx", "pay-2.docx"]);
    const args = ["check", "pay.docx", "--data", "pay.csv"];
    const checked = await place.quire(args);
    expect([checked.code, checked.stdout]).toEqual([
      2,
      expect.stringContaining("2 of 4 entries, data at /married: 3 (line 6), 4 (line 7)\n"),
    ]);
    expect(checked.stdout).toContain("2 with errors, 0 with warnings, 1 blank row skipped\n");
    const lines = (await place.quire([...args, "--json"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { entry: 3, line: 6, code: "invalid_cell", pointer: "/married" },
      { entry: 4, line: 7, code: "invalid_cell", pointer: "/married" },
      { type: "summary", entries: 4, blank_rows: 1, entries_with_errors: 2 },
    ]);
    const annotated = await place.quire(["annotate", "pay.docx", "--data", "pay.csv"]);
    expect(annotated.stderr).toContain("2 of the entries cannot be read");
  });

  test("may have declared types in every command, and a run with other types is a different run", async () => {
    const place = await pay(
      CSV.replace("12.5", "12,5").replaceAll(",", ";").replace("12;5", "12,5"),
    );
    const flags = ["--types", "married:boolean,bonus:number", "--data-locale", "de"];
    expect((await place.quire(["check", "pay.docx", "--data", "pay.csv", ...flags])).code).toBe(0);
    expect((await place.quire(run(...flags))).code).toBe(0);
    expect((await documentsOf(place))["pay-2.docx"]).toBe("Bob ☐\nBonus €12.50");
    expect((await place.quire(run(...flags))).stderr).toContain("All entries are already done");
    const other = await place.quire(run("--types", "married:boolean,bonus:number(de)"));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("is taken")]);
  });

  test("count as printed if the pattern of a name prints them", async () => {
    const place = await pay("name,married,bonus\nAnn,yes,0\nBob,no,0.00\n");
    const { stderr } = await place.quire(run("--name", "{{bonus}}-{{name}}"));
    expect(await place.names()).toEqual(["0-Ann.docx"]);
    expect(stderr).toMatch(
      /Line 3 of pay\.csv: The cell in column 3, "bonus", is a word for yes or no, or zero/,
    );
  });

  test.for([
    ["--types", "married:bool", /"bool" is not a column type\. Write for example/],
    ["--types", "married", /"married" is not a column name followed by a type/],
    ["--types", "a:text,a:number", /"a" is given twice/],
    ["--types", "a:date(yyyy-QQ)", /"yyyy-QQ" is not a pattern for reading dates/],
    ["--types", "a:date(dd.MM.yy)", /is not a pattern for reading dates\. It must contain yyyy/],
    ["--types", "a:number(xx-yy-zz-!)", /is not a language tag such as de/],
    ["--types", "a:date(th)", /counts years by another calendar \(buddhist\)/],
    ["--types", "net:number", /pay\.csv has no column "net".+"name", "married", "bonus"\./],
    ["--data-locale", "klingon!", /is not a language tag such as de or en-GB/],
    ["--encoding", "cp1252!", /The encoding is unknown\. Examples are utf-8, windows-1252/],
  ] as const)("are rejected with %s %s", async ([option, value, message]) => {
    const place = await pay(CSV);
    const { code, stderr } = await place.quire(run(option, value));
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(await place.names()).toEqual([]);
  });

  test.for(["--types=text", "--data-locale=de", "--encoding=utf-8"])(
    "of JSON need no options: %s is rejected",
    async (flag) => {
      const place = await pay(CSV);
      await place.write("pay.json", [{ name: "Ann" }]);
      for (const command of ["check", "run", "annotate"]) {
        const args = command === "run" ? run(flag) : [command, "pay.docx", flag];
        const data = args.filter((each) => each !== "pay.csv" && each !== "--data");
        const { code, stderr } = await place.quire([...data, "--data", "pay.json"]);
        expect([code, stderr]).toEqual([1, expect.stringMatching(/The option --.+ is for \.csv/)]);
      }
    },
  );

  test("keep the key of a run without options, so that an older run can be resumed", async () => {
    const place = await pay(CSV);
    const loaded = await loadTemplate({ cwd: place.folder }, "pay.docx", {});
    const parts = { template: loaded, dataPath: place.path("pay.csv"), making: {}, chosen: null };
    const keyWith = async (all: object) =>
      (await runKey({ ...parts, all, portable: {}, share: null })).run;
    const before = await keyWith({ out: "out" });
    expect(await keyWith({ out: "out", data: dataKey({}) })).toBe(before);
    const types = parseTypes("bonus:number");
    expect(await keyWith({ out: "out", data: dataKey({ types }) })).not.toBe(before);
  });
});

describe("an Excel workbook", () => {
  const sheet = (name: string, city: string) => ({
    name,
    rows: [
      [t("name"), t("address.city"), t("bonus")],
      [t("Ann"), t(city), n("12.5")],
    ],
  });
  const content = xlsx({ sheets: [sheet("First", "Rome"), sheet("Second", "Oslo")] });

  test("provides the rows of a sheet for a run and a check", async () => {
    const place = await makePlace();
    await place.write("t.docx", docx(["{{name}} in {{address.city}} {{bonus :: number(2)}}"]));
    await place.write("data.xlsx", content);
    const run = ["run", "t.docx", "--data", "data.xlsx", "--to", "docx", "--out", "out"];
    expect((await place.quire(run)).code).toBe(0);
    expect(await documentsOf(place)).toEqual({ "t-1.docx": "Ann in Rome 12.50" });
    const second = [...run, "--sheet", "Second", "--name", "second"];
    expect((await place.quire(second)).code).toBe(0);
    expect((await documentsOf(place))["second.docx"]).toBe("Ann in Oslo 12.50");
    const other = ["check", "t.docx", "--data", "data.xlsx", "--sheet", "Third"];
    expect((await place.quire(other)).stderr).toContain('Its sheets are "First", "Second".');
    const checked = await place.quire(["check", "t.docx", "--data", "data.xlsx"]);
    expect(checked.stdout).toContain("data.xlsx: 1 entry, 0 with errors, 0 with warnings");
  });

  test("that is not a workbook, or has options for CSV, is rejected before the first document", async () => {
    const none = await make("data.xlsx", "name,city\nAnn,Rome\n");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("not a workbook")]);
    const option = await make("data.xlsx", content, "--encoding", "utf-8");
    expect([option.code, option.stderr]).toEqual([1, expect.stringContaining("is for .csv files")]);
    const csv = await make("data.csv", "name,address.city\nAnn,Rome\n", "--sheet", "A");
    expect([csv.code, csv.stderr]).toEqual([1, expect.stringContaining("is for .xlsx files")]);
  });
});

describe("a JSON file", () => {
  test.for([
    ["a list", [ANN, BOB]],
    ["a batch request", { document_generation_data: [{ user_input: ANN }, { user_input: BOB }] }],
  ] as const)("may be %s", async ([, data]) => {
    const made = await make("data.json", data);
    expect([made.code, made.documents]).toEqual([
      0,
      { "t-1.docx": "Ann in Rome", "t-2.docx": "Bob in Oslo" },
    ]);
  });

  test("may be one object", async () => {
    const made = await make("data.json", ANN);
    expect([made.code, made.documents]).toEqual([0, { "t-1.docx": "Ann in Rome" }]);
  });

  test("may name its files, but --name takes precedence", async () => {
    const data = [
      { generated_file_name: "first", user_input: ANN },
      { generated_file_name: "second.docx", user_input: BOB },
    ];
    const own = await make("data.json", data);
    expect([own.code, own.documents]).toEqual([
      0,
      { "first.docx": "Ann in Rome", "second.docx": "Bob in Oslo" },
    ]);
    const named = await make("data.json", data, "--name", "{{address.city}}");
    expect(Object.keys(named.documents)).toEqual(["Oslo.docx", "Rome.docx"]);
  });

  test("that is a whole batch request uses only the data in user_input", async () => {
    const made = await make("data.json", {
      file: { type: "file", id: "12345" },
      input_source: "api",
      output_type: "pdf",
      document_generation_data: [
        { generated_file_name: "a", user_input: ANN, comment: "not in the contract" },
        { generated_file_name: "b" },
        { generated_file_name: 7, user_input: BOB },
        { user_input: BOB },
        "c",
      ],
    });
    expect(made.code).toBe(2);
    expect(made.documents).toEqual({ "a.docx": "Ann in Rome", "t-4.docx": "Bob in Oslo" });
    expect(made.stderr).toContain(
      "entry 2 failed:\n  Entry 2 of data.json has no object for 'user_input'.\n" +
        "entry 3 failed:\n  Entry 3 of data.json has a 'generated_file_name' that is not a string.\n" +
        "entry 5 failed:\n  Entry 5 of data.json has no object for 'user_input'.\n",
    );
  });

  test("may contain items that are not objects, and only these fail", async () => {
    const made = await make("data.json", [ANN, 5, null, [BOB], BOB]);
    expect(made.code).toBe(2);
    expect(Object.keys(made.documents)).toEqual(["t-1.docx", "t-5.docx"]);
    expect(made.stderr).toContain("entry 3 failed:\n  Entry 3 of data.json is not a JSON object");
  });

  test.for([
    ["is not valid", '[{"name":"secret"}', /is not valid JSON .+ends too early/],
    ["is empty", "", /is not valid JSON/],
    ["is a byte order mark", "\ufeff", /is not valid JSON/],
    ["is an empty list", "[]", /contains no entries/],
    ["is a batch request without entries", { document_generation_data: [] }, /contains no entries/],
    ["is not UTF-8", Buffer.from('[{"name":"\xe9"}]', "latin1"), /is not UTF-8 text/],
  ] as const)("that %s is rejected before the first document", async ([, data, message]) => {
    const made = await make("data.json", data);
    expect(made.stderr).toMatch(message);
    expect(made.stderr).not.toMatch(/bug in Quire|secret/);
    expect([made.code, made.stdout, made.documents]).toEqual([1, "", {}]);
  });
});

describe("a file of JSON lines", () => {
  test("may have U+2028 within a line, blank lines, CRLF and a byte order mark", async () => {
    const ann = JSON.stringify({ ...ANN, name: "An\u2028n\u2029\u0085" });
    const data = `\ufeff${ann}\r\n \t\r\n\r\n${JSON.stringify(BOB)}`;
    const made = await make("data.ndjson", data);
    expect([made.code, made.documents]).toEqual([
      0,
      { "t-1.docx": "An\nn\n\u0085 in Rome", "t-2.docx": "Bob in Oslo" },
    ]);
  });

  test("may have a very long line between short ones", async () => {
    const long = { ...BOB, name: `${"é".repeat(6_000_000)}!`, list: Array(1000).fill(ANN) };
    const data = [ANN, long, ANN].map((entry) => JSON.stringify(entry)).join("\n");
    const made = await make("data.jsonl", data);
    expect(made.code).toBe(0);
    expect(Object.keys(made.documents)).toHaveLength(3);
    expect(made.documents["t-2.docx"]?.length).toBe(6_000_001 + " in Oslo".length);
  });

  test("fails only for a line that is longer than the limit", async () => {
    const tooLong = `{"name":"${"x".repeat(64 * 1024 * 1024)}"}`;
    const data = [JSON.stringify(ANN), tooLong, JSON.stringify(BOB)].join("\n");
    const made = await make("data.jsonl", data);
    expect(made.code).toBe(2);
    expect(made.stderr).toContain("entry 2 failed:\n  Line 2 of data.jsonl is longer than");
    expect(Object.keys(made.documents)).toEqual(["t-1.docx", "t-3.docx"]);
  });

  test("fails only for lines that are not UTF-8, cut off or not objects", async () => {
    const lines = [JSON.stringify(ANN), '{"name":"\xe9"}', '{"name":"secret"', "[]", '{"a":1} x'];
    const made = await make("data.jsonl", Buffer.from(lines.join("\n"), "latin1"));
    expect(made.code).toBe(2);
    expect(made.stderr.match(/^ {2}Line.*$/gm)).toEqual([
      "  Line 2 of data.jsonl is not UTF-8 text.",
      "  Line 3 of data.jsonl is not valid JSON (column 17). It ends too early: '}' is missing.",
      '  Line 4 of data.jsonl is not a JSON object, so it contains no data. Write one, such as {"name": "Ann"}, and for a list one with its name, such as {"items": [ … ]}.',
      "  Line 5 of data.jsonl is not valid JSON (column 9). More text follows after the end of the data. Put several entries into one list, [ … ], or use the extension .jsonl for one entry per line.",
    ]);
    expect(Object.keys(made.documents)).toEqual(["t-1.docx"]);
  });

  test.for(["", "\n \n", "\ufeff", "\ufeff \r\n\n"])(
    "without a line is rejected: %j",
    async (data) => {
      const made = await make("data.jsonl", data);
      expect([made.code, made.stderr]).toEqual([
        1,
        expect.stringContaining("contains no entries."),
      ]);
    },
  );
});

test("only entries with invalid fields fail in a file of batch request items", async () => {
  const lines = [
    { generated_file_name: "a", user_input: ANN },
    { generated_file_name: 5, user_input: ANN },
    { generated_file_name: "c", user_input: [1] },
  ];
  const made = await make("data.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(made.code).toBe(2);
  expect(Object.keys(made.documents)).toEqual(["a.docx"]);
  expect(made.stderr).toMatch(
    /entry 2 failed:\n {2}Line 2 .+'generated_file_name' that is not a string/,
  );
  expect(made.stderr).toMatch(/entry 3 failed:\n {2}Line 3 .+no object for 'user_input'/);
});

test("a change of the data file during a run does not change its documents", async () => {
  const place = await makePlace();
  await place.write("t.docx", docx(["{{name}} in {{address.city}}"]));
  const line = `${JSON.stringify({ ...ANN, padding: "x".repeat(2000) })}\n`;
  await place.write("data.jsonl", line.repeat(400));
  const args = ["run", "t.docx", "--data", "data.jsonl", "--to", "docx", "--out", "out"];
  const run = place.start(args);
  await until("some documents are there", async () => (await place.names()).length > 5);
  await place.write("data.jsonl", line.repeat(100));
  expect((await run.ended).code).toBe(0);
  expect(await place.names()).toHaveLength(400);
}, 60_000);

test("a data file that lost lines after they were counted is reported", async () => {
  const source = {
    blankRows: 0,
    count: async () => 3,
    async *items() {
      yield { line: 1, entry: { data: ANN, name: "a" } };
    },
  };
  const names = fileNames(undefined, "t", {});
  const entries = new RunEntries(
    source,
    { total: 3, chosen: null, part: null },
    { names, packets: null, check: null },
  );
  const requests: unknown[] = [];
  for await (const request of entries.requests()) requests.push(request);
  expect(requests).toHaveLength(1);
  expect(entries.failure).toMatchObject({
    code: "invalid_data",
    message: expect.stringContaining(
      "started with 3 entries of the data file, but only 1 could be read",
    ),
  });
});

test("a run with packets is not resumed if its data file now has other entries", async () => {
  const source = {
    blankRows: 0,
    count: async () => 1,
    async *items() {
      yield { line: 1, entry: { data: ANN, name: "a" } };
    },
  };
  const names = fileNames(undefined, "t", {});
  const packets = {
    read() {},
    ended() {},
    use: () => false,
    useOf: () => null,
    print() {},
    write: async () => true,
  };
  const entries = new RunEntries(
    source,
    { total: 1, chosen: null, part: null },
    { names, packets, check: null },
  );
  await entries.readAgain(1);
  await expect(entries.readAgain(2)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("started with 2 entries, but the data file now has 1"),
  });
  await new RunEntries(
    source,
    { total: 1, chosen: null, part: null },
    { names, packets: null, check: null },
  ).readAgain(2);
});

test("an empty --name is rejected before anything is made", async () => {
  const made = await make("data.json", [ANN], "--name", "");
  expect([made.code, made.documents]).toEqual([1, {}]);
  expect(made.stderr).toContain("The --name pattern is empty.");
});
