import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";

/** A request that has reached its operation. `Service` are the dependencies of the operation. */
export interface Call<Service, Query = unknown, Body = unknown> {
  readonly service: Service;
  readonly request: Request;
  /** The address of the service for clients, including the version of the API. For addresses in responses. */
  readonly baseUrl: string;
  readonly who: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
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
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A response as the OpenAPI document describes it. */
export interface ResponseDoc {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** For content other than JSON: the possible media types. */
  readonly mediaTypes?: readonly string[];
  /** For content without a schema. */
  readonly example?: string;
  readonly headers?: Readonly<Record<string, HeaderDoc>>;
}

/** A header as the OpenAPI document describes it. */
export interface HeaderDoc {
  readonly description: string;
  /** A regular expression for the whole value. */
  readonly pattern?: string;
  readonly example: string;
}

/** A multipart body. `attributes` is the JSON of its first part. */
export interface UploadDoc {
  readonly attributes: z.ZodType;
}

/** One operation over a `Service`, both for the router and for the OpenAPI document. */
export interface Operation<Service = never> {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /** Below the base path, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** The permission that a token needs. */
  readonly needs: "read" | "write" | "webhooks";
  /** Whether the request must name the version of the API. */
  readonly versioned: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: z.ZodObject | null;
  /** Optional headers of the request. */
  readonly headers: Readonly<Record<string, HeaderDoc>>;
  /** The schema of a JSON body; null for operations without a body. */
  readonly body: z.ZodType | null;
  /** `run` checks the body, not the router. */
  readonly checksBody: boolean;
  readonly upload: UploadDoc | null;
  /** Takes as long as its documents do. Such requests wait only for each other. */
  readonly isSlow: boolean;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Statuses with the error object, in addition to those that every operation may return. */
  readonly errors: readonly number[];
  run(call: Call<Service, never, never>): Promise<Answer>;
}

type Infer<T> = T extends z.ZodType ? z.output<T> : undefined;

/** The definition of an operation whose `run` gets the query and the body with the types of their schemas. */
type Definition<Service, Q, B> = Pick<
  Operation,
  "id" | "method" | "path" | "tag" | "summary" | "needs" | "responses"
> &
  Partial<Pick<Operation, "description" | "versioned" | "params" | "headers" | "upload">> & {
    readonly query?: Q;
    readonly body?: B;
    readonly checksBody?: boolean;
    readonly isSlow?: boolean;
    readonly errors?: readonly number[];
    readonly run: (call: Call<Service, Infer<Q>, Infer<B>>) => Promise<Answer>;
  };

/** A function that defines operations over a `Service`, with the defaults of {@link Operation}. */
export function operationOver<Service>() {
  return <
    Q extends z.ZodObject | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
  >(
    definition: Definition<Service, Q, B>,
  ): Operation<Service> => {
    const { query, body, versioned = false, params = {}, headers = {} } = definition;
    const { upload = null, errors = [], checksBody = false, description } = definition;
    const { isSlow = false } = definition;
    return {
      ...definition,
      description,
      versioned,
      params,
      headers,
      upload,
      isSlow,
      errors,
      checksBody,
      query: query ?? null,
      body: body ?? null,
    };
  };
}
