/** Tests mistakes on the command line. Each message names the mistake and the text to type. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

const EXAMPLES = new URL("../../../examples/", import.meta.url);
/** Matches a line of a stack trace. */
const STACK = /^\s+at .+:\d+:\d+/m;

let place: Place;
const cleaners: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  place = await makePlace({}, (clean) => cleaners.push(clean));
  for (const name of ["letter.docx", "invoice.docx", "registration.pdf"]) {
    await cp(new URL(`templates/${name}`, EXAMPLES), place.path(name));
  }
  for (const name of ["letter.json", "letters.csv", "invoices.json", "invoices.jsonl"]) {
    await cp(new URL(`data/${name}`, EXAMPLES), place.path(name));
  }
  await cp(place.path("letter.docx"), place.path("letter.doc"));
  await cp(place.path("letters.csv"), place.path("fake.xlsx"));
  await mkdir(place.path("sub"));
  await cp(place.path("letter.docx"), place.path("sub", "letter.docx"));
  await place.write("plain.docx", docx(["Dear customer"]));
  await place.write("looks.docx", docx(["{{paragraph :: bold}}Dear customer"]));
  await place.write("carbone.docx", docx(["Dear {d.customer.name}", "{d.items[i].price}"]));
  await place.write("braces.docx", docx(["Dear {name}", "{#items}{price}{/items}"]));
  await place.write("text.docx", "hello");
  for (const [name, content] of Object.entries(TEXTS)) await place.write(name, content);
  await writeFile(place.path("latin.json"), Buffer.from('{"name":"M\u00fcller"}', "latin1"));
  await writeFile(place.path("latin.csv"), Buffer.from("name\nM\u00fcller\n", "latin1"));
});

afterAll(async () => {
  for (const clean of cleaners) await clean();
});

const TEXTS = {
  "empty.docx": "",
  "empty.json": "",
  "empty.csv": "",
  "data.yaml": "name: Ann\nage: 3\n",
  "yaml.json": "name: Ann\nage: 3\n",
  "xml.json": "<a/>",
  "comma.json": '{"hidden": 1,}',
  "missing.json": '{\n  "hidden": 1\n  "b": 2\n}\n',
  "single.json": "{'hidden': 1}",
  "curly.json": "{“hidden”: 1}",
  "bare.json": "{hidden: 1}",
  "cut.json": '{"hidden": [1, {"b": 2',
  "python.json": '{"hidden": None}',
  "notes.json": '{"hidden": 1} // why',
  "number.json": '{"hidden": 1,5}',
  "break.json": '{"hidden": "a\nb"}',
  "path.json": '{"hidden": "C:\\data"}',
  "two.json": '{"hidden": 1}\n{"hidden": 2}\n',
  "text.json": '"hidden"',
  "none.json": "[]",
  "twice.csv": "a,a\n1,2\n",
  "either.csv": "a;b,c\n1;2,3\n",
  "conf.json": '{"prot": 80}',
  "confs.json": '{"prot": 80, "tokne": "a"}',
  "list.json": "[1]",
};

