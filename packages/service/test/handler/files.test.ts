import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { dispositionName } from "../support/disposition.ts";
import { exchange, serve } from "../support/server.ts";
import {
  expectError,
  LETTER,
  type TestService,
  TOKENS,
  testService,
  told,
  type Who,
} from "../support/service.ts";

const SHA1 = createHash("sha1").update(LETTER).digest("hex");
const BOUNDARY = "boundary-of-the-test";

interface Part {
  readonly name: string;
  readonly text: string;
  readonly filename?: string;
}

function multipart(parts: readonly Part[]): string {
  const written = parts.map(({ name, text, filename }) => {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return `${written.join("")}--${BOUNDARY}--\r\n`;
}

/** Posts a body as multipart/form-data. */
async function post(service: TestService, body: string, path = "/2.0/files/content", more = {}) {
  const headers = {
    authorization: `Bearer ${TOKENS.ann.token}`,
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    ...more,
  };
  return told(await service.fetch(path, { raw: { method: "POST", headers, body } }));
}

const attributes = (value: unknown): Part => ({
  name: "attributes",
  text: typeof value === "string" ? value : JSON.stringify(value),
});
const FILE: Part = { name: "file", text: "bytes", filename: "x" };
const A = attributes({ name: "a.docx", parent: { id: "0" } });

async function namesIn(service: TestService, folder = "0", who: Who = "ann"): Promise<string[]> {
  const { body } = await service.ask(`/2.0/folders/${folder}/items`, { who });
  return body.entries.map(({ name }: { name: string }) => name);
}

describe("An upload", () => {
  test("returns the file, whose content can be downloaded", async () => {
    const service = await testService();
    const answer = await post(service, multipart([A, FILE]));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      total_count: 1,
      entries: [
        {
          type: "file",
          id: expect.any(String),
          name: "a.docx",
          etag: expect.any(String),
          sha1: createHash("sha1").update("bytes").digest("hex"),
          size: 5,
          parent: { type: "folder", id: "0", name: "All Files" },
          file_version: { type: "file_version", id: expect.any(String) },
          created_at: expect.stringMatching(/Z$/),
          modified_at: expect.stringMatching(/Z$/),
          created_by: { type: "user", id: "ann" },
        },
      ],
    });
    const { id } = answer.body.entries[0];
    const download = await service.fetch(`/2.0/files/${id}/content`);
    expect(await download.text()).toBe("bytes");
    expect(download.headers.get("content-length")).toBe("5");
    expect(download.headers.get("cache-control")).toBe("private, no-store");
    expect(download.headers.get("content-security-policy")).toContain("sandbox");
    expect(download.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await service.ask(`/2.0/files/${id}`)).body).toEqual(answer.body.entries[0]);
  });

  test("is also available at the path of hosted uploads, where nothing else is", async () => {
    const service = await testService();
    const path = "/api/2.0/files/content";
    const { status, body } = await post(service, multipart([A, FILE]), path);
    expect(status).toBe(201);
    const { id } = body.entries[0];
    const next = `/api/2.0/files/${id}/content`;
    expect((await post(service, multipart([attributes({}), FILE]), next)).status).toBe(201);
    expectError(await service.ask(next), 405, "method_not_allowed");
    expectError(await service.ask(`/api/2.0/files/${id}`), 404, "not_found");
  });

  test("goes into a folder by id or by path", async () => {
    const service = await testService();
    const id = await service.folder("letters");
    for (const [index, parent] of [
      { id },
      { id: "path:letters" },
      { id, type: "folder" },
    ].entries()) {
      const answer = await post(
        service,
        multipart([attributes({ name: `${index}.docx`, parent }), FILE]),
      );
      expect(answer.body.entries[0].parent).toEqual({ type: "folder", id, name: "letters" });
    }
    expect(await namesIn(service, id)).toEqual(["0.docx", "1.docx", "2.docx"]);
  });

  test.each<[string, readonly Part[]]>([
    ["without a file", [A]],
    ["without attributes", [FILE]],
    ["with attributes after the file", [FILE, A]],
    ["with attributes that are not JSON", [attributes("{"), FILE]],
    ["with empty attributes", [attributes(""), FILE]],
    ["with attributes of another type", [attributes("[]"), FILE]],
    ["with attributes that are too long", [attributes({ name: "x".repeat(70_000) }), FILE]],
    ["without a name", [attributes({ parent: { id: "0" } }), FILE]],
    ["without a parent", [attributes({ name: "a.docx" }), FILE]],
    [
      "with a parent of the wrong type",
      [attributes({ name: "a", parent: { id: "0", type: "file" } }), FILE],
    ],
    ["with nothing", []],
    [
      "with many fields",
      Array.from({ length: 30 }, (_, index) => ({ name: `f${index}`, text: "x" })),
    ],
    ["with a field named __proto__", [{ name: "__proto__", text: "{}" }, FILE]],
    ["with deep attributes", [attributes("[".repeat(60_000)), FILE]],
  ])("%s is a 400, and leaves nothing", async (_, parts) => {
    const service = await testService();
    const answer = await post(service, multipart(parts));
    expectError(answer, 400, "bad_request");
    expect(answer.body.context_info.errors.length).toBeGreaterThan(0);
    expect(await namesIn(service)).toEqual([]);
  });

  test("reports all problems of its attributes", async () => {
    const service = await testService();
    const answer = await post(service, multipart([attributes({ parent: { type: "file" } }), FILE]));
    const paths = answer.body.context_info.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["/attributes/name", "/attributes/parent/type", "/attributes/parent/id"]);
  });

  test("that ends early at any byte is a 400, and leaves nothing", async () => {
    const service = await testService();
    const whole = multipart([A, FILE, { name: "file", text: "second", filename: "y" }]);
    const end = multipart([A, FILE]).length - `--${BOUNDARY}--\r\n`.length;
    for (let length = 0; length < end; length += 7) {
      expectError(await post(service, whole.slice(0, length)), 400, "bad_request");
    }
    expectError(await post(service, whole.slice(0, end - 1)), 400, "bad_request");
    expect(await namesIn(service)).toEqual([]);
  });

  test("uses the first of several files and attributes", async () => {
    const service = await testService();
    const second = { name: "file", text: "second", filename: "y" };
    const other = attributes({ name: "b.docx", parent: { id: "0" } });
    const { body } = await post(service, multipart([A, other, FILE, second]));
    expect(body.entries).toMatchObject([{ name: "a.docx", size: 5 }]);
    expect(await namesIn(service)).toEqual(["a.docx"]);
  });

  test("with a wrong SHA-1 is a 400 and leaves nothing; upper case is accepted", async () => {
    const service = await testService();
    const sha1 = createHash("sha1").update("bytes").digest("hex");
    const send = (value: string) =>
      post(service, multipart([A, FILE]), undefined, { "content-md5": value });
    for (const value of [
      SHA1,
      "abc",
      sha1.slice(1),
      createHash("md5").update("bytes").digest("hex"),
      "-",
    ]) {
      const answer = await send(value);
      expectError(answer, 400, "bad_request");
      expect(answer.body.context_info.errors).toHaveLength(1);
    }
    expect(await namesIn(service)).toEqual([]);
    expect((await send(sha1.toUpperCase())).status).toBe(201);
  });

  test("under a name that is taken is a 409, even in another case, and into a missing folder a 404", async () => {
    const service = await testService();
    await post(service, multipart([A, FILE]));
    for (const name of ["a.docx", "A.DOCX"]) {
      const answer = await post(
        service,
        multipart([attributes({ name, parent: { id: "0" } }), FILE]),
      );
      expectError(answer, 409, "conflict");
    }
    const file = await service.upload("b.docx", LETTER);
    for (const id of ["none", file, "path:x", "-1", "00"]) {
      const parts = [attributes({ name: "c.docx", parent: { id } }), FILE];
      expectError(await post(service, multipart(parts)), 404, "not_found");
    }
    const out = multipart([attributes({ name: "c.docx", parent: { id: "path:../x" } }), FILE]);
    expectError(await post(service, out), 403, "forbidden");
  });

  test("of too many bytes is a 413, by content-length and by counting", async () => {
    const service = await testService({ limits: { uploadBytes: 1000 } });
    const long = multipart([A, { ...FILE, text: "x".repeat(1001) }]);
    expectError(await post(service, long), 413, "bad_request");
    const length = { "content-length": "10000000" };
    expectError(await post(service, multipart([A, FILE]), undefined, length), 413, "bad_request");
    expect(await namesIn(service)).toEqual([]);
    const most = multipart([A, { ...FILE, text: "x".repeat(1000) }]);
    expect((await post(service, most)).status).toBe(201);
  });

  test("can be checked beforehand", async () => {
    const service = await testService({ limits: { uploadBytes: 1000 } });
    await post(service, multipart([A, FILE]));
    const ask = (body: object) => service.ask("/2.0/files/content", { method: "OPTIONS", body });
    const fine = await ask({ name: "b.docx", parent: { id: "0" }, size: 1000 });
    expect(fine).toMatchObject({
      status: 200,
      body: { upload_url: expect.stringContaining("/2.0/files/content") },
    });
    expect((await ask({})).status).toBe(200);
    expectError(await ask({ name: "a.docx", parent: { id: "0" } }), 409, "conflict");
    expectError(await ask({ name: "a/b", parent: { id: "0" } }), 400, "item_name_invalid");
    expectError(await ask({ name: "b", parent: { id: "none" } }), 404, "not_found");
    expectError(await ask({ size: 1001 }), 413, "bad_request");
    for (const size of [-1, 1.5, "1", null]) expectError(await ask({ size }), 400, "bad_request");
  });
});

