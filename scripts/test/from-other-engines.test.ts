/**
 * Checks the tables in docs/from-*.md that list an engine's tags, the tags for Quire, and what both print. Quire must
 * print it, and so must the engine if it runs in Node. Each page contains the data in a JSON block.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentText } from "../../benchmarks/measure/document-text.ts";
import { compileTemplate } from "../../packages/docx/src/index.ts";
import { docx, p, table } from "../../packages/ooxml/test/support/docx.ts";
import type { Outcome, Work } from "./support/other-engine.ts";
import { cellsIn, cellsOf, dataOf, plain, templateOf } from "./support/tag-tables.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const OTHER_ENGINE = join(import.meta.dirname, "support", "other-engine.ts");
const OR_SAME = ", or the same";
/** The pages, and the name of each engine in the benchmarks; null for docxtpl, which needs Python. */
const PAGES = [
  ["from-carbone.md", "carbone"],
  ["from-easy-template-x.md", "easy-template-x"],
  ["from-docx-templates.md", "docx-templates"],
  ["from-docxtpl.md", null],
] as const;

interface Row {
  readonly theirs: string;
  readonly ours: string;
  readonly same: boolean;
  readonly printed: readonly string[];
}

describe.each(PAGES)("docs/%s", (name, engine) => {
  const page = readFileSync(join(ROOT, "docs", name), "utf8");
  const data = dataOf(page);
  const rows = rowsOf(page);

  test("has a table of tags", () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  test.each(rows)("Quire prints what the page says for $ours", async ({ ours, printed }) => {
    expect(await printedBy(ours, data)).toEqual(printed);
  });

  test.each(rows.filter(({ same }) => same))(
    "Quire prints the same for $theirs",
    async ({ theirs, printed }) => {
      expect(await printedBy(theirs, data, "auto")).toEqual(printed);
    },
  );

  if (engine === null) return;
  test("the other engine prints what the page says", () => {
    const outcomes = printedByOther(engine, rows, data);
    const found = rows.map(({ theirs }, at) => [theirs, outcomes[at]]);
    expect(found).toEqual(rows.map(({ theirs, printed }) => [theirs, printed]));
  });
});

describe("docs/from-docxtemplater.md", () => {
  const page = readFileSync(join(ROOT, "docs", "from-docxtemplater.md"), "utf8");
  const modules = cellsOf(page, "| module |");
  const tags = modules.flatMap(([, ours = ""]) =>
    [...ours.matchAll(/`(\{[^`]+\})`/g)].map(([, tag = ""]) => tag),
  );
  /** The closing tag, which is in a separate paragraph. */
  const end = "{endif}";

  test("lists all paid modules", () => {
    expect(modules.flatMap(([names = ""]) => names.split(", "))).toHaveLength(17);
    expect(tags.length).toBeGreaterThan(8);
  });

  test.each(tags.filter((tag) => tag !== end))("names the tag %s, which works", async (tag) => {
    const paragraphs = tag.startsWith("{if ") ? [tag, "x", end] : [tag];
    const body = `${table([paragraphs.map((text) => p(text)).join("")])}<w:p/>`;
    const template = await compileTemplate(docx({ body }), {
      delimiters: "auto",
      readTemplate: async () => docx({ body: p("Terms") }),
    });
    const { bytes } = template.render({}, { onMissing: "blank" });
    expect(documentText(bytes).join("\n")).not.toContain("{");
  });
});

/** Returns the rows of the first table on a page whose last column is "prints". */
function rowsOf(page: string): Row[] {
  const head = /^\| .* \| Quire \| prints \|$/m.exec(page)?.[0] ?? "";
  return cellsOf(page, head).map(([theirs = "", second = "", printed = ""]) => {
    const same = second === "the same" || second.endsWith(OR_SAME);
    const ours = second === "the same" ? theirs : second.replace(OR_SAME, "");
    return {
      theirs: plain(theirs),
      ours: plain(ours),
      same: same && second !== "the same",
      printed: plain(printed)
        .split("\n")
        .flatMap((line) => (line.includes("¦") ? cellsIn(line) : [line]))
        .map((text) => text.replaceAll("⏎", "\n")),
    };
  });
}

async function printedBy(text: string, data: object, delimiters?: "auto"): Promise<string[]> {
  const template = await compileTemplate(templateOf(text), { delimiters });
  return documentText(template.render(data).bytes);
}

function printedByOther(engine: string, rows: readonly Row[], data: Work["data"]): Outcome[] {
  const templates = rows.map(({ theirs }) => Buffer.from(templateOf(theirs)).toString("base64"));
  const work: Work = { engine, templates, data };
  const output = execFileSync(process.execPath, [OTHER_ENGINE], {
    input: JSON.stringify(work),
    encoding: "utf8",
  });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}
