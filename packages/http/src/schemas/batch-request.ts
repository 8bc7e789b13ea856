import { z } from "zod";
import { fileReferenceInput, fileVersionReferenceInput, folderReferenceInput } from "./common.ts";
import { outputType } from "./docgen.ts";
import { EXAMPLE } from "./example-values.ts";
import { pdfOptions } from "./pdf-options.ts";

const locale = z
  .string()
  .optional()
  .meta({ description: "Quire extension: the language and region, BCP 47.", examples: ["de-CH"] });
const timeZone = z
  .string()
  .optional()
  .meta({ description: "Quire extension: the IANA time zone.", examples: ["Europe/Zurich"] });

const generationData = z
  .object({
    generated_file_name: z.string().meta({
      description:
        'The name of the document, with or without its extension. One path segment of at most 255 bytes of UTF-8 including the extension, without control characters and `<>:"|?*\\/`, without a leading or trailing space, and without a trailing dot.',
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f<>:"|?*/\\\\]+$',
      examples: ["Invoice 17"],
    }),
    user_input: z.looseObject({}).meta({
      description: "The data for the template's tags, at most 64 levels deep.",
      examples: [{ customer: { name: "Ann" }, items: [{ name: "Pen", price: "1.20" }] }],
    }),
    locale: locale.describe(
      "Quire extension: the language and region of this document. Default: the value of the batch.",
    ),
    time_zone: timeZone.describe(
      "Quire extension: the time zone of this document. Default: the value of the batch.",
    ),
  })
  .meta({ id: "DocGenDocumentGenerationData", description: "One document to generate." });

const delimiters = z.union([
  z.literal("auto").describe("Uses `{` and `}` if the template does not contain `{{`."),
  z
    .object({
      start: z
        .string()
        .min(1)
        .meta({ description: "The start of a tag.", examples: ["<<"] }),
      end: z
        .string()
        .min(1)
        .meta({ description: "The end of a tag.", examples: [">>"] }),
    })
    .meta({ id: "DocGenDelimiters", description: "The delimiters of a tag." }),
]);

/**
 * The body that creates a batch. Used only for the OpenAPI document, because the engine checks requests more strictly.
 */
export const batchRequest = z
  .object({
    file: fileReferenceInput.describe("The template."),
    file_version: fileVersionReferenceInput
      .optional()
      .describe("A version of the template. Default: the current version."),
    input_source: z.literal("api").describe("Always `api`."),
    destination_folder: folderReferenceInput.describe("The folder for the documents."),
    output_type: outputType.describe("The format of the documents."),
    document_generation_data: z
      .array(generationData)
      .min(1)
      .meta({ description: "One entry per document.", maxItemsOf: "entries" }),
    on_conflict: z.enum(["rename", "fail"]).optional().meta({
      description: "Quire extension: how to handle a document whose name is already taken.",
      default: "rename",
    }),
    on_missing: z.enum(["keep", "blank", "fail"]).optional().meta({
      description:
        "Quire extension: how to handle a tag without a value. `keep` prints the tag, `blank` prints nothing, `fail` fails the job.",
      default: "keep",
    }),
    rich_text: z.enum(["detected", "tagged"]).optional().meta({
      description:
        "Quire extension. `detected`: HTML values become rich text in any tag, with a warning. `tagged`: only tags with `html` or `markdown` print rich text.",
      default: "detected",
    }),
    compression: z
      .enum(["small", "fast", "template"])
      .optional()
      .meta({ description: "Quire extension: how documents are compressed.", default: "small" }),
    locale: locale.meta({
      description: "Quire extension: the language and region of numbers and dates, BCP 47.",
      default: "en-US",
    }),
    time_zone: timeZone.meta({
      description: "Quire extension: the IANA time zone for dates and times.",
      default: "UTC",
    }),
    now: z.string().optional().meta({
      description:
        "Quire extension: the date of `$today` and `$now` in tags, in ISO 8601. Default: the time at which the batch was accepted.",
    }),
    flatten: z.boolean().optional().meta({
      description: "Quire extension: turn the fields of a PDF form into plain content.",
      default: false,
    }),
    pdf: pdfOptions.optional().describe("Quire extension: options for PDF output."),
    delimiters: delimiters
      .optional()
      .describe("Quire extension: the delimiters of a tag. Default: `{{` and `}}`."),
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
