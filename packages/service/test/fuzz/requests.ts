/** Random requests, both valid and invalid ones. */
import type { Operation } from "@quire/http/parts";
import fc from "fast-check";
import { z } from "zod";
import { OPERATIONS } from "../../src/operations/all.ts";
import { HELLO, ORIGIN, TOKENS } from "../support/service.ts";

/** A request in which `@file` and similar placeholders stand for ids of existing items. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if there is no body. For an upload, the parts of the body. */
  readonly body: string | readonly (readonly [name: string, value: string])[] | null;
}

type Json = { readonly [key: string]: unknown };

const EXISTING = ["@file", "@folder", "@batch", "@job", "@webhook", "@version", "@output"] as const;
const BOUNDARY = "fuzz-boundary";

const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "",
    "\0",
    "\r\n",
    "../..",
    "path:",
    "path:..",
    "path:hello.docx",
    "__proto__",
    "0",
    "\ud800",
    "\u202e",
  ),
  fc.constantFrom(
    "a".repeat(5000),
    "{{name}}",
    "%00",
    "null",
    "en-US",
    "Mars/Phobos",
    "-1",
    "1e999",
  ),
);
const deep = fc
  .integer({ min: 1, max: 200 })
  .map((levels) => JSON.parse(`${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`) as unknown);
const odd: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: oddText },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, [], {}) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: deep },
);
const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...EXISTING, "0", "path:hello.docx", "path:out") },
  { weight: 1, arbitrary: oddText },
);

/** Returns values that roughly match a schema. Patterns and formats match only by chance. */
function valuesOf(schema: Json, defs: Json, key = "", within = ""): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === "string") {
    return valuesOf(defs[schema.$ref.replace(/^.*\//, "")] as Json, defs, key, within);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices))
    return fc.oneof(...choices.map((one: Json) => valuesOf(one, defs, key, within)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return objectsOf(schema, defs, key);
    case "array":
      return fc.array(valuesOf((schema.items ?? {}) as Json, defs, key, within), {
        minLength: 1,
        maxLength: 2,
      });
    case "string":
      return textsOf(key, within);
    case "integer":
    case "number":
      return fc.oneof(fc.integer(), fc.double());
    case "boolean":
      return fc.boolean();
    default:
      return odd;
  }
}

/** The placeholder for an id, by the property that contains it. */
const MEANT = new Map([
  ["file", "@file"],
  ["file_version", "@version"],
  ["destination_folder", "@folder"],
  ["parent", "@folder"],
]);

function textsOf(key: string, within: string): fc.Arbitrary<string> {
  if (key === "id") {
    const meant = fc.constant(MEANT.get(within) ?? "0");
    return fc.oneof({ weight: 12, arbitrary: meant }, { weight: 1, arbitrary: id });
  }
  if (key === "address")
    return fc.constantFrom("https://hooks.invalid/", "http://127.0.0.1/", "https://[::1]/");
  if (key === "locale") return fc.constantFrom("en-US", "de-DE", "xx");
  if (key === "time_zone") return fc.constantFrom("UTC", "Europe/Berlin", "Nowhere");
  const names = fc.integer({ min: 0, max: 1e6 }).map((number) => `name ${number}`);
  return fc.oneof({ weight: 5, arbitrary: names }, { weight: 1, arbitrary: oddText });
}

function objectsOf(schema: Json, defs: Json, key: string): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  if (properties.length === 0) {
    return fc.oneof(
      fc.constant({ name: "Ann" }),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    );
  }
  const required = (schema.required ?? []) as string[];
  const model = Object.fromEntries(
    properties.map(([name, property]) => {
      const values = valuesOf(property, defs, name, key);
      if (required.includes(name)) return [name, values];
      const absent = { weight: 8, arbitrary: fc.constant(undefined) };
      return [name, fc.oneof(absent, { weight: 1, arbitrary: values })];
    }),
  );
  return fc.record(model).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  return valuesOf(json, (json.$defs ?? {}) as Json);
}

/** A change to one value. `at` and `key` determine which value. */
interface Change {
  readonly kind: "remove" | "replace" | "add" | "wrap";
  readonly at: number;
  readonly key: number;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("remove", "replace", "add", "wrap"),
  at: fc.nat(50),
  key: fc.nat(20),
  value: odd,
});

function changed(root: unknown, { kind, at, key, value: shared }: Change): unknown {
  const value = structuredClone(shared);
  const holders: Record<string, unknown>[] = [];
  const open: unknown[] = [root];
  for (let next = open.pop(); next !== undefined && holders.length < 60; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    holders.push(next as Record<string, unknown>);
    open.push(...Object.values(next));
  }
  const holder = holders[at % Math.max(1, holders.length)];
  if (holder === undefined) return value;
  const keys = Object.keys(holder);
  const name = keys[key % Math.max(1, keys.length)] ?? "new";
  if (kind === "remove") delete holder[name];
  else if (kind === "replace") holder[name] = value;
  else if (kind === "add") holder[`added ${key}`] = value;
  else holder[name] = [{ wrapped: holder[name] }];
  return root;
}

/** Returns the values as JSON, half of them unchanged and the others with some changes. */
function withChanges(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const changes = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  );
  return fc
    .tuple(values, changes)
    .map(([value, all]) => JSON.stringify(all.reduce(changed, structuredClone(value))) ?? "null");
}

const mangled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: text },
    {
      weight: 1,
      arbitrary: fc.tuple(text, fc.nat(200)).map(([whole, end]) => whole.slice(0, end)),
    },
    { weight: 1, arbitrary: oddText },
  );

