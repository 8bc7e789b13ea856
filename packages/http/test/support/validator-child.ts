/** The child process of `validator.ts`: validates against an OpenAPI document with ajv. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Json } from "../../src/openapi/json.ts";
import type { Question, Reply } from "./validator.ts";

interface Target {
  readonly method: string;
  readonly pattern: RegExp;
  /** The number of parameters in the path. Paths with fewer parameters take precedence. */
  readonly parameters: number;
  readonly responses: Record<string, Json>;
}

const METHODS = ["get", "put", "post", "delete", "options"];
const ERROR = { $ref: "#/components/schemas/Error" };

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  // Keywords that OpenAPI adds to JSON Schema.
  keywords: ["discriminator"],
});
formats.default(ajv);
const compiled = new Map<string, ValidateFunction>();
let document: Json = {};
let targets: Target[] = [];

process.on("message", (question: Question) => {
  let problems: string[];
  try {
    problems = answer(question);
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)];
  }
  process.send?.({ id: question.id, problems } satisfies Reply);
});

function answer(question: Question): string[] {
  switch (question.kind) {
    case "document":
      return load(question.document);
    case "value":
      return problemsOf(question.schema, question.value);
    case "response":
      return problemsOfResponse(question);
  }
}

function load(loaded: Json): string[] {
  document = loaded;
  targets = Object.entries(document.paths as Record<string, Record<string, Json>>)
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) => ({
        method,
        pattern: new RegExp(`${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
        parameters: path.split("{").length,
        responses: item[method]?.responses as Record<string, Json>,
      })),
    )
    .sort((a, b) => a.parameters - b.parameters);
  const { schemas } = document.components as { schemas: Record<string, Json> };
  ajv.addSchema(located({ $id: "urn:quire:openapi", $defs: schemas }) as Json);
  return Object.keys(schemas).flatMap((name) => {
    try {
      validatorOf({ $ref: `#/components/schemas/${name}` });
      return [];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : error}`];
    }
  });
}

function problemsOfResponse(response: Question & { readonly kind: "response" }): string[] {
  const { status, contentType, body } = response;
  const method = response.method.toLowerCase();
  const isHead = method === "head";
  const path = response.path.replace(/[?#].*$/, "").replace(/^.*?\/2\.0(?=\/)/, "");
  const target = targets.find(
    (it) => it.method === (isHead ? "get" : method) && matches(it.pattern, path),
  );
  const where = `${response.method} ${path} ${status}`;
  // If no operation matches the path, the response must be an error.
  const found =
    target?.responses[status] ?? (status >= 400 ? target?.responses.default : undefined);
  if (target !== undefined && found === undefined) return [`${where} is not in the document.`];
  if (target === undefined && status < 400) return [`${where} is a response of no operation.`];
  const { content = {} } = (
    found === undefined ? { content: { "application/json": { schema: ERROR } } } : resolved(found)
  ) as { content?: Record<string, { schema: Json }> };
  const type = contentType?.replace(/;.*$/s, "").trim().toLowerCase() ?? "";
  const told = content[type];
  if (Object.keys(content).length === 0) return body === "" ? [] : [`${where} has a body.`];
  if (told === undefined) return [`${where} is of the type "${type}", which is not documented.`];
  if (isHead || type !== "application/json") return [];
  const value: unknown = JSON.parse(body);
  const problems = problemsOf(told.schema, value).map((problem) => `${where}: ${problem}`);
  if (status >= 400 && (value as Json | null)?.status !== status) {
    problems.push(`${where}: the body has another status.`);
  }
  return problems;
}

function matches(pattern: RegExp, path: string): boolean {
  return pattern.exec(path)?.index === 0;
}

function problemsOf(schema: Json, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || "the whole"} ${message} ${JSON.stringify(params)}`,
  );
}

function validatorOf(schema: Json): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(located(schema) as Json);
  compiled.set(key, validate);
  return validate;
}

/** Returns a copy whose references into the document point to the same schemas in ajv. */
function located(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/schemas/', '"urn:quire:openapi#/$defs/'),
  );
}

function resolved(part: Json): Json {
  if (typeof part.$ref !== "string") return part;
  const steps = part.$ref.slice("#/".length).split("/");
  return steps.reduce<Json>((within, step) => within[step] as Json, document);
}
