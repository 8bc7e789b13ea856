import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { truthOf } from "../src/entries/words.ts";
import { documentsOf, type GivenFlags, type Refused } from "./support/spreadsheets.ts";

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "quire-types-test-")));
  return () => rm(folder, { recursive: true, force: true });
});

/** Returns the output of a template with this tag, for each cell of a column `v`. */
function made(
  tag: string,
  cells: readonly string[],
  flags: GivenFlags = {},
  delimiter = ",",
): Promise<(string | Refused)[]> {
  const rows = cells.map((cell) => `"${cell}"${delimiter}1`).join("\n");
  return documentsOf(folder, { content: `v${delimiter}x\n${rows}\n`, tags: [tag], flags });
}

const refused = (why: RegExp) => ({ refused: [expect.stringMatching(why)] });
const REFUSED = { refused: [expect.any(String)] };

describe("without a declaration, a cell counts as true", () => {
  test.for([
    ["{{if v}}yes{{else}}no{{endif}}", "yes", "no"],
    ["{{#v}}yes{{/v}}{{^v}}no{{/v}}", "yes", "no"],
    ["{{if not v}}no{{else}}yes{{endif}}", "yes", "no"],
    ["{{if v == true}}yes{{else}}no{{endif}}", "yes", "no"],
    ["{{v :: checkbox}}", "☒", "☐"],
  ] as const)("by the words for yes and no: %s", async ([tag, yes, no]) => {
    const words = [
      "true",
      "yes",
      "1",
      "x",
      "WAHR",
      "VRAI",
      "VERDADERO",
      "VERO",
      "ja",
      "oui",
      "sí",
      "Y",
    ];
    expect(await made(tag, words)).toEqual(words.map(() => yes));
    const others = ["false", "no", "0", "FALSCH", "FAUX", "FALSO", "nein", "non", "N", "off"];
    expect(await made(tag, others)).toEqual(others.map(() => no));
    expect(await made(tag, ["maybe"])).toEqual([refused(/is not a word for yes or no/)]);
  });

  test("never when it is empty, which is a missing value for a check box", async () => {
    expect(await made("{{if v}}yes{{else}}no{{endif}}", ["", " "])).toEqual(["no", "no"]);
    expect(await made("{{v :: checkbox}}", [""])).toEqual([" ! missing_value"]);
    expect(await made('{{v :: checkbox, default("no")}}', [""])).toEqual(["☐"]);
  });

  test("when it is a date, or a number other than zero", async () => {
    const tag = "{{if v}}yes{{else}}no{{endif}}";
    expect(await made(tag, ["3", "-0.5", "2026-11-20", "31.12.2026", "03/04/2026"])).toEqual(
      Array(5).fill("yes"),
    );
    const zeros = ["0", "0.00", "-0", "0,00", "€ 0.00", "0 %", "0.00 EUR", "0e5"];
    expect(await made(tag, zeros)).toEqual(zeros.map(() => "no"));
  });

  test("when it is a text that is also printed, unless it is a word for no or zero", async () => {
    const tag = "{{if v}}Note: {{v}}{{endif}}";
    expect(await made(tag, ["call first", "yes", "12", "0012", "–", "", "0", "false"])).toEqual([
      "Note: call first",
      "Note: yes",
      "Note: 12",
      "Note: 0012",
      "Note: –",
      "",
      "",
      "",
    ]);
    for (const cell of ["no", "No", "FALSE", "nein", "0.00", "0,00", "n", "falsch"]) {
      const [row] = await made(tag, [cell]);
      expect([cell, row]).toEqual([cell, refused(/--types 'v:boolean'.+'v:number'.+'v:text'/)]);
      const [text] = await made(tag, [cell], { types: "v:text" });
      expect(text).toMatch(new RegExp(`^Note: ${cell}(?: ! text_as_condition)?$`));
    }
    expect(await made(`${tag}.`, ["no", "FALSE"], { types: "v:boolean" })).toEqual([".", "."]);
  });

  test("when it is present, whatever its text is", async () => {
    expect(await made("{{if v isPresent}}{{v}}{{endif}}", ["no", "0", ""])).toEqual([
      "no",
      "0",
      "",
    ]);
  });

  test("as a number prints as written", async () => {
    const tag = '{{if v}}{{v :: currency("EUR")}}{{else}}none{{endif}}';
    expect(await made(tag, ["12.5", "0", "0.00", "no", ""])).toEqual([
      "€12.50",
      ...["none", "none", "none", "none"],
    ]);
  });
});

