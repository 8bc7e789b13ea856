import { decodeData, encodeData } from "@quire/render-pool/internal/protocol/document-data";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compactEntry } from "../src/batch/compact-entry.ts";
import { isQuireError, parseBatchRequest } from "../src/index.ts";

const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)));
const entries = fc.oneof(
  value,
  fc.record(
    {
      generated_file_name: fc.oneof(fc.constant("letter"), value),
      user_input: fc.oneof(fc.dictionary(fc.string(), value), value),
      locale: fc.oneof(fc.constant("de-DE"), value),
      time_zone: fc.oneof(fc.constant("UTC"), value),
      unknown: value,
    },
    { requiredKeys: [] },
  ),
);

const request = (entry: unknown) => ({
  file: { type: "file", id: "1" },
  input_source: "api",
  destination_folder: { type: "folder", id: "2" },
  output_type: "docx",
  document_generation_data: [entry],
});

/** Returns the checked entry, with its data as a renderer receives it, or the problems of an invalid entry. */
async function checked(entry: unknown): Promise<unknown> {
  try {
    const { document_generation_data: all } = await parseBatchRequest(request(entry));
    return all.map((each) => ({ ...each, user_input: decodeData(encodeData(each.user_input)) }));
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics;
  }
}

test("a compact entry has the same data and the same problems", async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (entry) => {
      expect(await checked(compactEntry(entry))).toEqual(await checked(entry));
    }),
  );
});

test("the data of a valid entry become bytes", () => {
  const compact = compactEntry({ generated_file_name: "a", user_input: { b: [1] }, other: [[]] });
  expect(compact).toEqual({ generated_file_name: "a", user_input: Buffer.from('{"b":[1]}') });
});

test("data that are nested too deeply are still reported", async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 66; level++) deep = [deep];
  const entry = { generated_file_name: "a", user_input: { deep } };
  expect(await checked(compactEntry(entry))).toEqual(await checked(entry));
  expect(await checked(compactEntry(entry))).toMatchObject([{ code: "limit_exceeded" }]);
});
