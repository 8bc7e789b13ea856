import type { z } from "zod";
import { scopesFor } from "../auth/principal.ts";
import { EXAMPLE } from "../schemas/example-values.ts";
import type { Components } from "./components.ts";
import { type ErrorDocs, errorResponses } from "./error-responses.ts";
import { componentName, header, requestId } from "./headers.ts";
import type { Json } from "./json.ts";
import type { Operation, ResponseDoc } from "./operation.ts";

const EXAMPLE_IDS: Readonly<Record<string, string>> = {
  batch_id: EXAMPLE.batch,
  job_id: EXAMPLE.job,
  template_id: EXAMPLE.template,
  file_id: EXAMPLE.template,
  folder_id: EXAMPLE.folder,
  webhook_id: EXAMPLE.webhook,
};

/** The parts of a document that its operations refer to. */
export interface OperationDocs extends ErrorDocs {
  /** The name of the security scheme. */
  readonly security: string;
}

/** Returns the Operation Object of an operation. */
export function operationObject(
  operation: Operation,
  components: Components,
  docs: OperationDocs,
): Json {
  const { id, tag, summary, description, needs, errors } = operation;
  const body = bodyOf(operation, components);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description ?? `${summary}.`,
    // Any one of these scopes is sufficient.
    security: scopesFor(needs).map((scope) => ({ [docs.security]: [scope] })),
    parameters: parametersOf(operation, components),
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      ...successesOf(operation, components),
      ...errorResponses(components, docs, { errors, hasBody: body !== null }),
    },
  };
}

function parametersOf(operation: Operation, components: Components): Json[] {
  const { versioned, params, query, headers } = operation;
  const parameters: Json[] = [];
  for (const [name, description] of Object.entries(params)) {
    const schema = { type: "string", minLength: 1, maxLength: 1024 };
    const example = EXAMPLE_IDS[name];
    parameters.push({ name, in: "path", required: true, description, schema, example });
  }
  if (versioned) parameters.push(VERSION);
  for (const [name, schema] of Object.entries(query?.shape ?? {})) {
    const { description, examples, ...json } = components.of(schema as z.ZodType, "input");
    const example = Array.isArray(examples) ? examples[0] : undefined;
    const shown = example === undefined ? {} : { example };
    parameters.push({ name, in: "query", required: false, description, schema: json, ...shown });
  }
  for (const [name, { description, pattern, example }] of Object.entries(headers)) {
    const schema = { type: "string", ...(pattern === undefined ? {} : { pattern }) };
    parameters.push({ name, in: "header", required: false, description, schema, example });
  }
  return parameters.map((part) =>
    components.shared("parameters", componentName(String(part.name)), part),
  );
}

/**
 * OpenAPI cannot express "one of two headers". The document requires `service-version`, so that every client sends one
 * of them.
 */
const VERSION: Json = {
  name: "service-version",
  in: "header",
  required: true,
  description:
    "The version of the API. The service also accepts the header `box-version`, which clients of the hosted service send.",
  schema: { type: "string", enum: ["2025.0"] },
  example: "2025.0",
};

function bodyOf(operation: Operation, components: Components): Json | null {
  const { body, upload } = operation;
  if (upload !== null) return upload.describe(components);
  if (body === null) return null;
  const schema = components.of(body, "input");
  const example = components.exampleOf(schema, "input");
  return {
    required: true,
    description: "JSON in UTF-8.",
    content: { "application/json": { schema, example } },
  };
}

/** The JSON Schema of bytes, with the `format` that client generators still expect. */
export const BYTES: Json = {
  type: "string",
  format: "binary",
  contentMediaType: "application/octet-stream",
};

function successesOf(operation: Operation, components: Components): Json {
  const successes = Object.entries(operation.responses).map(([status, doc]) => [
    status,
    successOf(doc, components),
  ]);
  return Object.fromEntries(successes) as Json;
}

function successOf(doc: ResponseDoc, components: Components): Json {
  const headers = requestId(components);
  for (const [name, { description, example }] of Object.entries(doc.headers ?? {})) {
    const schema = { type: "string", examples: [example] };
    Object.assign(headers, header(components, name, { description, required: true, schema }));
  }
  const content = contentOf(doc, components);
  return { description: doc.description, headers, ...(content === null ? {} : { content }) };
}

function contentOf(
  { schema, mediaTypes, example }: ResponseDoc,
  components: Components,
): Json | null {
  if (schema !== undefined) {
    const json = components.of(schema, "output");
    const made = components.exampleOf(json, "output");
    return { "application/json": { schema: json, example: made } };
  }
  if (mediaTypes === undefined) return null;
  return Object.fromEntries(
    mediaTypes.map((type) => [
      type,
      type.startsWith("text/")
        ? { schema: { type: "string" }, example }
        : { schema: { ...BYTES, contentMediaType: type }, example: "…" },
    ]),
  );
}
