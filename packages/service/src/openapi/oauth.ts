import { type Json, SCOPE_MEANINGS } from "@quire/http/parts";
import type { OAuthAddresses } from "../options.ts";

/** The name of the scheme in the document. */
export const OAUTH = "oauth2";

const DESCRIPTION =
  "An access token. Reading needs the scope `root_readonly` or `root_readwrite`, writing needs `root_readwrite`, and webhooks need `manage_webhook`.";
const NO_ADDRESSES =
  "The operator of this service has not set the addresses at which clients get tokens (`--oauth-authorize-url`, `--oauth-token-url`). The address of this page is used instead.";

/**
 * OAuth 2.0 with the authorization code flow, at the operator's addresses. OpenAPI requires addresses. If they are not
 * set, the address of the documentation is used.
 */
export function oauthScheme(addresses: OAuthAddresses | undefined, docsUrl: string): Json {
  const { authorizeUrl, tokenUrl } = addresses ?? { authorizeUrl: docsUrl, tokenUrl: docsUrl };
  return {
    type: "oauth2",
    description: addresses === undefined ? `${DESCRIPTION} ${NO_ADDRESSES}` : DESCRIPTION,
    flows: {
      authorizationCode: {
        authorizationUrl: authorizeUrl,
        tokenUrl,
        scopes: SCOPE_MEANINGS,
      },
    },
  };
}
