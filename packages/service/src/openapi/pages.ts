import type { Operation } from "@quire/http/parts";
import { DEFAULT_LIMITS, type Limits } from "../limits/limits.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./document.ts";
import { errorsPage } from "./errors-page.ts";
import type { OAuthAddresses } from "./oauth.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** A placeholder for the address of the service. Pages are built only once, but clients may use different addresses. */
const PLACEHOLDER = "https://quire.invalid/place";
/** Pages load nothing except the stylesheet of the service, and no other page can embed them. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns the documentation pages, by path below the prefix. Each page takes the address of the service for clients,
 * including the prefix. No token is needed. Pages refer to each other by relative links, so they work at any address.
 */
export function docsPages(
  operations: readonly Operation[],
  limits: Limits = DEFAULT_LIMITS,
  oauth?: OAuthAddresses,
): ReadonlyMap<string, (url: string) => Response> {
  const document = once(() => openApiDocument(operations, PLACEHOLDER, limits, oauth));
  const json = once(() => JSON.stringify(document()));
  const docs = once(() => docsPage(document()));
  const errors = once(() => errorsPage(PLACEHOLDER));
  return new Map([
    [
      "/openapi.json",
      (url: string) => respond("application/json", withAddress(json(), jsonText(url))),
    ],
    [
      "/docs",
      (url: string) => respond("text/html; charset=utf-8", withAddress(docs(), htmlText(url))),
    ],
    [
      "/docs/errors",
      (url: string) => respond("text/html; charset=utf-8", withAddress(errors(), htmlText(url))),
    ],
    ["/docs/style.css", () => respond("text/css; charset=utf-8", STYLESHEET)],
  ]);
}

function respond(type: string, body: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=300",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

function withAddress(text: string, url: string): string {
  return text.replaceAll(PLACEHOLDER, () => url);
}

/** Escapes the address for a JSON string. */
function jsonText(url: string): string {
  return JSON.stringify(url).slice(1, -1);
}

/** Escapes the address for HTML, including JSON examples within HTML. */
function htmlText(url: string): string {
  return jsonText(url)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Calls `make` on first use and caches the result. */
function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}
