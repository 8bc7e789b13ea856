// Renders one document, as README.md shows it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { compileTemplate } from "@quire/core";

async function main() {
  const template = await compileTemplate(await readFile("letter.docx"));
  const { bytes, warnings } = template.render(JSON.parse(await readFile("letter.json", "utf8")));
  assert.deepEqual(warnings, []);
  assert(bytes.length > 10_000);
  console.log("rendered");
}

void main();
