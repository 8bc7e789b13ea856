import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileTemplate, type RenderData, type Template } from "@quire/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linesOf, partOf } from "../../packages/ooxml/test/support/docx.ts";
import { assertAmounts, ENGLISH, HEBREW, type InvoiceData, JAPANESE } from "./amounts.ts";

const EXAMPLES = join(import.meta.dirname, "..");

async function read<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(EXAMPLES, "data", file), "utf8")) as T;
}

async function templateOf(name: string): Promise<Template> {
  return compileTemplate(await readFile(join(EXAMPLES, `templates/${name}.docx`)));
}

/** The locales of the invoices in other languages. */
const LOCALES: Readonly<Record<string, string>> = { "invoice-ja": "ja-JP", "invoice-he": "he-IL" };

/** An entry of invoices.json. */
interface Entry {
  readonly locale: string;
  readonly user_input: InvoiceData;
}

describe("the example data renders without warnings", () => {
  test.each(["letter", "contract"])("%s", async (name) => {
    const template = await templateOf(name);
    expect(template.render(await read<RenderData>(`${name}.json`)).warnings).toEqual([]);
  });

  test.each(["invoice-ja", "invoice-he"])("%s", async (name) => {
    const template = await templateOf(name);
    const locale = LOCALES[name];
    expect(template.render(await read<RenderData>(`${name}.json`), { locale }).warnings).toEqual(
      [],
    );
  });

  test("invoice, with the same 25 invoices in both data files", async () => {
    const template = await templateOf("invoice");
    const entries = await read<Entry[]>("invoices.json");
    expect(entries).toHaveLength(25);
    for (const { user_input, locale } of entries) {
      expect(template.render(user_input, { locale }).warnings).toEqual([]);
    }
    const lines = await readFile(join(EXAMPLES, "data/invoices.jsonl"), "utf8");
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(entries);
  });
});

describe("the amounts on an invoice add up to the cent", () => {
  test("in each of the 25 invoices", async () => {
    const template = await templateOf("invoice");
    for (const { user_input, locale } of await read<Entry[]>("invoices.json")) {
      const { bytes } = template.render(user_input, { locale });
      assertAmounts(user_input, linesOf(bytes), ENGLISH);
    }
  });

  test.each([
    ["invoice-ja", JAPANESE],
    ["invoice-he", HEBREW],
  ])("in %s", async (name, edition) => {
    const data = await read<InvoiceData>(`${name}.json`);
    const { bytes } = (await templateOf(name)).render(data, { locale: LOCALES[name] });
    assertAmounts(data, linesOf(bytes), edition);
  });
});

test("each invoice has the number and date formats of its customer's country", async () => {
  const template = await templateOf("invoice");
  const entries = await read<Entry[]>("invoices.json");
  const shown = (number: number) => {
    const { user_input, locale } = entries[number - 1] ?? expect.fail();
    return linesOf(template.render(user_input, { locale }).bytes).map((line) =>
      line.replaceAll(/[\u00a0\u202f]/g, " "),
    );
  };
  expect(shown(24)).toContain("Due date | 14 Apr 2026");
  expect(shown(24)).toContain("VAT 13.5% of €23.10 | €3.12");
  expect(shown(25)).toContain("Invoice date | 18 März 2026");
  expect(shown(25)).toContain("VAT 13,5 % of 161,70 € | 21,83 €");
  expect(shown(1)).toContain("Net total | 2 939,16 €");
  const { bytes } = (await templateOf("invoice-ja")).render(await read("invoice-ja.json"), {
    locale: "ja-JP",
  });
  expect(linesOf(bytes).join("\n")).toContain("お支払期限 2026年4月30日");
});

test("the templates use only fonts that are installed for the demo, or that have the same metrics", async () => {
  const files = (await readdir(join(EXAMPLES, "templates"))).filter((name) =>
    name.endsWith(".docx"),
  );
  expect(files).toHaveLength(5);
  for (const file of files) {
    const styles = partOf(await readFile(join(EXAMPLES, "templates", file)), "word/styles.xml");
    const fonts = [...styles.matchAll(/<w:rFonts [^>]*>/g)].flatMap(([tag]) =>
      [...tag.matchAll(/="([^"]*)"/g)].map(([, font]) => font),
    );
    expect(fonts.length).toBeGreaterThan(0);
    // Carlito, Caladea and Liberation Sans have the metrics of the first three.
    expect(["Calibri", "Cambria", "Arial", "IPAexGothic"]).toEqual(expect.arrayContaining(fonts));
  }
});

describe("example programs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "quire-examples-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function run(file: string): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, file)], {
      cwd: folder,
    });
    return stdout;
  }

  test("one-document.ts writes the letter", async () => {
    expect(await run("one-document.ts")).toBe("letter.docx\n");
    await expect(readFile(join(folder, "letter.docx"))).resolves.toBeInstanceOf(Buffer);
  });

  test("batch.ts makes 25 invoices", async () => {
    const output = await run("batch.ts");
    expect(output.match(/ completed INV-2026-\d{4}\.docx$/gm)).toHaveLength(25);
    expect(await readdir(join(folder, "files/out"))).toHaveLength(25);
  });
});
