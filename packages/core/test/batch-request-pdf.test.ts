import { describe, expect, test } from "vitest";
import { isQuireError, parseBatchRequest } from "../src/index.ts";

const REQUEST = {
  file: { type: "file", id: "letter.docx" },
  input_source: "api",
  destination_folder: { type: "folder", id: "out" },
  output_type: "pdf",
  document_generation_data: [{ generated_file_name: "a", user_input: {} }],
};

/** Returns the pointers and messages of the problems in these PDF options of a batch. */
async function problems(pdf: unknown): Promise<(readonly [string | undefined, string])[]> {
  const [outcome] = await Promise.allSettled([parseBatchRequest({ ...REQUEST, pdf })]);
  if (outcome.status === "fulfilled") return [];
  if (!isQuireError(outcome.reason)) throw outcome.reason;
  return outcome.reason.diagnostics.map(({ pointer, message }) => [pointer, message] as const);
}

describe("the PDF options of a batch request", () => {
  test("are returned unchanged", async () => {
    const pdf = {
      pdf_a: "3b",
      tagged: true,
      image_quality: 80,
      permission_password: "secret",
      permissions: { printing: "low" },
      initial_view: { zoom: 150, panel: "bookmarks" },
      metadata: { title: "Report", date: "2026-01-02T03:04:05Z" },
    };
    expect((await parseBatchRequest({ ...REQUEST, pdf })).pdf).toEqual(pdf);
  });

  test("are reported with their pointers if they are invalid", async () => {
    expect(await problems({ pdf_a: "4f", image_dpi: 10, tagged: "yes", pages: "" })).toEqual([
      ["/pdf/pdf_a", `The field 'pdf_a' must be "1b" or "2b" or "3b".`],
      ["/pdf/tagged", "The field 'tagged' must be true or false."],
      ["/pdf/image_dpi", "It must be a whole number from 36 to 2400, not 10."],
      ["/pdf/pages", "The field 'pages' must not be empty."],
    ]);
  });

  test("are rejected if unknown, because the PDF would not match the request", async () => {
    expect(await problems({ pdfA: "2b" })).toEqual([
      ["/pdf", `The field 'pdf' has no option "pdfA".`],
    ]);
    expect(await problems({ metadata: { titel: "x" } })).toEqual([
      ["/pdf/metadata", `The field 'metadata' has no option "titel".`],
    ]);
  });
});
