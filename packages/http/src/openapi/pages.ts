import type { Operation } from "../operations/operation.ts";
import { DEFAULT_LIMITS, type Limits, type OAuthAddresses } from "../options.ts";
import { openApiDocument } from "./document.ts";
import { errorsPage } from "./errors-page.ts";
import { readingPage } from "./reading-page.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** Stands for where the service is while a page is made: pages are made once, whatever clients call the service. */
const PLACE = "https://quire.invalid/place";
/** Nothing but the stylesheet is loaded, from the service itself, and no other page shows these. */
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What there is to read, by path below the prefix; each is given where clients reach the service, prefix and all. Nobody
 * needs a token for it. Pages refer to each other relatively, so they work wherever they stand.
 */
export function docsPages(
  operations: readonly Operation[],
  limits: Limits = DEFAULT_LIMITS,
  oauth?: OAuthAddresses,
): ReadonlyMap<string, (url: string) => Response> {
  const document = once(() => openApiDocument(operations, PLACE, limits, oauth));
  const json = once(() => JSON.stringify(document()));
  const docs = once(() => readingPage(document()));
  const errors = once(() => errorsPage(PLACE));
  return new Map([
    ["/openapi.json", (url: string) => respond("application/json", at(json(), jsonText(url)))],
    ["/docs", (url: string) => respond("text/html; charset=utf-8", at(docs(), htmlText(url)))],
    [
      "/docs/errors",
      (url: string) => respond("text/html; charset=utf-8", at(errors(), htmlText(url))),
    ],
    ["/docs/style.css", () => respond("text/css; charset=utf-8", STYLESHEET)],
  ]);
}

function respond(type: string, body: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=300",
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

function at(text: string, url: string): string {
  return text.replaceAll(PLACE, () => url);
}

/** As it stands within a string of JSON. */
function jsonText(url: string): string {
  return JSON.stringify(url).slice(1, -1);
}

/** As it stands in HTML, also within a JSON example there. */
function htmlText(url: string): string {
  return jsonText(url)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Makes it when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
