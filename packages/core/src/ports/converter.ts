import type { Diagnostic } from "../errors.ts";

/** How a PDF is to be. Booleans default to false; what else is left out is as the converter has it. */
export interface PdfOptions {
  /** Archival PDF (ISO 19005): PDF/A-1b, 2b or 3b. */
  readonly pdfA?: "1b" | "2b" | "3b" | undefined;
  /** Accessible PDF (ISO 14289-1); tagged as well. */
  readonly pdfUA?: boolean | undefined;
  /** With the structure of the document, for screen readers. */
  readonly tagged?: boolean | undefined;
  /** With an outline of the document's headings. */
  readonly bookmarks?: boolean | undefined;
  /** Of pictures compressed as JPEG, from 1 to 100. Default 90. */
  readonly imageQuality?: number | undefined;
  /** Pictures are compressed without loss, whatever `imageQuality` says. */
  readonly losslessImages?: boolean | undefined;
  /** Pictures finer than this are made coarser, from 36 to 2400 dots per inch. Default 300. */
  readonly imageDpi?: number | undefined;
  /** Only these pages, for example `"1-3,5"`. */
  readonly pages?: string | undefined;
  /** The PDF opens only with this password. */
  readonly openPassword?: string | undefined;
  /** Changing what `permissions` forbid needs this password. */
  readonly permissionPassword?: string | undefined;
  /** What may be done without the permission password; needs one. Default: everything is forbidden. */
  readonly permissions?: PdfPermissions | undefined;
  /** A pale text across every page. */
  readonly watermark?: string | undefined;
  readonly initialView?: PdfInitialView | undefined;
  /**
   * Makes indexes and tables of contents anew before. Page numbers and counts are always right; an
   * index that was made by another program than LibreOffice may come out different, or empty.
   */
  readonly updateIndexes?: boolean | undefined;
  readonly metadata?: PdfMetadata | undefined;
}

/** What a PDF allows without its permission password. */
export interface PdfPermissions {
  readonly printing?: "none" | "low" | "high" | undefined;
  readonly changes?: "none" | "pages" | "forms" | "comments" | "all" | undefined;
  readonly copying?: boolean | undefined;
  /** Text for screen readers. */
  readonly accessibility?: boolean | undefined;
}

/** How a reader shows a PDF when it is opened; not every reader follows. */
export interface PdfInitialView {
  /** From 1. */
  readonly page?: number | undefined;
  /** The page, its width, or per cent. */
  readonly zoom?: "page" | "width" | number | undefined;
  readonly layout?: "single" | "continuous" | "facing" | undefined;
  readonly panel?: "none" | "bookmarks" | "thumbnails" | undefined;
  readonly fullScreen?: boolean | undefined;
  /** The window's title shows the document's title, not the file's name. */
  readonly showTitle?: boolean | undefined;
}

/** What a PDF says of itself. What is left out comes from the docx. */
export interface PdfMetadata {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
  /** When it was made, as an ISO 8601 instant. Default: 2000-01-01T00:00:00Z, so that equal input gives equal bytes. */
  readonly date?: string | undefined;
}

/** Options of {@link Converter.convert}. */
export interface ConvertOptions {
  /** Ends the conversion and rejects with `aborted`. */
  readonly signal?: AbortSignal;
  readonly pdf?: PdfOptions | undefined;
  /**
   * The document comes from `Template.render`. Any other is looked through first, and what would fetch, run
   * or open something is taken out. Default false.
   */
  readonly rendered?: boolean | undefined;
  /**
   * Documents of the same group come from one template, batch and tenant. A converter may convert several
   * of them at once, where that cannot be told from converting each for itself. Default: for itself.
   */
  readonly group?: string | undefined;
  /**
   * Whose document it is. Nothing that is kept of it is used for another tenant's, and tenants share the converter's
   * time. Default: `""`, for hosts without tenants; those documents may use all lanes.
   */
  readonly tenant?: string | undefined;
  /** The tenant's share of the time: a tenant of weight 2 gets twice the time of one of weight 1. Default 1. */
  readonly weight?: number | undefined;
}

/** What a PDF was made with: an equal one from equal bytes is an equal PDF. */
export interface ConverterFingerprint {
  /** The program and its version, for example `LibreOffice 7.4.7.2`. */
  readonly program: string;
  /** A hash of the fonts that the program had; null when they could not be listed. */
  readonly fonts: string | null;
  /** A hash of the {@link PdfOptions}. */
  readonly options: string;
}

/** A PDF that was checked: it is whole, parses, has at least one page, and text where the docx has text. */
export interface ConvertedDocument {
  readonly bytes: Uint8Array;
  /** The number of pages, at least 1. */
  readonly pages: number;
  readonly warnings: readonly Diagnostic[];
  readonly fingerprint: ConverterFingerprint;
}

/** The layers that seal a converter off. The converter tested each; true: it holds. */
export interface ConverterSeal {
  /** What would fetch, run or open something is taken out of documents before. */
  readonly cleaned: boolean;
  /** The program itself follows no link that it meets. */
  readonly hardened: boolean;
  /** It has no network. */
  readonly network: boolean;
  /** It sees no files but the system's and its own. */
  readonly files: boolean;
  /** It can neither signal nor look at other processes. */
  readonly processes: boolean;
  /** System calls that it does not need are refused; it starts no programs. */
  readonly calls: boolean;
  /** All its temporary files together are bounded. */
  readonly room: boolean;
}

/** Turns documents that Quire wrote into PDF. `conformance/converter.ts` is this contract as tests. */
export interface Converter {
  /**
   * Converts one docx. May be called any number of times at once: when all lanes are busy, documents wait. Tenants
   * share the time of the lanes, so many documents of one tenant do not delay another tenant's. The documents of a group
   * are converted in order.
   * Rejects `conversion_failed` when there is no PDF that stands up to checking, also for bytes that
   * are no docx; `timeout` when the document took longer than the converter allows; `unavailable`
   * when the converter cannot run at all or is closed; `aborted` for the signal.
   * A failed conversion never harms another one.
   */
  convert(document: Uint8Array, options?: ConvertOptions): Promise<ConvertedDocument>;

  /**
   * The layers that hold; null before the first test. A converter that runs no program on documents leaves the method out.
   * Never throws.
   */
  seal?(): ConverterSeal | null;

  /**
   * Refuses new conversions, waits for the running ones and ends every process of its own.
   * Closing twice is not an error. The engine that was given a converter closes it.
   */
  close(): Promise<void>;
}
