import { z } from "zod";
import {
  batchReference,
  enterpriseReference,
  fieldProblem,
  fileReference,
  fileReferenceInput,
  fileVersionReference,
  folderReference,
  id,
  instant,
  page,
  userReference,
} from "./common.ts";
import { EXAMPLE } from "./example-values.ts";

export const outputType = z
  .enum(["docx", "pdf"])
  .meta({ id: "DocGenOutputType", description: "The format of a document.", examples: ["pdf"] });
const status = z
  .enum(["submitted", "pending", "completed", "completed_with_error", "failed"])
  .meta({
    id: "DocGenJobStatus",
    description:
      "The state of a job. `submitted`: waiting. `pending`: running. The other three are final. `completed`: the document was created. `completed_with_error`: the document was created, but it has errors. `failed`: no document was created.",
    examples: ["completed"],
  });
const failures = z
  .object({
    errors: z.array(z.string()).meta({
      description: "Errors.",
      examples: [["The tag 'customer.street' was not provided in the input data."]],
    }),
    warnings: z.array(z.string()).meta({ description: "Warnings.", examples: [[]] }),
  })
  .meta({ id: "DocGenFailures", description: "Errors and warnings." });
const failuresOrNone = failures.nullable().meta({
  description: "Errors and warnings; null if there are none.",
  examples: [null],
});

const jobShape = {
  id: id.meta({ description: "The id of the job.", examples: [EXAMPLE.job] }),
  type: z.literal("docgen_job").describe("Always `docgen_job`."),
  batch: batchReference.describe("The batch of the job."),
  template_file: fileReference.describe("The template."),
  template_file_version: fileVersionReference.describe(
    "The version of the template when the batch was created.",
  ),
  output_file: fileReference.nullable().meta({
    description: "The document; null until it exists.",
    examples: [{ type: "file", id: EXAMPLE.output }],
  }),
  output_file_version: fileVersionReference.nullable().meta({
    description: "The version of the document; null until it exists.",
    examples: [{ type: "file_version", id: EXAMPLE.outputVersion }],
  }),
  status,
  output_type: outputType,
  failures: failuresOrNone,
};

export const job = z
  .object(jobShape)
  .meta({ id: "DocGenJob", description: "A job, which makes one document." });
export const jobFull = z
  .object({
    ...jobShape,
    created_at: instant.describe("When the batch was accepted."),
    created_by: userReference.describe("The user who created the batch."),
    enterprise: enterpriseReference.describe("The enterprise that owns the job."),
    source: z.literal("api").describe("Always `api`."),
  })
  .meta({ id: "DocGenJobFull", description: "A job, with its creator and creation time." });
export const jobs = page(job, "DocGenJobs", "A page of jobs.");
export const jobsFull = page(jobFull, "DocGenJobsFull", "A page of jobs with all fields.");

function countOf(description: string, example: number) {
  return z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
}
const counts = z
  .object({
    submitted: countOf("Jobs that are waiting.", 1),
    pending: countOf("Jobs that are running.", 0),
    completed: countOf("Jobs with a document.", 1),
    completed_with_error: countOf("Jobs with a document that has errors.", 0),
    failed: countOf("Jobs without a document.", 0),
  })
  .meta({ id: "DocGenJobCounts", description: "The number of jobs of a batch in each state." });
export const batch = z
  .object({
    id: id.meta({ description: "The id of the batch.", examples: [EXAMPLE.batch] }),
    type: z.literal("docgen_batch").describe("Always `docgen_batch`."),
    status: z
      .enum(["running", "finished"])
      .describe("`running` while any job is waiting or running."),
    cancelled: z
      .boolean()
      .meta({ description: "Whether the batch was cancelled.", examples: [false] }),
    counts,
    template_file: fileReference.describe("The template."),
    template_file_version: fileVersionReference.describe(
      "The version of the template when the batch was created.",
    ),
    destination_folder: folderReference.describe("The folder for the documents."),
    output_type: outputType,
    created_at: instant.describe("When the batch was accepted."),
    created_by: userReference.describe("The user who created the batch."),
    finished_at: instant
      .nullable()
      .meta({ description: "When the batch finished; null before that.", examples: [null] }),
  })
  .meta({ id: "DocGenBatch", description: "A batch and its progress." });

const checkedEntry = z
  .object({
    entry: z
      .int()
      .min(1)
      .meta({ description: "The number of the entry, from 1.", examples: [1] }),
    generated_file_name: z
      .string()
      .nullable()
      .meta({ description: "The requested name.", examples: ["Invoice 17"] }),
    file_name: z
      .string()
      .nullable()
      .meta({
        description: "The name that the document would get now.",
        examples: ["Invoice 17.pdf"],
      }),
    failures: failuresOrNone,
  })
  .meta({ id: "DocGenCheckedEntry", description: "The result of checking one entry." });
export const batchCheck = z
  .object({
    type: z.literal("docgen_batch_check").describe("Always `docgen_batch_check`."),
    template_errors: z
      .array(z.string())
      .meta({ description: "Errors in the template itself.", examples: [[]] }),
    entries: z
      .array(checkedEntry)
      .meta({ description: "All entries, in order.", maxItemsOf: "entries" }),
  })
  .meta({ id: "DocGenBatchCheck", description: "The result of checking a batch." });

export const templateRequest = z
  .object({ file: fileReferenceInput.describe("The file, a `.docx` or a PDF form.") })
  .meta({ id: "DocGenTemplateCreateRequest", description: "A file to mark as a template." });
export const templateBase = z
  .object({ file: fileReference.describe("The file.") })
  .meta({ id: "DocGenTemplateBase", description: "A template. Its id is the id of its file." });
export const template = z
  .object({
    file: fileReference.describe("The file."),
    file_name: z
      .string()
      .nullable()
      .meta({ description: "The name of the file.", examples: ["invoice.docx"] }),
  })
  .meta({ id: "DocGenTemplate", description: "A template and its name." });
export const templates = page(template, "DocGenTemplates", "A page of templates.");

export const tag = z
  .object({
    tag_content: z
      .string()
      .meta({ description: "The tag as written in the template.", examples: ["{{item.name}}"] }),
    tag_type: z
      .enum(["text", "arithmetic", "conditional", "for-loop", "table-loop", "image"])
      .describe("The kind of tag."),
    json_paths: z.array(z.string()).meta({
      description: "The paths in the data that the tag uses, and their parents.",
      examples: [["items", "items.name"]],
    }),
  })
  .meta({ id: "DocGenTag", description: "A tag of a template." });
export const tags = page(tag, "DocGenTagPage", "A page of tags.")
  .extend({
    errors: z
      .array(fieldProblem)
      .optional()
      .meta({
        description:
          "Quire extension: why the template cannot be used. Such a template has no tags.",
        examples: [[]],
      }),
  })
  .meta({ id: "DocGenTags", description: "A page of the tags of a template, in document order." });
export const tagsProcessing = z
  .object({
    message: z
      .string()
      .meta({ description: "What is in progress.", examples: ["Processing tags for this file."] }),
  })
  .meta({ id: "DocGenTagsProcessingMessage", description: "The tags are not available yet." });
export const dataSchema = z.looseObject({}).meta({
  id: "DataSchema",
  description: "A JSON Schema (2020-12) for a template's data.",
  examples: [
    {
      type: "object",
      properties: { customer: { type: "object", properties: { name: { type: "string" } } } },
    },
  ],
});
