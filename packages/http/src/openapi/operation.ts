import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { Components } from "./components.ts";
import type { Json } from "./json.ts";

/** A request that has reached its operation. `Service` is the type of the operation's dependencies. */
export interface Call<Service, Query = unknown, Body = unknown> {
  /** The dependencies of the operation. The same object for all requests. */
  readonly service: Service;
  /** The HTTP request. The body has already been read, unless the operation has no `body` schema. */
  readonly request: Request;
  /** The address of the service for clients, including the version of the API. Used for addresses in responses. */
  readonly baseUrl: string;
  /** The sender. One of its scopes grants what the operation `needs`. */
  readonly who: Principal;
  /** The parameters of the path, decoded, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Matches the operation's `query` schema. Undefined if the operation has no such schema. */
  readonly query: Query;
  /**
   * Parsed JSON. Matches the operation's `body` schema, unless `checksBody` is set. Undefined if the operation has no
   * such schema.
   */
  readonly body: Body;
  /** The `traceparent` of this request, if tracing is on. */
  readonly trace: string | undefined;
  /**
   * Counts bytes that are in memory in addition to the body, until the request has finished. Throws a 429 or 503 if the
   * total is too large.
   */
  hold(bytes: number): void;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** The result of an operation: JSON, or a complete response. */
export type Answer =
  | Response
  | {
      /** HTTP status. */
      readonly status: number;
      /** Sent as JSON. If undefined, the response has no body. */
      readonly body?: unknown;
      /** Additional headers of a JSON response. They override its usual headers. Default: none. */
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A response as the OpenAPI document describes it. */
export interface ResponseDoc {
  /** One sentence. Backticks enclose code. */
  readonly description: string;
  /** The schema of a JSON body. Absent for other content and if there is no body. */
  readonly schema?: z.ZodType;
  /** For content other than JSON: the possible media types. */
  readonly mediaTypes?: readonly string[];
  /** An example, for content without a schema. */
  readonly example?: string;
  /** Headers by lower-case name, in addition to the headers that every response has. */
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
  /** Returns the Request Body Object for the OpenAPI document. */
  describe(components: Components): Json;
}

/** One operation on a `Service`, both for the router and for the OpenAPI document. */
export interface Operation<Service = never> {
  /** The `operationId` in the OpenAPI document. Unique. */
  readonly id: string;
  /** `GET` operations also respond to HEAD, without the body. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /** The path below the base path, with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** The group of the operation in the OpenAPI document. */
  readonly tag: string;
  /** A few words without a full stop, such as `Upload a file`. */
  readonly summary: string;
  /** One or more sentences. Backticks enclose code. Default: the summary. */
  readonly description?: string | undefined;
  /** The permission that a token needs. */
  readonly needs: "read" | "write" | "webhooks";
  /** Whether the request must name the version of the API in a header. */
  readonly versioned: boolean;
  /** The description of each parameter of `path`, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The schema of the query. Parameters that it does not contain are ignored; all are ignored if it is null. */
  readonly query: z.ZodObject | null;
  /** Optional headers of the request, by lower-case name. */
  readonly headers: Readonly<Record<string, HeaderDoc>>;
  /** The schema of a JSON body; null for operations without a body. */
  readonly body: z.ZodType | null;
  /** Whether `run` checks the body instead of the router. */
  readonly checksBody: boolean;
  /** Null unless the body is an upload, which `run` reads itself. Uploads are also available below `/api/2.0`. */
  readonly upload: UploadDoc | null;
  /** Whether the operation processes documents, which may take a long time. Such requests wait only for each other. */
  readonly isSlow: boolean;
  /** The successful responses, by status. */
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Statuses that have an error object, in addition to those that every operation may return. */
  readonly errors: readonly number[];
  /**
   * Runs the operation after all checks of the request. May reject with a `Problem`, which becomes the response, or
   * with any other error.
   */
  run(call: Call<Service, never, never>): Promise<Answer>;
}

/** The type of values that match a schema; `undefined` if there is no schema. */
type Infer<T> = T extends z.ZodType ? z.output<T> : undefined;

/** Defaults of the members that a definition may omit. */
const DEFAULTS = {
  description: undefined,
  params: {},
  headers: {},
  checksBody: false,
  upload: null,
  isSlow: false,
  errors: [],
} satisfies Partial<Operation>;

/** The definition of an operation. Its `run` gets the query and the body with the types of their schemas. */
type Definition<Service, Q, B> = Omit<
  Operation,
  keyof typeof DEFAULTS | "versioned" | "query" | "body" | "run"
> &
  Partial<Pick<Operation, keyof typeof DEFAULTS | "versioned">> & {
    /** The schema that `Call.query` matches. Default: all parameters are ignored. */
    readonly query?: Q;
    /** The schema of a JSON body, which `Call.body` matches unless `checksBody` is set. Default: no body. */
    readonly body?: B;
    /** Runs the operation after all checks of the request; see {@link Operation}. */
    run(call: Call<Service, Infer<Q>, Infer<B>>): Promise<Answer>;
  };

/**
 * Returns a function that defines operations on a `Service`. Members that a definition omits get their defaults.
 * `versioned` is the default of the member with that name.
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
