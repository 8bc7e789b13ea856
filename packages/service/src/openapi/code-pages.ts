import type { WireCode } from "@quire/http/parts";
import { DEFAULT_QUOTAS, quotaExceeded } from "../limits/quotas.ts";
import type { CodePage } from "./error-docs.ts";

const NEVER: CodePage = {
  meaning: "The contract lists this code for successful requests. No error has it.",
  cases: [],
};

const BAD_REQUEST: CodePage = {
  meaning:
    "The request cannot be read or is invalid. Sending the same request again will fail again.",
  cases: [
    {
      status: 400,
      when: "Fields, parameters or headers are wrong. `context_info.errors` lists all problems, each with a JSON Pointer, a code and a message.",
      remedy: "Correct all of them, then send the request again.",
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
      when: "The version of the API is missing or not supported.",
      remedy: "Send the header `service-version: 2025.0`.",
      message:
        "The header service-version (or box-version) must be present once, with the value 2025.0, the only supported version.",
      context: {
        message:
          "The header service-version (or box-version) must be present once, with the value 2025.0, the only supported version.",
      },
    },
    {
      status: 408,
      when: "No body data arrived for a while. The service closes the connection.",
      remedy: "Send the body without long pauses.",
      message: "No body data arrived for 30 seconds. Send the body without long pauses.",
      context: null,
    },
    {
      status: 413,
      when: "The body is too long. `context_info.limit_bytes` is the limit.",
      remedy: "Send less data per request: split the batch, or use a smaller file.",
      message:
        "The request body is longer than 10485760 bytes. Send less data per request, for example in several batches.",
      context: { reason: "request_entity_too_large", limit_bytes: 10_485_760 },
    },
    {
      status: 415,
      when: "The operation does not accept this content type, or the service does not support this encoding.",
      remedy:
        "Send `content-type: application/json`, or `multipart/form-data` for uploads. Send the body uncompressed, or with gzip or deflate.",
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
    meaning: "The service cannot identify the caller.",
    cases: [
      {
        status: 401,
        when: "The access token is missing, invalid or expired. The header `www-authenticate` says which.",
        remedy: "Get a token and send it as `authorization: Bearer …`.",
        message:
          "The request needs a valid access token in the header `Authorization: Bearer`. Send a token that has not expired.",
        context: null,
      },
    ],
  },
  forbidden: {
    meaning: "The service has identified the caller but denies the request.",
    cases: [
      {
        status: 403,
        when: "The caller is not allowed to do this, or the feature is not set up.",
        remedy: "Ask the operator of the service.",
        message: "This service sends no events. Its operator must set a key for signing webhooks.",
        context: null,
      },
      {
        status: 403,
        when: "The operator of the service has suspended the enterprise.",
        remedy: "Ask the operator.",
        message:
          "The operator of the service has suspended the enterprise: it cannot read or change anything, and its jobs wait. Ask the operator to resume it.",
        context: { reason: "suspended" },
      },
      {
        status: 403,
        when: "The enterprise has used up a quota. The code in `context_info.errors` and the message name it.",
        remedy: "Remove something, or ask the operator to raise the quota.",
        message: FILES_QUOTA,
        context: { errors: [{ path: "", code: "quota_files", message: FILES_QUOTA }] },
      },
    ],
  },
  insufficient_scope: {
    meaning: "The access token is valid but lacks a scope.",
    cases: [
      {
        status: 403,
        when: "Reading needs `root_readonly` or `root_readwrite`, writing needs `root_readwrite`, and webhooks need `manage_webhook`.",
        remedy: "Get a token with the scope that the message names.",
        message: "The access token lacks the scope root_readwrite. Get a token with this scope.",
        context: null,
      },
    ],
  },
  too_many_requests: {
    meaning: "The user or the enterprise has reached a limit on requests.",
    cases: [
      {
        status: 429,
        when: "Too many requests within a minute, too many waiting requests, or too many open streams.",
        remedy: "Wait for the number of seconds in `retry-after`, then send the request again.",
        message: "You sent more than 1000 requests in a minute. Wait before you send more.",
        context: null,
      },
      {
        status: 429,
        when: "The enterprise has used up a quota that frees up over time: waiting jobs, or webhook events that have not been sent.",
        remedy: "Send the request again when some of them are done.",
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
    meaning: "The requested item does not exist.",
    cases: [
      {
        status: 404,
        when: "No item has this id, or the item belongs to another enterprise. Both cases get the same response, and so do unknown paths.",
        remedy: "Check the id. Mark a file as a template before you use it as one.",
        message: 'There is no batch "8c9d0f4e-2f0e-4a53-9d0b-3a0c6c0b8f12". Check the id.',
        context: null,
      },
    ],
  },
  method_not_allowed: {
    meaning: "The path exists but does not support this method.",
    cases: [
      {
        status: 405,
        when: "The path supports other methods. The header `allow` lists them.",
        remedy: "Use one of these methods.",
        message: "This path supports only GET, HEAD. Use one of these methods.",
        context: null,
      },
    ],
  },
  conflict: {
    meaning: "The request conflicts with the current state.",
    cases: [
      {
        status: 409,
        when: "A name is taken, a folder is not empty, an idempotency key belongs to another request, a batch has not finished, or a file was changed concurrently.",
        remedy:
          "Check the current state. Then choose another name or key, or send the request later.",
        message: 'The name "invoice.docx" is already taken in this folder. Choose another name.',
        context: null,
      },
    ],
  },
  precondition_failed: {
    meaning: "The file has changed since the client last read it.",
    cases: [
      {
        status: 412,
        when: "The `etag` of the file differs from `if-match`: somebody has changed the file.",
        remedy: "Get the file again, and decide based on its current state.",
        message:
          "The file's etag differs from the If-Match header: somebody has changed the file. Get it again.",
        context: null,
      },
    ],
  },
  item_name_invalid: {
    meaning: "A name is not valid for a file or a folder.",
    cases: [
      {
        status: 400,
        when: "The name contains a forbidden character, is too long, or is reserved. `context_info.errors` lists all problems.",
        remedy: "Use one plain name without folders, of at most 255 bytes including its extension.",
        message:
          'The file name "may/17" contains the character /. (at /document_generation_data/0/generated_file_name)',
        context: {
          errors: [
            {
              path: "/document_generation_data/0/generated_file_name",
              code: "item_name_invalid",
              message:
                'The file name "may/17" contains the character /. Use one plain file name without folders.',
            },
          ],
        },
      },
    ],
  },
};

/** The documentation of each code. The error examples and the page about error codes are generated from it. */
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
    meaning: "The service failed. The request is not the cause.",
    cases: [
      {
        status: 500,
        when: "An unexpected error occurred. The response has no details; the log of the service has them.",
        remedy: "Report the `request_id` to the operator of the service.",
        message:
          "The service failed unexpectedly. Your request is not the cause. Report the request_id to the operator.",
        context: null,
      },
    ],
  },
  unavailable: {
    meaning: "The service cannot process the request at the moment.",
    cases: [
      {
        status: 503,
        when: "The service is full or shutting down, or a dependency does not respond.",
        remedy:
          "Wait for the number of seconds in `retry-after`, then send the same request again.",
        message: "Too many jobs are waiting. Try again later.",
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
