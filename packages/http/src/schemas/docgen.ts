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
  .meta({ id: "DocGenOutputType", description: "What a document is.", examples: ["pdf"] });
const status = z
  .enum(["submitted", "pending", "completed", "completed_with_error", "failed"])
  .meta({
    id: "DocGenJobStatus",
    description:
      "How far a job is: `submitted` is waiting, `pending` is in work. The other three are for good: `completed`; `completed_with_error`, with a document that lacks something; `failed`, without one.",
    examples: ["completed"],
  });
const failures = z
  .object({
    errors: z.array(z.string()).meta({
      description: "What went wrong.",
      examples: [["The tag 'customer.street' was not provided in the input data."]],
    }),
    warnings: z.array(z.string()).meta({ description: "What is worth knowing.", examples: [[]] }),
  })
  .meta({ id: "DocGenFailures", description: "What went wrong, and what is worth knowing." });
const failuresOrNone = failures.nullable().meta({
  description: "What went wrong, and what is worth knowing; null when there is neither.",
  examples: [null],
});

const jobShape = {
  id: id.meta({ description: "The id of the job.", examples: [EXAMPLE.job] }),
  type: z.literal("docgen_job").describe("Always `docgen_job`."),
  batch: batchReference.describe("The batch that it is of."),
  template_file: fileReference.describe("The template."),
  template_file_version: fileVersionReference.describe("The version with which its batch began."),
  output_file: fileReference.nullable().meta({
    description: "The document; null until it is there.",
    examples: [{ type: "file", id: EXAMPLE.output }],
  }),
  output_file_version: fileVersionReference.nullable().meta({
    description: "The document's version; null until it is there.",
    examples: [{ type: "file_version", id: EXAMPLE.outputVersion }],
  }),
  status,
  output_type: outputType,
  failures: failuresOrNone,
};

export const job = z.object(jobShape).meta({ id: "DocGenJob", description: "One document." });
export const jobFull = z
  .object({
    ...jobShape,
    created_at: instant.describe("When its batch was accepted."),
    created_by: userReference.describe("Who asked for it."),
    enterprise: enterpriseReference.describe("Whose it is."),
    source: z.literal("api").describe("Always `api`."),
  })
  .meta({ id: "DocGenJobFull", description: "One document, with who asked for it and when." });
export const jobs = page(job, "DocGenJobs", "A page of jobs.");
export const jobsFull = page(jobFull, "DocGenJobsFull", "A page of jobs, with all their fields.");

function countOf(description: string, example: number) {
  return z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
}
const counts = z
  .object({
    submitted: countOf("Jobs that wait.", 1),
    pending: countOf("Jobs in work.", 0),
    completed: countOf("Jobs with a document.", 1),
    completed_with_error: countOf("Jobs with a document that lacks something.", 0),
    failed: countOf("Jobs without a document.", 0),
  })
  .meta({ id: "DocGenJobCounts", description: "How many jobs of a batch are in each state." });
export const batch = z
  .object({
    id: id.meta({ description: "The id of the batch.", examples: [EXAMPLE.batch] }),
    type: z.literal("docgen_batch").describe("Always `docgen_batch`."),
    status: z
      .enum(["running", "finished"])
      .describe("Whether any of its jobs is still to be done."),
    cancelled: z.boolean().meta({ description: "Whether it was ended early.", examples: [false] }),
    counts,
    template_file: fileReference.describe("The template."),
    template_file_version: fileVersionReference.describe("The version with which it began."),
    destination_folder: folderReference.describe("Where the documents go."),
    output_type: outputType,
    created_at: instant.describe("When it was accepted."),
    created_by: userReference.describe("Who asked for it."),
    finished_at: instant
      .nullable()
      .meta({ description: "When it came to its end; null before.", examples: [null] }),
  })
  .meta({ id: "DocGenBatch", description: "A batch and how far it is." });

const checkedEntry = z
  .object({
    entry: z
      .int()
      .min(1)
      .meta({ description: "The number of the entry, from 1.", examples: [1] }),
    generated_file_name: z
      .string()
      .nullable()
      .meta({ description: "The name that was asked for.", examples: ["Invoice 17"] }),
    file_name: z
      .string()
      .nullable()
      .meta({
        description: "The name that the document would have now.",
        examples: ["Invoice 17.pdf"],
      }),
    failures: failuresOrNone,
  })
  .meta({ id: "DocGenCheckedEntry", description: "What an entry would come to." });
export const batchCheck = z
  .object({
    type: z.literal("docgen_batch_check").describe("Always `docgen_batch_check`."),
    template_errors: z
      .array(z.string())
      .meta({ description: "What is wrong with the template itself.", examples: [[]] }),
    entries: z
      .array(checkedEntry)
      .meta({ description: "Every entry, in its order.", maxItemsOf: "entries" }),
  })
  .meta({ id: "DocGenBatchCheck", description: "What a batch would come to." });

export const templateRequest = z
  .object({ file: fileReferenceInput.describe("The file, a `.docx` or a PDF form.") })
  .meta({ id: "DocGenTemplateCreateRequest", description: "A file to mark as a template." });
export const templateBase = z
  .object({ file: fileReference.describe("The file.") })
  .meta({ id: "DocGenTemplateBase", description: "A template: its id is its file's." });
export const template = z
  .object({
    file: fileReference.describe("The file."),
    file_name: z
      .string()
      .nullable()
      .meta({ description: "What it is called.", examples: ["invoice.docx"] }),
  })
  .meta({ id: "DocGenTemplate", description: "A template and its name." });
export const templates = page(template, "DocGenTemplates", "A page of templates.");

export const tag = z
  .object({
    tag_content: z
      .string()
      .meta({ description: "As it stands in the template.", examples: ["{{item.name}}"] }),
    tag_type: z
      .enum(["text", "arithmetic", "conditional", "for-loop", "table-loop", "image"])
      .describe("What it does."),
    json_paths: z.array(z.string()).meta({
      description: "The places in the data that it names, and all that they stand in.",
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
        description: "Ours: why a template cannot be used; then it has no tags.",
        examples: [[]],
      }),
  })
  .meta({ id: "DocGenTags", description: "A page of the tags of a template, in their order." });
export const tagsProcessing = z
  .object({
    message: z
      .string()
      .meta({ description: "What to wait for.", examples: ["Processing tags for this file."] }),
  })
  .meta({ id: "DocGenTagsProcessingMessage", description: "The tags are still being read." });
export const dataSchema = z.looseObject({}).meta({
  id: "DataSchema",
  description: "A JSON Schema (2020-12) of a template's data.",
  examples: [
    {
      type: "object",
      properties: { customer: { type: "object", properties: { name: { type: "string" } } } },
    },
  ],
});
