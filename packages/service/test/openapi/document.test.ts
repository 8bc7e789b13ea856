import { type Json, SCOPES } from "@quire/http/parts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lint } from "../../../http/test/support/lint.ts";
import { openValidator, type Validator } from "../../../http/test/support/validator.ts";
import { DEFAULT_LIMITS } from "../../src/limits/limits.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { OPERATIONS } from "../../src/operations/all.ts";

const URL = "https://quire.example.org";
const document = openApiDocument(OPERATIONS, URL, DEFAULT_LIMITS);
const components = document.components as Record<string, Record<string, Json>>;
const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

/** The operations that the hosted service also has. Its clients know them by these ids. */
const HOSTED = [
  "post_docgen_batches_v2025.0",
  "get_docgen_jobs_v2025.0",
  "get_docgen_jobs_id_v2025.0",
  "get_docgen_batch_jobs_id_v2025.0",
  "get_docgen_template_jobs_id_v2025.0",
  "get_docgen_templates_v2025.0",
  "post_docgen_templates_v2025.0",
  "get_docgen_templates_id_v2025.0",
  "delete_docgen_templates_id_v2025.0",
  "get_docgen_templates_id_tags_v2025.0",
];

describe("the document", () => {
  test("passes all strict rules of a linter", () => {
    expect(lint(document)).toEqual([]);
  });

  test("would not pass with a mistake in it", () => {
    const broken = structuredClone(document);
    delete (broken.components as Json).securitySchemes;
    expect(lint(broken).join("\n")).toContain("security-defined");
  });

  test("declares OAuth 2.0 with the operator's addresses and the nine scopes, and the needs of each operation", () => {
    const oauth = {
      authorizeUrl: "https://id.example.com/authorize?policy=a",
      tokenUrl: "https://id.example.com/token",
    };
    const told = openApiDocument(OPERATIONS, URL, DEFAULT_LIMITS, oauth);
    const { securitySchemes } = told.components as { securitySchemes: { oauth2: Json } };
    expect(securitySchemes.oauth2).toMatchObject({
      type: "oauth2",
      flows: {
        authorizationCode: { authorizationUrl: oauth.authorizeUrl, tokenUrl: oauth.tokenUrl },
      },
    });
    const flows = securitySchemes.oauth2.flows as { authorizationCode: Json };
    const scopes = Object.keys(flows.authorizationCode.scopes as Json);
    expect(scopes).toEqual(SCOPES);
    for (const { operation } of operations) {
      const needed = operation.security as { oauth2: string[] }[];
      expect(needed.length).toBeGreaterThan(0);
      for (const { oauth2 } of needed) {
        expect(oauth2).toHaveLength(1);
        expect(scopes).toContain(oauth2[0]);
      }
    }
    expect(JSON.stringify(document)).toContain(
      "has not set the addresses at which clients get tokens",
    );
  });

  test("is the same each time", () => {
    const again = openApiDocument(OPERATIONS, URL, DEFAULT_LIMITS);
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });

  test("contains the address of the service and its limits", () => {
    const other = openApiDocument(OPERATIONS, "https://other.example/v1", {
      ...DEFAULT_LIMITS,
      entries: 7,
    });
    const text = JSON.stringify(other);
    expect(other.servers).toMatchObject([{ url: "https://other.example/v1/2.0" }]);
    expect(text).not.toContain(URL);
    expect(text).toContain('"maxItems":7');
  });

  test("has every operation once, with a unique id", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(HOSTED));
  });

  test("has a summary, a description and a documented tag for every operation", () => {
    const tags = (document.tags as { name: string; description: string }[]).map(({ name }) => name);
    for (const { operation } of operations) {
      expect(operation).toMatchObject({
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
        description: expect.stringMatching(/\.$/),
      });
      expect(tags).toEqual(expect.arrayContaining(operation.tags as string[]));
    }
  });

  test("has no dangling reference and no unused part", () => {
    const referred = new Set(found(document, "$ref").map(String));
    const told = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    const used = told.filter((part) => !part.includes("securitySchemes"));
    expect([...referred].sort()).toEqual(used.sort());
  });

  test("describes every field of every schema", () => {
    const silent = Object.entries(components.schemas ?? {}).flatMap(([name, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, Json>)
        .filter(([, field]) => field.description === undefined && field.$ref === undefined)
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
  });
});

describe("for every response the document", () => {
  test("describes the header x-request-id", () => {
    for (const response of responses()) {
      expect(response.headers).toHaveProperty("x-request-id");
    }
  });

  test("describes the body, with an example, or has no body", () => {
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses as Json)) {
        const { content } = resolved(response as Json);
        if (status === "204") expect(content).toBeUndefined();
        else expect(examplesOf(content).length).toBeGreaterThan(0);
      }
    }
  });

  test("describes retry-after, www-authenticate and allow", () => {
    const { responses: told = {} } = components;
    expect(told.TooManyRequests?.headers).toHaveProperty("retry-after");
    expect(told.ServiceUnavailable?.headers).toHaveProperty("retry-after");
    expect(told.Unauthorized?.headers).toHaveProperty("www-authenticate");
    expect(told.OtherError?.headers).toHaveProperty("allow");
  });
});

