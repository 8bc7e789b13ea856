import { describe, expect, test } from "vitest";
import { linesOf } from "../../../ooxml/test/support/docx.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import {
  batchBody,
  entries,
  expectError,
  HELLO,
  LETTER,
  LETTER_DATA,
  type TestService,
  templateOf,
  testService,
} from "../support/service.ts";

describe("The docgen operations", () => {
  test("generate documents from an uploaded template, from upload to download", async () => {
    const service = await testService();
    const file = await service.upload("letter.docx", LETTER);
    const folder = await service.folder("out");
    const marked = await service.ask("/2.0/docgen_templates", { body: { file: { id: file } } });
    expect(marked).toMatchObject({ status: 201, body: { file: { type: "file", id: file } } });
    const batch = await service.batch(file, folder, [
      { generated_file_name: "one", user_input: LETTER_DATA },
      { generated_file_name: "two", user_input: {} },
    ]);
    const { body } = await service.finished(batch);
    expect(body).toMatchObject({
      id: batch,
      type: "docgen_batch",
      counts: { completed: 1, completed_with_error: 1 },
    });
    const jobs = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
    expect(jobs.body.entries).toHaveLength(2);
    const [first, second] = jobs.body.entries;
    expect(first).toMatchObject({
      type: "docgen_job",
      batch: { id: batch, type: "docgen_batch" },
      template_file: { type: "file", id: file },
      status: "completed",
      output_type: "docx",
    });
    expect(second.failures.errors.length).toBeGreaterThan(0);
    const download = await service.fetch(`/2.0/files/${first.output_file.id}/content`);
    expect(download.headers.get("content-disposition")).toBe("attachment; filename=one.docx");
    const bytes = new Uint8Array(await download.arrayBuffer());
    expect(Buffer.from(bytes.subarray(0, 2)).toString()).toBe("PK");
    const tags = await service.ask(`/2.0/docgen_templates/${file}/tags`);
    expect(tags.body.entries[0]).toMatchObject({ tag_type: "text" });
    for (const path of [
      "/2.0/docgen_jobs",
      `/2.0/docgen_jobs/${first.id}`,
      `/2.0/docgen_template_jobs/${file}`,
      "/2.0/docgen_templates",
      `/2.0/docgen_templates/${file}`,
      `/2.0/docgen_templates/${file}/schema`,
      `/2.0/folders/${folder}/items`,
      `/2.0/folders/0/items`,
      "/openapi.json",
      "/healthz",
      "/readyz",
    ]) {
      const answer = await service.ask(path);
      expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
    }
  });
});

describe("The version of the API", () => {
  const MESSAGE =
    "The header service-version (or box-version) must be present once, with the value 2025.0, the only supported version.";
  const WRONG: Readonly<Record<string, string>>[] = [
    { "service-version": "" },
    { "service-version": "2024.0" },
    { "service-version": "2025" },
    { "service-version": "v2025.0" },
    { "service-version": "2025.0, 2025.0" },
    { "service-version": "2025.0,2024.0" },
    { "service-version": "2025.0", "box-version": "2024.0" },
    { "service-version": "2024.0", "box-version": "2025.0" },
    { "service-version": "", "box-version": "" },
  ];

  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    "is required for %s if it is a docgen operation, and otherwise not",
    async (_, { path, method, body, versioned }) => {
      const service = await testService();
      const isDocgen = path.startsWith("/docgen_");
      expect(versioned).toBe(isDocgen);
      const url = `/2.0${path.replace(/\{\w+\}/, "none")}`;
      const ask = (headers: Readonly<Record<string, string>>) =>
        service.ask(url, { method, headers, ...(body === null ? {} : { body: {} }) });
      const wanted = isDocgen ? { status: 400, body: { context_info: { message: MESSAGE } } } : {};
      for (const headers of WRONG) {
        const answer = await ask(headers);
        expect(answer).toMatchObject(wanted);
        if (isDocgen) expectError(answer, 400, "bad_request");
        else expect(answer.body.context_info?.message).toBeUndefined();
      }
      const fine: Readonly<Record<string, string>>[] = [{}, { "box-version": "2025.0" }];
      for (const headers of fine) {
        expect((await ask(headers)).body.message ?? "").not.toBe(MESSAGE);
      }
    },
  );

  test("may be sent in the other header alone, and must not be missing", async () => {
    const service = await testService();
    const raw = (headers: Readonly<Record<string, string>>) => ({
      raw: { headers: { authorization: "Bearer token-of-ann", ...headers } },
    });
    const path = "/2.0/docgen_jobs";
    expect((await service.fetch(path, raw({ "box-version": "2025.0" }))).status).toBe(200);
    expect((await service.fetch(path, raw({}))).status).toBe(400);
  });
});

