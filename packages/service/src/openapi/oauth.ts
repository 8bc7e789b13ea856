import type { Json, Scope } from "@quire/http/parts";

/** The complete OAuth 2.0 URLs at which clients get tokens. They are only documented; the service never calls them. */
export interface OAuthAddresses {
  /** The authorization endpoint (RFC 6749), which users open in a browser. */
  readonly authorizeUrl: string;
  /** The token endpoint, which also refreshes tokens. */
  readonly tokenUrl: string;
}

/** The name of the security scheme in the document. */
export const OAUTH = "oauth2";

/** The meaning of each scope in the hosted service. */
const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  root_readonly: "Read all files and folders",
  root_readwrite: "Read and write all files and folders",
  manage_app_users: "Provision and manage app users",
  manage_managed_users: "Provision and manage managed users",
  manage_groups: "Manage an enterprise's groups",
  manage_webhook: "Create webhooks through the API",
  manage_enterprise_properties: "Manage enterprise properties",
  manage_data_retention: "Manage data retention policies",
  manage_legal_hold: "Manage legal holds",
};

const DESCRIPTION =
  "An access token. Reading needs the scope `root_readonly` or `root_readwrite`, writing needs `root_readwrite`, and webhooks need `manage_webhook`.";
const NO_ADDRESSES =
  "The operator of this service has not set the addresses at which clients get tokens (`--oauth-authorize-url`, `--oauth-token-url`). The address of this page is used instead.";

/**
 * Returns the OAuth 2.0 scheme with the authorization code flow, at the operator's URLs. OpenAPI requires URLs. If they
 * are not set, uses the address of the documentation.
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
