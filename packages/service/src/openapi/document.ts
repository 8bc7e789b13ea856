import { type Json, type Operation, openApi } from "@quire/http/parts";
import type { Limits } from "../limits/limits.ts";
import { CODE_PAGES } from "./code-pages.ts";
import { errorExamples } from "./error-docs.ts";
import type { OAuthAddresses } from "./oauth.ts";
import { OAUTH, oauthScheme } from "./oauth.ts";

/** The tags of operations. A test fails if the tag of an operation is missing here. */
const TAGS: Readonly<Record<string, string>> = {
  "Doc Gen": "Batches of documents and their jobs.",
  "Doc Gen templates": "Templates and their tags.",
  Files: "Templates and documents: upload, download, rename and delete.",
  Folders: "Folders of files.",
  Webhooks: "Notifications about jobs.",
};

/**
 * Returns the OpenAPI 3.1 document of these operations. `serverUrl` is the address of the service for clients, without
 * `/2.0`. `oauth` says where clients get tokens, if known. The same arguments give the same document.
 */
export function openApiDocument(
  operations: readonly Operation[],
  serverUrl: string,
  limits: Limits,
  oauth?: OAuthAddresses,
): Json {
  const docsUrl = `${serverUrl}/docs`;
  return openApi(operations, {
    url: serverUrl,
    docsUrl,
    description: aboutIt(limits),
    tags: TAGS,
    limits: { ...limits },
    errorExamples: (status) => errorExamples(CODE_PAGES, status, `${docsUrl}/errors`),
    security: { name: OAUTH, scheme: oauthScheme(oauth, docsUrl) },
  });
}

function aboutIt({ bodyBytes, uploadBytes, entries, requestsPerMinute }: Limits): string {
  const rate = Number.isFinite(requestsPerMinute)
    ? ` Each user may send ${formatted(requestsPerMinute)} requests per minute.`
    : "";
  return [
    "Upload a template, send a batch of data, get a `.docx` or `.pdf` for each entry. The interface is compatible with the hosted Doc Gen service, version 2025.0. Additions are marked as Quire extensions.",
    "Ids are opaque strings that never change. Instants are RFC 3339 with an offset. Listings are paged: send `next_marker` of a page as `marker` to get the next page.",
    `A JSON body may have up to ${formatted(bodyBytes)} bytes, an uploaded file up to ${formatted(uploadBytes)} bytes, and a batch up to ${formatted(entries)} entries.${rate}`,
    "All errors have the same form, and `help_url` leads to the documentation of the error code. Clients must accept unknown fields in responses.",
  ].join("\n\n");
}

function formatted(limit: number): string {
  return limit.toLocaleString("en-US");
}
