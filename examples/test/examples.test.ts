import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileTemplate, type RenderData } from "@quire/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const EXAMPLES = join(import.meta.dirname, "..");

async function read<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(EXAMPLES, "data", file), "utf8")) as T;
}

describe("the example data renders without warnings", () => {
  test.each(["letter", "contract"])("%s", async (name) => {
    const template = await compileTemplate(
      await readFile(join(EXAMPLES, `templates/${name}.docx`)),
    );
    expect(template.render(await read<RenderData>(`${name}.json`)).warnings).toEqual([]);
  });

  test("invoice, with the same 25 invoices in both data files", async () => {
    const template = await compileTemplate(
      await readFile(join(EXAMPLES, "templates/invoice.docx")),
    );
    const invoices = await read<RenderData[]>("invoices.json");
    expect(invoices).toHaveLength(25);
    for (const invoice of invoices) expect(template.render(invoice).warnings).toEqual([]);
    const lines = await readFile(join(EXAMPLES, "data/invoices.jsonl"), "utf8");
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(invoices);
  });
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