async function batchPlace(service: TestService): Promise<{ file: string; folder: string }> {
  return { file: await service.upload("hello.docx", HELLO), folder: await service.folder("out") };
}

describe("A batch", () => {
  test("is accepted with only its id and type, and generates the requested documents", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const body = batchBody(file, folder, entries("Ann", "Ben"));
    const answer = await service.ask("/2.0/docgen_batches", { body });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ id: expect.any(String), type: "docgen_batch" });
    expect(answer.headers.has("retry-after")).toBe(false);
    const { body: batch } = await service.finished(answer.body.id);
    expect(batch).toMatchObject({ status: "finished", counts: { completed: 2, failed: 0 } });
    const items = await service.ask(`/2.0/folders/${folder}/items`);
    for (const [index, name] of ["Ann", "Ben"].entries()) {
      const { id } = items.body.entries[index];
      const response = await service.fetch(`/2.0/files/${id}/content`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(linesOf(bytes).join("")).toContain(`Hello ${name}`);
    }
  });

  test("may name its file and folder by path, and omit types", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    for (const ids of [
      ["path:hello.docx", "path:out"],
      [file, folder],
      ["path:HELLO.docx", "0"],
    ] as const) {
      const body = batchBody(ids[0], ids[1], entries("Ann"));
      const { status } = await service.ask("/2.0/docgen_batches", {
        body: { ...body, file: { id: ids[0] }, destination_folder: { id: ids[1] } },
      });
      expect([ids, status]).toEqual([ids, 202]);
    }
  });

  test("prints HTML as plain text if requested, and otherwise as rich text with a warning", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const data = [{ generated_file_name: "a", user_input: { name: "<b>Ann</b>" } }];
    const shown: unknown[] = [];
    for (const more of [{ rich_text: "tagged" }, { rich_text: "detected" }, {}]) {
      const batch = await service.batch(file, folder, data, more);
      await service.finished(batch);
      const { body } = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
      const [{ output_file, failures }] = body.entries;
      const answer = await service.fetch(`/2.0/files/${output_file.id}/content`);
      const lines = linesOf(new Uint8Array(await answer.arrayBuffer()));
      shown.push([...lines, failures?.warnings.length ?? 0]);
    }
    expect(shown).toEqual([
      ["Hello <b>Ann</b>", 0],
      ["Hello Ann", 1],
      ["Hello Ann", 1],
    ]);
  });

  test("is rejected with all problems, each with its JSON Pointer", async () => {
    const service = await testService();
    const answer = await service.ask("/2.0/docgen_batches", {
      body: {
        file: { type: "folder", id: "" },
        file_version: { type: "file", id: "1" },
        input_source: "upload",
        destination_folder: { type: "file", id: "0" },
        output_type: "odt",
        on_conflict: "replace",
        rich_text: "never",
        locale: "no locale",
        document_generation_data: [
          { generated_file_name: "a/b", user_input: {} },
          { user_input: [] },
          { generated_file_name: 1, user_input: null },
          "entry",
        ],
      },
    });
    expectError(answer, 400, "bad_request");
    const paths = answer.body.context_info.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual([
      "/destination_folder/type",
      "/document_generation_data/0/generated_file_name",
      "/document_generation_data/1/generated_file_name",
      "/document_generation_data/1/user_input",
      "/document_generation_data/2/generated_file_name",
      "/document_generation_data/2/user_input",
      "/document_generation_data/3",
      "/file/id",
      "/file/type",
      "/file_version/type",
      "/input_source",
      "/locale",
      "/on_conflict",
      "/output_type",
      "/rich_text",
    ]);
    for (const problem of answer.body.context_info.errors) {
      expect(Object.keys(problem)).toEqual(["path", "code", "message"]);
    }
    const empty = await service.ask("/2.0/docgen_batches", { body: {} });
    expect(empty.body.context_info.errors).toHaveLength(5);
    const none = batchBody("a", "b", []);
    expectError(await service.ask("/2.0/docgen_batches", { body: none }), 400, "bad_request");
  });

  test("with only invalid names is rejected with item_name_invalid for each of them", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const names = ["a/b", "..", "", "con", "a\u202eb", "a\r\nb", "x".repeat(252)];
    const body = batchBody(file, folder, entries(...names, "fine"));
    for (const path of ["/2.0/docgen_batches", "/2.0/docgen_batches/check"]) {
      const answer = await service.ask(path, { body });
      expectError(answer, 400, "item_name_invalid");
      expect(answer.body.context_info.errors).toHaveLength(names.length);
    }
  });

  test("with a missing file, version or folder is a 404", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const asks: object[] = [
      batchBody("none", folder, entries("a")),
      batchBody(file, "none", entries("a")),
      batchBody(folder, folder, entries("a")),
      batchBody(file, file, entries("a")),
      batchBody("path:none.docx", folder, entries("a")),
      { ...batchBody(file, folder, entries("a")), file_version: { id: "none" } },
    ];
    for (const body of asks) {
      for (const path of ["/2.0/docgen_batches", "/2.0/docgen_batches/check"]) {
        expectError(await service.ask(path, { body }), 404, "not_found");
      }
    }
  });

  test("keeps the version that its template had, or uses the named version", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const first = (await service.ask(`/2.0/files/${file}`)).body.file_version.id;
    const form = new FormData();
    form.append("attributes", "{}");
    form.append("file", new Blob([Uint8Array.from(templateOf("Bye {{name}}"))]), "x");
    const headers = { authorization: "Bearer token-of-ann" };
    const raw = { method: "POST", body: form, headers };
    expect((await service.fetch(`/2.0/files/${file}/content`, { raw })).status).toBe(201);
    const batch = await service.batch(file, folder, entries("Ann"), {
      file_version: { type: "file_version", id: first },
    });
    await service.finished(batch);
    const { body } = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
    expect(body.entries[0]).toMatchObject({
      status: "completed",
      template_file_version: { type: "file_version", id: first },
    });
    const { id } = body.entries[0].output_file;
    const bytes = await (await service.fetch(`/2.0/files/${id}/content`)).arrayBuffer();
    expect(linesOf(new Uint8Array(bytes)).join("")).toContain("Hello Ann");
  });

  test("is checked without generating it: nothing is written", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const body = batchBody(file, folder, [
      ...entries("Ann"),
      { generated_file_name: "no data", user_input: {} },
    ]);
    const answer = await service.ask("/2.0/docgen_batches/check", { body });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      type: "docgen_batch_check",
      template_errors: [],
      entries: [
        { entry: 1, generated_file_name: "Ann", file_name: "Ann.docx", failures: null },
        { entry: 2, failures: { errors: [expect.any(String)] } },
      ],
    });
    expect((await service.ask(`/2.0/folders/${folder}/items`)).body.entries).toEqual([]);
    expect((await service.ask("/2.0/docgen_jobs")).body.entries).toEqual([]);
    expect((await service.ask("/2.0/docgen_batches/check", { body, who: "reader" })).status).toBe(
      200,
    );
  });

  test("names the invalid elements of lists", async () => {
    const service = await testService();
    const sums = templateOf("{{for row in rows}}{{row.price * 2}}{{endfor}}{{total}}");
    const file = await service.upload("sums.docx", sums);
    const rows = Array.from({ length: 1500 }, () => ({ price: "x" }));
    const entry = { generated_file_name: "sums", user_input: { rows } };
    const body = batchBody(file, await service.folder("out"), [entry]);
    const answer = await service.ask("/2.0/docgen_batches/check", { body });
    expect(answer.body.entries[0].failures.errors).toEqual([
      "The tag {{row.price * 2}} cannot be computed: 'row.price' is text that is not a number (data at /rows/0/price, /rows/1/price, /rows/2/price, /rows/3/price, /rows/4/price and 1,495 more).",
      "The tag 'total' was not provided in the input data.",
    ]);
  });

  test("with an invalid template is accepted, and each job reports the errors", async () => {
    const service = await testService();
    const file = await service.upload("wrong.docx", templateOf("{{if name}} no end"));
    const batch = await service.batch(file, "0", entries("Ann"));
    expect((await service.finished(batch)).body.counts).toMatchObject({ failed: 1 });
    const { body } = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
    expect(body.entries[0]).toMatchObject({ status: "failed", output_file: null });
    expect(body.entries[0].failures.errors.length).toBeGreaterThan(0);
  });

  test("that has finished is not changed by a cancellation, and its failed jobs can be retried", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const batch = await service.batch(file, folder, entries("Ann"));
    await service.finished(batch);
    const cancelled = await service.ask(`/2.0/docgen_batches/${batch}/cancel`, { method: "POST" });
    expect(cancelled).toMatchObject({ status: 200, body: { id: batch, status: "finished" } });
    const retried = await service.ask(`/2.0/docgen_batches/${batch}/retry`, { method: "POST" });
    expect([200, 409]).toContain(retried.status);
  });

  test("generates PDFs only with a converter", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const body = { ...batchBody(file, folder, entries("a")), output_type: "pdf" };
    const answer = await service.ask("/2.0/docgen_batches", { body });
    expectError(answer, 400, "bad_request");
    expect(answer.body.message).toContain("This service cannot make PDFs");
    const checked = await service.ask("/2.0/docgen_batches/check", { body });
    expectError(checked, 400, "bad_request");
    expect(answer.body.context_info.errors[0].path).toBe("/output_type");
  });
});

