import type { ConflictPolicy, FileRef, FolderRef, OutputType } from "@quire/contracts";
import type { Compression } from "@quire/docx/internal/compile-options";
import type { PdfRequestOptions } from "./pdf-request.ts";

/** One document to generate. */
export interface GenerationEntry {
  /** The name of the output file, with or without its extension. */
  readonly generated_file_name: string;
  /** The data for the template's tags. */
  readonly user_input: object;
  /** An extension of Quire: the language and region of this document. Default: those of the batch. */
  readonly locale?: string | undefined;
  /** An extension of Quire: the time zone of this document. Default: that of the batch. */
  readonly time_zone?: string | undefined;
}

/** A batch request, in the form of a JSON body. */
export interface BatchRequest {
  /** The template. */
  readonly file: FileRef;
  /** A version of the template. Default: the current one. */
  readonly file_version?:
    | {
        readonly type: "file_version";
        /** As in `FileInfo.version`. */
        readonly id: string;
      }
    | undefined;
  /** Always `api`, as in the HTTP API. */
  readonly input_source: "api";
  /** The folder for the documents. */
  readonly destination_folder: FolderRef;
  /** `pdf` needs `EngineOptions.converter`, unless the template is a PDF form. */
  readonly output_type: OutputType;
  /** One entry for each document, at least one. */
  readonly document_generation_data: readonly GenerationEntry[];
  /** An extension of Quire: what to do when a file name is taken. Default `rename`. */
  readonly on_conflict?: ConflictPolicy | undefined;
  /**
   * An extension of Quire: what to print for a tag without a value. `keep` (the default): the tag itself; `blank`:
   * nothing. With `fail`, the job fails.
   */
  readonly on_missing?: "keep" | "blank" | "fail" | undefined;
  /**
   * An extension of Quire. `detected` (the default): a value that is HTML becomes rich text in any tag. `tagged`: only
   * tags with `html` or `markdown` print rich text.
   */
  readonly rich_text?: "detected" | "tagged" | undefined;
  /** An extension of Quire: the language and region of numbers and dates, as a BCP 47 tag. Default `en-US`. */
  readonly locale?: string | undefined;
  /** An extension of Quire: the IANA time zone in which instants are shown. Default `UTC`. */
  readonly time_zone?: string | undefined;
  /**
   * An extension of Quire: the date of `$today` and `$now` in tags, in ISO 8601. Default: the time at which the batch
   * was accepted.
   */
  readonly now?: string | undefined;
  /**
   * An extension of Quire: how the documents are compressed (see `RenderOptions`). Default `small`;
   * `template` is the fastest for a large batch.
   */
  readonly compression?: Compression | undefined;
  /** An extension of Quire: whether the fields of a PDF form become plain content. Default false. */
  readonly flatten?: boolean | undefined;
  /** An extension of Quire: properties of the PDFs. */
  readonly pdf?: PdfRequestOptions | undefined;
  /**
   * An extension of Quire: the delimiters of tags. Default `{{` and `}}`. With `"auto"`, a template without `{{` is
   * read with `{` and `}`.
   */
  readonly delimiters?:
    | "auto"
    | {
        /** Not empty. Delimiters that the template language cannot use are rejected with `invalid_request`. */
        readonly start: string;
        /** Not empty. */
        readonly end: string;
      }
    | undefined;
}

/**
 * A batch request whose entries are read as a stream, so that many entries need little memory. Each item is an entry,
 * checked when it is read: an invalid entry becomes a failed job, and the others continue. A source that cannot read an
 * entry may yield a `QuireError` with the reason instead.
 */
export interface StreamedBatchRequest extends Omit<BatchRequest, "document_generation_data"> {
  /** The entries, read once and to the end; each is a {@link GenerationEntry} if it is valid. */
  readonly document_generation_data: AsyncIterable<unknown>;
}

/** Whether a request's entries are streamed. */
export function isStreamed(input: unknown): input is StreamedBatchRequest {
  const data = (input as { document_generation_data?: unknown } | null)?.document_generation_data;
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}
