import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discoveryRequest,
  introspectionRequest,
  OperationProcessingError,
  processDiscoveryResponse,
  processIntrospectionResponse,
  ResponseBodyError,
} from "oauth4webapi";
import type { Claims } from "./claims.ts";
import {
  IssuerAnswerError,
  type IssuerFetch,
  type IssuerRequest,
  issuerUnavailable,
  requestIssuer,
} from "./issuer-request.ts";

/** The issuer's introspection endpoint, or the issuer whose metadata contain it, and the client's credentials. */
export interface IntrospectionServer {
  readonly url: string | undefined;
  readonly issuer: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientAuthentication: "basic" | "post";
  readonly timeoutMs: number;
  readonly allowInsecure: boolean;
  readonly fetch: IssuerFetch;
}

/**
 * Returns a function that asks the server about a token. It resolves with the response, even if that is
 * `active: false`. It rejects `unavailable` if the request fails or the response is unexpected. Looks up the endpoint
 * in the server's metadata once, and again after a failure.
 */
export function askAbout(server: IntrospectionServer): (token: string) => Promise<Claims> {
  let found: Promise<AuthorizationServer> | null = null;
  return async (token) => {
    found ??= findServer(server);
    try {
      return await introspect(server, await found, token);
    } catch (error) {
      found = null;
      const url = server.url ?? server.issuer ?? "";
      const whenRefused =
        "Check clientId and clientSecret, and that the client may introspect tokens";
      throw issuerUnavailable(error, { what: "about the token", url, whenRefused });
    }
  };
}

async function findServer(server: IntrospectionServer): Promise<AuthorizationServer> {
  const { url, issuer } = server;
  if (url !== undefined) return { issuer: issuer ?? url, introspection_endpoint: url };
  const settings = requestSettings(server);
  const address = new URL(issuer ?? "");
  const ask = async (algorithm: "oidc" | "oauth2"): Promise<AuthorizationServer> =>
    await withoutDetails(async () => {
      const response = await discoveryRequest(address, { ...settings, algorithm });
      return await processDiscoveryResponse(address, response);
    });
  try {
    return await ask("oidc");
  } catch (error) {
    if (error instanceof IssuerAnswerError && error.status === 404) return await ask("oauth2");
    throw error;
  }
}

async function introspect(
  server: IntrospectionServer,
  found: AuthorizationServer,
  token: string,
): Promise<Claims> {
  const client = { client_id: server.clientId };
  const authenticate =
    server.clientAuthentication === "post" ? ClientSecretPost : ClientSecretBasic;
  return await withoutDetails(async () => {
    const response = await introspectionRequest(
      found,
      client,
      authenticate(server.clientSecret),
      token,
      { ...requestSettings(server), additionalParameters: { token_type_hint: "access_token" } },
    );
    // The request did not ask for a signed response, and this code would not check the signature.
    if (response.headers.get("content-type")?.includes("jwt") === true) {
      throw new IssuerAnswerError("It responded with signed text instead of JSON.");
    }
    return await readAnswer(found, client, response);
  });
}

async function readAnswer(
  found: AuthorizationServer,
  client: Client,
  response: Response,
): Promise<Claims> {
  try {
    return await processIntrospectionResponse(found, client, response);
  } catch (error) {
    if (response.status === 200) throw error;
    // Some servers return this error from RFC 7009 for tokens that they did not issue.
    const foreign = error instanceof ResponseBodyError && error.error === "unsupported_token_type";
    if (foreign) return { active: false };
    throw new IssuerAnswerError(`It responded with status ${response.status}.`, response.status);
  }
}

function requestSettings({ timeoutMs, allowInsecure, fetch }: IntrospectionServer) {
  const signal = AbortSignal.timeout(timeoutMs);
  const ask = async (url: string, { body, ...options }: LibraryRequest): Promise<Response> => {
    const posted = body === undefined ? {} : { body };
    const statuses = options.method === "POST" ? [200, 400] : [200];
    return await requestIssuer(fetch, url, { ...options, ...posted, signal }, statuses);
  };
  return { [allowInsecureRequests]: allowInsecure, [customFetch]: ask };
}

/** The library's request without its signal, because the signal of this module also covers reading the response. */
type LibraryRequest = Omit<IssuerRequest, "body" | "signal"> & {
  readonly body: URLSearchParams | undefined;
};

/**
 * Keeps only the messages of the library's errors, because the errors contain the server's response, which may include
 * the token.
 */
async function withoutDetails<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperationProcessingError)) throw error;
    throw new IssuerAnswerError(`${error.message} (${error.code ?? "no code"}).`);
  }
}
