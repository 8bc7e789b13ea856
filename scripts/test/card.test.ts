import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FUNCTIONS } from "@quire/docx/internal/language/grammar/functions";
import { MODIFIERS } from "@quire/docx/internal/language/grammar/modifier-signatures";
import { BARCODE_KINDS } from "@quire/docx/internal/values/image/barcode";
import { expect, test } from "vitest";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const CARD = readFileSync(join(DOCS, "card.md"), "utf8");

test("docs/card.md has every function and every modifier", () => {
  const functions = Object.keys(FUNCTIONS).map((name) => name.slice(1));
  const words = new Set(CARD.match(/[a-zA-Z]+/g));
  const names = [...functions, ...Object.keys(MODIFIERS)];
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test("docs/templates.md has every kind of barcode", () => {
  const page = readFileSync(join(DOCS, "templates.md"), "utf8");
  expect(BARCODE_KINDS.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
});

test("docs/card.md fits on one page", () => {
  expect(CARD.split("\n").length).toBeLessThanOrEqual(70);
});
