import { z } from "zod";
import { WIRE_CODES } from "../wire/problem.ts";
import { EXAMPLE } from "./example-values.ts";

/** An id as the hosted service defines it: a string that is one segment of a URL path. */
export const id = z.string().min(1).max(1024);

/** An RFC 3339 timestamp with an offset. */
export const instant = z.iso.datetime({ offset: true }).meta({ examples: [EXAMPLE.instant] });

/** Returns the schema of a reference in a response. The type is always present. */
export function reference<T extends string>(
  type: T,
  title: string,
  { description, example }: { readonly description: string; readonly example: string },
) {
  return z
    .object({
      type: z.literal(type).describe(`Always \`${type}\`.`),
      id: id.meta({ description: "The id.", examples: [example] }),
    })
    .meta({ id: title, description });
}

/** Returns the schema of a reference in a request. The type may be missing, but must not be wrong. */
export function referenceInput<T extends string>(
  type: T,
  title: string,
  { description, example }: { readonly description: string; readonly example: string },
) {
  const about =
    type === "file_version"
      ? "The id."
      : "The id, or `path:` followed by a path below the root folder, for example `path:letters/may`.";
  return z
    .object({
      type: z
        .literal(type)
        .optional()
        .meta({
          description: `Always \`${type}\`; may be omitted.`,
          examples: [type],
        }),
      id: id.meta({ description: about, examples: [example] }),
    })
    .meta({ id: title, description });
}

export const fileReference = reference("file", "FileReference", {
  description: "A file.",
  example: EXAMPLE.template,
});
export const fileReferenceInput = referenceInput("file", "FileReferenceInput", {
  description: "A file, by id or path.",
  example: EXAMPLE.template,
});
export const folderReference = reference("folder", "FolderReference", {
  description: "A folder.",
  example: EXAMPLE.folder,
});
/** A folder in a request, by id or path. */
export const folderReferenceInput = referenceInput("folder", "FolderReferenceInput", {
  description: "A folder, by id or path; `0` is the root.",
  example: EXAMPLE.folder,
});
/** A version of a file in a response: an object with a type and an id. */
export const fileVersionReference = reference("file_version", "FileVersionReference", {
  description: "A version of a file.",
  example: EXAMPLE.templateVersion,
});
export const fileVersionReferenceInput = referenceInput(
  "file_version",
  "FileVersionReferenceInput",
  { description: "A version of a file, by id.", example: EXAMPLE.templateVersion },
);
/** A user in a response: an object with a type and an id. */
export const userReference = reference("user", "UserReference", {
  description: "A user.",
  example: EXAMPLE.user,
});
export const enterpriseReference = reference("enterprise", "EnterpriseReference", {
  description: "An enterprise, which owns all files, batches and webhooks.",
  example: EXAMPLE.enterprise,
});
export const batchReference = reference("docgen_batch", "DocGenBatchBase", {
  description: "A batch of jobs.",
  example: EXAMPLE.batch,
});

/** The maximum number of entries per page. */
const MAX_PAGE = 1000;

/** Returns the schema of one page of a listing. */
export function page<T extends z.ZodType>(entry: T, title: string, description: string) {
  return z
    .object({
      entries: z
        .array(entry)
        .meta({ description: "The entries of the page, in order.", maxItems: MAX_PAGE }),
      limit: z
        .int()
        .min(1)
        .max(MAX_PAGE)
        .meta({ description: "The limit that was applied.", examples: [100] }),
      next_marker: z
        .string()
        .nullable()
        .meta({
          description: "Send it as `marker` to get the next page. Null on the last page.",
          examples: [null],
        }),
      prev_marker: z
        .string()
        .nullable()
        .meta({ description: "Always null: backward paging is not supported.", examples: [null] }),
    })
    .meta({ id: title, description });
}

/**
 * The query parameters of a page. They are strings that are parsed as numbers; `documented` is their schema in the
 * OpenAPI document.
 */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^0*[1-9]\d*$/)
    .optional()
    .meta({
      description: "The maximum number of entries. Values above 1000 count as 1000.",
      documented: { type: "integer", format: "int64", minimum: 1, default: 100, examples: [100] },
    }),
  marker: z
    .string()
    .max(2048)
    .optional()
    .meta({
      description:
        "The `next_marker` of the previous page. Omit it or send `0` for the first page.",
      examples: ["0"],
    }),
};

/** One problem of a request. */
export const fieldProblem = z
  .object({
    path: z.string().meta({
      description: "A JSON Pointer (RFC 6901) into the body; empty for the whole body.",
      examples: ["/output_type"],
    }),
    code: z
      .string()
      .meta({ description: "A machine-readable code for the problem.", examples: ["wrong_value"] }),
    message: z.string().meta({
      description: "What is wrong and how to fix it.",
      examples: ['The field \'output_type\' must be "docx" or "pdf".'],
    }),
  })
  .meta({ id: "FieldProblem", description: "A problem with a request." });

const errorContext = z
  .looseObject({
    errors: z.array(fieldProblem).optional().describe("All problems with the request."),
    message: z
      .string()
      .optional()
      .describe("The problem, if it does not concern a field of the body."),
    reason: z.string().optional().describe("A machine-readable reason."),
    limit_bytes: z.int().min(0).optional().describe("The maximum size of the body."),
  })
  .meta({ id: "ErrorContext", description: "Details of an error. More fields may be added." });

/** The error object as the hosted service defines it. */
export const errorObject = z
  .object({
    type: z.literal("error").describe("Always `error`."),
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ description: "The HTTP status of the response.", format: "int32" }),
    code: z.enum(WIRE_CODES).describe("The kind of error. Programs should branch on this."),
    message: z.string().describe("What failed, why, and how to fix it."),
    context_info: errorContext.nullable().describe("Details, if there are any."),
    help_url: z.url().describe("The documentation of this code."),
    request_id: z.uuid().describe("The id of this request, also in the header `x-request-id`."),
  })
  .meta({ id: "Error", description: "An error." });
