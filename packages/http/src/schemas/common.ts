import { z } from "zod";
import { WIRE_CODES } from "../wire/problem.ts";
import { EXAMPLE } from "./example-values.ts";

/** An id as the contract has it: a string, one segment of a URL. */
export const id = z.string().min(1).max(1024);

/** An instant, RFC 3339 with offset. */
export const instant = z.iso.datetime({ offset: true }).meta({ examples: [EXAMPLE.instant] });

/** A reference as we write it: always with its type. */
export function reference<T extends string>(
  type: T,
  title: string,
  { description, example }: { readonly description: string; readonly example: string },
) {
  return z
    .object({
      type: z.literal(type).describe(`Always \`${type}\`.`),
      id: id.meta({ description: "Its id.", examples: [example] }),
    })
    .meta({ id: title, description });
}

/** A reference as we read it: the type may be missing, but not wrong. */
export function referenceInput<T extends string>(
  type: T,
  title: string,
  { description, example }: { readonly description: string; readonly example: string },
) {
  const about =
    type === "file_version"
      ? "Its id."
      : "Its id, or `path:` and a path below the root folder, for example `path:letters/may`.";
  return z
    .object({
      type: z
        .literal(type)
        .optional()
        .meta({
          description: `Always \`${type}\`; it may be left out.`,
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
  description: "Names a file.",
  example: EXAMPLE.template,
});
export const folderReference = reference("folder", "FolderReference", {
  description: "A folder.",
  example: EXAMPLE.folder,
});
export const folderReferenceInput = referenceInput("folder", "FolderReferenceInput", {
  description: "Names a folder; `0` is the root.",
  example: EXAMPLE.folder,
});
export const fileVersionReference = reference("file_version", "FileVersionReference", {
  description: "A version of a file.",
  example: EXAMPLE.templateVersion,
});
export const fileVersionReferenceInput = referenceInput(
  "file_version",
  "FileVersionReferenceInput",
  { description: "Names a version of a file.", example: EXAMPLE.templateVersion },
);
export const userReference = reference("user", "UserReference", {
  description: "A user.",
  example: EXAMPLE.user,
});
export const enterpriseReference = reference("enterprise", "EnterpriseReference", {
  description: "An enterprise: whose everything is.",
  example: EXAMPLE.enterprise,
});
export const batchReference = reference("docgen_batch", "DocGenBatchBase", {
  description: "A batch of jobs.",
  example: EXAMPLE.batch,
});

/** The most entries of a page, whatever is asked for. */
const MAX_PAGE = 1000;

/** One page of a listing. */
export function page<T extends z.ZodType>(entry: T, title: string, description: string) {
  return z
    .object({
      entries: z
        .array(entry)
        .meta({ description: "What is in the page, in its order.", maxItems: MAX_PAGE }),
      limit: z
        .int()
        .min(1)
        .max(MAX_PAGE)
        .meta({ description: "The limit that was applied.", examples: [100] }),
      next_marker: z
        .string()
        .nullable()
        .meta({
          description: "Give it as `marker` to get the next page; null at the end.",
          examples: [null],
        }),
      prev_marker: z
        .string()
        .nullable()
        .meta({ description: "Always null: pages are read forwards.", examples: [null] }),
    })
    .meta({ id: title, description });
}

/** The parameters of a page. `told` is what a document says of a text that is read as a number. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^0*[1-9]\d*$/)
    .optional()
    .meta({
      description: "At most so many entries. Above 1000 it counts as 1000.",
      told: { type: "integer", format: "int64", minimum: 1, default: 100, examples: [100] },
    }),
  marker: z
    .string()
    .max(2048)
    .optional()
    .meta({
      description: "`next_marker` of the page before; none or `0` for the first page.",
      examples: ["0"],
    }),
};

/** One of the problems of a request. */
export const fieldProblem = z
  .object({
    path: z.string().meta({
      description: "A JSON Pointer (RFC 6901) into the body; empty for the whole.",
      examples: ["/output_type"],
    }),
    code: z
      .string()
      .meta({ description: "What is wrong, for programs.", examples: ["wrong_value"] }),
    message: z.string().meta({
      description: "What is wrong and how to mend it, for people.",
      examples: ['The field \'output_type\' must be "docx" or "pdf".'],
    }),
  })
  .meta({ id: "FieldProblem", description: "One problem of a request." });

const errorContext = z
  .looseObject({
    errors: z.array(fieldProblem).optional().describe("All that is wrong with the request."),
    message: z.string().optional().describe("What is wrong, where it is no field of the body."),
    reason: z.string().optional().describe("Why, for programs."),
    limit_bytes: z.int().min(0).optional().describe("How long the body may be."),
  })
  .meta({ id: "ErrorContext", description: "More about an error. Further fields may come." });

/** The error object of the contract. */
export const errorObject = z
  .object({
    type: z.literal("error").describe("Always `error`."),
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ description: "The HTTP status of the response.", format: "int32" }),
    code: z.enum(WIRE_CODES).describe("What kind of error it is: branch on this."),
    message: z.string().describe("What failed, why and how to mend it."),
    context_info: errorContext.nullable().describe("More about it, where there is more."),
    help_url: z.url().describe("The page about this code."),
    request_id: z.uuid().describe("Of this response, also in the header `x-request-id`."),
  })
  .meta({ id: "Error", description: "What went wrong." });
