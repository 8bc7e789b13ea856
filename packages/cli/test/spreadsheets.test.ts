/**
 * Tests spreadsheets from different programs with the same two people and one template. Either the documents are
 * correct, or the rows are rejected and the options in the message give correct documents.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { documentsOf, type GivenFlags } from "./support/spreadsheets.ts";
import { b, n, s, t, xlsx } from "./support/xlsx.ts";

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "quire-sheets-test-")));
  return () => rm(folder, { recursive: true, force: true });
});

const TAGS = [
  '{{name}}|{{if net > 1000}}more{{else}}less{{endif}}|{{net * 2}}|{{net :: number("0.00")}}' +
    '|{{if member}}yes{{else}}no{{endif}}|{{member :: checkbox}}|{{born :: format("d MMM yyyy")}}' +
    "|{{code}}|{{if notes}}{{notes}}{{else}}–{{endif}}",
];

const RIGHT = [
  "Zoë|more|2469|1234.50|yes|☒|31 Dec 2026|0012|call – first",
  "Bob|less|1900|950.00|no|☐|3 May 1990|7|–",
];

/** The result without options: all documents are correct, or rows or the file are rejected with this message. */
type Verdict = "right" | RegExp;

interface Case {
  readonly content: string | Uint8Array;
  readonly verdict?: Verdict;
  /** The options that give correct documents, or the documents in `gives`. */
  readonly flags?: GivenFlags;
  readonly gives?: readonly string[];
}

async function documents(name: string, content: Case["content"], flags?: GivenFlags) {
  try {
    const sheet = { name, content, tags: TAGS };
    return await documentsOf(folder, flags === undefined ? sheet : { ...sheet, flags });
  } catch (error) {
    return [{ refused: [(error as Error).message] }];
  }
}

async function judge(
  name: string,
  { content, verdict, flags, gives = RIGHT }: Case,
): Promise<void> {
  if (verdict === "right") expect(await documents(name, content)).toEqual(gives);
  else if (verdict !== undefined) {
    const made = await documents(name, content);
    const refused = made.filter((row) => typeof row !== "string");
    expect(refused.length).toBeGreaterThan(0);
    for (const { refused: reasons } of refused) expect(reasons.join(" ")).toMatch(verdict);
    // All documents that are generated are correct.
    expect(gives).toEqual(expect.arrayContaining(made.filter((row) => typeof row === "string")));
  }
  if (flags !== undefined) expect(await documents(name, content, flags)).toEqual(gives);
}

const HEADER = ["name", "net", "member", "born", "code", "notes"];
const ANN = ["Zoë", "1234.50", "true", "2026-12-31", "0012", "call – first"];
const BOB = ["Bob", "950", "false", "1990-05-03", "7", ""];

interface Form {
  readonly net?: readonly [string, string];
  readonly member?: readonly [string, string];
  readonly born?: readonly [string, string];
  readonly delimiter?: string;
  readonly newline?: string;
}

/** Creates a CSV file with some columns in another notation. */
function csv({ net, member, born, delimiter = ",", newline = "\r\n" }: Form): string {
  const rows = [ANN, BOB].map((row, index) =>
    row.map((cell, column) => {
      const other = [undefined, net, member, born][column]?.[index] ?? cell;
      return new RegExp(`[${delimiter}"\n]`).test(other) ? `"${other}"` : other;
    }),
  );
  return [HEADER, ...rows].map((row) => row.join(delimiter) + newline).join("");
}

/** Encodes a string in an older encoding: ASCII, and `bytes` for other characters. */
function encoded(text: string, bytes: Readonly<Record<string, number>>): Uint8Array {
  return Buffer.from([...text].map((character) => bytes[character] ?? character.charCodeAt(0)));
}

const WESTERN = { ë: 0xeb, "–": 0x96, "€": 0x80 };
const CENTRAL = { ë: 0xeb, "–": 0x96, ł: 0xb3 };
const US = { born: ["12/31/2026", "5/3/1990"] } as const;
const GB = { born: ["31/12/2026", "03/05/1990"] } as const;
const DE = {
  delimiter: ";",
  net: ["1234,5", "950"],
  member: ["WAHR", "FALSCH"],
  born: ["31.12.2026", "03.05.1990"],
} as const;
const bom = (text: string): string => `\ufeff${text}`;

