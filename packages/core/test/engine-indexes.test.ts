import { expect, test } from "vitest";
import { complex, marked } from "../../docx/test/support/fields.ts";
import { wordFile } from "../../docx/test/support/word-file.ts";
import { r } from "../../ooxml/test/support/docx.ts";
import { memoryStorage } from "../src/index.ts";
import { all, echoConverter, entry, makeEngine, request } from "./support/engine.ts";

test("a batch does not warn of indexes that its PDFs have updated", async () => {
  const contents = complex(' TOC \\o "1-3" \\h ', r("{{name}}"));
  const body = `<w:p>${contents}</w:p><w:p>${marked("_Toc1", "{{name}}")}</w:p>`;
  const storage = memoryStorage({ folders: ["out"], files: { "letter.docx": wordFile({ body }) } });
  const converter = echoConverter(async () => ({
    bytes: Buffer.from("%PDF"),
    pages: 1,
    warnings: [],
    fingerprint: { program: "none", fonts: null, options: "" },
  }));
  await using engine = makeEngine({ storage, converter });
  for (const [pdf, codes] of [
    [{ update_indexes: true }, []],
    [{ bookmarks: true }, ["stale_index"]],
  ] as const) {
    const batch = request([entry("a")], { output_type: "pdf", pdf });
    const check = await engine.checkBatch(batch);
    expect(check.entries[0]?.warnings.map(({ code: each }) => each)).toEqual(codes);
    const [job] = await all(engine.jobs((await engine.createBatch(batch)).id));
    expect(job?.warnings.map(({ code: each }) => each)).toEqual(codes);
  }
});
