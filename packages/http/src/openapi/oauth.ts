import { SCOPE_MEANINGS } from "../auth/principal.ts";
import type { OAuthAddresses } from "../options.ts";
import type { Json } from "./json.ts";

/** The name of the scheme in the document. */
export const OAUTH = "oauth2";

const USED =
  "An access token. Reading needs the scope `root_readonly` or `root_readwrite`, writing `root_readwrite`, webhooks `manage_webhook`.";
const NOT_TOLD =
  "Whoever runs this service has not told where tokens are asked for (`--oauth-authorize-url`, `--oauth-token-url`): in place of these addresses there is this page.";

/**
 * OAuth 2.0 with the authorization code flow, at the operator's addresses. OpenAPI has no such scheme without: where they
 * are not told, what there is to read about the service stands for them.
 */
export function oauthScheme(addresses: OAuthAddresses | undefined, docsUrl: string): Json {
  const { authorizeUrl, tokenUrl } = addresses ?? { authorizeUrl: docsUrl, tokenUrl: docsUrl };
  return {
    type: "oauth2",
    description: addresses === undefined ? `${USED} ${NOT_TOLD}` : USED,
    flows: {
      authorizationCode: {
        authorizationUrl: authorizeUrl,
        tokenUrl,
        scopes: SCOPE_MEANINGS,
      },
    },
  };
}
