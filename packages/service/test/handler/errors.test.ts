import { memoryJobStore, memoryStorage, memoryTemplateStore, QuireError } from "@quire/core";
import { WIRE_CODES } from "@quire/http/parts";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations/all.ts";
import {
  batchBody,
  entries,
  expectError,
  HELLO,
  memoryStores,
  ORIGIN,
  type TestService,
  TOKENS,
  templateOf,
  testService,
  WEBHOOKS,
} from "../support/service.ts";

/** Returns a logger that keeps all its input as text. */
function recorder() {
  const lines: { level: string; facts: Record<string, unknown>; message: string }[] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, facts: facts as Record<string, unknown>, message });
  return {
    lines,
    logger: { info: at("info"), warn: at("warn"), error: at("error") },
    get text() {
      return JSON.stringify(lines);
    },
  };
}

const SECRET = "db.internal:5432 password=hunter2";

/** Errors of a store or storage that are not `QuireError`s, or whose messages must not be shown. */
const FAILURES = [
  ["a plain error", () => new Error(SECRET), 500],
  [
    "an error of the operating system",
    () => Object.assign(new Error(SECRET), { code: "EIO", path: SECRET }),
    500,
  ],
  ["a text", () => SECRET, 500],
  ["nothing", () => undefined, 500],
  [
    "a plain error that is named Problem",
    () => Object.assign(new Error(SECRET), { name: "Problem", status: 200 }),
    500,
  ],
  ["storage_failed", () => new QuireError("storage_failed", `${SECRET}.`), 503],
  ["job_store_failed", () => new QuireError("job_store_failed", `${SECRET}.`), 503],
  ["lease_lost", () => new QuireError("lease_lost", `${SECRET}.`), 503],
  ["internal", () => new QuireError("internal", `${SECRET}.`), 500],
  ["render_failed", () => new QuireError("render_failed", `${SECRET}.`), 500],
] as const;

describe("An unexpected error", () => {
  test.each(FAILURES)("is reported without its details: %s", async (_, failure, status) => {
    const { logger, lines } = recorder();
    const storage = memoryStorage();
    const stores = { ...memoryStores(), jobs: memoryJobStore(), templates: memoryTemplateStore() };
    const service = await testService({ logger, storage, stores });
    const file = await service.upload("hello.docx", HELLO);
    const fail = async (): Promise<never> => {
      throw failure();
    };
    storage.read = fail;
    storage.create = fail;
    stores.jobs.listJobs = fail;
    stores.jobs.getBatch = fail;
    stores.templates.list = fail;
    const asks: [string, object?][] = [
      ["/2.0/docgen_jobs"],
      ["/2.0/docgen_batches/one"],
      ["/2.0/docgen_batches/one/events"],
      ["/2.0/docgen_templates"],
      [`/2.0/files/${file}/content`],
      ["/2.0/docgen_batches", { body: batchBody(file, "0", entries("a")) }],
    ];
    for (const [path, ask] of asks) {
      const answer = await service.ask(path, ask);
      expectError(answer, status, status === 500 ? "internal_server_error" : "unavailable");
      expect(JSON.stringify([answer.body, [...answer.headers]])).not.toMatch(/hunter2|internal:/);
      const logged = lines.at(-1);
      expect(logged).toMatchObject({
        level: "error",
        facts: { request_id: answer.body.request_id, status },
      });
    }
    expect(JSON.stringify(lines)).not.toContain("hunter2");
  });

  test("never rejects the handler, even if the logger throws", async () => {
    const fail = () => {
      throw new Error("the disk is full");
    };
    const service = await testService({ logger: { info: fail, warn: fail, error: fail } });
    expect((await service.ask("/2.0/folders/0")).status).toBe(200);
    expectError(await service.ask("/2.0/folders/none"), 404, "not_found");
  });

  test("of a store is a 503, and no listing omits jobs because of it", async () => {
    const jobs = memoryJobStore();
    const { logger } = recorder();
    const service = await testService({ logger, stores: { ...memoryStores(), jobs } });
    const file = await service.upload("hello.docx", HELLO);
    await service.finished(await service.batch(file, "0", entries("a")));
    const getBatch = jobs.getBatch.bind(jobs);
    let calls = 0;
    jobs.getBatch = (id) => {
      calls += 1;
      // The first call of the engine succeeds, and the second call fails.
      return calls === 1
        ? getBatch(id)
        : Promise.reject(new QuireError("job_store_failed", "Gone."));
    };
    expectError(await service.ask("/2.0/docgen_jobs"), 503, "unavailable");
  });

  test("of an authenticator is a 503, and never grants access", async () => {
    const { logger } = recorder();
    const service = await testService({
      logger,
      authenticate: () => Promise.reject(new QuireError("unavailable", "The issuer is away.")),
    });
    expectError(await service.ask("/2.0/folders/0"), 503, "unavailable");
    const broken = await testService({
      logger,
      authenticate: () => Promise.reject(new Error(SECRET)),
    });
    const answer = await broken.ask("/2.0/folders/0");
    expectError(answer, 500, "internal_server_error");
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
  });
});

