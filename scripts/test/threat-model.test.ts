/** Checks that the tests in docs/threat-model.md exist. Each layer has at least one test. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = read("docs/threat-model.md");
/** The sections about attackers, each with a table of layers. The title and two general sections come first. */
const SECTIONS = PAGE.split(/^## /m).slice(3);
const HEAD = "| layer | prevents | shown by |";
const NAMED = /`([\w./-]+\.test\.ts)`: "([^"]+)"/g;
/** Matches a row whose last cell contains only tests. */
const SHOWN = /\| `[\w./-]+\.test\.ts`: "[^"]+"(?:; `[\w./-]+\.test\.ts`: "[^"]+")* \|$/;

test("each test that docs/threat-model.md names exists", () => {
  const named = [...PAGE.matchAll(NAMED)];
  expect(named.length).toBeGreaterThan(60);
  const lost = named.filter(([, file = "", name = ""]) => !hasTest(file, name));
  expect(lost.map(([text]) => text)).toEqual([]);
});

test("each layer in docs/threat-model.md has a test", () => {
  const tables = SECTIONS.flatMap((section) => section.match(/^\| .*\|$/gm) ?? []);
  const rows = tables.filter((row) => row !== HEAD && !row.startsWith("| ---"));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => !SHOWN.test(row))).toEqual([]);
});

test("each section of docs/threat-model.md has layers and the remaining risks", () => {
  expect(SECTIONS.length).toBeGreaterThan(10);
  const incomplete = SECTIONS.filter(
    (section) => !section.includes(HEAD) || !/^Left: /m.test(section),
  );
  expect(incomplete.map((section) => section.slice(0, section.indexOf("\n")))).toEqual([]);
});

function hasTest(file: string, name: string): boolean {
  if (!existsSync(join(ROOT, file))) return false;
  const title = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`\\(\\s*(["\`])${title}\\1,`).test(read(file));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