const CSV: Readonly<Record<string, Case>> = {
  "JSON-like CSV of a program": { content: csv({}), verdict: "right" },
  "Excel, United States, CSV UTF-8": {
    content: bom(csv({ ...US, member: ["TRUE", "FALSE"] })),
    verdict:
      /column 4, "born", is an ambiguous date .day first or month first., .+--data-locale en-GB or en-US/,
    flags: { dataLocale: "en-US" },
  },
  "Excel, United States, with grouped numbers": {
    content: csv({ ...US, net: ["1,234.50", "950.00"], member: ["Yes", "No"] }),
    flags: { dataLocale: "en-US" },
    verdict:
      /column 2, "net", is not a number.+--data-locale|day first or month first.+--data-locale/,
  },
  "Excel, United States, with currencies": {
    content: csv({ ...US, net: ["$1,234.50", "$950.00"] }),
    flags: { dataLocale: "en-US" },
    verdict: /column 2, "net", is not a number.+--data-locale/,
  },
  "Excel, United Kingdom": { content: csv(GB), flags: { types: "born:date(en-GB)" } },
  "Excel, United Kingdom, by a pattern": {
    content: csv(GB),
    flags: { types: "born:date(dd/MM/yyyy)" },
  },
  "Excel, Germany, CSV": {
    content: encoded(csv(DE), WESTERN),
    verdict: /Line 2 of .+ is not UTF-8 text\..+--encoding, for example windows-1252/,
    flags: { encoding: "windows-1252", dataLocale: "de" },
  },
  "Excel, Germany, CSV UTF-8": {
    content: bom(csv(DE)),
    verdict: /column 2, "net", is not a number, .+--data-locale de/,
    flags: { dataLocale: "de" },
  },
  "Excel, Germany, by columns": { content: csv(DE), flags: { types: "net:number(de)" } },
  "Excel, Germany, with currencies": {
    content: csv({ ...DE, net: ["1.234,50 €", "950,00 €"] }),
    verdict: /column 2, "net", is not a number/,
    flags: { dataLocale: "de-DE" },
  },
  "Excel, Germany, whole numbers in groups": {
    content: csv({ ...DE, net: ["1.234", "1.950"] }),
    verdict: /may be 1234 or 1\.234/,
    flags: { dataLocale: "de" },
    gives: [
      "Zoë|more|2468|1234.00|yes|☒|31 Dec 2026|0012|call – first",
      "Bob|more|3900|1950.00|no|☐|3 May 1990|7|–",
    ],
  },
  "Excel, Austria": {
    content: csv({ ...DE, net: ["1 234,50", "950,00"], member: ["ja", "nein"] }),
    flags: { dataLocale: "de-AT" },
  },
  "Excel, Switzerland": {
    content: csv({ ...DE, net: ["1'234.50", "950.00"], member: ["Ja", "Nein"] }),
    verdict: /column 2, "net", is not a number/,
    flags: { dataLocale: "de-CH" },
  },
  "Excel, France": {
    content: encoded(
      csv({ ...DE, ...GB, net: ["1234,5", "950"], member: ["VRAI", "FAUX"] }),
      WESTERN,
    ),
    verdict: /is not UTF-8 text/,
    flags: { encoding: "windows-1252", dataLocale: "fr" },
  },
  "Excel, France, with groups": {
    content: csv({ ...DE, ...GB, net: ["1\u202f234,50", "950,00\u00a0€"], member: ["oui", "non"] }),
    flags: { dataLocale: "fr-FR" },
  },
  "Excel, Spain": {
    content: csv({ ...DE, ...GB, net: ["1.234,50", "950,00"], member: ["VERDADERO", "FALSO"] }),
    flags: { dataLocale: "es" },
  },
  "Excel, Italy": {
    content: csv({ ...DE, ...GB, net: ["1.234,50", "950,00"], member: ["VERO", "FALSO"] }),
    flags: { dataLocale: "it" },
  },
  "Excel, Poland": {
    content: encoded(csv({ ...DE, member: ["PRAWDA", "FA\u0141SZ"] }), {
      ...CENTRAL,
      "\u0141": 0xa3,
    }),
    verdict: /is not UTF-8 text/,
    flags: { encoding: "windows-1250", dataLocale: "pl" },
  },
  "Excel, Unicode text": {
    content: Buffer.from(bom(csv({ ...DE, delimiter: "\t" })), "utf16le"),
    verdict: /column 2, "net", is not a number/,
    flags: { dataLocale: "de" },
  },
  "Excel, day numbers": {
    content: csv({ born: ["46387", "32996"] }),
    verdict: /may be an Excel day number/,
    flags: { types: "born:date(excel)" },
  },
  "Excel for Mac, day numbers from 1904": {
    content: csv({ born: ["44925", "31534"], newline: "\r" }),
    flags: { types: "born:date(excel1904)" },
  },
  "Excel for Mac, its own encoding": {
    content: encoded(csv({}), { ë: 0x91, "–": 0xd0 }),
    verdict: /is not UTF-8 text/,
    flags: { encoding: "macintosh" },
  },
  "Excel, with sep= before": {
    content: `sep=;\r\n${csv({ ...DE, net: ["1234.5", "950"] })}`,
    verdict: "right",
  },
  "Excel, with blank rows and columns": {
    content: `${csv({}).replaceAll("\r\n", ",,\r\n")},,,,,,,\r\n,,,,,,,\r\n`,
    verdict: "right",
  },
  "Excel, with values behind the last column": {
    content: csv({}).replace("first\r\n", "first,more\r\n"),
    verdict: /Line 2 of data\.csv has 7 cells, but the first line names 6 columns/,
  },
  "LibreOffice, CSV": {
    content: csv({ member: ["TRUE", "FALSE"], newline: "\n" }).replace("Zoë", '"Zoë"'),
    verdict: "right",
  },
  "LibreOffice, big-endian UTF-16": {
    content: Buffer.from(bom(csv({})), "utf16le").swap16(),
    verdict: "right",
  },
  "LibreOffice, Latin 9": {
    content: encoded(csv({}).replace("–", "-"), { ë: 0xeb }),
    verdict: /is not UTF-8 text/,
    flags: { encoding: "iso-8859-15" },
    gives: [RIGHT[0]?.replace("call –", "call -") ?? "", RIGHT[1] ?? ""],
  },
  "Google Sheets": {
    content: csv({ member: ["TRUE", "FALSE"], born: ["31.12.2026", "3.5.1990"], newline: "\n" }),
    verdict: "right",
  },
  "PostgreSQL, COPY": {
    content: csv({ member: ["t", "f"], born: ["2026-12-31 00:00:00", "1990-05-03 00:00:00"] }),
    verdict: "right",
  },
  "PostgreSQL, psql with bars": {
    content: csv({ member: ["t", "f"], delimiter: "|", newline: "\n" }),
    verdict: "right",
  },
  "MySQL, tabs": { content: csv({ member: ["1", "0"], delimiter: "\t" }), verdict: "right" },
  "MySQL, with NULL": {
    content: csv({ net: ["NULL", "NULL"] }),
    verdict: /column 2, "net", is a database's word for a missing value/,
  },
  Oracle: { content: csv({ member: ["Y", "N"], net: ["1234.5", "950"] }), verdict: "right" },
  "SAP, with the minus behind": {
    content: csv({ net: ["1.234,50-", "950,00-"], delimiter: ";" }),
    verdict: /column 2, "net", is not a number/,
  },
  "a form, with unknown words": {
    content: csv({ member: ["sure", "nope"] }),
    verdict: /column 3, "member", is not a word for yes or no/,
  },
  "a form, with crosses: an empty cell is a missing value for a check box": {
    content: csv({ member: ["x", ""] }),
    verdict: "right",
    gives: [RIGHT[0] ?? "", "Bob|less|1900|950.00|no||3 May 1990|7|– ! missing_value"],
  },
};

