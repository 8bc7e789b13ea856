import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { partOf, r } from "../../../ooxml/test/support/docx.ts";
import { type AddedPart, withParts } from "../support/add-parts.ts";
import { complex, marked, simple } from "../support/fields.ts";
import { SMART_ART, smartArt } from "../support/figures.ts";
import { include, renderIncluding } from "../support/including.ts";
import { wordFile } from "../support/word-file.ts";

const para = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;

describe("a reference in included content", () => {
  test("finds its bookmark in any case, but not a bookmark of another document", async () => {
    const link = `<w:hyperlink w:anchor="B">${r("go")}</w:hyperlink>`;
    const outside = `<w:p><w:hyperlink r:id="rIdX" w:anchor="B">${r("x")}</w:hyperlink></w:p>`;
    const t = wordFile({
      body:
        para(marked("b", "x"), link, complex(" REF B \\h ", "x"), simple(" REF B ", "x")) + outside,
      links: { rIdX: "https://example.com/" },
    });
    const host = wordFile({ body: para(marked("b", "host")) + include });
    const xml = partOf((await renderIncluding(host, t)).bytes);
    const names = [...xml.matchAll(/w:(?:name|anchor)="([^"]*)"|>? REF (\w+)/g)].map(
      ([, name, field]) => name ?? field,
    );
    expect(names).toEqual(["b", "b_2", "b_2", "b_2", "b_2", "B"]);
  });

  test("can be one of thousands, in several inclusions", async () => {
    const numbers = Array.from({ length: manyRuns(1_500, 6_000) }, (_, index) => index);
    const links = Object.fromEntries(
      numbers.map((each) => [`rIdX${each}`, `https://e.com/${each}`]),
    );
    const all = numbers.map(
      (each) =>
        `${para(marked(`a_name_with_very_many_characters_${each}`, "x"))}<w:p><w:hyperlink r:id="rIdX${each}"/></w:p>`,
    );
    const t = wordFile({ body: all.join(""), links });
    const { bytes } = await renderIncluding(wordFile({ body: include + include }), t);
    const found = [...partOf(bytes).matchAll(/w:name="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(found).size).toBe(2 * numbers.length);
  });

  test("resolves to its SmartArt drawing, also if the including template has SmartArt", async () => {
    const art = (text: string): AddedPart[] => smartArt(`<a:r><a:t>${text}</a:t></a:r>`);
    const host = withParts(
      wordFile({ body: SMART_ART + include, parts: { "header1.xml": include } }),
      art("own"),
    );
    const t = withParts(wordFile({ body: SMART_ART }), art("included"));
    const { bytes } = await renderIncluding(host, t);
    for (const [part, number] of [
      ["document", 1],
      ["header1", 0],
    ] as const) {
      const target = (id = ""): string => {
        const xml = partOf(bytes, `word/_rels/${part}.xml.rels`);
        return new RegExp(`Id="${id}"[^>]* Target="/([^"]*)"`).exec(xml)?.[1] ?? "";
      };
      const shown = [...partOf(bytes, `word/${part}.xml`).matchAll(/r:dm="([^"]*)"/g)];
      const data = partOf(bytes, target(shown[number]?.[1]));
      expect(data).toContain("included");
      expect(partOf(bytes, target(/relId="([^"]*)"/.exec(data)?.[1]))).toContain("included");
    }
  });
});
