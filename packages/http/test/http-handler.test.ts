import {
  createEngine,
  type Engine,
  memoryStorage,
  memoryTemplateStore,
  QuireError,
  renderInProcess,
} from "@quire/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import {
  createHttpHandler,
  type HttpHandlerOptions,
  type Principal,
  Problem,
  storageFiles,
  unauthorized,
} from "../src/index.ts";
import { lint } from "./support/lint.ts";
import { openValidator } from "./support/validator.ts";

const ORIGIN = "http://quire.test";
const HELLO = docx({ body: p("Hello {{name}}") });
const ANN: Principal = { user: "ann", enterprise: "acme", scopes: ["root_readwrite"] };
const EVE: Principal = { ...ANN, enterprise: "other" };
const READER: Principal = { ...ANN, scopes: ["root_readonly"] };
const CALLERS: Readonly<Record<string, Principal>> = { ann: ANN, eve: EVE, reader: READER };

interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly who?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// The tests check the shape of the body, so it has no type here.
// biome-ignore lint/suspicious/noExplicitAny: a response may be anything
type Told = { readonly status: number; readonly headers: Headers; readonly body: any };

/** Returns a handler for an in-memory engine. The header `x-caller` names the sender. */
function testHandler(options: Partial<HttpHandlerOptions> = {}) {
  const storage = memoryStorage({ files: { "letters/hello.docx": HELLO }, folders: ["out"] });
  const engine = createEngine({ storage, renderer: renderInProcess() });
  onTestFinished(() => engine.close());
  const handler = createHttpHandler(engine, {
    authenticate: async ({ headers }) =>
      CALLERS[headers.get("x-caller") ?? ""] ?? unauthorized(headers),
    ...options,
  });
  const fetch = (path: string, { method, body, who = "ann", headers = {} }: Ask = {}) =>
    handler(
      new Request(ORIGIN + path, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          "service-version": "2025.0",
          "x-caller": who,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const ask = async (path: string, how?: Ask): Promise<Told> => {
    const response = await fetch(path, how);
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  return { storage, engine, handler, fetch, ask };
}

function batchOf(...names: readonly string[]) {
  return {
    file: { type: "file", id: "letters/hello.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: names.map((name) => ({
      generated_file_name: name,
      user_input: { name },
    })),
  };
}

describe("The Doc Gen operations over an engine", () => {
  test("generate the documents of a batch, with its progress, its jobs and their documents", async () => {
    const { storage, ask } = testHandler();
    const made = await ask("/2.0/docgen_batches", { body: batchOf("Ann", "Bob") });
    expect([made.status, made.body]).toEqual([
      202,
      { id: expect.any(String), type: "docgen_batch" },
    ]);
    const { id } = made.body;
    expect((await ask(`/2.0/docgen_batches/${id}/events`)).body).toContain("event: finished");
    const { body: batch } = await ask(`/2.0/docgen_batches/${id}`);
    expect(batch).toMatchObject({ status: "finished", counts: { completed: 2 } });
    const { body: jobs } = await ask(`/2.0/docgen_batch_jobs/${id}?limit=1`);
    const [job] = jobs.entries;
    expect(job).toMatchObject({ status: "completed", output_file: { id: "out/Ann.docx" } });
    const { body: rest } = await ask(`/2.0/docgen_batch_jobs/${id}?marker=${jobs.next_marker}`);
    expect(rest.entries).toMatchObject([{ output_file: { id: "out/Bob.docx" } }]);
    expect((await ask(`/2.0/docgen_jobs/${job.id}`)).body).toEqual(job);
    expect((await ask("/2.0/docgen_jobs")).body.entries).toHaveLength(2);
    const template = encodeURIComponent("letters/hello.docx");
    expect((await ask(`/2.0/docgen_template_jobs/${template}`)).body.entries).toHaveLength(2);
    const document = await storage.read({ type: "file", id: "out/Ann.docx" });
    expect(document.size).toBeGreaterThan(0);
  });

  test("check, cancel and retry batches", async () => {
    const { ask } = testHandler();
    const body = batchOf("Ann");
    const checked = await ask("/2.0/docgen_batches/check", { body });
    expect(checked.body.entries).toMatchObject([{ file_name: "Ann.docx", failures: null }]);
    const { id } = (await ask("/2.0/docgen_batches", { body })).body;
    const path = `/2.0/docgen_batches/${id}`;
    await ask(`${path}/events`);
    expect((await ask(`${path}/cancel`, { method: "POST" })).body.status).toBe("finished");
    expect((await ask(`${path}/retry`, { method: "POST" })).status).toBe(200);
  });

  test("recognize a repeated request by its idempotency key", async () => {
    const { ask } = testHandler();
    const headers = { "idempotency-key": "letters-may" };
    const [one, two] = [
      await ask("/2.0/docgen_batches", { body: batchOf("Ann"), headers }),
      await ask("/2.0/docgen_batches", { body: batchOf("Ann"), headers }),
    ];
    expect(two.body).toEqual(one.body);
    const other = await ask("/2.0/docgen_batches", { body: batchOf("Bob"), headers });
    expect([other.status, other.body.code]).toEqual([409, "conflict"]);
  });

  test("name files by the engine's ids, also with `path:`, and report missing ones", async () => {
    const { ask } = testHandler();
    const body = { ...batchOf("Ann"), file: { type: "file", id: "path:letters/hello.docx" } };
    expect((await ask("/2.0/docgen_batches", { body })).status).toBe(202);
    const missing = { ...batchOf("Ann"), file: { type: "file", id: "letters/none.docx" } };
    const { status, body: error } = await ask("/2.0/docgen_batches", { body: missing });
    expect([status, error.code]).toEqual([404, "not_found"]);
    const outside = { ...batchOf("Ann"), file: { type: "file", id: "../secret.docx" } };
    expect((await ask("/2.0/docgen_batches", { body: outside })).status).toBe(403);
  });

  test("describe templates: their tags and the schema of their data", async () => {
    const { ask } = testHandler();
    const path = `/2.0/docgen_templates/${encodeURIComponent("letters/hello.docx")}`;
    const { body: tags } = await ask(`${path}/tags`);
    expect(tags.entries).toEqual([
      { tag_content: "{{name}}", tag_type: "text", json_paths: ["name"] },
    ]);
    expect((await ask(`${path}/schema`)).body.properties).toHaveProperty("name");
    expect((await ask("/2.0/docgen_templates/none.docx/tags")).status).toBe(404);
  });

  test("report a template with errors in the page of its tags", async () => {
    const { storage, ask } = testHandler();
    const bytes = docx({ body: p("{{#each names}}") });
    await storage.create({ type: "folder", id: "letters" }, "broken.docx", bytes);
    const path = `/2.0/docgen_templates/${encodeURIComponent("letters/broken.docx")}/tags`;
    const { status, body } = await ask(path);
    expect([status, body.entries]).toEqual([200, []]);
    expect(body.errors.length).toBeGreaterThan(0);
  });
});

describe("Marks of templates", () => {
  test("do not exist without a store of marks", async () => {
    const { ask } = testHandler();
    const body = { file: { type: "file", id: "letters/hello.docx" } };
    expect((await ask("/2.0/docgen_templates", { body })).status).toBe(404);
    expect((await ask("/2.0/docgen_templates")).status).toBe(404);
  });

  test("are set, listed with the names of their files, and removed", async () => {
    const storage = memoryStorage({ files: { "letters/hello.docx": HELLO } });
    const { ask } = testHandler({
      templates: memoryTemplateStore(),
      files: storageFiles(() => storage),
    });
    const id = "letters/hello.docx";
    const path = `/2.0/docgen_templates/${encodeURIComponent(id)}`;
    expect((await ask(path)).status).toBe(404);
    expect((await ask(`${path}/tags`)).status).toBe(404);
    const body = { file: { type: "file", id } };
    expect((await ask("/2.0/docgen_templates", { body })).status).toBe(201);
    const template = { file: { type: "file", id }, file_name: "hello.docx" };
    expect((await ask("/2.0/docgen_templates")).body.entries).toEqual([template]);
    expect((await ask("/2.0/docgen_templates", { who: "eve" })).body.entries).toEqual([]);
    expect((await ask(path)).body).toEqual(template);
    expect((await ask(`${path}/tags`)).body.entries).toHaveLength(1);
    expect((await ask(path, { method: "DELETE" })).status).toBe(204);
    expect((await ask(path)).status).toBe(404);
    const none = { file: { type: "file", id: "letters/none.docx" } };
    expect((await ask("/2.0/docgen_templates", { body: none })).status).toBe(404);
  });
});

describe("The caller's own authentication", () => {
  test("gets the request, and its problem is the response", async () => {
    const { ask } = testHandler();
    const { status, headers, body } = await ask("/2.0/docgen_jobs", { who: "nobody" });
    expect([status, body.type, body.code]).toEqual([401, "error", "unauthorized"]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
    const own = testHandler({
      authenticate: async () => new Problem(403, "forbidden", "Not from this network."),
    });
    const refused = await own.ask("/2.0/docgen_jobs");
    expect([refused.status, refused.body.message]).toEqual([403, "Not from this network."]);
  });

  test("separates tenants: batches and jobs of another are missing", async () => {
    const { ask } = testHandler();
    const { id } = (await ask("/2.0/docgen_batches", { body: batchOf("Ann") })).body;
    for (const path of [`docgen_batches/${id}`, `docgen_batch_jobs/${id}`, `docgen_jobs/${id}-1`]) {
      expect((await ask(`/2.0/${path}`, { who: "eve" })).status).toBe(404);
    }
    expect((await ask("/2.0/docgen_jobs", { who: "eve" })).body.entries).toEqual([]);
    const path = `/2.0/docgen_batches/${id}/cancel`;
    expect((await ask(path, { method: "POST", who: "eve" })).status).toBe(404);
  });

  test("grants only the scopes of the principal", async () => {
    const { ask } = testHandler();
    const { status, body } = await ask("/2.0/docgen_batches", {
      body: batchOf("Ann"),
      who: "reader",
    });
    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
    expect((await ask("/2.0/docgen_jobs", { who: "reader" })).status).toBe(200);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("db.internal is down")), 500],
    [
      "is not available",
      () => Promise.reject(new QuireError("unavailable", "The sessions cannot be read now.")),
      503,
    ],
    ["returns no enterprise", async () => ({ ...ANN, enterprise: "" }), 500],
    ["returns nothing", async () => undefined as unknown as Principal, 500],
  ])("never grants access if it %s", async (_, authenticate, wanted) => {
    const { ask } = testHandler({ authenticate });
    const { status, body } = await ask("/2.0/docgen_jobs");
    expect([status, body.type]).toEqual([wanted, "error"]);
    expect(body.message).not.toContain("db.internal");
  });
});