function bodyOf({ body, upload }: Operation): fc.Arbitrary<FuzzRequest["body"]> {
  if (upload !== null) {
    const attributes = fc.tuple(
      fc.constant("attributes"),
      mangled(withChanges(arbitraryOf(upload.attributes))),
    );
    const bytes = fc.constantFrom(Buffer.from(HELLO).toString("latin1"), "", "PK\x03\x04broken");
    const file = fc.tuple(fc.constantFrom("file", "file", "file", "other"), bytes);
    return fc.oneof(
      { weight: 6, arbitrary: fc.tuple(attributes, file) },
      { weight: 1, arbitrary: fc.array(fc.oneof(attributes, file), { maxLength: 4 }) },
    );
  }
  if (body === null) return fc.option(mangled(fc.constant("{}")), { nil: null, freq: 2 });
  return mangled(withChanges(arbitraryOf(body)));
}

const HEADERS = fc.record(
  {
    "service-version": fc.constantFrom("2025.0", "2025.0", "2025.0", "2025.0", "2024.0", ""),
    "box-version": fc.constantFrom("2025.0", "2026"),
    "idempotency-key": fc.oneof(fc.constantFrom("a", "b", "c", ""), fc.string({ maxLength: 300 })),
    "if-match": fc.constantFrom("*", "x", '"0-0"', "@etag"),
    "content-md5": fc.constantFrom("", "a".repeat(40), "x"),
    "content-encoding": fc.constantFrom("identity", "gzip", "deflate", "br"),
    "content-length": fc.constantFrom("0", "5", "99999999999", "x"),
    range: fc.constantFrom("bytes=0-1", "bytes=5-", "bytes=9-1", "x"),
    accept: fc.constantFrom("*/*", "text/html", "x"),
    host: fc.constantFrom("x", "evil.test:1"),
    traceparent: fc.constantFrom("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "x"),
  },
  { requiredKeys: ["service-version"] },
);
/** Request headers. Usually, only the required header is present. */
const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ "service-version": "2025.0" }) },
  { weight: 2, arbitrary: HEADERS },
);
const authorization = fc.oneof(
  { weight: 12, arbitrary: fc.constant(`Bearer ${TOKENS.ann.token}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...Object.values(TOKENS).map(({ token }) => `Bearer ${token}`)),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "Bearer", "Bearer nobody", "Basic YTpi") },
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            "limit",
            "marker",
            "offset",
            "version",
            "recursive",
            "template_version_id",
            "x",
          ),
          fc.oneof(
            fc.constantFrom("1", "2", "1000", "0", "-1", "true", "@version", "@marker"),
            oddText,
          ),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${encoded(value)}`).join("&")}`),
  },
);
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "FOO"];

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%40", "@");
}

function pathOf(operation: Operation): fc.Arbitrary<string> {
  const own = {
    file: "@file",
    template: "@file",
    batch: "@batch",
    job: "@job",
    webhook: "@webhook",
    folder: "@folder",
  };
  const name = /\{(\w+)_id\}/.exec(operation.path)?.[1];
  if (name === undefined) return fc.constant(`/2.0${operation.path}`);
  const fitting = own[name as keyof typeof own];
  return fc
    .oneof({ weight: 3, arbitrary: fc.constant(fitting) }, { weight: 1, arbitrary: id })
    .map((text) => `/2.0${operation.path.replace(/\{\w+\}/, () => encoded(text))}`);
}

const anyPath = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "2.0",
        "files",
        "folders",
        "docgen_jobs",
        "..",
        "%2e",
        "",
        "@file",
        "healthz",
        "docs",
      ),
      oddText,
    ),
    { maxLength: 5 },
  )
  .map(
    (segments) =>
      `/${segments.map((segment) => (segment.startsWith("%") ? segment : encoded(segment))).join("/")}`,
  );

function requestFor(operation: Operation): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: fc.oneof(
        { weight: 15, arbitrary: fc.constant<string>(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: fc.oneof(
        { weight: 20, arbitrary: pathOf(operation) },
        { weight: 1, arbitrary: anyPath },
      ),
      query,
      headers,
      authorization,
      type: fc.oneof(
        { weight: 15, arbitrary: fc.constant("") },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            "text/plain",
            "multipart/form-data",
            "application/json; charset=x",
          ),
        },
      ),
      body: bodyOf(operation),
    })
    .map(({ method, path, query: search, headers: more, authorization: token, type, body }) => {
      const right =
        typeof body === "string" ? "application/json" : `multipart/form-data; boundary=${BOUNDARY}`;
      return {
        method,
        path: path + search,
        headers: {
          ...more,
          authorization: token,
          ...(body === null ? {} : { "content-type": type || right }),
        },
        body,
      };
    });
}

/**
 * Any request. All operations are equally likely, except the creation of batches, which is more likely because few of
 * these requests are valid.
 */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...OPERATIONS.map((operation) => ({
    weight: operation.path === "/docgen_batches" ? 4 : 1,
    arbitrary: requestFor(operation),
  })),
);

/**
 * Returns the request with ids of existing items. Null for a request that no client can send, such as a GET with a
 * body.
 */
export function toRequest(fuzz: FuzzRequest, ids: ReadonlyMap<string, string>): Request | null {
  const real = (text: string): string =>
    text.replaceAll(/@[a-z]+/g, (name) => ids.get(name) ?? name);
  const body = fuzz.body === null ? null : Buffer.from(real(textOf(fuzz.body)), "utf8");
  try {
    return new Request(ORIGIN + real(fuzz.path), {
      method: fuzz.method,
      headers: Object.fromEntries(
        Object.entries(fuzz.headers).map(([name, value]) => [name, real(value)]),
      ),
      ...(body === null || /^(GET|HEAD)$/.test(fuzz.method) ? {} : { body }),
    });
  } catch {
    return null;
  }
}

function textOf(body: NonNullable<FuzzRequest["body"]>): string {
  if (typeof body === "string") return body;
  const parts = body.map(([name, value]) => {
    const file = name === "file" ? '; filename="x"' : "";
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}
