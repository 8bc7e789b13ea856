import type { Diagnostic } from "../errors.ts";

/** Properties of the PDF. Booleans default to false; the converter decides the other defaults. */
export interface PdfOptions {
  /** Archival PDF (ISO 19005): PDF/A-1b, 2b or 3b. */
  readonly pdfA?: "1b" | "2b" | "3b" | undefined;
  /** Accessible PDF (PDF/UA, ISO 14289-1). Implies `tagged`. */
  readonly pdfUA?: boolean | undefined;
  /** Includes the structure of the document, for screen readers. */
  readonly tagged?: boolean | undefined;
  /** Includes an outline of the document's headings. */
  readonly bookmarks?: boolean | undefined;
  /** Quality of pictures compressed as JPEG, from 1 to 100. Default 90. */
  readonly imageQuality?: number | undefined;
  /** Compresses pictures losslessly, and ignores `imageQuality`. */
  readonly losslessImages?: boolean | undefined;
  /** Maximum resolution of pictures, from 36 to 2400 dots per inch. Pictures above it are downsampled. Default 300. */
  readonly imageDpi?: number | undefined;
  /** The pages to include, for example `"1-3,5"`. */
  readonly pages?: string | undefined;
  /** Password for opening the PDF. */
  readonly openPassword?: string | undefined;
  /** Password for changes that `permissions` does not allow. */
  readonly permissionPassword?: string | undefined;
  /** Actions that are allowed without `permissionPassword`, which is then required. Default: no actions. */
  readonly permissions?: PdfPermissions | undefined;
  /** Pale text across every page. */
  readonly watermark?: string | undefined;
  /** How a reader shows the PDF when it is opened. Default: the reader's settings. */
  readonly initialView?: PdfInitialView | undefined;
  /**
   * Rebuilds indexes and tables of contents first. Page numbers and counts are always up to date. An index created by a
   * program other than LibreOffice may look different or be empty afterwards.
   */
  readonly updateIndexes?: boolean | undefined;
  /** The PDF's metadata. Default: the metadata of the docx, with a fixed date. */
  readonly metadata?: PdfMetadata | undefined;
}

/** What a PDF allows without its permission password. */
export interface PdfPermissions {
  /** `low`: only at low resolution. Default `none`. */
  readonly printing?: "none" | "low" | "high" | undefined;
  /**
   * `pages`: insert, delete and rotate pages; `forms`: fill in forms; `comments`: fill in forms and comment; `all`:
   * everything but extracting pages. Default `none`.
   */
  readonly changes?: "none" | "pages" | "forms" | "comments" | "all" | undefined;
  /** Allows copying text and pictures. Default false. */
  readonly copying?: boolean | undefined;
  /** Allows screen readers to extract the text. Default false. */
  readonly accessibility?: boolean | undefined;
}

/** How a reader shows a PDF when it is opened. Some readers ignore these settings. */
export interface PdfInitialView {
  /** The page to show first, from 1. */
  readonly page?: number | undefined;
  /** The scale: fit the page, fit its width, or a percentage. */
  readonly zoom?: "page" | "width" | number | undefined;
  /** One page at a time, one column of pages, or two pages side by side. Default: the reader decides. */
  readonly layout?: "single" | "continuous" | "facing" | undefined;
  /** The panel next to the pages. Default: the reader decides. */
  readonly panel?: "none" | "bookmarks" | "thumbnails" | undefined;
  /** Opens the PDF in full-screen mode, as for a presentation. */
  readonly fullScreen?: boolean | undefined;
  /** Shows the document's title in the title of the window, instead of the file's name. */
  readonly showTitle?: boolean | undefined;
}

/** The PDF's metadata. Fields that are left out come from the docx. */
export interface PdfMetadata {
  /** The title that readers may show instead of the file name, see `PdfInitialView.showTitle`. */
  readonly title?: string | undefined;
  /** Names of the authors, as one string. */
  readonly author?: string | undefined;
  /** A description of the content. */
  readonly subject?: string | undefined;
  /** All keywords as one string, usually separated by commas. */
  readonly keywords?: string | undefined;
  /** Creation date, as an ISO 8601 instant. Default: 2000-01-01T00:00:00Z, so that equal input gives equal bytes. */
  readonly date?: string | undefined;
}