describe("An Idempotency-Key", () => {
  async function place() {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const post = (key: string, names: readonly string[]) =>
      service.ask("/2.0/docgen_batches", {
        body: batchBody(file, folder, entries(...names)),
        headers: { "idempotency-key": key },
      });
    return { service, post, file, folder };
  }

  test("with the same body returns the same batch, with another body a 409, and another key creates another batch", async () => {
    const { post, service, folder } = await place();
    const first = await post("key", ["Ann"]);
    expect(first.status).toBe(202);
    await service.finished(first.body.id);
    const again = await post("key", ["Ann"]);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expectError(await post("key", ["Ben"]), 409, "conflict");
    expect((await post("other", ["Ann"])).body.id).not.toBe(first.body.id);
    expect((await service.ask(`/2.0/folders/${folder}/items`)).body.total_count).toBeLessThan(3);
  });

  test("creates one batch for 20 concurrent requests", async () => {
    const { post, service } = await place();
    const posts = Array.from({ length: 20 }, () => post("key", ["Ann", "Ben"]));
    const answers = await Promise.all(posts);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await service.finished(answers[0]?.body.id);
    expect((await service.ask("/2.0/docgen_jobs")).body.entries).toHaveLength(2);
  });

  test("creates one batch for 20 requests with two bodies, and the others get a 409", async () => {
    const { post } = await place();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post("key", [index % 2 === 0 ? "Ann" : "Ben"])),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 409);
    expect([accepted.length, refused.length]).toEqual([10, 10]);
    expect(new Set(accepted.map(({ body }) => body.id)).size).toBe(1);
  });

  test("is 1 to 255 visible ASCII characters", async () => {
    const { post } = await place();
    for (const key of ["", "a b", "a\tb", "é", "x".repeat(256)]) {
      expectError(await post(key, ["Ann"]), 400, "bad_request");
    }
    for (const key of ["x".repeat(255), "!~", "__proto__"]) {
      expect((await post(key, ["Ann"])).status).toBe(202);
    }
  });

  test("of another user is independent, and reveals nothing", async () => {
    const { post, service } = await place();
    const mine = await post("key", ["Ann"]);
    const file = await service.upload("hello.docx", HELLO, { who: "eve" });
    const theirs = await service.ask("/2.0/docgen_batches", {
      who: "eve",
      body: batchBody(file, "0", entries("Eve")),
      headers: { "idempotency-key": "key" },
    });
    expect(theirs.status).toBe(202);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });
});