describe("A version", () => {
  test("is added, listed newest first, and downloaded by its id", async () => {
    const service = await testService();
    const { body } = await post(service, multipart([A, FILE]));
    const [{ id, etag, file_version: first }] = body.entries;
    const path = `/2.0/files/${id}/content`;
    const next = await post(
      service,
      multipart([attributes({}), { ...FILE, text: "second" }]),
      path,
    );
    expect(next.body.entries[0]).toMatchObject({ id, name: "a.docx", size: 6 });
    expect(next.body.entries[0].etag).not.toBe(etag);
    const second = next.body.entries[0].file_version;
    const versions = await service.ask(`/2.0/files/${id}/versions`);
    expect(versions.body).toMatchObject({
      total_count: 2,
      entries: [
        { id: second.id, size: 6 },
        { id: first.id, size: 5 },
      ],
    });
    const bytes = async (query: string) => (await service.fetch(path + query)).text();
    expect(await bytes("")).toBe("second");
    expect(await bytes(`?version=${second.id}`)).toBe("second");
    expect(await bytes(`?version=${first.id}`)).toBe("bytes");
    expectError(await service.ask(`${path}?version=none`), 404, "not_found");
    expectError(await service.ask(`${path}?version=`), 400, "bad_request");
    expectError(await service.ask(`${path}?version=a&version=b`), 400, "bad_request");
  });

  test("may rename the file, and is rejected with a name that is taken or invalid", async () => {
    const service = await testService();
    const id = await service.upload("a.docx", LETTER);
    await service.upload("b.docx", LETTER);
    const path = `/2.0/files/${id}/content`;
    const send = (name: unknown) => post(service, multipart([attributes({ name }), FILE]), path);
    expect((await send("c.docx")).body.entries[0]).toMatchObject({ id, name: "c.docx" });
    expectError(await send("b.docx"), 409, "conflict");
    expectError(await send("a/b"), 400, "item_name_invalid");
    expectError(await send(1), 400, "bad_request");
    expectError(
      await post(service, multipart([attributes({}), FILE]), "/2.0/files/none/content"),
      404,
      "not_found",
    );
    const versions = await service.ask(`/2.0/files/${id}/versions`);
    // Rejected uploads add nothing.
    expect(versions.body.total_count).toBe(2);
  });

  test("is added only to the file with the etag of If-Match", async () => {
    const service = await testService();
    const id = await service.upload("a.docx", LETTER);
    const { etag } = (await service.ask(`/2.0/files/${id}`)).body;
    const send = (value: string) =>
      post(service, multipart([attributes({}), FILE]), `/2.0/files/${id}/content`, {
        "if-match": value,
      });
    expectError(await send("other"), 412, "precondition_failed");
    expect((await send(etag)).status).toBe(201);
    expectError(await send(etag), 412, "precondition_failed");
    expect((await send("*")).status).toBe(201);
  });
});