describe("with a validator of JSON Schema 2020-12", () => {
  let validator: Validator;
  beforeAll(async () => {
    // This compiles every schema in strict mode, after checking it against the meta-schema.
    validator = await openValidator(document);
  });
  afterAll(() => validator.close());

  test("every example matches its schema", async () => {
    const examples = [
      ...operations.flatMap(({ operation }) =>
        examplesOf((operation.requestBody as Json)?.content),
      ),
      ...responses().flatMap(({ content }) => examplesOf(content)),
      ...schemasWithExamples(document),
    ];
    expect(examples.length).toBeGreaterThan(100);
    for (const { schema, value } of examples) {
      expect(await validator.value(schema, value), JSON.stringify(value)).toEqual([]);
    }
  });

  test("responses are closed and requests are open", async () => {
    const reference = { type: "file", id: "1", more: true };
    const answer = await validator.value({ $ref: "#/components/schemas/FileReference" }, reference);
    const request = { $ref: "#/components/schemas/FileReferenceInput" };
    expect(answer.join()).toContain("must NOT have additional properties");
    expect(await validator.value(request, reference)).toEqual([]);
  });

  test("a response is found by the path of its request", async () => {
    const body = JSON.stringify({ id: "1", type: "docgen_batch" });
    const batches = "https://x.example/v1/2.0/docgen_batches?a=b";
    expect(await validator.response("POST", batches, 202, "application/json", body)).toEqual([]);
    const job = "/2.0/docgen_jobs/1";
    expect(await validator.response("GET", job, 200, "application/json", body)).not.toEqual([]);
    expect(await validator.response("GET", job, 201, "application/json", body)).toEqual([
      "GET /docgen_jobs/1 201 is not in the document.",
    ]);
    expect(await validator.response("GET", job, 200, "text/html", body)).toEqual([
      'GET /docgen_jobs/1 200 is of the type "text/html", which is not documented.',
    ]);
    const check = "/2.0/docgen_batches/check";
    const told = await validator.response("POST", check, 200, "application/json", "{}");
    expect(told.join()).toContain("template_errors");
    expect(await validator.response("DELETE", "/2.0/files/1", 204, null, "")).toEqual([]);
    expect(await validator.response("DELETE", "/2.0/files/1", 204, null, "x")).not.toEqual([]);
  });

  test("an error body has the status of its response, also outside of operations", async () => {
    const [error] = examplesOf(resolved({ $ref: "#/components/responses/NotFound" }).content);
    const value = error?.value;
    const answer = (status: number) =>
      validator.response("GET", "/2.0/nothing", status, "application/json", JSON.stringify(value));
    expect(await answer(404)).toEqual([]);
    expect(await answer(405)).toEqual(["GET /nothing 405: the body has another status."]);
  });
});

interface Example {
  readonly schema: Json;
  readonly value: unknown;
}

function responses(): Json[] {
  return operations.flatMap(({ operation }) =>
    Object.values(operation.responses as Record<string, Json>).map(resolved),
  );
}

/** Returns the examples of a body, for all its media types. */
function examplesOf(content: unknown): Example[] {
  return Object.values((content ?? {}) as Record<string, Json>).flatMap(
    ({ schema, example, examples = {} }) => {
      const values = Object.values(examples as Record<string, Json>).map(({ value }) => value);
      const all = example === undefined ? values : [example, ...values];
      return all.map((value) => ({ schema: schema as Json, value }));
    },
  );
}

/** Returns the examples within schemas and parameters, at any depth. */
function schemasWithExamples(part: unknown): Example[] {
  if (typeof part !== "object" || part === null) return [];
  const { examples, example, schema, ...rest } = part as Json;
  const own = Array.isArray(examples)
    ? examples.map((value) => ({ schema: part as Json, value }))
    : [];
  const ofParameter =
    "in" in part && example !== undefined ? [{ schema: schema as Json, value: example }] : [];
  const inner = [...Object.values(rest), schema].flatMap(schemasWithExamples);
  return [...own, ...ofParameter, ...inner];
}

function found(part: unknown, key: string): unknown[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === key ? [value] : found(value, key),
  );
}

function resolved(part: Json): Json {
  const ref = part.$ref;
  if (typeof ref !== "string") return part;
  const [kind = "", name = ""] = ref.slice("#/components/".length).split("/");
  const target = components[kind]?.[name];
  if (target === undefined) throw new Error(`The document has no ${ref}.`);
  return target;
}