/** Options of {@link Converter.convert}. */
export interface ConvertOptions {
  /** Aborting it ends the conversion, and the call rejects `aborted`. */
  readonly signal?: AbortSignal;
  /** Default: the defaults of {@link PdfOptions}. */
  readonly pdf?: PdfOptions | undefined;
  /**
   * Whether the document comes from `Template.render`. Any other document is checked first, and everything that would
   * fetch, run or open something is removed. Default false.
   */
  readonly rendered?: boolean | undefined;
  /**
   * Documents of the same group come from one template, batch and tenant. A converter may convert several of them at
   * once if the result is the same as for separate conversions. Default: each document is converted separately.
   */
  readonly group?: string | undefined;
  /**
   * The tenant that owns the document. A tenant's cached data is never used for another tenant, and tenants share the
   * converter's time. Default: `""`, for hosts without tenants; their documents may use all lanes.
   */
  readonly tenant?: string | undefined;
  /** The tenant's share of the time: a tenant of weight 2 gets twice the time of a tenant of weight 1. Default 1. */
  readonly weight?: number | undefined;
  /**
   * Allows the converter to stop the conversion if it has run for a long time and other documents wait: `convert` then
   * rejects with a {@link preemptedError}. Default false.
   */
  readonly preemptible?: boolean | undefined;
  /**
   * Called when a lane is ready for the document. The conversion begins when the promise resolves; if it rejects,
   * `convert` rejects with that error. May be called again if another lane repeats the conversion, and is not called
   * for a document whose PDF is already known. Default: the conversion begins at once.
   */
  readonly onBegin?: (() => Promise<void>) | undefined;
}

/**
 * Identifies the program, fonts and options that made a PDF. Equal documents with equal fingerprints give equal PDFs.
 */
export interface ConverterFingerprint {
  /** The program and its version, for example `LibreOffice 7.4.7.2`. */
  readonly program: string;
  /** A hash of the fonts available to the program; null if they could not be listed. */
  readonly fonts: string | null;
  /** A hash of the {@link PdfOptions}. */
  readonly options: string;
}

/** A checked PDF: it is complete, parses, has at least one page, and has text where the docx has text. */
export interface ConvertedDocument {
  /** The complete PDF. It belongs to the caller. */
  readonly bytes: Uint8Array;
  /** The number of pages, at least 1. */
  readonly pages: number;
  /** Differences from Word, for example replaced fonts. Empty if there is nothing to report. */
  readonly warnings: readonly Diagnostic[];
  /** What made this PDF, to explain why two PDFs of one document differ. */
  readonly fingerprint: ConverterFingerprint;
}

/** The layers that isolate a converter. The converter has tested each layer; true means that it works. */
export interface ConverterSeal {
  /** Everything that would fetch, run or open something is removed from documents first. */
  readonly cleaned: boolean;
  /** The program itself follows no links. */
  readonly hardened: boolean;
  /** The program has no network. */
  readonly network: boolean;
  /** The program sees only system files and its own files. */
  readonly files: boolean;
  /** The program can neither signal nor inspect other processes. */
  readonly processes: boolean;
  /** System calls that the program does not need are denied; it starts no programs. */
  readonly calls: boolean;
  /** The total size of the program's temporary files is limited. */
  readonly room: boolean;
}

/** How a converter has converted the documents of groups since it was created. */
export interface ConverterJoining {
  /** Number of documents that were converted together with others of their group. */
  readonly joined: number;
  /** Number of documents of groups that were converted separately. */
  readonly separate: number;
  /**
   * By reason: the number of groups whose documents are no longer converted together. There are at most 20 reasons;
   * groups with more reasons are counted as `other reasons`.
   */
  readonly refused: Readonly<Record<string, number>>;
}

/** Converts documents written by Quire to PDF. `conformance/converter.ts` tests this contract. */
export interface Converter {
  /**
   * Converts one docx. May be called concurrently: when all lanes are busy, documents wait. Tenants share the time of
   * the lanes, so many documents of one tenant do not delay those of another. Documents of a group are converted in
   * order. Rejects `conversion_failed` if there is no PDF or it does not pass the checks, for example for bytes that
   * are not a docx; `timeout` if the document takes longer than the converter allows; `unavailable` if the converter
   * cannot run at all or is closed; `aborted` if the signal is aborted. A failed conversion never affects another.
   */
  convert(document: Uint8Array, options?: ConvertOptions): Promise<ConvertedDocument>;

  /**
   * Returns the layers that work; null before the first test. A converter that runs no program on documents omits the
   * method. Never throws.
   */
  seal?(): ConverterSeal | null;

  /**
   * How often documents of groups were converted together, and why not. Also works after `close`. A converter that
   * always converts documents separately omits the method. Never throws.
   */
  joining?(): ConverterJoining;

  /**
   * Rejects new conversions, waits for the running ones and ends the converter's processes. Closing twice is not an
   * error. An engine closes its converter.
   */
  close(): Promise<void>;
}
