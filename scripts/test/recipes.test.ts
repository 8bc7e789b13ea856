/**
 * Renders each recipe of docs/recipes.md with its data, and compares the document with the result that the page shows.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileTemplate, prepareImages } from "../../packages/docx/src/index.ts";
import { docx, p } from "../../packages/ooxml/test/support/docx.ts";
import { ROOT } from "./support/doc-blocks.ts";
import { printedLines } from "./support/printed-lines.ts";
import { cellsOf, dataOf, plain, templateOf } from "./support/tag-tables.ts";

const PAGE = readFileSync(join(ROOT, "docs", "recipes.md"), "utf8");
const [introduction = "", ...sections] = PAGE.split(/^### /m);
const TITLES = sections.map((section) => section.split("\n")[0] ?? "");
/** Each data of a recipe with the table after it. */
const RECIPES = sections.flatMap((section, at) => {
  const [recipe = ""] = section.split(/^## /m);
  const [, ...parts] = recipe.split(/(?=^```json$)/m);
  return parts.map((part, index) => ({ title: `${TITLES[at]} ${index + 1}`, section: part }));
});

test("docs/recipes.md has a table of contents", () => {
  const links = TITLES.map((title) => `[${title}](#${anchorOf(title)})`);
  expect(introduction.replace(/\n */g, " ").match(/\[[^\]]+\]\(#[^)]+\)/g)).toEqual(links);
});

test("every recipe has data", () => {
  expect(RECIPES.filter(({ title }) => title.endsWith(" 1"))).toHaveLength(TITLES.length);
});

describe.each(RECIPES)("$title", ({ section }) => {
  const rows = cellsOf(section, "| tags | result |").map(([tags = "", result = ""]) => ({
    tags: plain(tags),
    result: plain(result).split("\n"),
  }));

  test("has tags", () => {
    expect(rows.length).toBeGreaterThan(0);
  });

  test.each(rows)("$tags", async ({ tags, result }) => {
    const { lines, warnings } = await render(tags, dataOf(section));
    expect(lines).toEqual(result);
    expect(warnings.filter((text) => !text.startsWith("unused_value"))).toEqual([]);
  });

  test("uses all its data", async () => {
    const unused = await Promise.all(
      rows.map(async ({ tags }) => (await render(tags, dataOf(section))).warnings),
    );
    expect(unused[0]?.filter((text) => unused.every((others) => others.includes(text)))).toEqual(
      [],
    );
  });
});

async function render(tags: string, data: Record<string, unknown>) {
  const template = await compileTemplate(templateOf(tags), {
    readTemplate: async (name) => docx({ body: p(`The text of ${name}`) }),
  });
  const images = await prepareImages(data, {});
  const now = new Date("2026-11-30T12:00:00Z");
  const { bytes, warnings } = template.render(data, { images, now });
  const messages = warnings.map(({ code, message }) => `${code}: ${message}`);
  return { lines: printedLines(bytes), warnings: messages };
}

/** Returns the anchor that GitHub gives a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}