describe("A request", () => {
  test("must name the version of the API", async () => {
    const { ask } = testHandler();
    const { status, body } = await ask("/2.0/docgen_jobs", { headers: { "service-version": "1" } });
    expect([status, body.code]).toEqual([400, "bad_request"]);
  });

  test("is limited in bytes, depth and entries", async () => {
    const { ask } = testHandler({ limits: { bodyBytes: 2000, entries: 2, depth: 5 } });
    const long = await ask("/2.0/docgen_batches", { body: batchOf("x".repeat(2000)) });
    expect([long.status, long.body.context_info.limit_bytes]).toEqual([413, 2000]);
    const many = await ask("/2.0/docgen_batches", { body: batchOf("a", "b", "c") });
    expect([many.status, many.body.context_info.errors[0].code]).toEqual([400, "limit_exceeded"]);
    const body = batchOf("a");
    Object.assign(body.document_generation_data[0]?.user_input ?? {}, {
      deep: JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`),
    });
    expect((await ask("/2.0/docgen_batches", { body })).status).toBe(400);
  });

  test("reports all problems together, with pointers", async () => {
    const { ask } = testHandler();
    const { status, body } = await ask("/2.0/docgen_batches", { body: {} });
    expect(status).toBe(400);
    const paths = body.context_info.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/file", "/output_type", "/input_source"]));
  });

  test("that no operation answers is a 404 or a 405, with the address of the operations", async () => {
    const { ask } = testHandler();
    const unknown = await ask("/2.0/files/1");
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      expect.stringContaining("/openapi.json"),
    ]);
    expect(unknown.body.help_url).toBe(`${ORIGIN}/openapi.json#not_found`);
    const wrong = await ask("/2.0/docgen_jobs", { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("finds its operations below the prefix", async () => {
    const { ask } = testHandler({
      prefix: "v1/docs/",
      publicUrl: "https://docs.example.com/",
      helpUrl: "https://help.example.com/errors",
    });
    expect((await ask("/v1/docs/2.0/docgen_jobs")).status).toBe(200);
    const { body } = await ask("/2.0/docgen_jobs");
    expect(body.help_url).toBe("https://help.example.com/errors#not_found");
    const { servers } = (await ask("/v1/docs/openapi.json")).body;
    expect(servers[0].url).toBe("https://docs.example.com/v1/docs/2.0");
  });

  test("is seen by `onResponse`, whose errors change nothing", async () => {
    const seen: unknown[] = [];
    const { ask } = testHandler({
      onResponse: ({ route }, { code, response }) => {
        seen.push([route, response.status, code]);
        throw new Error("The log is full.");
      },
    });
    expect((await ask("/2.0/docgen_jobs/none")).status).toBe(404);
    expect(seen).toEqual([["/2.0/docgen_jobs/{job_id}", 404, "not_found"]]);
  });

  test("for new work is rejected after the signal, and streams of progress end", async () => {
    const stop = new AbortController();
    const { ask, fetch, engine } = testHandler({ signal: stop.signal });
    const { id } = (await ask("/2.0/docgen_batches", { body: batchOf("Ann") })).body;
    // The stream never observes the end of the batch.
    const running = { ...(await engine.getBatch(id)), status: "running" } as const;
    engine.getBatch = (async () => running) satisfies Engine["getBatch"];
    const stream = await fetch(`/2.0/docgen_batches/${id}/events`);
    stop.abort();
    expect(await stream.text()).not.toContain("event: finished");
    const { status, headers } = await ask("/2.0/docgen_batches", { body: batchOf("Bob") });
    expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    expect((await ask("/2.0/docgen_jobs")).status).toBe(200);
  });
});

describe("The OpenAPI document", () => {
  test("needs no token and lists exactly the operations of the handler", async () => {
    const { ask } = testHandler();
    const { status, body } = await ask("/openapi.json", { who: "nobody" });
    expect(status).toBe(200);
    const ids = Object.values(body.paths as Record<string, object>).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids).toHaveLength(12);
    expect(ids.filter((id) => !/docgen/.test(id))).toEqual([]);
    const marked = testHandler({ templates: memoryTemplateStore() });
    const paths = (await marked.ask("/openapi.json")).body.paths;
    expect(Object.keys(paths["/docgen_templates"])).toEqual(["post", "get"]);
  });

  test("passes all strict rules of a linter, and describes the responses", async () => {
    const { ask, fetch } = testHandler({ templates: memoryTemplateStore() });
    const { body: document } = await ask("/openapi.json");
    expect(lint(document)).toEqual([]);
    const validator = await openValidator(document);
    onTestFinished(() => validator.close());
    const template = `/2.0/docgen_templates/${encodeURIComponent("letters/hello.docx")}`;
    const asks: readonly [string, Ask?][] = [
      ["/2.0/docgen_templates", { body: { file: { id: "letters/hello.docx" } } }],
      ["/2.0/docgen_templates"],
      [template],
      [`${template}/tags`],
      [`${template}/schema`],
      ["/2.0/docgen_batches", { body: batchOf("Ann") }],
      ["/2.0/docgen_batches/check", { body: batchOf("Ann") }],
      ["/2.0/docgen_batches", { body: {} }],
      ["/2.0/docgen_jobs"],
      ["/2.0/docgen_jobs/none"],
      ["/2.0/docgen_jobs", { who: "nobody" }],
      [template, { method: "DELETE" }],
    ];
    for (const [path, how] of asks) {
      const response = await fetch(path, how);
      const { status, headers } = response;
      const method = how?.method ?? (how?.body === undefined ? "GET" : "POST");
      const type = headers.get("content-type");
      const text = await response.text();
      expect(await validator.response(method, path, status, type, text)).toEqual([]);
    }
  });
});