test.for(Object.entries(CSV))("%s: right, or rejected with a fix that works", async ([, each]) => {
  await judge("data.csv", each);
});

/** Returns the two people as cells. `date` is the style of dates. */
const cells = (net: string, member: string, born: string, rest: readonly string[]): string[] => [
  net,
  member,
  born,
  ...rest,
];
const names = HEADER.map((name) => t(name));
const ann = [t("0012"), t("call – first")];
const bob = [n(7), null];
const strings = [...HEADER, "Zoë", "0012", "call – first", "Bob"].map((text) => `<t>${text}</t>`);

const XLSX: Readonly<Record<string, Case>> = {
  Excel: {
    content: xlsx({
      strings,
      formats: [14],
      sheets: [
        {
          rows: [
            [0, 1, 2, 3, 4, 5].map(s),
            [s(6), n("1234.5"), b(true), n(46387, 1), s(7), s(8)],
            [s(9), n(950), b(false), n(32996, 1), n(7)],
          ],
        },
      ],
    }),
    verdict: "right",
  },
  "Excel for Mac, from 1904": {
    content: xlsx({
      date1904: true,
      formats: ["dd.mm.yyyy"],
      sheets: [
        {
          rows: [
            names,
            [t("Zoë"), ...cells(n("1234.5"), b(true), n(44925, 1), ann)],
            [t("Bob"), n(950), b(false), n(31534, 1), ...bob],
          ],
        },
      ],
    }),
    verdict: "right",
  },
  "Excel, with formulas and a title sheet that is hidden": {
    content: xlsx({
      formats: [14],
      sheets: [
        { name: "Lists", state: "hidden", rows: [[t("x")], [t("y")]] },
        {
          rows: [
            null,
            names,
            [
              t("Zoë"),
              "<c><f>SUM(A1)</f><v>1234.5</v></c>",
              '<c t="b"><f>1=1</f><v>1</v></c>',
              n(46387, 1),
              ...ann,
            ],
            null,
            [t("Bob"), n("950.00000000000011"), b(false), n("32996.0", 1), ...bob],
          ],
        },
      ],
    }),
    verdict: "right",
  },
  "Google Sheets": {
    content: xlsx({
      strings,
      formats: ["yyyy-mm-dd"],
      sheets: [
        {
          rows: [
            [0, 1, 2, 3, 4, 5].map(s),
            [s(6), n("1234.5"), b(true), n("46387.0", 1), s(7), s(8)],
            [s(9), n("950.0"), b(false), n("32996.0", 1), n("7.0")],
          ],
        },
      ],
    }),
    verdict: "right",
  },
  "an export in which all cells are texts": {
    content: xlsx({ sheets: [{ rows: [names, ANN.map(t), BOB.map(t)] }] }),
    verdict: "right",
  },
  "an export with German texts": {
    content: xlsx({
      sheets: [
        {
          rows: [
            names,
            [t("Zoë"), t("1.234,50"), t("ja"), t("31.12.2026"), ...ann],
            [t("Bob"), t("950,00"), t("nein"), t("3.5.1990"), ...bob],
          ],
        },
      ],
    }),
    verdict: /column B, "net", is not a number/,
    flags: { dataLocale: "de" },
  },
  "a program that writes formulas without results": {
    content: xlsx({
      sheets: [
        { rows: [names, [t("Zoë"), "<c><f>A1*2</f></c>", b(true), t("2026-12-31"), ...ann]] },
      ],
    }),
    verdict: /column B, "net", contains a formula without its result/,
  },
  errors: {
    content: xlsx({
      sheets: [
        { rows: [names, [t("Zoë"), '<c t="e"><v>#N/A</v></c>', b(true), t("2026-12-31"), ...ann]] },
      ],
    }),
    verdict: /column B, "net", contains the error #N\/A/,
  },
  "dates without the format of dates": {
    content: xlsx({
      sheets: [
        {
          rows: [
            names,
            [t("Zoë"), n(1234.5), b(true), n(46387), ...ann],
            [t("Bob"), n(950), b(false), n(32996), ...bob],
          ],
        },
      ],
    }),
    verdict: /is a number, which could mean any date/,
    flags: { types: "born:date(excel)" },
  },
};

test.for(Object.entries(XLSX))(
  "%s, .xlsx: right, or rejected with a fix that works",
  async ([, each]) => {
    await judge("data.xlsx", each);
  },
);
