import { errorObject } from "../schemas/common.ts";
import type { Components } from "./components.ts";
import { header, requestId } from "./headers.ts";
import type { Json } from "./json.ts";

/** Statuses that every operation may return. */
const ALWAYS = [400, 401, 403, 429, 500, 503];
/** Additional statuses of operations that read a body. A body may arrive too slowly. */
const WITH_BODY = [408];

/** The error examples in an OpenAPI document. */
export interface ErrorDocs {
  /** The examples of a status, as a map of Example Objects by name. Default: no examples. */
  readonly errorExamples?: (status: number) => Json;
}

interface Meaning {
  readonly name: string;
  readonly description: string;
}

const MEANINGS: Readonly<Record<number, Meaning>> = {
  400: {
    name: "BadRequest",
    description: "The request is invalid. `context_info.errors` lists all problems.",
  },
  401: {
    name: "Unauthorized",
    description: "The access token is missing, invalid or expired.",
  },
  403: { name: "Forbidden", description: "The caller may not do this." },
  404: {
    name: "NotFound",
    description: "The item does not exist, or it belongs to another enterprise.",
  },
  408: { name: "RequestTimeout", description: "The body stopped arriving." },
  409: { name: "Conflict", description: "The request conflicts with the current state." },
  412: {
    name: "PreconditionFailed",
    description: "The `etag` of the file differs from `if-match`.",
  },
  413: { name: "PayloadTooLarge", description: "The body is too long." },
  415: {
    name: "UnsupportedMediaType",
    description: "The operation does not accept this content type.",
  },
  429: {
    name: "TooManyRequests",
    description: "Too many requests. Retry after the time in `retry-after`.",
  },
  500: { name: "InternalServerError", description: "The service failed unexpectedly." },
  503: {
    name: "ServiceUnavailable",
    description: "The service is temporarily unavailable. Retry after the time in `retry-after`.",
  },
};

/** Returns the error responses of an operation, by status. `default` covers all other statuses. */
export function errorResponses(
  components: Components,
  docs: ErrorDocs,
  { errors, hasBody }: { readonly errors: readonly number[]; readonly hasBody: boolean },
): Json {
  const statuses = [...ALWAYS, ...errors, ...(hasBody ? WITH_BODY : [])];
  const responses = statuses
    .sort((a, b) => a - b)
    .map((status) => [String(status), errorResponse(components, docs, status)]);
  return { ...Object.fromEntries(responses), default: otherResponse(components, docs) };
}

function errorResponse(components: Components, docs: ErrorDocs, status: number): Json {
  const meaning = MEANINGS[status];
  if (meaning === undefined)
    throw new Error(`The status ${status} has no meaning. Add one to MEANINGS.`);
  return components.shared("responses", meaning.name, {
    description: meaning.description,
    headers: headersOf(components, status),
    content: contentOf(components, docs, status),
  });
}

/** Returns the `default` response. No operation returns it, but the hosted service lists it and clients expect it. */
function otherResponse(components: Components, docs: ErrorDocs): Json {
  return components.shared("responses", "OtherError", {
    description: "Any other error, such as a 405 for a method that a path does not support.",
    headers: {
      ...requestId(components),
      ...header(components, "allow", {
        description: "For a 405: the methods that the path supports.",
        schema: { type: "string", examples: ["GET, HEAD"] },
      }),
    },
    content: contentOf(components, docs, 405),
  });
}

function headersOf(components: Components, status: number): Json {
  const headers = requestId(components);
  if (status === 429 || status === 503) {
    const schema = { type: "integer", format: "int32", minimum: 1, examples: [5] };
    const description = "The number of seconds after which the request may succeed.";
    return {
      ...headers,
      ...header(components, "retry-after", { description, required: true, schema }),
    };
  }
  if (status === 401) {
    const schema = { type: "string", examples: ['Bearer error="invalid_token"'] };
    const description = "The problem with the token (RFC 6750).";
    return {
      ...headers,
      ...header(components, "www-authenticate", { description, required: true, schema }),
    };
  }
  return headers;
}

function contentOf(components: Components, docs: ErrorDocs, status: number): Json {
  const examples = docs.errorExamples?.(status) ?? {};
  const shown = Object.keys(examples).length === 0 ? {} : { examples };
  return { "application/json": { schema: components.of(errorObject, "output"), ...shown } };
}
