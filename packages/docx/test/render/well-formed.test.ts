import { readFileSync } from "node:fs";
import { isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { Random } from "../../../contracts/test/support/random.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { edited, from } from "../support/including.ts";
import { assertSound } from "../support/sound.ts";
import { variedFile } from "../support/varied-files.ts";
import { assertWellFormed } from "../support/well-formed.ts";

const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

describe("a link in a part that does not declare the prefix for references", () => {
  /** Returns a file of a program that declares only the prefixes it uses. */
  const bare = (body: string, header: string): Uint8Array =>
    edited(docx({ body: "", stories: { "header1.xml": "" } }), {
      "word/document.xml": `<w:document xmlns:w="${MAIN}"><w:body>${body}</w:body></w:document>`,
      "word/header1.xml": `<w:hdr xmlns:w="${MAIN}">${header}</w:hdr>`,
    });
  const data = {
    u: "https://example.com/",
    html: '<p><a href="https://example.com/">a</a></p><ul><li><a href="https://example.com/b">b</a></li></ul>',
    md: "[a](https://example.com/)",
  };

  test.each([
    ["the modifier link", '{{u :: link("go")}}'],
    ["HTML", "{{html :: html}}"],
    ["Markdown", "{{md :: markdown}}"],
  ])("is written with a declaration: %s", async (_name, tag) => {
    const template = await compileTemplate(bare(p(tag), p(tag)));
    const { bytes, warnings } = template.render(data);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
    for (const part of ["word/document.xml", "word/header1.xml"]) {
      expect(partOf(bytes, part)).toContain("<w:hyperlink r:id=");
      expect(partOf(bytes, part)).toContain(` xmlns:r="${OFFICE}"`);
    }
    assertSound(bytes);
  });

  test("has the namespace of the file, strict or transitional", async () => {
    const strict = (xml: string): string =>
      xml.replaceAll(MAIN, "http://purl.oclc.org/ooxml/wordprocessingml/main");
    const file = edited(bare(p('{{u :: link("go")}}'), p("x")), {
      "word/document.xml": strict,
      "word/header1.xml": strict,
    });
    const { bytes } = (await compileTemplate(file)).render(data);
    expect(partOf(bytes)).toContain(
      'xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"',
    );
    assertWellFormed(bytes);
  });

  test("is written with a declaration in notes", async () => {
    const reference = '<w:r><w:footnoteReference w:id="1"/></w:r>';
    const file = edited(
      docx({ body: `<w:p>${r("{{u}}")}${reference}</w:p>`, stories: { "footnotes.xml": "" } }),
      {
        "word/footnotes.xml": `<w:footnotes xmlns:w="${MAIN}"><w:footnote w:id="1">${p('{{u :: link("go")}}')}</w:footnote></w:footnotes>`,
      },
    );
    const { bytes } = (await compileTemplate(file)).render(data);
    expect(partOf(bytes, "word/footnotes.xml")).toContain("<w:hyperlink r:id=");
    assertWellFormed(bytes);
  });
});

describe("a document that includes others", () => {
  const golden = ["conditions", "lists", "tables", "values"].map((name) =>
    readFileSync(new URL(`../golden/${name}.docx`, import.meta.url)),
  );
  const data = {
    v: "v",
    l: [1, 2],
    u: "https://example.com/",
    h: '<p>a <a href="https://example.com/">b</a></p><ol><li>c</li></ol>',
  };

  test("can be opened by Word for every combination of files", async () => {
    let rendered = 0;
    const runs = manyRuns(25, 2000);
    for (let seed = 0; seed < runs; seed += 1) {
      const random = new Random(seed, 1000);
      const file = (name: string): Uint8Array =>
        random.oneIn(15)
          ? random.pick(golden)
          : variedFile(random, [
              random.pick([
                p(`{{include "${name}"}}`),
                p("{{for j in l}}") + p(`{{include "${name}"}}`) + p("{{endfor}}"),
                p(`{{include "${name}"}}`).repeat(2),
              ]),
            ]);
      const [host, t, u] = [file("t"), file("u"), variedFile(random)];
      try {
        const template = await compileTemplate(host, from({ t, u }));
        assertSound(template.render(data).bytes);
        rendered += 1;
      } catch (error) {
        // Errors are expected, because the data does not match the tags of the golden files.
        if (!isQuireError(error)) throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    expect(rendered).toBeGreaterThan(runs / 2);
  });
});