/** Splits a command line as a shell does. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

const RENDER = "render letter.docx --data letter.json";
const RUN = "run letter.docx --data letters.csv --to docx --out out";

type Slip = readonly [line: string, says: RegExp];

const COMMANDS: readonly Slip[] = [
  ["", /Usage: quire[\s\S]+Name a command, for example/],
  ["rendr letter.docx", /no command "rendr"\. Did you mean `quire render letter\.docx`\?/],
  ["Render letter.docx", /Did you mean `quire render letter\.docx`\?/],
  ["generate letter.docx", /Did you mean `quire render letter\.docx`\?/],
  ["validate letter.docx", /Did you mean `quire check letter\.docx`\?/],
  ["frobnicate", /no command "frobnicate"\. The commands are render, run, .+, doctor\./],
  ["letter.docx", /Write the command before the file, for example `quire check letter\.docx`/],
  ["--data letter.json render letter.docx", /`quire render --data letter\.json letter\.docx`/],
  ["version", /Did you mean `quire --version`\?/],
  ["--vrsion", /no option --vrsion\. Did you mean --version\?/],
  ["-v", /no option -v\. Did you mean --version\?/],
  ["help rendr", /Did you mean `quire help render`\?/],
  ["token", /Name a command, for example `quire token create/],
  ["token crate", /Did you mean `quire token create`\?/],
  ["token delete x", /Did you mean `quire token revoke x`\?/],
  ["tenant remove acme", /Did you mean `quire tenant erase acme`\?/],
];

const ARGUMENTS: readonly Slip[] = [
  ["render", /needs <template> .+, --data <file> .+ and --out <file>[\s\S]+Example: quire render/],
  ["render letter.docx", /needs --data <file> \(.+\) and --out <file>[\s\S]+Example: quire render/],
  ["render letter.docx letter.json", /needs --out <file> \(the \.docx or \.pdf file to write/],
  [`${RENDER} a.docx`, /Write --out before "a\.docx": `quire .+ --out a\.docx`/],
  [`${RENDER} --out a.docx other.docx`, /only <template>, so "other\.docx" cannot be used/],
  [
    "render letter.docx invoice.docx --data letter.json --out a.docx",
    /run the command once for each/,
  ],
  ["render letter.docx --data --out a.docx", /--data needs a value: --data <file>/],
  [`${RENDER} --out`, /--out needs a value: -o, --out <file>/],
  [`${RENDER} -out a.docx`, /no option -out\. Write it with two hyphens: --out/],
  [`${RENDER} --out a.docx --on-mising fail`, /Did you mean --on-missing\?/],
  [`${RENDER} --out a.docx --onMissing fail`, /Did you mean --on-missing\?/],
  [`${RENDER} --out a.docx --to pdf`, /no option --to\. It is an option of quire run\./],
  [`${RENDER} --out a.docx --frob`, /no option --frob\. The options of quire render are --data,/],
  ["run letter.docx", /needs --data <file> .+, --to <type> .+ and --out <folder>/],
  [
    "run letter.docx letters.csv --to docx --out out",
    /Write --data before "letters\.csv": `quire run letter\.docx --data letters\.csv/,
  ],
  ["run letter.docx --data letters.csv --out out", /needs --to <type>[\s\S]+--to docx/],
  [
    `${RUN} --name {{customer name}}`,
    /split "\{\{customer name\}\}" at its spaces.+single quotes: `.+ '\{\{customer name\}\}'`/,
  ],
  [
    "run letter.docx \u2014data letters.csv --to docx --out out",
    /typographic dash\. Type two hyphens.+`quire run letter\.docx --data letters\.csv/,
  ],
  [
    "run letter.docx \u2013data letters.csv --to docx --out out",
    /typographic dash\. Type two hyphens/,
  ],
  ["run letter.docx -data letters.csv --to docx --out out", /Write it with two hyphens: --data/],
  [
    "check letter.docx letter.json",
    /Write --data before "letter\.json": `quire check letter\.docx --data letter\.json`/,
  ],
  ["check letter.docx invoice.docx", /for file in \*\.docx; do quire check "\$file"; done/],
  ["check letter.docx --strct", /Did you mean --strict\?/],
  [
    "inspect letter.docx --json --schema",
    /--json cannot be used together with --schema\. Leave one/,
  ],
  [`${RUN} --new --overwrite`, /--overwrite cannot be used together with --new/],
  [`${RUN} --quiet --verbose`, /--quiet cannot be used together with --verbose/],
  ["doctor extra", /takes only options, so "extra" cannot be used/],
  [
    "report",
    /needs <journals> \(the journal of the run, for example out\.quire\.db, or the journals/,
  ],
  ["report out.quire.db --falied", /Did you mean --failed\?/],
  ["merge registration.pdf", /needs --out <file> \(the \.pdf file to write/],
  [
    "convert letter.docx",
    /needs --out <path>[\s\S]+Example: quire convert letter\.docx --out letter\.pdf/,
  ],
  ["serve --prot 80", /Did you mean --port\?/],
  ["token create", /needs --user <id> .+ and --enterprise <id>/],
  ["tenant suspend", /needs <name> \(the name of the enterprise\)/],
];

const VALUES: readonly Slip[] = [
  [
    `${RENDER} --out a.docx --on-missing faill`,
    /--on-missing cannot be "faill"\. Did you mean fail\? The choices are/,
  ],
  [
    "run letter.docx --data letters.csv --to PDF --out out",
    /--to cannot be "PDF"\. Did you mean pdf\?/,
  ],
  [
    "run letter.docx --data letters.csv --to=doc --out out",
    /Did you mean docx\? The choices are docx, pdf/,
  ],
  ["run letter.docx --data letters.csv --to docx,pdf --out out", /The choices are docx, pdf/],
  [`${RENDER} --out a.docx --locale english`, /write a language tag such as en-US/],
  [`${RENDER} --out a.docx --time-zone Berlin`, /time zone "Berlin".+such as Europe\/Berlin/],
  [`${RENDER} --out a.docx --delimiters {`, /Use auto, or two delimiters separated by a comma/],
  [
    `${RENDER} --out a.docx --pdfa 2b`,
    /--pdfa applies only to PDFs.+--out a\.pdf, or remove --pdfa/,
  ],
  [`${RENDER} --out a.docx --title Hello`, /--title applies only to PDFs/],
  [`${RENDER} --out a.docx --view-title`, /--view-title applies only to PDFs/],
  [`${RUN} --pdf-ua`, /--pdf-ua applies only to PDFs.+--to pdf, or remove --pdf-ua/],
  [`${RENDER} --out a.pdf --pdfa 2`, /The choices are 1b, 2b, 3b/],
  [`${RENDER} --out a.pdf --image-quality 200`, /a whole number from 1 to 100/],
  [`${RENDER} --out a.pdf --image-dpi -5`, /a whole number from 36 to 2400/],
  [`${RENDER} --out a.pdf --pages 3-1`, /--pages must be .+ for example "1-3,5"/],
  [`${RENDER} --out a.pdf --date 31.12.2026`, /--date must be .+ for example 2024-12-31/],
  [`${RENDER} --out a.pdf --view-zoom big`, /page, width, or a percentage/],
  [`${RENDER} --out a.pdf --allow-copying`, /need --permission-password-file/],
  [`${RENDER} --out a.pdf --open-password-env NOPE`, /variable "NOPE" .+ Set it, or remove/],
  [`${RENDER} --out a.pdf --open-password-file nope.txt`, /"nope\.txt" does not exist/],
  [
    `${RENDER} --out a.pdf --soffice /nope`,
    /no LibreOffice program at "\/nope"\. Correct --soffice/,
  ],
  [`${RENDER} --out a.pdf --deadline 1m`, /a number of seconds from 1 to/],
  [`${RENDER} --out a.docx --flatten`, /only to PDF forms.+Remove --flatten/],
  [`${RUN} --concurrency 0`, /a whole number from 1 to 256/],
  [
    `${RUN} --types customer.nmae:text`,
    /no column "customer\.nmae".+Did you mean "customer\.name"\?/,
  ],
  [`${RUN} --types customer.name:numbr`, /"numbr" is not a column type\. Write for example/],
  [
    `${RUN} --types 'letter.date:date(YYYY-MM-DD)'`,
    /must contain yyyy, MM and dd once each, as in yyyy-MM-dd/,
  ],
  [`${RUN} --encoding latin-9`, /encoding is unknown\. Examples are/],
  [`${RUN} --data-locale german`, /Write a language tag such as de/],
  [`${RUN} --sheet One`, /--sheet is for \.xlsx files.+Remove the option/],
  [`${RUN} --on-conflict overwrite`, /The choices are fail, rename/],
  [`${RUN} --name ''`, /--name (?:needs a value|pattern is empty)/],
  [`${RUN} --name '{{customer name}}'`, /Join names with dots, \{\{customer\.name\}\}/],
  [`${RUN} --packet p.pdf`, /needs --to pdf/],
  [`${RUN} --packet-order '{{customer.name}}'`, /Add --packet with the name of a PDF/],
  [`${RUN} --duplex`, /Add --packet with the name of a PDF/],
  [`${RUN} --entries 9-5`, /--entries cannot be "9-5"/],
  [`${RUN} --entries 5;7`, /neither a number nor a range\. An example is 5,9-20/],
  [
    `${RUN} --entries 900-`,
    /names entries that do not exist: the data file "letters\.csv" has 8 entries/,
  ],
  [`${RUN} --limit 0`, /a whole number of at least 1/],
  [`${RUN} --limit 5 --new`, /--limit cannot be used together with --new/],
  [`${RUN} --where 'customer.name == Ann'`, /quotes/],
  [`${RUN} --where 'customer.name ='`, /--where/],
  [`${RUN} --where ''`, /The condition is empty/],
  [`${RUN} --where 'if customer.name'`, /--where/],
  [`${RUN} --data-format xls`, /--data-format cannot be "xls"\. Did you mean xlsx\?/],
  [`${RUN} --dryrun`, /Did you mean --dry-run\?/],
  ["types letter.docx --name 'a b'", /such as TemplateData/],
  ["merge registration.pdf --out a.pdf --name-from titel", /Did you mean title\?/],
  ["serve --port 99999", /a whole number from 0 to 65535/],
  ["serve --public-url docs.example.com", /a complete URL, for example https:/],
  ["serve --token abc", /at least 8 characters.+openssl rand/],
  ["serve --log-level debug", /The choices are info, warn, error, silent/],
  ["serve --jwt-issuer https://id.example.com", /Set all of --jwt-issuer, --jwt-audience/],
  ["serve --webhook-key-2 abc", /no --webhook-key.+Set the key/],
  [
    "token create --user a --enterprise b --expires-days 1.5",
    /a whole number of days, for example 30/,
  ],
  ["token create --user a --enterprise b --scopes root", /The scopes are root_readonly/],
  ["tenant quota acme disk", /for example disk=1000000/],
];

const FILES: readonly Slip[] = [
  [
    "render leter.docx --data letter.json --out a.docx",
    /"leter\.docx" does not exist\. Did you mean "letter\.docx"\?/,
  ],
  ["render letter.docx --data leter.json --out a.docx", /Did you mean "letter\.json"\?/],
  [
    "render nope.docx --data letter.json --out a.docx",
    /does not exist\. Check its name\. Relative paths begin in the folder "/,
  ],
  [
    "render subb/letter.docx --data letter.json --out a.docx",
    /folder "subb" does not exist\. Did you mean "sub"\?/,
  ],
  [
    "render sub\\letter.docx --data letter.json --out a.docx",
    /Write "\/" between folders: `sub\/letter\.docx`/,
  ],
  [
    "render \u201cletter.docx\u201d --data letter.json --out a.docx",
    /without the quotes and spaces.+: `letter\.docx`/,
  ],
  [
    "render ~/letter.docx --data letter.json --out a.docx",
    /replaces ~ only at the beginning.+Write the whole path/,
  ],
  ["render '*.doc?' --data letter.json --out a.docx", /No file matches this pattern/],
  [
    "render sub --data letter.json --out a.docx",
    /"sub" is a folder\. Name a file in it, for example "sub\/letter\.docx"/,
  ],
  ["render letter.docx --data sub --out a.docx", /"sub" is a folder\. Name a file/],
  ["render letter.docx --data - --out a.docx", /has no standard input\. Name a data file/],
  ["render - --data letter.json --out a.docx", /Only --data reads standard input/],
  [
    "run letter.docx --data - --to docx --out out",
    /format of standard input is not known\. Add --data-format with json/,
  ],
  [
    "render letter.docx --data https://example.com/a.json --out a.docx",
    /on this computer\. Download it first/,
  ],
  [
    "render letter.json letter.docx --out a.docx",
    /are swapped.+Type `quire render letter\.docx letter\.json --out a\.docx/,
  ],
  [
    "run letters.csv --data letter.docx --to docx --out out",
    /are swapped.+Type `quire run letter\.docx --data letters\.csv/,
  ],
  [
    "check letter.json",
    /is a data file, not a template.+quire check TEMPLATE\.docx --data letter\.json/,
  ],
  ["inspect letters.csv", /is a data file, not a template/],
  [
    "check letter.docx --data invoice.docx",
    /is a template, not data\. Name a data file with --data/,
  ],
  [
    "render text.docx --data letter.json --out a.docx",
    /"text\.docx" .+ not a zip archive\. Name a \.docx file/,
  ],
  [
    "render empty.docx --data letter.json --out a.docx",
    /"empty\.docx" .+ it is empty\. Name a \.docx file/,
  ],
  [
    "render letter.docx --data letters.csv --out a.docx",
    /one document.+quire run letter\.docx --data letters\.csv --to docx --out letters/,
  ],
  [
    "render letter.docx --data invoices.json --out a.docx",
    /list of entries.+quire run letter\.docx --data invoices\.json/,
  ],
  [`${RENDER} --out a.doc`, /must end in \.docx or \.pdf, for example `--out a\.docx`/],
  [`${RENDER} --out sub`, /for example `--out sub\/document\.docx`/],
  [`${RENDER} --out letter.docx`, /same file as .+ Choose another name with --out/],
  [`${RENDER} --out nodir/a.docx`, /folder "nodir" does not exist\. Create it first/],
  [`${RENDER} --out letter.json/a.docx`, /a part of the path is a file/],
  [`${RENDER} --out s3://bucket/a.docx`, /is a URL, and only quire run writes to buckets/],
  [
    "run letter.docx --data letters.csv --to docx --out letter.json",
    /is a file, but a folder is needed/,
  ],
  ["run letter.docx --data letters.csv --to docx --out s3:bucket/x", /Write "s3:\/\/bucket\/x"/],
  ["run letter.docx --data letters.csv --to docx --out s3:/bucket/x", /Write "s3:\/\/bucket\/x"/],
  [
    "run letter.docx --data letters.csv --to docx --out gs://bucket/x",
    /an S3 bucket as s3:\/\/BUCKET\/PREFIX/,
  ],
  [
    "run letter.docx --data data.yaml --to docx --out out",
    /type of the data file "data\.yaml" is not supported\. Use \.json/,
  ],
  ["run letter.docx --data letters --to docx --out out", /Did you mean "letters\.csv"\?/],
  ["run letter.docx --data fake.xlsx --to docx --out out", /not a workbook.+save it as \.xlsx/],
  [
    "run letter.docx --data latin.csv --to docx --out out",
    /not UTF-8.+--encoding, for example windows-1252/,
  ],
  ["run letter.docx --data twice.csv --to docx --out out", /"a" occurs twice\. Rename/],
  ["run letter.docx --data either.csv --to docx --out out", /additional first line: sep=;/],
  ["run letter.docx --data empty.csv --to docx --out out", /contains no entries\. Add one/],
  ["run letter.docx --data none.json --to docx --out out", /contains no entries\. Add one/],
  [`${RUN} --journal letter.json`, /journal "letter\.json" .+ Name another file with --journal/],
  ["report letter.json", /"letter\.json" is not the journal of a run\. .+\.quire\.db/],
  ["report nope.quire.db", /"nope\.quire\.db" does not exist/],
  ["verify letter.docx", /is not the journal of a run/],
  ["sample letter.docx --out sub", /is a folder\. Name a file/],
  ["sample letter.docx --out letter.docx", /would be overwritten\. Choose another name/],
  ["annotate letter.docx --out x.pdf", /must end in \.docx, for example `--out x\.docx`/],
  ["annotate registration.pdf", /"registration\.pdf" .+ it is a PDF/],
  ["convert letter.docx --out x.docx", /must end in \.pdf, or be a folder/],
  [
    "convert letter.docx invoice.docx --out x.pdf",
    /one file, but there are 2 documents\. Name a folder/,
  ],
  ["convert letter.docx letter.docx --out pdfs", /"letter\.docx" is named twice/],
  ["convert nope.docx --out x.pdf", /"nope\.docx" does not exist/],
  [
    "merge letter.docx --out a.pdf",
    /Convert it first: `quire convert letter\.docx --out letter\.pdf/,
  ],
  ["merge nope.pdf --out a.pdf", /"nope\.pdf" does not exist/],
  ["serve --config nope.json", /"nope\.json" does not exist/],
  ["serve --config comma.json", /not valid JSON \(column 14\)\. .+ Remove the comma/],
  ["serve --config conf.json", /"prot": Did you mean "port"\?/],
  ["serve --config confs.json", /has 2 mistakes\.[\s\S]+"tokne": Did you mean "token"\?/],
  ["serve --config list.json", /Write one, for example \{"port": 80\}/],
  ["serve --storage s3:bucket --token first-steps --no-pdf", /Write "s3:\/\/bucket"/],
  ["serve --data letter.json --token first-steps --no-pdf", /it is a file, but a folder is needed/],
  ["token list --data nodir", /no service in the data folder .+ with --data/],
];

const DATA: readonly Slip[] = [
  ["yaml", /looks like YAML\. Data files are \.json, \.jsonl, \.csv and \.xlsx/],
  ["xml", /looks like XML/],
  ["empty", /is empty\. Write the data into it, for example/],
  ["comma", /\(column 14\)\. There is a comma before '}'\. Remove the comma/],
  ["missing", /\(line 3, column 3\)\. A comma is missing before it/],
  ["single", /\(column 2\)\. Put names and texts in double quotes/],
  ["curly", /straight double quotes/],
  ["bare", /Put the name in double quotes/],
  ["cut", /ends too early: '}' and ']' and '}' are missing/],
  ["python", /Write true, false or null, in lowercase letters/],
  ["notes", /no comments\. Remove the comment/],
  ["number", /Expected a name in double quotes/],
  ["break", /write a line break as \\n/],
  ["path", /Write two backslashes/],
  ["two", /\(line 2, column 1\)\. .+ into one list, .+ \.jsonl/],
  ["text", /must contain one JSON object, for example/],
  ["latin", /not UTF-8 text\. Save it as UTF-8/],
].map(([name, says]) => [`render letter.docx --data ${name}.json --out a.docx`, says as RegExp]);

describe.each([
  ["commands", COMMANDS],
  ["arguments and options", ARGUMENTS],
  ["values of options", VALUES],
  ["files", FILES],
  ["data", DATA],
])("mistakes in %s:", (_, slips) => {
  test.each(slips)("quire %s", async (line, says) => {
    const { code, stdout, stderr } = await place.quire(shellWords(line), { env: WITHOUT_QUIRE });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(STACK);
    expect(stderr).not.toMatch(/this is a bug|\berror: |hidden/i);
  });
});

const WITHOUT_QUIRE = { QUIRE_TOKEN: undefined, AWS_REGION: "us-east-1" };

test("there are more than 100 of them", () => {
  const all = [COMMANDS, ARGUMENTS, VALUES, FILES, DATA].flat();
  expect(new Set(all.map(([line]) => line)).size).toBeGreaterThan(100);
});

describe("a template without tags", () => {
  test("is reported by check, which shows what tags look like", async () => {
    const { code, stdout } = await place.quire(["check", "plain.docx"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^warning: No tags found.+\n {2}Tags look like \{\{customer\.name\}\}\.$/m,
    );
    expect((await place.quire(["check", "plain.docx", "--strict"])).code).toBe(2);
    const other = await place.quire(["check", "plain.docx", "--delimiters", "[[,]]"]);
    expect(other.stdout).toContain("Tags look like [[customer.name]].");
  });

  test.each([
    ["carbone.docx", /looks like a tag of Carbone[\s\S]+Write \{\{customer\.name\}\}/],
    [
      "braces.docx",
      /looks like a tag of docxtemplater[\s\S]+Use --delimiters auto, or write \{\{name\}\}/,
    ],
  ])("for another program is reported with the tags to write: %s", async (name, says) => {
    const { stdout } = await place.quire(["check", name]);
    expect(stdout).toMatch(says);
    expect(stdout).toContain("No tags found");
  });

  test("is not one whose tags only change a look", async () => {
    const { code, stdout } = await place.quire(["check", "looks.docx", "--strict"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 tag, 0 errors, 0 warnings")]);
    const data = ["--data", "letter.json"];
    const render = await place.quire(["render", "looks.docx", ...data, "--out", "looks-out.docx"]);
    expect(render.stderr).not.toContain("No tags found");
  });

  test("is reported by render and run", async () => {
    const data = ["--data", "letter.json"];
    const render = await place.quire(["render", "plain.docx", ...data, "--out", "plain-out.docx"]);
    expect([render.code, render.stderr]).toEqual([0, expect.stringContaining("No tags found")]);
    const run = await place.quire(["run", "plain.docx", ...data, "--to", "docx", "--out", "plain"]);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining("No tags found")]);
  });
});
