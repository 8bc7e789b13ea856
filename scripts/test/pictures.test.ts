import { readdirSync, readFileSync } from "node:fs";
import { compileTemplate, prepareImages } from "@quire/core";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../packages/ooxml/test/support/docx.ts";
import { fingerprint } from "../pictures/example.ts";
import { EXAMPLES } from "../pictures/examples.ts";
import { sourceOf } from "../pictures/png.ts";
import { showpiece } from "../pictures/showpiece.ts";
import { wordFile } from "../pictures/word.ts";

const FOLDER = new URL("../../docs/pictures/", import.meta.url);
const page = ["templates.md", "functions.md"]
  .map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"))
  .join("\n");

describe.each(EXAMPLES)("the example $name", (example) => {
  test("is in the docs, with pictures of its current version", () => {
    for (const which of ["template", "result"]) {
      const file = `${example.name}.${which}.png`;
      expect(page).toContain(`(pictures/${file})`);
      expect(sourceOf(readFileSync(new URL(file, FOLDER))), file).toBe(fingerprint(example));
    }
  });

  test("renders to the text that its picture shows", async () => {
    const { data, includes, locale, timeZone, onMissing } = example;
    const template = await compileTemplate(wordFile(example.template), {
      readTemplate: async (name) => wordFile(includes?.[name] ?? { body: "" }),
    });
    const images = await prepareImages(data, {});
    const { bytes, warnings } = template.render(data, { locale, timeZone, onMissing, images });
    const text = linesOf(bytes).join("\n");
    for (const line of example.result) {
      for (const words of line.split(/[|/⏎⇥]/)) expect(text).toContain(words.trim());
    }
    expect(
      warnings.map(({ severity, code }) => (severity === "error" ? `error ${code}` : code)),
    ).toEqual(example.told ?? []);
  });
});

test("README.md shows the current version of the first invoice", async () => {
  const { name, fingerprint: source } = await showpiece();
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  for (const which of ["template", "result"]) {
    const file = `${name}.${which}.png`;
    expect(readme).toContain(`docs/pictures/${file}`);
    expect(sourceOf(readFileSync(new URL(file, FOLDER))), file).toBe(source);
  }
});

test("every picture has an example", async () => {
  const names = new Set([(await showpiece()).name, ...EXAMPLES.map(({ name }) => name)]);
  for (const file of readdirSync(FOLDER)) expect(names).toContain(file.split(".")[0]);
});