describe("A file", () => {
  test("with several concurrent changes based on the same etag is changed by one of them", async () => {
    const service = await testService();
    const id = await service.upload("a.docx", LETTER);
    const path = `/2.0/files/${id}`;
    const { etag } = (await service.ask(path)).body;
    const headers = { "if-match": etag };
    const answers = await Promise.all([
      ...["b.docx", "c.docx", "d.docx"].map((name) =>
        service.ask(path, { method: "PUT", body: { name }, headers }),
      ),
      ...[1, 2, 3].map(() =>
        post(service, multipart([attributes({}), FILE]), `${path}/content`, headers),
      ),
    ]);
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect([200, 201]).toContain(statuses[0]);
    expect(statuses.slice(1)).toEqual([412, 412, 412, 412, 412]);
    const { body } = await service.ask(path);
    expect(body.etag).not.toBe(etag);
  });

  test("with a matching etag is still rejected for a name that is taken", async () => {
    const service = await testService();
    const id = await service.upload("a.docx", LETTER);
    await service.upload("b.docx", LETTER);
    const { etag } = (await service.ask(`/2.0/files/${id}`)).body;
    const asked = { method: "PUT", body: { name: "b.docx" }, headers: { "if-match": etag } };
    expectError(await service.ask(`/2.0/files/${id}`, asked), 409, "conflict");
  });

  test("is renamed, keeps its id, and cannot be moved", async () => {
    const service = await testService();
    const folder = await service.folder("letters");
    const id = await service.upload("a.docx", LETTER, { parent: folder });
    const put = (body: object, headers = {}) =>
      service.ask(`/2.0/files/${id}`, { method: "PUT", body, headers });
    expect((await put({ name: "b.docx" })).body).toMatchObject({ id, name: "b.docx" });
    expect((await put({ name: "B.docx" })).body).toMatchObject({ id, name: "B.docx" });
    expect((await put({ name: "c.docx", parent: { id: folder } })).body.name).toBe("c.docx");
    expect((await put({})).body.name).toBe("c.docx");
    expectError(await put({ parent: { id: "0" } }), 400, "bad_request");
    expectError(await put({ parent: { id: "none" } }), 404, "not_found");
    expectError(await put({ name: "" }), 400, "item_name_invalid");
    expectError(await put({ name: 1 }), 400, "bad_request");
    expectError(await put({ name: "d.docx" }, { "if-match": '"x"' }), 412, "precondition_failed");
    await service.upload("taken.docx", LETTER, { parent: folder });
    expectError(await put({ name: "TAKEN.docx" }), 409, "conflict");
  });

  test("is deleted once", async () => {
    const service = await testService();
    const id = await service.upload("a.docx", LETTER);
    const path = `/2.0/files/${id}`;
    const headers = { "if-match": "x" };
    expectError(await service.ask(path, { method: "DELETE", headers }), 412, "precondition_failed");
    const deleted = await service.fetch(path, { method: "DELETE" });
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    for (const method of ["GET", "DELETE"]) {
      expectError(await service.ask(path, { method }), 404, "not_found");
    }
    expectError(await service.ask(`${path}/content`), 404, "not_found");
    await service.upload("a.docx", LETTER);
  });
});