test("docs/cli.md lists the words for yes and no", async () => {
  const page = await readFile(new URL("../../../docs/cli.md", import.meta.url), "utf8");
  const [list = ""] = /^- Quire knows words for yes and no.*?^- /ms.exec(page) ?? [];
  const words = [...list.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "");
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word) => truthOf(word) === null)).toEqual([]);
  expect(words.filter((word) => truthOf(word.toUpperCase()) === null)).toEqual([]);
});

describe("without a declaration, a number", () => {
  test.for([
    "{{if v > 900}}more{{else}}less{{endif}}",
    '{{if v > "900"}}more{{else}}less{{endif}}',
    "{{if v * 1 > 900}}more{{else}}less{{endif}}",
  ])("compares by its size: %s", async (tag) => {
    expect(await made(tag, ["1000", "1e3", "99.5", "-1000", " 950 "])).toEqual([
      ...["more", "more", "less", "less", "more"],
    ]);
    for (const cell of ["1,000", "1.234,50", "n/a", "12 km", "-", "yes"]) {
      expect([cell, await made(tag, [cell])]).toEqual([
        cell,
        [refused(/is not a number, but the template needs one for \{\{.+--data-locale de.+v:text/)],
      ]);
    }
  });

  test("prints as written", async () => {
    const tag = "{{v}} {{if v == 12}}twelve{{endif}}{{v + 1}}";
    expect(await made(tag, ["0012", "12.0"])).toEqual(["0012 twelve13", "12.0 twelve13"]);
  });

  test("is required when the template compares with a number, so any other text is rejected", async () => {
    expect(await made("{{if v == 3}}a{{endif}}", ["3", "3.0", "3,0"])).toEqual(["a", "a", REFUSED]);
    const tag = '{{if v == 3}}a{{elseif v == "all"}}b{{endif}}';
    expect(await made(tag, ["3", "all", "some"])).toEqual(["a", "b", REFUSED]);
  });

  test("compares with another cell by size, and so does a date", async () => {
    const made = (rows: string[], delimiter = ",") =>
      documentsOf(folder, {
        content: `a${delimiter}b\n${rows.join("\n")}\n`,
        tags: ["{{if b > a}}less{{else}}more{{endif}}"],
      });
    expect(await made(["10,9", "9,10", "2026-01-10,2025-12-09", "9.12.2025,10.1.2026"])).toEqual([
      ...["more", "less", "more", "less"],
    ]);
    expect(await made(["2026-11-20T10:00:00+09:00,2026-11-20T02:00:00Z"])).toEqual(["less"]);
    expect(await made(["Ann,Bob", "9,Bob", "03/04/2026,05/04/2026"])).toEqual([
      { refused: [expect.stringMatching(/"a", is neither/), expect.stringMatching(/"b", is nei/)] },
      refused(/"b", is neither a number nor a date/),
      {
        refused: [
          expect.stringMatching(/day first or month first/),
          expect.stringMatching(/day first or month first/),
        ],
      },
    ]);
  });

  test.for([",", ";", "\t"])(
    "with a dot before three digits is ambiguous: %j between cells",
    async (delimiter) => {
      for (const tag of ["{{if v > 900}}more{{endif}}", "{{v :: number(2)}}"]) {
        const isCondition = tag.includes("if");
        expect(await made(tag, ["1.234"], {}, delimiter)).toEqual([
          refused(/may be 1234 or 1\.234/),
        ]);
        expect(await made(tag, ["1.234"], { dataLocale: "de" }, delimiter)).toEqual([
          isCondition ? "more" : "1,234.00",
        ]);
        expect(await made(tag, ["1.234"], { dataLocale: "en" }, delimiter)).toEqual([
          isCondition ? "" : "1.23",
        ]);
      }
      expect(await made("{{v :: number(3)}}", ["0.125", "12.34"], {}, delimiter)).toEqual([
        ...["0.125", "12.340"],
      ]);
      expect(await made("{{v}}", ["1.234"], {}, delimiter)).toEqual(["1.234"]);
    },
  );

  test("with a leading zero has no groups: 0.234 is not a number in German", async () => {
    const tag = "{{v :: number(3)}}";
    expect(await made(tag, ["0.234", "001.234", "0,234"], { dataLocale: "de" })).toEqual([
      ...[REFUSED, REFUSED, "0.234"],
    ]);
    expect(await made(tag, ["0,234", "0.234"], { dataLocale: "en" })).toEqual([REFUSED, "0.234"]);
    expect(await made("{{v}}", ["0.234"], { types: "v:number(de)" })).toEqual([
      refused(/is not a number, but --types requires one/),
    ]);
  });

  test("is rejected in the spelling of another language, and the message names an option", async () => {
    const tag = '{{v :: currency("EUR")}}';
    for (const cell of ["1234,50", "1.234,50", "1 234,5", "1'234.5"]) {
      const [row] = await made(tag, [cell], {}, ";");
      expect([cell, row]).toEqual([cell, refused(/is not a number.+--data-locale de/)]);
    }
    expect(await made(tag, ["1.234,50"], { dataLocale: "de" }, ";")).toEqual(["€1,234.50"]);
    // Text that is not a number in any language is accepted, because a condition may skip the tag.
    expect(await made(`{{if v != "n/a"}}${tag}{{endif}}`, ["n/a", "5"])).toEqual(["", "€5.00"]);
  });
});

describe("without a declaration, a date that is printed in another form", () => {
  const tag = '{{v :: format("d MMMM yyyy")}}';

  test("is read if its order is clear", async () => {
    const cells = [
      "2026-12-31",
      "31.12.2026",
      "12/31/2026",
      "2026/12/31",
      "9.12.2026",
      "05/05/2026",
    ];
    expect(await made(tag, cells)).toEqual([
      ...["31 December 2026", "31 December 2026", "31 December 2026", "31 December 2026"],
      ...["9 December 2026", "5 May 2026"],
    ]);
  });

  test("is rejected if its order is not clear, whatever the order of the pattern is", async () => {
    for (const tag of ['{{v :: format("dd.MM.yyyy")}}', '{{v :: format("MM/dd/yyyy")}}']) {
      const [row] = await made(tag, ["03/04/2026"]);
      expect(row).toEqual(
        refused(/--data-locale en-GB or en-US, or --types 'v:date\(dd\/MM\/yyyy\)'/),
      );
      expect(await made(`{{v}} ${tag}`, ["9.12.2026"])).toEqual([refused(/also prints its text/)]);
    }
    expect(await made(tag, ["03/04/2026"], { dataLocale: "en-GB" })).toEqual(["3 April 2026"]);
    expect(await made(tag, ["03/04/2026"], { dataLocale: "en-US" })).toEqual(["4 March 2026"]);
    const cells = ["03.04.2026", "05.05.2026", "03-04-2026"];
    expect(await made(tag, cells, { dataLocale: "en-US" })).toEqual([
      ...[refused(/is an ambiguous date/), REFUSED, "4 March 2026"],
    ]);
    expect(await made(tag, ["31/31/2026", "29.2.2026", "soon"])).toEqual([
      REFUSED,
      REFUSED,
      REFUSED,
    ]);
  });

  test("is rejected as a day number of Excel, and the message names an option", async () => {
    for (const cell of ["46000", "46000.5"]) {
      expect(await made(tag, [cell])).toEqual([refused(/day number.+--types 'v:date\(excel\)'/)]);
    }
    expect(await made(tag, ["46000"], { types: "v:date(excel)" })).toEqual(["9 December 2025"]);
    expect(await made('{{v :: format("xx-xxx")}}', ["46000"])).toEqual(["46-000"]);
  });
});

describe("without a declaration, a text that a program writes instead of a value", () => {
  test.for<[string, readonly string[], RegExp]>([
    [
      "errors",
      ["#N/A", "#DIV/0!", "#REF!", "#NAME?", "#NV", "#WERT!", "#¡VALOR!", "#Н/Д", "Err:502"],
      /contains a spreadsheet error\. Correct its formula, or .+--types 'v:text'/,
    ],
    ["columns that were too narrow", ["##", "########"], /too narrow\. Make the column wider/],
    [
      "numbers that lost digits",
      ["4.00638E+12", "1,2E+05", "-5E+20"],
      /a spreadsheet shortened, .+ a format that shows all digits/,
    ],
    ["missing values of databases", ["NULL", "\\N"], /missing value\. Leave such cells empty/],
    ["formulas of texts", ['=""0012""'], /contains a formula instead of its result/],
  ])("is rejected: %s", async ([, cells, why]) => {
    for (const tag of ["{{v}}", "{{if v}}{{v}}{{endif}}", "{{if v}}yes{{endif}}", "{{v * 2}}"]) {
      expect([tag, await made(tag, cells)]).toEqual([tag, cells.map(() => refused(why))]);
    }
    const texts = cells.map((cell) => cell.replaceAll('""', '"'));
    const printed = await made("{{v}}", cells, { types: "v:text" });
    // Some of them also give a warning where they are printed.
    expect(printed.map((row) => String(row).replace(" ! empty_text", ""))).toEqual(texts);
    expect(await made("{{x}}", cells)).toEqual(cells.map(() => "1"));
  });

  test("is accepted as a text in a condition, and so are similar texts", async () => {
    expect(await made('{{if v == "NULL"}}none{{else}}{{v}}{{endif}}', ["NULL"])).toEqual(["none"]);
    expect(await made("{{v}}", ["null"])).toEqual(["null ! empty_text"]);
    const texts = ["Null", "#1", "#", "# 12", "#hashtag!", "1.2e+05", "E+05", "N/A", "–"];
    expect(await made("{{v}}", texts)).toEqual(texts);
    expect(await made("{{v * 2}}", ["1.2E+05"], { types: "v:number" })).toEqual(["240000"]);
  });
});

describe("a declared column", () => {
  test("boolean accepts words for yes and no", async () => {
    const tag = "{{v}} {{v :: checkbox}}";
    const flags = { types: "v:boolean" };
    expect(await made(tag, ["WAHR", "nein", "x", "1"], flags)).toEqual([
      ...["true ☒", "false ☐", "true ☒", "true ☒"],
    ]);
    expect(await made(tag, ["maybe"], flags)).toEqual([
      refused(/is not a word or number for true/),
    ]);
    expect(await made(tag, [""], flags)).toEqual(["  ! missing_value ! missing_value"]);
  });

  test.for([
    [
      "number",
      ["1234.50", "0012", "-0.5", "12345678901234567890"],
      ["1234.5", "12", "-0.5", "12345678901234567890"],
    ],
    [
      "number(de)",
      ["1.234,50", "1 234,50", "1'234,5", "-1.234", "€ 5", "5,- €"],
      ["1234.5", "1234.5", "1234.5", "-1234", "5", null],
    ],
    [
      "number(de)",
      ["1234.5", "1.23", "12.34,5", "1,2,3", "1.234 567", "EUR 5", "12 %"],
      [null, null, null, null, null, null, null],
    ],
    [
      "number(de-CH)",
      ["1'234.50", "1’234.50", "1234.5", "1,5"],
      ["1234.5", "1234.5", "1234.5", null],
    ],
    [
      "number(fr)",
      ["1 234,50", "1\u202f234,5", "1\u00a0234 €", "1.234"],
      ["1234.5", "1234.5", "1234", null],
    ],
    [
      "number(en)",
      ["1,234.50", "-$1,234", "$-1,234", "1.234,5"],
      ["1234.5", "-1234", "-1234", null],
    ],
    ["number(en-IN)", ["12,34,567.50", "1,234,567"], ["1234567.5", "1234567"]],
    ["number(pl)", ["1 234,50 zł", "1 234,50"], [null, "1234.5"]],
  ] as const)("%s reads %j", async ([type, cells, expected]) => {
    const rows = await made("{{v}}", cells, { types: `v:${type}` });
    expect(rows).toEqual(expected.map((text) => text ?? REFUSED));
  });

  test.for([
    [
      "date",
      ["2026-11-20", "2026-11-20T10:00Z", "20.11.2026", "03/04/2026"],
      ["2026-11-20", "2026-11-20T10:00Z", "2026-11-20", null],
    ],
    [
      "date(en-GB)",
      ["03/04/2026", "13/01/2026 14:05", "01/13/2026"],
      ["2026-04-03", "2026-01-13T14:05", null],
    ],
    [
      "date(en-US)",
      ["03/04/2026", "1/2/2026 1:05 PM", "1/2/2026 12:00:30 am"],
      ["2026-03-04", "2026-01-02T13:05", "2026-01-02T00:00:30"],
    ],
    ["date(cs)", ["31. 12. 2026"], ["2026-12-31"]],
    ["date(hu)", ["2026. 12. 31."], ["2026-12-31"]],
    [
      "date(dd/MM/yyyy)",
      ["03/04/2026", "3.4.2026", "2026-04-03"],
      ["2026-04-03", null, "2026-04-03"],
    ],
    [
      "date(dd.MM.yyyy HH:mm)",
      ["31.12.2026 23:59", "31.12.2026", "31.12.2026 24:00"],
      ["2026-12-31T23:59:00", null, null],
    ],
    [
      "date(excel)",
      ["46387", "1", "59", "60", "61", "0.5", "46387.5", "46387.541666666664", "2958466"],
      [
        "2026-12-31",
        "1900-01-01",
        "1900-02-28",
        null,
        "1900-03-01",
        null,
        "2026-12-31T12:00:00",
        "2026-12-31T13:00:00",
        null,
      ],
    ],
    ["date(excel1904)", ["0", "44925"], ["1904-01-01", "2026-12-31"]],
  ] as const)("%s reads %j", async ([type, cells, expected]) => {
    const rows = await made("{{v}}", cells, { types: `v:${type}` });
    expect(rows).toEqual(expected.map((text) => text ?? REFUSED));
  });

  test("text is not changed, and an empty cell is missing", async () => {
    expect(await made('{{v :: default("–")}}', ["no", " a ", ""], { types: "v:text" })).toEqual([
      ...["no", " a ", "–"],
    ]);
  });

  test("text alone reads all other columns as texts, and an empty cell as an empty text", async () => {
    const content = "a,b,c\n10,9,false\n,0,\n";
    const tags = [
      '{{if a > b}}GT{{endif}}{{if c}}Y{{endif}}{{b :: checkbox}}{{a :: default("-")}}.',
    ];
    expect(await documentsOf(folder, { content, tags, flags: { types: "text" } })).toEqual([
      "GTY☒10. ! text_as_condition",
      "☒. ! doubtful_comparison ! text_as_condition ! empty_text",
    ]);
    const mixed = await documentsOf(folder, { content, tags, flags: { types: "text,c:boolean" } });
    expect(mixed[0]).toBe("GT☒10.");
  });

  test("has the name in the header, including dots, commas and colons", async () => {
    const content = '"a.b","c, d","e:f"\n1,no,2\n';
    const tags = ['{{a.b}} {{this["c, d"]}} {{this["e:f"]}}'];
    const flags = { types: 'a.b:number,"c, d":boolean,e:f:text' };
    expect(await documentsOf(folder, { content, tags, flags })).toEqual(["1 false 2"]);
    await expect(
      documentsOf(folder, { content, tags, flags: { types: "net:number" } }),
    ).rejects.toThrow(
      'The file data.csv has no column "net", which --types names. Its columns are "a.b", "c, d", "e:f".',
    );
  });
});

describe("the rows of a table", () => {
  test("report each invalid cell with its row, its column and a hint", async () => {
    const content = "name,net.amount,vip\nAnn,900,yes\nBob,n/a,perhaps\n";
    const tags = ["{{name}} {{net.amount * 2}} {{vip :: checkbox}}"];
    expect(await documentsOf(folder, { content, tags })).toEqual([
      "Ann 1800 ☒",
      {
        refused: [
          'Line 3 of data.csv: The cell in column 2, "net.amount", is not a number, but the template needs one for {{net.amount * 2}}. ' +
            "Write numbers as 1234.50, say how the file writes them, for example --data-locale de, or read the column as text with --types 'net.amount:text'.",
          'Line 3 of data.csv: The cell in column 3, "vip", is not a word for yes or no, but the template needs one for {{vip :: checkbox}}. ' +
            "Write yes or no, true or false, 1 or 0, or read the column as text with --types 'vip:text': then any text counts as true.",
        ],
      },
    ]);
  });

  test("recognize a name within a section as a column of the data", async () => {
    const content = "order.id,vip\n7,false\n8,yes\n";
    const tags = ["{{#order}}{{id}}{{if vip}} VIP{{endif}}{{/order}}"];
    expect(await documentsOf(folder, { content, tags })).toEqual(["7", "8 VIP"]);
  });

  test("have no object if all of its cells are empty", async () => {
    const content = "spouse.name,spouse.born,x\n,,1\nAnn,,1\n";
    const tags = ["{{if spouse}}with {{spouse.name}}{{else}}alone{{endif}}"];
    expect(await documentsOf(folder, { content, tags })).toEqual(["alone", "with Ann"]);
  });

  test("ignore columns without a name and without values", async () => {
    const content = "name,,b,,\nAnn,,1,,\nBob,,2,,,,\nCid,x,3,,\nDee,,4,,,y\nEve,,5\n";
    expect(await documentsOf(folder, { content, tags: ["{{name}}{{b}}"] })).toEqual([
      ...["Ann1", "Bob2"],
      {
        refused: [
          "Line 4 of data.csv has a value in column 2, which has no name in the first row. Name the column, or clear its cells.",
        ],
      },
      { refused: ["Line 5 of data.csv has 6 cells, but the first line names 3 columns."] },
      "Eve5",
    ]);
  });
});
