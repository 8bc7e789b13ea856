import { DEFAULT_QUOTAS, quotaExceeded } from "../quotas.ts";
import type { WireCode } from "./problem.ts";

/** One way in which an error comes about, with an example. */
export interface ErrorCase {
  readonly status: number;
  /** What has happened. Backticks are around what is code. */
  readonly when: string;
  /** What whoever reads it does now. */
  readonly remedy: string;
  /** Of the example. */
  readonly message: string;
  /** `context_info` of the example. */
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** What there is to read about a code. */
export interface CodePage {
  readonly meaning: string;
  /** Empty for those of the contract's list that no error of this service has. */
  readonly cases: readonly ErrorCase[];
}

const NEVER: CodePage = {
  meaning: "It is in the contract's list and says how a request went well. No error carries it.",
  cases: [],
};

const BAD_REQUEST: CodePage = {
  meaning:
    "The request cannot be read, or is not as it must be. The same request will be refused again.",
  cases: [
    {
      status: 400,
      when: "Fields, parameters or headers are wrong. `context_info.errors` has all of them at once, each with a JSON Pointer, a code and a sentence.",
      remedy: "Correct every one of them, and send the request again.",
      message: 'The field \'output_type\' must be "docx" or "pdf". (at /output_type)',
      context: {
        errors: [
          {
            path: "/output_type",
            code: "wrong_value",
            message: 'The field \'output_type\' must be "docx" or "pdf".',
          },
        ],
      },
    },
    {
      status: 400,
      when: "The version of the API is not named, or is another one.",
      remedy: "Send the header `service-version: 2025.0`.",
      message:
        "The header service-version (or box-version) must be there once and say 2025.0, the only version that is supported.",
      context: {
        message:
          "The header service-version (or box-version) must be there once and say 2025.0, the only version that is supported.",
      },
    },
    {
      status: 408,
      when: "Nothing of the body has come for a while. The connection is closed.",
      remedy: "Send the body without long pauses.",
      message: "Nothing of the body has come for 30 seconds. Send it without long pauses.",
      context: null,
    },
    {
      status: 413,
      when: "The body is longer than the service takes: `context_info.limit_bytes` says how long it may be.",
      remedy: "Send less at once: make several batches of one, or a smaller file.",
      message:
        "The body of the request is longer than 10485760 bytes. Send less at once, for example several batches.",
      context: { reason: "request_entity_too_large", limit_bytes: 10_485_760 },
    },
    {
      status: 415,
      when: "The body is of another type than the operation takes, or encoded in a way that the service does not know.",
      remedy:
        "Send `content-type: application/json`, for uploads `multipart/form-data`; as it is, or with gzip or deflate.",
      message: "The content-type of the body must be application/json, in UTF-8.",
      context: null,
    },
  ],
};

const FILES_QUOTA = quotaExceeded("files", DEFAULT_QUOTAS.files, false).message;
const WAITING_QUOTA = quotaExceeded("waiting", DEFAULT_QUOTAS.waiting, true).message;

const ABOUT_WHO: Pick<
  Readonly<Record<WireCode, CodePage>>,
  "unauthorized" | "forbidden" | "insufficient_scope" | "too_many_requests"
> = {
  unauthorized: {
    meaning: "The service does not know who asks.",
    cases: [
      {
        status: 401,
        when: "The access token is missing, wrong or has expired. The header `www-authenticate` says which.",
        remedy: "Get a token, and send it as `authorization: Bearer …`.",
        message:
          "The request needs a valid access token: the header `Authorization: Bearer`, with one that has not expired.",
        context: null,
      },
    ],
  },
  forbidden: {
    meaning: "The service knows who asks, and does not do that for them.",
    cases: [
      {
        status: 403,
        when: "It is not allowed, or the service was set up without it.",
        remedy: "Ask whoever runs the service.",
        message:
          "This service sends no events. Its operator has to give it a key for the signatures of webhooks.",
        context: null,
      },
      {
        status: 403,
        when: "The operator of the service has suspended the enterprise.",
        remedy: "Ask the operator.",
        message:
          "The operator of the service has suspended the enterprise: nothing is read or done for it, and its jobs wait. Ask the operator to resume it.",
        context: { reason: "suspended" },
      },
      {
        status: 403,
        when: "The enterprise has used up a quota: the code in `context_info.errors` and the message name it.",
        remedy: "Remove something, or ask the operator to raise the quota.",
        message: FILES_QUOTA,
        context: { errors: [{ path: "", code: "quota_files", message: FILES_QUOTA }] },
      },
    ],
  },
  insufficient_scope: {
    meaning: "The access token is valid, but not good for this.",
    cases: [
      {
        status: 403,
        when: "Reading needs `root_readonly` or `root_readwrite`, writing `root_readwrite`, webhooks `manage_webhook`.",
        remedy: "Get a token with the scope that the message names.",
        message: "The access token is not good for this: it needs the scope root_readwrite.",
        context: null,
      },
    ],
  },
  too_many_requests: {
    meaning: "More is asked for than this user or this enterprise may ask for at a time.",
    cases: [
      {
        status: 429,
        when: "Too many requests came within a minute, too many wait, or too many streams are open.",
        remedy: "Wait as many seconds as `retry-after` says, then send the request again.",
        message: "More than 1000 requests per minute. Wait before you send more.",
        context: null,
      },
      {
        status: 429,
        when: "The enterprise has used up a quota of what becomes less by itself: jobs that wait, events that wait to be sent to webhooks.",
        remedy: "Send the request again when some of it is done.",
        message: WAITING_QUOTA,
        context: { errors: [{ path: "", code: "quota_waiting", message: WAITING_QUOTA }] },
      },
    ],
  },
};

const ABOUT_WHAT: Pick<
  Readonly<Record<WireCode, CodePage>>,
  "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "item_name_invalid"
> = {
  not_found: {
    meaning: "There is no such thing.",
    cases: [
      {
        status: 404,
        when: "No thing has this id, or it is another enterprise's: the answer is the same. Also for a path that leads nowhere.",
        remedy: "Check the id. A file has to be marked before it is a template.",
        message: 'There is no batch "8c9d0f4e-2f0e-4a53-9d0b-3a0c6c0b8f12".',
        context: null,
      },
    ],
  },
  method_not_allowed: {
    meaning: "There is something at this path, but not for this method.",
    cases: [
      {
        status: 405,
        when: "The path takes other methods. The header `allow` lists them.",
        remedy: "Use one of them.",
        message: "This path takes GET, HEAD only.",
        context: null,
      },
    ],
  },
  conflict: {
    meaning: "What is there stands against it.",
    cases: [
      {
        status: 409,
        when: "A name is taken, a folder is not empty, an idempotency key belongs to another request, a batch has not finished, or a file was changed meanwhile.",
        remedy:
          "Look at what is there. Then choose another name or key, or send the request later.",
        message: 'The folder has a file "invoice.docx" already. Choose another name.',
        context: null,
      },
    ],
  },
  precondition_failed: {
    meaning: "The file is not the one that the request was meant for.",
    cases: [
      {
        status: 412,
        when: "Its `etag` is another one than that of `if-match`: somebody has changed it.",
        remedy: "Get the file again, and decide with what is there now.",
        message:
          "The file has another etag than the one of If-Match: somebody has changed it. Get it again.",
        context: null,
      },
    ],
  },
  item_name_invalid: {
    meaning: "A name cannot be that of a file or a folder.",
    cases: [
      {
        status: 400,
        when: "It holds a character that names must not have, is too long, or is kept for something else. `context_info.errors` has all of them.",
        remedy: "Use one plain name without folders, of at most 255 bytes with its extension.",
        message:
          'The file name "may/17" holds the character /. (at /document_generation_data/0/generated_file_name)',
        context: {
          errors: [
            {
              path: "/document_generation_data/0/generated_file_name",
              code: "item_name_invalid",
              message:
                'The file name "may/17" holds the character /. Use one plain file name without folders.',
            },
          ],
        },
      },
    ],
  },
};

/** Every code with what there is to read about it: both reading pages and the examples of errors come from here. */
export const CODE_PAGES: Readonly<Record<WireCode, CodePage>> = {
  bad_request: BAD_REQUEST,
  item_name_invalid: ABOUT_WHAT.item_name_invalid,
  unauthorized: ABOUT_WHO.unauthorized,
  insufficient_scope: ABOUT_WHO.insufficient_scope,
  forbidden: ABOUT_WHO.forbidden,
  not_found: ABOUT_WHAT.not_found,
  method_not_allowed: ABOUT_WHAT.method_not_allowed,
  conflict: ABOUT_WHAT.conflict,
  precondition_failed: ABOUT_WHAT.precondition_failed,
  too_many_requests: ABOUT_WHO.too_many_requests,
  internal_server_error: {
    meaning: "Something went wrong in the service. Nothing of the request is to blame.",
    cases: [
      {
        status: 500,
        when: "It was not foreseen. The answer says nothing of it; the log of the service does.",
        remedy: "Tell whoever runs the service the `request_id`.",
        message:
          "Something went wrong in the service. Nothing of your request is to blame; tell its operator the request_id.",
        context: null,
      },
    ],
  },
  unavailable: {
    meaning: "The service cannot do that at the moment.",
    cases: [
      {
        status: 503,
        when: "It is full, is shutting down, or something that it needs does not answer.",
        remedy: "Wait as many seconds as `retry-after` says, then send the same request again.",
        message: "Too many jobs wait already. Try again later.",
        context: null,
      },
    ],
  },
  created: NEVER,
  accepted: NEVER,
  no_content: NEVER,
  redirect: NEVER,
  not_modified: NEVER,
};