describe("A template", () => {
  const mark = (service: TestService, body: unknown) =>
    service.ask("/2.0/docgen_templates", { body });

  test("is a file that was marked, once or twice", async () => {
    const service = await testService();
    const file = await service.upload("hello.docx", HELLO);
    expectError(await service.ask(`/2.0/docgen_templates/${file}`), 404, "not_found");
    for (const id of [file, "path:hello.docx", file]) {
      const marked = await mark(service, { file: { id } });
      expect(marked).toMatchObject({ status: 201, body: { file: { type: "file", id: file } } });
    }
    const list = await service.ask("/2.0/docgen_templates");
    expect(list.body.entries).toEqual([
      { file: { type: "file", id: file }, file_name: "hello.docx" },
    ]);
    const one = await service.ask(`/2.0/docgen_templates/${file}`);
    expect(one.body).toEqual(list.body.entries[0]);
  });

  test("is rejected with a wrong type, without an id, and for anything but a file", async () => {
    const service = await testService();
    const folder = await service.folder("out");
    for (const body of [
      {},
      { file: {} },
      { file: { id: "1", type: "folder" } },
      { file: { id: 1 } },
      [],
    ]) {
      expectError(await mark(service, body), 400, "bad_request");
    }
    for (const id of ["none", folder, "0", "path:none"]) {
      expectError(await mark(service, { file: { id } }), 404, "not_found");
    }
  });

  test("is unmarked once, and its file and jobs remain", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    await mark(service, { file: { id: file } });
    await service.finished(await service.batch(file, folder, entries("Ann")));
    const path = `/2.0/docgen_templates/${file}`;
    const unmarked = await service.fetch(path, { method: "DELETE" });
    expect([unmarked.status, unmarked.body]).toEqual([204, null]);
    expectError(await service.ask(path, { method: "DELETE" }), 404, "not_found");
    expectError(await service.ask(`${path}/tags`), 404, "not_found");
    expectError(await service.ask(`${path}/schema`), 404, "not_found");
    expect((await service.ask(`/2.0/files/${file}`)).status).toBe(200);
    expect((await service.ask(`/2.0/docgen_template_jobs/${file}`)).body.entries).toHaveLength(1);
  });

  test("is removed with its file, and with the folder of its file", async () => {
    const service = await testService();
    const folder = await service.folder("in");
    const first = await service.upload("a.docx", HELLO);
    const second = await service.upload("b.docx", HELLO, { parent: folder });
    for (const id of [first, second]) await mark(service, { file: { id } });
    await service.ask(`/2.0/files/${first}`, { method: "DELETE" });
    await service.ask(`/2.0/folders/${folder}?recursive=true`, { method: "DELETE" });
    for (const id of [first, second]) {
      expectError(await service.ask(`/2.0/docgen_templates/${id}`), 404, "not_found");
    }
    expect((await service.ask("/2.0/docgen_templates")).body.entries).toEqual([]);
  });

  async function tagsOf(service: TestService, file: string, query = "") {
    const path = `/2.0/docgen_templates/${file}/tags${query}`;
    for (;;) {
      const answer = await service.ask(path);
      if (answer.status !== 202) return answer;
      expect(answer.body).toEqual({ message: "Processing tags for this file." });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  test("lists its tags, page by page, once they are read, and separately for each version", async () => {
    const service = await testService();
    const names = Array.from({ length: 5 }, (_, index) => `{{tag${index}}}`);
    const file = await service.upload("tags.docx", templateOf(...names));
    await mark(service, { file: { id: file } });
    const all = await tagsOf(service, file);
    expect(all.body.entries).toHaveLength(5);
    expect(all.body.entries[0]).toEqual({
      tag_content: "{{tag0}}",
      tag_type: "text",
      json_paths: ["tag0"],
    });
    const seen: unknown[] = [];
    for (let marker = "0"; marker !== null; ) {
      const { body } = await tagsOf(service, file, `?limit=2&marker=${marker}`);
      seen.push(...body.entries);
      marker = body.next_marker;
    }
    expect(seen).toEqual(all.body.entries);
    const { body } = await service.ask(`/2.0/files/${file}`);
    const version = body.file_version.id;
    expect(
      (await tagsOf(service, file, `?template_version_id=${version}`)).body.entries,
    ).toHaveLength(5);
    expectError(await tagsOf(service, file, "?template_version_id=none"), 404, "not_found");
  });

  test("with errors has no tags and no schema, and reports the errors", async () => {
    const service = await testService();
    for (const [name, bytes] of [
      ["wrong.docx", templateOf("{{if name}} no end")],
      ["none.docx", Buffer.from("no template at all")],
      ["empty.docx", new Uint8Array()],
    ] as const) {
      const file = await service.upload(name, bytes);
      await mark(service, { file: { id: file } });
      const { body } = await tagsOf(service, file);
      expect(body.entries).toEqual([]);
      expect(body.errors.length).toBeGreaterThan(0);
      const schema = await service.ask(`/2.0/docgen_templates/${file}/schema`);
      expectError(schema, 400, "bad_request");
      expect(schema.body.context_info.errors.length).toBeGreaterThan(0);
    }
  });

  test("has a schema of its data", async () => {
    const service = await testService();
    const file = await service.upload("hello.docx", HELLO);
    await mark(service, { file: { id: file } });
    await tagsOf(service, file);
    const { status, body } = await service.ask(`/2.0/docgen_templates/${file}/schema`);
    expect([status, body.type]).toEqual([200, "object"]);
    expect(body.properties).toHaveProperty("name");
  });
});

describe("Jobs", () => {
  test("are listed one by one, by batch, by template and by caller", async () => {
    const service = await testService();
    const { file, folder } = await batchPlace(service);
    const batch = await service.batch(file, folder, entries("Ann", "Ben"));
    await service.finished(batch);
    const { body } = await service.ask(`/2.0/docgen_batch_jobs/${batch}`);
    expect(body).toMatchObject({ limit: 100, next_marker: null, prev_marker: null });
    const [job] = body.entries;
    expect((await service.ask(`/2.0/docgen_jobs/${job.id}`)).body).toEqual(job);
    const ofTemplate = await service.ask(`/2.0/docgen_template_jobs/${file}`);
    expect(ofTemplate.body.entries).toEqual(body.entries);
    const full = await service.ask("/2.0/docgen_jobs");
    expect(full.body.entries[0]).toMatchObject({
      ...job,
      created_by: { type: "user", id: "ann" },
      enterprise: { type: "enterprise", id: "acme" },
      source: "api",
    });
    // Bob is in the same enterprise. He sees the batch but has not created any.
    expect((await service.ask("/2.0/docgen_jobs", { who: "bob" })).body.entries).toEqual([]);
    expect((await service.ask(`/2.0/docgen_batches/${batch}`, { who: "bob" })).status).toBe(200);
  });
});