describe("A folder", () => {
  test("is created, found, listed and deleted, recursively on request", async () => {
    const service = await testService();
    const outer = await service.folder("outer");
    const made = await service.ask("/2.0/folders", {
      body: { name: "inner", parent: { id: outer } },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { type: "folder", name: "inner", parent: { type: "folder", id: outer, name: "outer" } },
    });
    await service.upload("z.docx", LETTER, { parent: outer });
    await service.upload("b.docx", LETTER, { parent: outer });
    expect(await namesIn(service, outer)).toEqual(["inner", "b.docx", "z.docx"]);
    const root = await service.ask("/2.0/folders/0");
    expect(root.body).toMatchObject({ type: "folder", id: "0", name: "All Files", parent: null });
    const remove = (id: string, query = "") =>
      service.ask(`/2.0/folders/${id}${query}`, { method: "DELETE" });
    expectError(await remove(outer), 409, "conflict");
    expectError(await remove(outer, "?recursive=false"), 409, "conflict");
    for (const value of ["1", "TRUE", "yes", ""]) {
      expectError(await remove(outer, `?recursive=${value}`), 400, "bad_request");
    }
    expect((await remove(outer, "?recursive=true")).status).toBe(204);
    expectError(await service.ask(`/2.0/folders/${made.body.id}`), 404, "not_found");
    expectError(await remove("0"), 403, "forbidden");
    expectError(await remove("0", "?recursive=true"), 403, "forbidden");
  });

  test("has valid names that are unique ignoring case", async () => {
    const service = await testService();
    await service.folder("Letters");
    const make = (name: unknown, parent: object = { id: "0" }) =>
      service.ask("/2.0/folders", { body: { name, parent } });
    expectError(await make("LETTERS"), 409, "conflict");
    for (const name of [
      "",
      ".",
      "..",
      "a/b",
      "a\\b",
      "CON",
      "a\0b",
      " a",
      "a.",
      ".quire",
      "\u202eabc",
    ]) {
      expectError(await make(name), 400, "item_name_invalid");
    }
    expectError(await make("a", { id: "none" }), 404, "not_found");
    expectError(await make("a", { id: "0", type: "file" }), 400, "bad_request");
  });

  test("is listed by limit and offset", async () => {
    const service = await testService();
    for (const name of ["a", "b", "c", "d", "e"]) await service.folder(name);
    const page = async (query: string) => (await service.ask(`/2.0/folders/0/items${query}`)).body;
    expect(await page("?limit=2&offset=1")).toMatchObject({
      total_count: 5,
      limit: 2,
      offset: 1,
      entries: [{ name: "b" }, { name: "c" }],
    });
    expect((await page("?limit=2&offset=4")).entries).toHaveLength(1);
    expect(await page("?offset=999999999")).toMatchObject({ entries: [], total_count: 5 });
    expect(await page("?limit=99999")).toMatchObject({ limit: 1000 });
    for (const query of [
      "limit=0",
      "limit=-1",
      "limit=x",
      "offset=-1",
      "offset=1e3",
      "offset=9999999999",
    ]) {
      expectError(await service.ask(`/2.0/folders/0/items?${query}`), 400, "bad_request");
    }
  });
});

