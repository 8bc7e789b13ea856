import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { memoryStorage } from "../src/index.ts";
import { all, entry, makeEngine, place, request } from "./support/engine.ts";

describe("acceptance", () => {
  test("reports all problems of a request at once, with JSON Pointers", async () => {
    await using engine = makeEngine({ storage: place() });
    const error = await refusal(
      engine.createBatch({
        file: { type: "folder", id: "" },
        input_source: "web",
        output_type: "odt",
        document_generation_data: [
          { generated_file_name: "CON" },
          { generated_file_name: 5, user_input: [] },
          entry("a/b"),
        ],
      } as never),
    );
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map(({ pointer }) => pointer)).toEqual([
      "/file/type",
      "/file/id",
      "/input_source",
      "/destination_folder",
      "/output_type",
      "/document_generation_data/0/user_input",
      "/document_generation_data/1/generated_file_name",
      "/document_generation_data/1/user_input",
      "/document_generation_data/0/generated_file_name",
      "/document_generation_data/2/generated_file_name",
    ]);
  });

  test.each([null, 5, "text", [], {}, undefined])("rejects %j", async (input) => {
    await using engine = makeEngine({ storage: place() });
    expect((await refusal(engine.createBatch(input as never))).code).toBe("invalid_request");
  });

  test("rejects an empty batch, and rejects illegal names with a separate code", async () => {
    await using engine = makeEngine({ storage: place() });
    expect((await refusal(engine.createBatch(request([])))).diagnostics[0]?.pointer).toBe(
      "/document_generation_data",
    );
    expect((await refusal(engine.createBatch(request([entry("..")])))).code).toBe(
      "item_name_invalid",
    );
  });

  test("recognizes a repeated request, even if its data are bytes with the keys in another order", async () => {
    await using engine = makeEngine({ storage: place() });
    const key = { idempotencyKey: "k" };
    const bytes = Buffer.from('{ "b": [2], "a": 1 }') as never;
    const first = await engine.createBatch(request([entry("x", { a: 1, b: [2] })]), key);
    const again = await engine.createBatch(request([entry("x", bytes)]), key);
    expect(again.id).toBe(first.id);
    const other = Buffer.from('{"a":1,"b":[3]}') as never;
    const conflict = await refusal(engine.createBatch(request([entry("x", other)]), key));
    expect(conflict.code).toBe("conflict");
  });

  test("rejects data that is nested too deeply", async () => {
    let deep: object = {};
    for (let level = 0; level < 10_000; level++) deep = { deep };
    await using engine = makeEngine({ storage: place() });
    expect(
      (await refusal(engine.createBatch(request([entry("a", deep)])))).diagnostics[0]?.code,
    ).toBe("limit_exceeded");
  });

  test("rejects circular data", async () => {
    const order: { items: object[] } = { items: [] };
    for (let index = 0; index < 10; index++) order.items.push({ order });
    await using engine = makeEngine({ storage: place() });
    const error = await refusal(engine.createBatch(request([entry("a", { order })])));
    expect(error.diagnostics[0]?.code).toBe("limit_exceeded");
  });

  test("keeps own keys of the data such as __proto__", async () => {
    await using engine = makeEngine({
      storage: memoryStorage({
        folders: ["out"],
        files: { "letter.docx": docx({ body: p("{{__proto__}}") }) },
      }),
    });
    const batch = await engine.createBatch(
      request([entry("a", JSON.parse('{"__proto__":"own"}'))]),
    );
    expect((await all(engine.jobs(batch.id)))[0]?.status).toBe("completed");
  });

  test("accepts a missing type and ignores unknown fields", async () => {
    await using engine = makeEngine({ storage: place() });
    const batch = await engine.createBatch({
      ...request([entry("a")]),
      file: { id: "letter.docx" },
      more: 1,
    } as never);
    expect((await all(engine.jobs(batch.id)))[0]?.template).toMatchObject({
      type: "file",
      id: "letter.docx",
    });
  });

  test("rejects missing files, folders, versions, converters and batches", async () => {
    await using engine = makeEngine({ storage: place() });
    const missing = [
      { file: { type: "file", id: "no.docx" } },
      { destination_folder: { type: "folder", id: "no" } },
      { file_version: { type: "file_version", id: "0" } },
    ] as const;
    for (const more of missing) {
      expect((await refusal(engine.createBatch(request([entry("a")], more)))).code).toBe(
        "not_found",
      );
    }
    expect(
      (await refusal(engine.createBatch(request([entry("a")], { output_type: "pdf" })))).code,
    ).toBe("unavailable");
    expect((await refusal(engine.getBatch("no"))).code).toBe("not_found");
  });
});
