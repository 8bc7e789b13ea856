import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { Components } from "./components.ts";
import type { Json } from "./json.ts";

/** A request that has reached its operation. `Service`: the dependencies of the operation. */
export interface Call<Service, Query = unknown, Body = unknown> {
  /** The same object for all requests. */
  readonly service: Service;
  /** The HTTP request. The body has already been read, unless the operation has no `body` schema. */
  readonly request: Request;
  /** The address of the service for clients, including the version of the API. For addresses in responses. */
  readonly baseUrl: string;
  /** The sender. One of its scopes grants what the operation `needs`. */
  readonly who: Principal;
  /** The parameters of the path, decoded, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Matches the operation's `query` schema. Undefined for an operation without one. */
  readonly query: Query;
  /**
   * Parsed JSON. Matches the operation's `body` schema, unless `checksBody` is set. Undefined for an operation without
   * one.
   */
  readonly body: Body;
  /** The `traceparent` of this request, if tracing is on. */
  readonly trace: string | undefined;
  /**
   * Counts bytes that are in memory in addition to the body, until the request has finished. Throws a 429 or 503 if
   * there are too many.
   */
  hold(bytes: number): void;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** The result of an operation: JSON, or a complete response. */
export type Answer =
  | Response
  | {
      /** The HTTP status. */
      readonly status: number;
      /** Sent as JSON. If undefined, the response has no body. */
      readonly body?: unknown;
      /** Additional headers of a JSON response. They override its usual headers. Default: none. */
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A response as the OpenAPI document describes it. */
export interface ResponseDoc {
  /** A sentence. Backticks enclose code. */
  readonly description: string;
  /** The schema of a JSON body. Absent for other content, and for a response without a body. */
  readonly schema?: z.ZodType;
  /** For content other than JSON: the possible media types. */
  readonly mediaTypes?: readonly string[];
  /** For content without a schema. */
  readonly example?: string;
  /** By name in lower case, in addition to the headers that every response has. */
  readonly headers?: Readonly<Record<string, HeaderDoc>>;
}

/** A header as the OpenAPI document describes it. */
export interface HeaderDoc {
  /** One or more sentences. Backticks enclose code. */
  readonly description: string;
  /** A regular expression that matches the whole value. */
  readonly pattern?: string;
  /** A valid value. */
  readonly example: string;
}

/** A body that contains a file. */
export interface UploadDoc {
  /** The schema of the JSON that comes before the file. */
  readonly attributes: z.ZodType;
  /** The Request Body Object of the body for the OpenAPI document. */
  describe(components: Components): Json;
}

/** One operation on a `Service`, both for the router and for the OpenAPI document. */
export interface Operation<Service = never> {
  /** The `operationId` of the OpenAPI document. Unique. */
  readonly id: string;
  /** `GET` operations also respond to HEAD, without the body. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /** Below the base path, with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** The group of the operation in the OpenAPI document. */
  readonly tag: string;
  /** A few words without a full stop: `Upload a file`. */
  readonly summary: string;
  /** One or more sentences. Backticks enclose code. Default: the summary. */
  readonly description?: string | undefined;
  /** The permission that a token needs. */
  readonly needs: "read" | "write" | "webhooks";
  /** Whether the request must name the version of the API in a header. */
  readonly versioned: boolean;
  /** The description of each parameter of `path`, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The schema of the query. Parameters without a schema are ignored. Null: all are ignored. */
  readonly query: z.ZodObject | null;
  /** Optional headers of the request, by name in lower case. */
  readonly headers: Readonly<Record<string, HeaderDoc>>;
  /** The schema of a JSON body; null for operations without a body. */
  readonly body: z.ZodType | null;
  /** Whether `run`, not the router, checks the body. */
  readonly checksBody: boolean;
  /** Null unless the body is an upload, which `run` reads itself. Uploads are also served below `/api/2.0`. */
  readonly upload: UploadDoc | null;
  /** Whether the operation processes documents, which may take a long time. Such requests wait only for each other. */
  readonly isSlow: boolean;
  /** The successful responses, by status. */
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Statuses with the error object, in addition to those that every operation may return. */
  readonly errors: readonly number[];
  /**
   * Runs after all checks of the request. May reject with a `Problem`, which becomes the response, or with any other
   * error.
   */
  run(call: Call<Service, never, never>): Promise<Answer>;
}

/** The type of values that match a schema; `undefined` if there is no schema. */
type Infer<T> = T extends z.ZodType ? z.output<T> : undefined;

/** The members that a definition may omit. */
const DEFAULTS = {
  description: undefined,
  params: {},
  headers: {},
  checksBody: false,
  upload: null,
  isSlow: false,
  errors: [],
} satisfies Partial<Operation>;

/** The definition of an operation whose `run` gets the query and the body with the types of their schemas. */
type Definition<Service, Q, B> = Omit<
  Operation,
  keyof typeof DEFAULTS | "versioned" | "query" | "body" | "run"
> &
  Partial<Pick<Operation, keyof typeof DEFAULTS | "versioned">> & {
    /** The schema of the query, which `Call.query` matches. Default: all parameters are ignored. */
    readonly query?: Q;
    /** The schema of a JSON body, which `Call.body` matches unless `checksBody` is set. Default: no body. */
    readonly body?: B;
    /** Runs after all checks of the request; see {@link Operation}. */
    run(call: Call<Service, Infer<Q>, Infer<B>>): Promise<Answer>;
  };

/**
 * Returns a function that defines operations on a `Service`. Members that a definition omits have their defaults;
 * `versioned` is the default for the member of that name.
 */
export function operationOver<Service>({ versioned = false } = {}) {
  return <
    Q extends z.ZodObject | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
  >(
    definition: Definition<Service, Q, B>,
  ): Operation<Service> => {
    const { query = null, body = null } = definition;
    return { ...DEFAULTS, versioned, ...definition, query, body };
  };
}
