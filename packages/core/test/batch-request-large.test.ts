import { describe, expect, test } from "vitest";
import { isQuireError, parseBatchRequest } from "../src/index.ts";

const entry = (name: unknown, number: number) => ({
  generated_file_name: name,
  user_input: { number },
});

function request(count: number) {
  return {
    file: { id: "letter.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: Array.from({ length: count }, (_, number) => entry("a", number)),
  };
}

describe("a batch request with many entries", () => {
  test("is returned completely and in order, without unknown fields", async () => {
    for (const count of [499, 500, 501, 1000, 1234]) {
      const { document_generation_data: entries, ...asked } = request(count);
      const said = entries.map((each) => ({ ...each, else: 1 }));
      const parsed = await parseBatchRequest({ ...asked, document_generation_data: said, else: 1 });
      const { file, document_generation_data, ...rest } = parsed;
      expect(file).toEqual({ type: "file", id: "letter.docx" });
      expect(document_generation_data).toEqual(entries);
      expect(rest).toEqual({
        input_source: "api",
        destination_folder: { type: "folder", id: "out" },
        output_type: "docx",
      });
    }
  });

  test("reports each problem once, with its pointer", async () => {
    const asked = { ...request(1600), output_type: "odt" };
    const entries: unknown[] = asked.document_generation_data;
    entries[3] = entry(7, 3);
    entries[999] = entry("a/b", 999);
    entries[1000] = null;
    entries[1599] = { generated_file_name: "..", user_input: [] };
    const error: unknown = await parseBatchRequest(asked).catch((thrown: unknown) => thrown);
    if (!isQuireError(error)) throw error;
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map(({ pointer }) => pointer)).toEqual([
      "/output_type",
      "/document_generation_data/3/generated_file_name",
      "/document_generation_data/1000",
      "/document_generation_data/1599/user_input",
      "/document_generation_data/999/generated_file_name",
      "/document_generation_data/1599/generated_file_name",
    ]);
    expect(error.diagnostics[2]?.message).toBe("The field '1000' must be an object.");
  });

  test("yields to other tasks while it is checked", async () => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 0);
    try {
      await parseBatchRequest(request(200_000));
    } finally {
      clearInterval(count);
    }
    expect(turns).toBeGreaterThan(10);
  });
});
