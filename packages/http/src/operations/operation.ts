import type { Engine, TemplateStore } from "@quire/core/host";
import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { Files } from "../files/files-types.ts";
import type { Limits } from "../options.ts";
import type { TenantQuotas } from "../quotas.ts";
import type { TenantRoom } from "../request/tenant-room.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { TagReader } from "./tag-reader.ts";

/** What operations work with. */
export interface Service {
  readonly engine: Engine;
  readonly files: Files;
  readonly templates: TemplateStore;
  /** Null where there are none. */
  readonly webhooks: Webhooks | null;
  readonly tags: TagReader;
  /** Null without quotas. */
  readonly quotas: TenantQuotas | null;
  readonly limits: Limits;
  /** Files that are being sent. */
  readonly downloads: TenantRoom;
  /** Aborted when the service shuts down: long responses end then. */
  readonly draining: AbortSignal;
}

/** A request that has got as far as its operation. */
export interface Call<Query = unknown, Body = unknown> {
  readonly service: Service;
  readonly request: Request;
  /** Where clients reach the service, up to the version of the API: for addresses that it gives out. */
  readonly baseUrl: string;
  readonly who: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** A `traceparent` of this request, if anybody follows it. */
  readonly trace: string | undefined;
  /** For an upload: waits for a turn to process the bytes that have arrived. Resolves with what ends the turn. */
  turn(): Promise<() => void>;
  /** Counts bytes beside those of the body that are in memory until the request is through. Throws a 429 or 503 for too many. */
  hold(bytes: number): void;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** What an operation gives: JSON, or a response of its own. */
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
  /** Other than JSON: the media types that it may have. */
  readonly mediaTypes?: readonly string[];
  /** Where there is no schema to make one from. */
  readonly example?: string;
  readonly headers?: Readonly<Record<string, HeaderDoc>>;
}

/** A header as the OpenAPI document tells it. */
export interface HeaderDoc {
  readonly description: string;
  /** A regular expression for the whole of it. */
  readonly pattern?: string;
  readonly example: string;
}

/** Of a multipart body: the JSON of its first part. */
export interface UploadDoc {
  readonly attributes: z.ZodType;
}

/** One operation: what the router does with it, and what the OpenAPI document says of it. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /** Below the base path, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** What a token must be good for. */
  readonly needs: "read" | "write" | "webhooks";
  /** Whether the version of the API has to be named. */
  readonly versioned: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: z.ZodObject | null;
  /** Optional headers of the request. */
  readonly headers: Readonly<Record<string, HeaderDoc>>;
  /** Of a JSON body; null where there is none. */
  readonly body: z.ZodType | null;
  /** The body is not checked here but by `run`. */
  readonly checksBody: boolean;
  readonly upload: UploadDoc | null;
  /** Takes as long as its documents do: such requests wait only for each other. */
  readonly isSlow: boolean;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
  /** Statuses with the error object, beside those that every operation may answer. */
  readonly errors: readonly number[];
  run(call: Call<never, never>): Promise<Answer>;
}

type Infer<T> = T extends z.ZodType ? z.output<T> : undefined;

/** An operation whose `run` is given query and body as its schemas have them. */
export function operation<
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  definition: Pick<
    Operation,
    "id" | "method" | "path" | "tag" | "summary" | "needs" | "responses"
  > &
    Partial<Pick<Operation, "description" | "versioned" | "params" | "headers" | "upload">> & {
      readonly query?: Q;
      readonly body?: B;
      readonly checksBody?: boolean;
      readonly isSlow?: boolean;
      readonly errors?: readonly number[];
      readonly run: (call: Call<Infer<Q>, Infer<B>>) => Promise<Answer>;
    },
): Operation {
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
}
