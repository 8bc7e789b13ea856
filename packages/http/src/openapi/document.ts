import type { Operation } from "../operations/operation.ts";
import type { Limits, OAuthAddresses } from "../options.ts";
import { Components } from "./components.ts";
import type { Json } from "./json.ts";
import { OAUTH, oauthScheme } from "./oauth.ts";
import { operationObject } from "./operation-object.ts";

/** The tags of operations. A test fails for an operation whose tag is not listed here. */
const TAGS: Readonly<Record<string, string>> = {
  "Doc Gen": "Batches of documents and their jobs.",
  "Doc Gen templates": "Templates and their tags.",
  Files: "Templates and documents: upload, download, rename and delete.",
  Folders: "Folders of files.",
  Webhooks: "Notifications about jobs.",
};

/**
 * The OpenAPI 3.1 document of these operations. `serverUrl` is the address of the service for clients, without `/2.0`;
 * `oauth` is where they get tokens, if known. The same arguments give the same document.
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
      summary: "Document generation from Word templates and JSON.",
      description: aboutIt(limits),
      contact: { name: "The operator of this service", url: `${serverUrl}/docs` },
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "This document as a page.", url: `${serverUrl}/docs` },
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
    "Upload a template, send a batch of data, get a `.docx` or `.pdf` for each entry. The interface is compatible with the hosted Doc Gen service, version 2025.0. Additions are marked as Quire extensions.",
    "Ids are opaque strings that never change. Instants are RFC 3339 with an offset. Listings are paged: send `next_marker` of a page as `marker` to get the next page.",
    `A JSON body may have up to ${told(bodyBytes)} bytes, an uploaded file up to ${told(uploadBytes)} bytes, and a batch up to ${told(entries)} entries.${rate}`,
    "All errors have the same form, and `help_url` leads to the documentation of the error code. Clients must accept unknown fields in responses.",
  ].join("\n\n");
}

function told(limit: number): string {
  return limit.toLocaleString("en-US");
}