describe("A line of the log", () => {
  test("exists for each request, with only its id, its route and its status", async () => {
    const { logger, lines } = recorder();
    const service = await testService({ logger });
    const answer = await service.ask("/2.0/files/none?x=1");
    expect(lines.at(-1)).toEqual({
      level: "info",
      message: "request",
      facts: {
        request_id: answer.body.request_id,
        method: "GET",
        route: "/2.0/files/{file_id}",
        status: 404,
        code: "not_found",
        ms: expect.any(Number),
      },
    });
    await service.ask("/2.0/somewhere/else");
    expect(lines.at(-1)?.facts.route).toBe("*");
    await service.ask("/healthz");
    expect(lines.at(-1)?.facts).not.toHaveProperty("code");
  });

  test("never contains a value of users' data from any part of the request", async () => {
    const log = recorder();
    const service = await testService({ logger: log.logger, webhooks: WEBHOOKS });
    const answers = await requestsWith("CANARY", service);
    expect(log.lines.length).toBeGreaterThan(40);
    expect(log.text.toLowerCase()).not.toContain("canary");
    expect(answers.length).toBeGreaterThan(40);
  });
});

describe("An error body", () => {
  test("quotes names and ids from the request, but never a value of the data, a token or bytes", async () => {
    const service = await testService({ webhooks: WEBHOOKS });
    const answers = await requestsWith("CANARY", service);
    for (const { status, body, path } of answers.filter((answer) => answer.status >= 400)) {
      expect([path, status, body]).toEqual([
        path,
        status,
        expect.not.stringContaining("CANARY-data"),
      ]);
      expect([path, body]).toEqual([path, expect.not.stringContaining("CANARY-token")]);
      expect([path, body]).toEqual([path, expect.not.stringContaining("CANARY-bytes")]);
      expect([path, body]).toEqual([path, expect.not.stringContaining("CANARY-header")]);
    }
  });

  test("has only codes of the contract, and each names its page", async () => {
    const service = await testService({ webhooks: WEBHOOKS });
    for (const { status, body } of await requestsWith("CANARY", service)) {
      if (status < 400) continue;
      const { code, help_url } = JSON.parse(body);
      expect(WIRE_CODES).toContain(code);
      expect(help_url).toBe(`${ORIGIN}/docs/errors#${code}`);
    }
  });

  test("has a new request_id each time, which no request can choose", async () => {
    const service = await testService();
    const ids = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const headers = { "x-request-id": "chosen", traceparent: "00-".padEnd(55, "1") };
      const { body } = await service.ask("/2.0/files/none", { headers });
      ids.add(body.request_id);
    }
    expect(ids.size).toBe(20);
    expect(ids).not.toContain("chosen");
  });
});

