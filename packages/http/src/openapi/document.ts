import type { Operation } from "../operations/operation.ts";
import type { Limits, OAuthAddresses } from "../options.ts";
import { Components } from "./components.ts";
import type { Json } from "./json.ts";
import { OAUTH, oauthScheme } from "./oauth.ts";
import { operationObject } from "./operation-object.ts";

/** What operations belong to. An operation whose tag is not here is a mistake that a test finds. */
const TAGS: Readonly<Record<string, string>> = {
  "Doc Gen": "Batches of documents and their jobs.",
  "Doc Gen templates": "Which files are templates, and what is in them.",
  Files: "Templates and documents: upload, download and the rest.",
  Folders: "Where files are.",
  Webhooks: "Who is told of what happens to jobs.",
};

/**
 * The OpenAPI 3.1 document of these operations. `serverUrl` is where clients reach the service, without `/2.0`; `oauth`
 * is where they get tokens, if known. The same arguments give the same document.
 */
export function openApiDocument(
  operations: readonly Operation[],
  serverUrl: string,
  limits: Limits,
  oauth?: OAuthAddresses,
): Json {
  const components = new Components(limits);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation, components, serverUrl);
    paths[operation.path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Quire",
      version: "2025.0",
      summary: "Document generation: Word templates and JSON become documents.",
      description: aboutIt(limits),
      contact: { name: "Whoever runs this service", url: `${serverUrl}/docs` },
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "The same to read.", url: `${serverUrl}/docs` },
    servers: [{ url: `${serverUrl}/2.0`, description: "This service." }],
    security: [{ [OAUTH]: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...components.toJSON(),
      securitySchemes: { [OAUTH]: oauthScheme(oauth, `${serverUrl}/docs`) },
    },
  };
}

function aboutIt({ bodyBytes, uploadBytes, entries, requestsPerMinute }: Limits): string {
  const rate = Number.isFinite(requestsPerMinute)
    ? ` Each user may send ${told(requestsPerMinute)} requests per minute.`
    : "";
  return [
    "Upload a template, send a batch of data, get a `.docx` or `.pdf` for each entry. The interface is that of the hosted Doc Gen service, version 2025.0; what is marked as ours goes beyond it.",
    "Ids are opaque texts and stay. Instants are RFC 3339 with their offset. Listings come in pages: give `next_marker` of one as `marker` to get the next.",
    `A body of JSON may have ${told(bodyBytes)} bytes, an uploaded file ${told(uploadBytes)}, a batch ${told(entries)} entries.${rate}`,
    "Every error has the same form, and `help_url` leads to what there is to read about its code. Clients have to expect fields that they do not know in what they are sent.",
  ].join("\n\n");
}

function told(limit: number): string {
  return limit.toLocaleString("en-US");
}