describe("The name of a download", () => {
  const NAMES = [
    "plain.docx",
    "with space.docx",
    "comma, and; semicolon.docx",
    "it's (a) [b] {c}.docx",
    "100% %20 %41.docx",
    "a=b&c#d.docx",
    "Zoë Straße.docx",
    "Zoe\u0308.docx",
    "日本語の文書.docx",
    "مرحبا.docx",
    "שלום עולם.docx",
    "🎉 party 👩‍👩‍👧.docx",
    "€ ‘quoted’ “twice”.docx",
    "’; filename=evil.exe.docx",
    "UTF-8''%41.docx",
    "no extension",
    "archive.tar.gz",
    "a\u00a0b.docx",
    `${"ü".repeat(120)}.docx`,
    `${"x".repeat(250)}.docx`,
    "~!@$^_+`.docx",
  ];

  test.each(NAMES)("is exactly the name of the file: %s", async (name) => {
    const service = await testService();
    const id = await service.upload(name, LETTER);
    const response = await service.fetch(`/2.0/files/${id}/content`);
    const header = response.headers.get("content-disposition") ?? "";
    expect(dispositionName(header)).toEqual({ type: "attachment", name: name.normalize("NFC") });
  });

  test("is correct over a real connection, in a single header", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    for (const name of NAMES) {
      const id = await service.upload(name, LETTER);
      const answer = await exchange(port, [
        `GET /2.0/files/${id}/content HTTP/1.1`,
        "Host: x",
        "Connection: close",
        `Authorization: Bearer ${TOKENS.ann.token}`,
      ]);
      const header = answer.headers.get("content-disposition") ?? "";
      expect(dispositionName(header).name).toBe(name.normalize("NFC"));
      expect(answer.head.match(/^content-disposition:/gim)).toHaveLength(1);
    }
  });

  test.each([
    ["CR and LF", "a\r\nSet-Cookie: a=b.docx"],
    ["LF", "a\nb.docx"],
    ["NUL", "a\0b.docx"],
    ["a tab", "a\tb.docx"],
    ["DEL", "a\x7fb.docx"],
    ["NEL", "a\u0085b.docx"],
    ["a quote", 'a"b.docx'],
    ["a slash", "a/b.docx"],
    ["a backslash", "a\\b.docx"],
    ["another direction", "a\u202excod.exe"],
    ["an isolate", "a\u2066b.docx"],
    ["half a character", "a\ud83d.docx"],
    ["a device", "nul.docx"],
    ["dots", ".."],
    ["nothing", ""],
    ["256 bytes", `${"x".repeat(251)}.docx`],
    ["the reserved name of the service", ".quire"],
  ])("never has %s: the upload, the new name and the batch are rejected", async (_, name) => {
    const service = await testService();
    const parts = [attributes({ name, parent: { id: "0" } }), FILE];
    expectError(await post(service, multipart(parts)), 400, "item_name_invalid");
    const file = await service.upload("letter.docx", LETTER);
    const renamed = await service.ask(`/2.0/files/${file}`, { method: "PUT", body: { name } });
    expectError(renamed, 400, "item_name_invalid");
    expect(await namesIn(service)).toEqual(["letter.docx"]);
  });

  test("determines the type of the content", async () => {
    const service = await testService();
    const types = async (name: string) => {
      const id = await service.upload(name, LETTER);
      return (await service.fetch(`/2.0/files/${id}/content`)).headers.get("content-type");
    };
    expect(await types("a.DOCX")).toContain("wordprocessingml");
    expect(await types("a.pdf")).toBe("application/pdf");
    for (const name of ["a.html", "a.svg", "a.js", "constructor", "a.__proto__", "a.toString"]) {
      expect(await types(name)).toBe("application/octet-stream");
    }
  });
});

test.each([
  ["that ends before it begins", `--${BOUNDARY}--${BOUNDARY}\r\n`],
  [
    "with a boundary within the head of a part",
    `--${BOUNDARY}\r\nContent-Disposition: form-data;\r\n--${BOUNDARY}\r\n name="attributes"\r\n\r\n`,
  ],
])("an upload %s is aborted, and its place becomes free", async (_, body) => {
  const service = await testService({ limits: { idleMs: 40, requests: 1 } });
  expectError(await post(service, body), 400, "bad_request");
  expect((await service.ask("/2.0/folders/0")).status).toBe(200);
});
