import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { linesOf } from "../../ooxml/test/support/docx.ts";
import { parseBatchRequest } from "../src/index.ts";
import { all, entry, makeEngine, place, request } from "./support/engine.ts";

describe("rich_text of a batch", () => {
  test("applies to rendering and checking", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
    const entries = [entry("a", { name: "<b>Ann</b>" })];
    const shown: string[][] = [];
    for (const rich_text of ["tagged", "detected", undefined] as const) {
      const asked = request(entries, rich_text === undefined ? {} : { rich_text });
      const check = await engine.checkBatch(asked);
      const batch = await engine.createBatch(asked);
      const [job] = await all(engine.jobs(batch.id));
      expect(job?.status).toBe("completed");
      expect(check.entries[0]?.warnings).toEqual(job?.warnings);
      const codes = job?.warnings.map(({ code }) => code) ?? [];
      const { bytes } = await storage.read(job?.outputFile?.ref ?? { type: "file", id: "no" });
      shown.push([...linesOf(bytes), ...codes]);
    }
    expect(shown).toEqual([
      ["Dear <b>Ann</b>"],
      ["Dear Ann", "detected_html"],
      ["Dear Ann", "detected_html"],
    ]);
  });

  test("is one of two allowed values", async () => {
    const asked = request([entry("a")], { rich_text: "never" as "tagged" });
    expect((await refusal(parseBatchRequest(asked))).diagnostics).toMatchObject([
      {
        code: "wrong_value",
        pointer: "/rich_text",
        message: `The field 'rich_text' must be "detected" or "tagged".`,
      },
    ]);
  });
});
