/** A complete service in memory, and helpers for tests to call it. */

import { readFileSync } from "node:fs";
import {
  memoryFileCatalog,
  memoryJobStore,
  memoryStorage,
  memoryTemplateStore,
  memoryWebhookStore,
  renderInProcess,
} from "@quire/core";
import { WIRE_CODES, type WireCode } from "@quire/http/parts";
import { expect, onTestFinished } from "vitest";
import { openValidator, type Validator } from "../../../http/test/support/validator.ts";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import {
  createService,
  DEFAULT_LIMITS,
  type HttpService,
  type ServiceOptions,
  type ServiceStores,
  staticTokens,
} from "../../src/index.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { OPERATIONS } from "../../src/operations/all.ts";

/** Tokens by purpose: two enterprises, the first with two users and one user who may only read. */
export const TOKENS = {
  ann: { token: "token-of-ann", user: "ann", enterprise: "acme" },
  bob: { token: "token-of-bob", user: "bob", enterprise: "acme" },
  reader: {
    token: "token-of-reader",
    user: "rea",
    enterprise: "acme",
    scopes: ["root_readonly"],
  },
  eve: { token: "token-of-eve", user: "eve", enterprise: "other" },
} as const;

export type Who = keyof typeof TOKENS;

/** The parts of a request, except its path. */
export interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The sender; null sends no token. Default: `ann`. */
  readonly who?: Who | null;
}

/** A response and its JSON. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  // Tests check the shape of the body, so it has no type here.
  // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything
  readonly body: any;
}

/** A service under test. */
export interface TestService {
  readonly service: HttpService;
  readonly storage: ReturnType<typeof memoryStorage>;
  ask(path: string, ask?: Ask): Promise<Told>;
  /** Passes a request to the handler and checks the response against the OpenAPI document. */
  handle(request: Request): Promise<Response>;
  /** Sends a request and returns the unchanged response. */
  fetch(path: string, ask?: Ask & { readonly raw?: RequestInit }): Promise<Response>;
  /** Uploads a file and returns its id. */
  upload(
    name: string,
    bytes: Uint8Array,
    options?: { parent?: string; who?: Who },
  ): Promise<string>;
  /** Creates a folder in the root and returns its id. */
  folder(name: string, who?: Who): Promise<string>;
  /** Creates a batch of the template and returns its id. */
  batch(file: string, folder: string, entries: readonly object[], more?: object): Promise<string>;
  /** Resolves with the batch when it is finished. */
  finished(batchId: string, who?: Who): Promise<Told>;
}

/** The template of the example letter. */
export const LETTER = new Uint8Array(
  readFileSync(new URL("../../../../examples/templates/letter.docx", import.meta.url)),
);
export const LETTER_DATA = JSON.parse(
  readFileSync(new URL("../../../../examples/data/letter.json", import.meta.url), "utf8"),
) as object;

export const ORIGIN = "http://service.test";

