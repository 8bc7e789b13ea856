import { Problem } from "../wire/problem.ts";

/** The maximum length of an Authorization header, in characters. Longer headers are ignored. */
export const MAX_AUTHORIZATION_LENGTH = 8192;

const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Returns the token in the Authorization header, as defined in RFC 6750: `Bearer` in any case, spaces, one b64token.
 * Returns null for any other content: another scheme, several headers (a Headers object joins them with a comma),
 * quotes, tabs, or more than {@link MAX_AUTHORIZATION_LENGTH} characters. Ignores tokens in the query or the body.
 */
export function bearerToken(headers: Headers): string | null {
  const value = headers.get("authorization");
  if (value === null || value.length > MAX_AUTHORIZATION_LENGTH) return null;
  return CREDENTIALS.exec(value)?.[1] ?? null;
}

/** Whether a string can be sent as a bearer token. */
export function isBearerToken(text: string): boolean {
  return text.length + "Bearer ".length <= MAX_AUTHORIZATION_LENGTH && B64TOKEN.test(text);
}

/** Returns the 401 for a request without a valid bearer token. Its challenge is as defined in RFC 6750. */
export function unauthorized(headers: Headers): Problem {
  const challenge = headers.has("authorization") ? 'Bearer error="invalid_token"' : "Bearer";
  return new Problem(
    401,
    "unauthorized",
    "The request needs a valid access token in the header `Authorization: Bearer`. Send a token that has not expired.",
    { headers: { "www-authenticate": challenge } },
  );
}
