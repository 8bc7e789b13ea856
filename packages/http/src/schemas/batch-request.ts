import { z } from "zod";
import { fileReferenceInput, fileVersionReferenceInput, folderReferenceInput } from "./common.ts";
import { outputType } from "./docgen.ts";
import { EXAMPLE } from "./example-values.ts";
import { pdfOptions } from "./pdf-options.ts";

const locale = z
  .string()
  .optional()
  .meta({ description: "Ours: the language and region, BCP 47.", examples: ["de-CH"] });
const timeZone = z
  .string()
  .optional()
  .meta({ description: "Ours: the IANA time zone.", examples: ["Europe/Zurich"] });

const generationData = z
  .object({
    generated_file_name: z.string().meta({
      description:
        'The name of the document, with or without its extension: one path segment of at most 255 bytes of UTF-8 with it, without control characters and `<>:"|?*\\/`, no space at its ends, no dot at its end.',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f<>:"|?*/\\\\]+$',
      examples: ["Invoice 17"],
    }),
    user_input: z.looseObject({}).meta({
      description: "The data for the template's tags: at most 64 levels deep.",
      examples: [{ customer: { name: "Ann" }, items: [{ name: "Pen", price: "1.20" }] }],
    }),
    locale: locale.describe(
      "Ours: the language and region of this document. Default: the batch's.",
    ),
    time_zone: timeZone.describe("Ours: the time zone of this document. Default: the batch's."),
  })
  .meta({ id: "DocGenDocumentGenerationData", description: "One document to generate." });

const delimiters = z.union([
  z.literal("auto").describe("A template without `{{` is read with `{` and `}`."),
  z
    .object({
      start: z
        .string()
        .min(1)
        .meta({ description: "Before a tag.", examples: ["<<"] }),
      end: z
        .string()
        .min(1)
        .meta({ description: "After a tag.", examples: [">>"] }),
    })
    .meta({ id: "DocGenDelimiters", description: "What begins and ends a tag." }),
]);

/** What creates a batch: for the document alone, since the engine checks it and knows more. */
export const batchRequest = z
  .object({
    file: fileReferenceInput.describe("The template."),
    file_version: fileVersionReferenceInput
      .optional()
      .describe("A version of the template; the current one when it is left out."),
    input_source: z.literal("api").describe("Always `api`."),
    destination_folder: folderReferenceInput.describe("Where the documents go."),
    output_type: outputType.describe("What the documents are."),
    document_generation_data: z
      .array(generationData)
      .min(1)
      .meta({ description: "One entry per document.", maxItemsOf: "entries" }),
    on_conflict: z.enum(["rename", "fail"]).optional().meta({
      description: "Ours: what becomes of a document whose name is taken.",
      default: "rename",
    }),
    on_missing: z.enum(["keep", "blank", "fail"]).optional().meta({
      description: "Ours: what a tag without a value prints: itself, or nothing.",
      default: "keep",
    }),
    rich_text: z.enum(["detected", "tagged"]).optional().meta({
      description:
        "Ours. `detected`: a value that is HTML becomes rich text in any tag, with a warning. `tagged`: only tags that say `html` or `markdown` print rich text.",
      default: "detected",
    }),
    compression: z
      .enum(["small", "fast", "template"])
      .optional()
      .meta({ description: "Ours: how documents are compressed.", default: "small" }),
    locale: locale.meta({
      description: "Ours: the language and region of numbers and dates, BCP 47.",
      default: "en-US",
    }),
    time_zone: timeZone.meta({
      description: "Ours: the IANA time zone in which instants are shown.",
      default: "UTC",
    }),
    flatten: z.boolean().optional().meta({
      description: "Ours: fields of a PDF form become plain content.",
      default: false,
    }),
    pdf: pdfOptions.optional().describe("Ours: how the PDFs are to be."),
    delimiters: delimiters
      .optional()
      .describe("Ours: what begins and ends a tag. Default `{{` and `}}`."),
  })
  .meta({
    id: "DocGenBatchCreateRequest",
    description: "A batch of documents to generate.",
    examples: [
      {
        file: { type: "file", id: EXAMPLE.template },
        input_source: "api",
        destination_folder: { type: "folder", id: EXAMPLE.folder },
        output_type: "pdf",
        document_generation_data: [
          { generated_file_name: "Invoice 17", user_input: { customer: { name: "Ann" } } },
          { generated_file_name: "Invoice 18", user_input: { customer: { name: "Ben" } } },
        ],
      },
    ],
  });
