import { QuireError, type TokenStore } from "@quire/core/host";
import {
  type Authenticate,
  firstOf,
  introspection,
  jwt,
  staticTokens,
  storedTokens,
} from "@quire/service";
import type { Settings } from "./settings.ts";

/** Authenticates tokens with all methods in the settings, and describes these methods. */
export interface Authentication {
  readonly authenticate: Authenticate;
  /** Descriptions of the methods, without tokens from `quire token create`, which are always accepted. */
  readonly described: readonly string[];
}

/** The user and enterprise of requests that use the `--token` value. */
export const LOCAL = { user: "local", enterprise: "local" } as const;

/** Combines the methods in the settings. Throws `invalid_request` for an invalid `--token` and for missing settings. */
export function authenticationOf(settings: Settings, store: TokenStore): Authentication {
  const ways: Authenticate[] = [];
  const described: string[] = [];
  if (settings.token !== undefined) {
    ways.push(oneToken(settings.token));
    described.push("the --token value");
  }
  ways.push(storedTokens(store));
  const { jwtIssuer, jwtAudience, jwtJwks } = settings;
  if (jwtIssuer ?? jwtAudience ?? jwtJwks) {
    if (!jwtIssuer || !jwtAudience || !jwtJwks) {
      throw incomplete("--jwt-issuer, --jwt-audience and --jwt-jwks");
    }
    const claims = claimsOf(settings);
    ways.push(jwt({ issuer: jwtIssuer, audience: jwtAudience, jwksUrl: jwtJwks, claims }));
    described.push(`JWTs from ${jwtIssuer}`);
  }
  const { introspectionUrl: url, introspectionClient, introspectionSecret } = settings;
  if (url ?? introspectionClient ?? introspectionSecret) {
    if (!url || !introspectionClient || !introspectionSecret) {
      throw incomplete(
        "--introspection-url, --introspection-client and QUIRE_INTROSPECTION_SECRET",
      );
    }
    ways.push(
      introspection({ url, clientId: introspectionClient, clientSecret: introspectionSecret }),
    );
    described.push(`introspection at ${new URL(url).host}`);
  }
  return { authenticate: firstOf(...ways), described };
}

function oneToken(token: string): Authenticate {
  try {
    return staticTokens([{ token, ...LOCAL }]);
  } catch (cause) {
    throw new QuireError(
      "invalid_request",
      "The token in --token (or QUIRE_TOKEN) is not valid. It must have at least 8 characters: letters, digits and -._~+/, with = only at the end. `openssl rand -hex 32` generates a good token.",
      { cause },
    );
  }
}

function claimsOf({ jwtUserClaim, jwtEnterpriseClaim, jwtScopesClaim }: Settings) {
  return {
    ...(jwtUserClaim === undefined ? {} : { user: jwtUserClaim }),
    ...(jwtEnterpriseClaim === undefined ? {} : { enterprise: jwtEnterpriseClaim }),
    ...(jwtScopesClaim === undefined ? {} : { scopes: jwtScopesClaim }),
  };
}

function incomplete(names: string): QuireError {
  return new QuireError("invalid_request", `Set all of ${names}, or none of them.`);
}
