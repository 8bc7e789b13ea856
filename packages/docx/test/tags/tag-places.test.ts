import { describe, expect, test } from "vitest";
import { p, partOf } from "../../../ooxml/test/support/docx.ts";
import { type CompileOptions, compileTemplate } from "../../src/index.ts";
import { withFile } from "../support/add-parts.ts";
import { FILLED, type TagPlace, UNREAD } from "../support/tag-places.ts";
import { partsOf } from "../support/word-file.ts";

/** The same tag for each kind of delimiters. */
const SPELLINGS: readonly [string, CompileOptions["delimiters"], string][] = [
  ["{{ }}", undefined, "{{v}}"],
  ["[[ ]]", { start: "[[", end: "]]" }, "[[v]]"],
  ["auto", "auto", "{v}"],
];

async function rendered(
  { template }: TagPlace,
  tag: string,
  delimiters: CompileOptions["delimiters"],
  data: Record<string, unknown>,
) {
  const compiled = await compileTemplate(template(tag), { delimiters });
  return { compiled, ...compiled.render(data) };
}

function expectHolds(bytes: Uint8Array, { holds }: TagPlace, text: string): void {
  for (const [part, xml] of holds) expect(partOf(bytes, part)).toContain(xml.replaceAll("…", text));
}

describe.each(SPELLINGS)("with the delimiters %s", (_, delimiters, tag) => {
  test.each(FILLED.map((place) => [place.name, place] as const))(
    "a tag has its value in %s",
    async (_name, place) => {
      const { compiled, bytes, warnings } = await rendered(place, tag, delimiters, { v: "A & B" });
      expectHolds(bytes, place, "A &amp; B");
      for (const [name, xml] of partsOf(bytes)) {
        if (name !== "customXml/item9.xml") expect(xml).not.toContain(tag);
      }
      expect(warnings).toEqual([]);
      expect(new Set(compiled.tags.map(({ tag_content }) => tag_content))).toEqual(new Set([tag]));
    },
  );

  test.each(FILLED.map((place) => [place.name, place] as const))(
    "a tag without a value is kept and reported in %s",
    async (_name, place) => {
      const { bytes, warnings } = await rendered(place, tag, delimiters, {});
      expectHolds(bytes, place, tag);
      expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["missing_value"]));
    },
  );

  test.each(UNREAD.map((place) => [place.name, place] as const))(
    "a tag is reported in %s",
    async (_name, place) => {
      const { compiled, bytes, warnings } = await rendered(place, tag, delimiters, {});
      expectHolds(bytes, place, tag);
      expect(compiled.warnings).toHaveLength(1);
      expect(warnings).toEqual(compiled.warnings);
      expect(warnings[0]).toMatchObject({
        severity: "warning",
        code: "tag_in_unread_place",
        message: `${tag} is in ${place.words}, where tags are not read. It remains in the document as text.`,
        template: { tag },
      });
      const [part] = place.holds[0] ?? [warnings[0]?.template?.part];
      expect(warnings[0]?.template?.part).toBe(part);
    },
  );
});

test("a tag in a data store or a prompt is not reported if a content control shows the same tag in its text", async () => {
  const [store, glossary] = [
    "custom XML that a control shows",
    "a building block, spread over runs",
  ].map((name) => UNREAD.find((place) => place.name === name)?.template("{{v}}"));
  const shown = p("old");
  const filled = (file: Uint8Array = new Uint8Array()): Uint8Array =>
    withFile(file, "word/document.xml", (xml) =>
      xml.replace(
        "<w:body>",
        `<w:body><w:sdt><w:sdtPr><w:dataBinding w:xpath="/d" w:storeItemID="{A8C1A4D0-5F1B-4E0C-9B7E-3C6F0E1D2A3B}"/></w:sdtPr><w:sdtContent>${p("{{v}}")}</w:sdtContent></w:sdt>${shown}`,
      ),
    );
  expect(await codesOf(filled(store))).toEqual([]);
  expect(await codesOf(filled(glossary))).toEqual([]);
});

async function codesOf(file: Uint8Array): Promise<string[]> {
  return (await compileTemplate(file)).warnings.map(({ code }) => code);
}
