import { memoryStorage } from "@quire/core";
import { expect, test } from "vitest";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { entries, expectError, HELLO, templateOf, testService } from "../support/service.ts";

/** Returns the text of a document. */
function textOf(docx: Uint8Array): string {
  const xml = Buffer.from(unzipped(docx).get("word/document.xml") ?? new Uint8Array()).toString();
  return xml.replaceAll(/<[^>]*>/g, "").trim();
}

test("numbers with more digits than JavaScript keeps are printed as they were sent", async () => {
  const service = await testService();
  const file = await service.upload("numbers.docx", templateOf("{{a}} {{b.c}} {{d}} {{e}} {{f}}"));
  const folder = await service.folder("out");
  const numbers =
    '{"a":12345678901234567890,"b":{"c":-0.12345678901234567891},"d":1234567890123456.75,';
  const body = `{"file":{"id":"${file}"},"input_source":"api","destination_folder":{"id":"${folder}"},
    "output_type":"docx","document_generation_data":[{"generated_file_name":"1234567890123456789.5",
    "user_input":${numbers}
    "e":"12345678901234567890","f":100000000000000000000}}]}`;
  const answer = await service.fetch("/2.0/docgen_batches", {
    raw: { method: "POST", body, headers: { ...AUTH, "content-type": "application/json" } },
  });
  const { id } = (await answer.json()) as { id: string };
  await service.finished(id);
  const { body: jobs } = await service.ask(`/2.0/docgen_batch_jobs/${id}`);
  const download = await service.fetch(`/2.0/files/${jobs.entries[0].output_file.id}/content`);
  expect(textOf(new Uint8Array(await download.arrayBuffer()))).toBe(
    "12345678901234567890 -0.12345678901234567891 1234567890123456.75 12345678901234567890 100000000000000000000",
  );
});

const AUTH = { authorization: "Bearer token-of-ann", "service-version": "2025.0" };

test("invalid numbers are not accepted as JSON, however long they are", async () => {
  const service = await testService();
  for (const text of [
    "0012345678901234567890",
    "12345678901234567890-",
    "1.2.3456789012345678901",
  ]) {
    const answer = await service.ask("/2.0/folders", {
      raw: {
        method: "POST",
        body: `{"name": "a", "parent": {"id": ${text}}}`,
        headers: { ...AUTH, "content-type": "application/json" },
      },
    } as never);
    expectError(answer, 400, "bad_request");
  }
});

test("a repeated request is recognized even if its template and its folder have been removed", async () => {
  const service = await testService();
  const file = await service.upload("hello.docx", HELLO);
  const folder = await service.folder("out");
  const post = () =>
    service.ask("/2.0/docgen_batches", {
      headers: { "idempotency-key": "one" },
      body: {
        file: { id: file },
        input_source: "api",
        destination_folder: { id: folder },
        output_type: "docx",
        document_generation_data: entries("a"),
      },
    });
  const first = await post();
  await service.finished(first.body.id);
  await service.ask(`/2.0/files/${file}`, { method: "DELETE" });
  expect((await post()).body).toEqual(first.body);
  await service.ask(`/2.0/folders/${folder}?recursive=true`, { method: "DELETE" });
  expect((await post()).body).toEqual(first.body);
});

test("HEAD of a file reads none of its bytes", async () => {
  const storage = memoryStorage();
  const service = await testService({ storage });
  const file = await service.upload("hello.docx", HELLO);
  let reads = 0;
  const read = storage.read.bind(storage);
  storage.read = (...of) => {
    reads += 1;
    return read(...of);
  };
  const { status, headers } = await service.fetch(`/2.0/files/${file}/content`, { method: "HEAD" });
  expect([status, headers.get("content-length")]).toEqual([200, String(HELLO.length)]);
  expect(reads).toBe(0);
});