/** Sends requests with a canary in every position, and returns their responses as text. */
async function requestsWith(canary: string, service: TestService) {
  const answers: { path: string; status: number; body: string }[] = [];
  const data = {
    [`${canary}-data-key`]: `${canary}-data`,
    nested: [`${canary}-data`, { a: `${canary}-data` }],
  };
  const headers = {
    "x-something": `${canary}-header`,
    "user-agent": `${canary}-header`,
    referer: `https://${canary}-header.test/`,
    cookie: `${canary}-header=${canary}-header`,
    traceparent: `${canary}-header`,
  };
  const send = async (path: string, init: RequestInit = {}): Promise<string> => {
    const all = {
      authorization: `Bearer ${TOKENS.ann.token}`,
      "service-version": "2025.0",
      ...headers,
      ...(typeof init.body === "string" ? { "content-type": "application/json" } : {}),
      ...(init.headers as Record<string, string>),
    };
    const response = await service.handle(new Request(ORIGIN + path, { ...init, headers: all }));
    const isStream = response.headers.get("content-type") === "text/event-stream";
    if (isStream) await response.body?.cancel();
    const body = isStream ? "" : await response.text();
    answers.push({ path, status: response.status, body });
    return body;
  };
  const json = (path: string, body: unknown, method = "POST") =>
    send(path, { method, body: typeof body === "string" ? body : JSON.stringify(body) });
  const upload = (name: string, bytes: Uint8Array, more: object = {}) => {
    const body = new FormData();
    body.append("attributes", JSON.stringify({ name, parent: { id: "0" }, ...more }));
    body.append("file", new Blob([Uint8Array.from(bytes)]), `${canary}-name`);
    return send("/2.0/files/content", { method: "POST", body });
  };
  const template = templateOf(
    `{{${canary}_tag}} {{number :: format("0.00")}} {{if x}}`,
    `${canary}-bytes`,
  );
  const wrong = JSON.parse(await upload(`${canary}-name.docx`, template)).entries[0].id;
  const good = JSON.parse(await upload(`${canary}-good.docx`, HELLO)).entries[0].id;
  const folder = JSON.parse(
    await json("/2.0/folders", { name: `${canary}-folder`, parent: { id: "0" } }),
  ).id;
  await upload(`${canary}-name.docx`, Buffer.from(`${canary}-bytes`));
  await upload(`${canary}/name.docx`, Buffer.from(`${canary}-bytes`));
  await upload("x.docx", Buffer.from(`${canary}-bytes`), { parent: { id: `${canary}-id` } });
  for (const file of [wrong, good]) {
    await json("/2.0/docgen_templates", { file: { id: file }, extra: data });
    for (const path of ["/2.0/docgen_batches", "/2.0/docgen_batches/check"]) {
      const batch = batchBody(file, folder, [
        { generated_file_name: `${canary}-document`, user_input: data },
        {
          generated_file_name: `${canary}-document`,
          user_input: { number: `${canary}-data`, x: data },
        },
      ]);
      const made = JSON.parse(await json(path, batch));
      if (made.type === "docgen_batch") await service.finished(made.id);
      await json(path, { ...batch, document_generation_data: [data, `${canary}-data`, [data]] });
      await json(path, { ...batch, document_generation_data: data });
      await json(path, {
        ...batch,
        output_type: `${canary}-value`,
        pdf: { pdf_a: `${canary}-data`, metadata: data.nested },
      });
    }
  }
  await send(`/2.0/docgen_templates/${wrong}/tags`);
  await send(`/2.0/docgen_templates/${wrong}/schema`);
  for (const { method, path, body } of OPERATIONS) {
    const url = `/2.0${path.replace(/\{\w+\}/, `${canary}-id`)}`;
    const query = `?limit=${canary}&marker=${canary}&version=${canary}&x=${canary}`;
    if (body === null) await send(url + query, { method });
    else
      await json(
        url + query,
        { [`${canary}-data`]: data, name: data, address: `${canary}-data` },
        method,
      );
  }
  await json("/2.0/folders", `{"name":"${canary}-data`);
  await json("/2.0/folders", `${"[".repeat(100)}"${canary}-data`);
  await send("/2.0/folders", {
    method: "POST",
    body: `${canary}-data`,
    headers: { "content-type": `text/${canary}` },
  });
  await send(`/2.0/${canary}`);
  await send("/2.0/folders/0", { headers: { authorization: `Bearer ${canary}-token` } });
  await send("/2.0/folders/0", { headers: { authorization: `${canary}-token` } });
  await send("/2.0/docgen_jobs", { headers: { "service-version": `${canary}-header` } });
  await json("/2.0/docgen_batches", "{}", "PATCH");
  return answers;
}