export async function testService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const storage = options.storage ?? memoryStorage();
  const service = await createService({
    storage,
    stores: memoryStores(),
    authenticate: staticTokens(Object.values(TOKENS)),
    engine: { renderer: renderInProcess() },
    // A 500 is a bug in Quire, so it is printed.
    logger: {
      info() {},
      warn() {},
      error: (facts) => process.stderr.write(`${JSON.stringify(facts)}\n`),
    },
    ...options,
  });
  onTestFinished(() => service.close());
  const handle: TestService["handle"] = async (request) => {
    const response = await service.handler(request);
    await expectDocumented(request, response);
    return response;
  };
  const fetch: TestService["fetch"] = (path, { raw, ...ask } = {}) =>
    handle(new Request(ORIGIN + path, { ...init(ask), ...raw } as RequestInit));
  const ask: TestService["ask"] = async (path, options) => told(await fetch(path, options));
  return {
    service,
    storage,
    ask,
    handle,
    fetch,
    async upload(name, bytes, { parent = "0", who = "ann" } = {}) {
      const form = new FormData();
      form.append("attributes", JSON.stringify({ name, parent: { id: parent } }));
      form.append("file", new Blob([Uint8Array.from(bytes)]), name);
      const answer = await fetch("/2.0/files/content", {
        who,
        raw: { method: "POST", body: form },
      });
      const { status, body } = await told(answer);
      if (status !== 201) throw new Error(`The upload failed with ${status}: ${body.message}`);
      return body.entries[0].id;
    },
    async folder(name, who = "ann") {
      const { status, body } = await ask("/2.0/folders", {
        who,
        body: { name, parent: { id: "0" } },
      });
      if (status !== 201) throw new Error(`The folder failed with ${status}: ${body.message}`);
      return body.id;
    },
    async batch(file, folder, entries, more = {}) {
      const { status, body } = await ask("/2.0/docgen_batches", {
        body: { ...batchBody(file, folder, entries), ...more },
      });
      if (status !== 202) throw new Error(`The batch failed with ${status}: ${body.message}`);
      return body.id;
    },
    async finished(batchId, who = "ann") {
      for (;;) {
        const answer = await ask(`/2.0/docgen_batches/${batchId}`, { who });
        if (answer.body.status !== "running") return answer;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** One validator for all test files of a worker. It ends with the worker. */
let validator: Promise<Validator> | null = null;

/** The paths of pages that are not operations, and therefore not in the document. */
const PAGES = /\/(healthz|readyz|metrics|openapi\.json|docs(\/.*)?)$/;

async function expectDocumented({ method, url }: Request, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  const { status, headers } = response;
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  if (PAGES.test(pathname)) return;
  validator ??= openValidator(openApiDocument(OPERATIONS, ORIGIN, DEFAULT_LIMITS));
  const type = headers.get("content-type");
  const body = type === "application/json" ? await response.clone().text() : "";
  expect(await (await validator).response(method, pathname, status, type, body)).toEqual([]);
}

/** Returns all stores of a service, in memory. */
export function memoryStores(): ServiceStores {
  return {
    jobs: memoryJobStore(),
    files: memoryFileCatalog(),
    templates: memoryTemplateStore(),
    webhooks: memoryWebhookStore(),
    close: async () => {},
  };
}

/** Returns the body of a batch. */
export function batchBody(file: string, folder: string, entries: readonly object[]) {
  return {
    file: { type: "file", id: file },
    input_source: "api",
    destination_folder: { type: "folder", id: folder },
    output_type: "docx",
    document_generation_data: entries,
  };
}

export async function told(response: Response): Promise<Told> {
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type") === "application/json";
  const { status, headers } = response;
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

function init({ method, body, headers = {}, who = "ann" }: Ask): RequestInit {
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      "service-version": "2025.0",
      ...(who === null ? {} : { authorization: `Bearer ${TOKENS[who].token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

const ERROR_KEYS = [
  "type",
  "status",
  "code",
  "message",
  "context_info",
  "help_url",
  "request_id",
].sort();

/** Checks that a response is an error object with this status and this code. */
export function expectError({ status, headers, body }: Told, wanted: number, code: WireCode): void {
  expect([status, body.code, body.message]).toEqual([wanted, code, expect.any(String)]);
  expect(Object.keys(body).sort()).toEqual(ERROR_KEYS);
  expect(body).toMatchObject({ type: "error", status, request_id: headers.get("x-request-id") });
  expect(WIRE_CODES).toContain(body.code);
  expect(body.message).toMatch(/\.$|\. \(at \/.*\)$/);
  expect(body.help_url).toMatch(new RegExp(`/docs/errors#${code}$`));
  expect(typeof body.context_info === "object").toBe(true);
  expect(headers.get("content-type")).toBe("application/json");
  if (status === 401) expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
  if (status === 405) expect(headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (status === 429 || status === 503) expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  if (status === 413) {
    const reason = "request_entity_too_large";
    expect(body.context_info).toEqual({ reason, limit_bytes: expect.any(Number) });
    expect(headers.get("connection")).toBe("close");
  }
}

/** Returns a small template with these paragraphs. */
export function templateOf(...paragraphs: readonly string[]): Uint8Array {
  return docx({ body: paragraphs.map((text) => p(text)).join("") });
}

/** Returns an entry for each document name, with data for the template {@link HELLO}. */
export function entries(...names: readonly string[]): object[] {
  return names.map((name) => ({ generated_file_name: name, user_input: { name } }));
}

/** A template that greets `name`. */
export const HELLO = templateOf("Hello {{name}}");

/** The options of a service with webhooks. */
export const WEBHOOKS = { keys: { primary: "0123456789abcdef0123456789abcdef" } };
