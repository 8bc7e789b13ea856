import type { PdfInitialView, PdfMetadata, PdfOptions, PdfPermissions } from "@quire/contracts";

/** {@link PdfOptions} in the form of a JSON body. */
export interface PdfRequestOptions {
  /** Archival PDF (ISO 19005): PDF/A-1b, 2b or 3b. Default: an ordinary PDF. */
  readonly pdf_a?: PdfOptions["pdfA"];
  /** Accessible PDF (ISO 14289-1). Implies `tagged`. Default false. */
  readonly pdf_ua?: boolean | undefined;
  /** Includes the structure of the document, for screen readers. Default false. */
  readonly tagged?: boolean | undefined;
  /** Includes an outline of the document's headings. Default false. */
  readonly bookmarks?: boolean | undefined;
  /** Quality of pictures compressed as JPEG, from 1 to 100. Default 90. */
  readonly image_quality?: number | undefined;
  /** Compresses pictures losslessly, and ignores `image_quality`. Default false. */
  readonly lossless_images?: boolean | undefined;
  /** Maximum resolution of pictures, from 36 to 2400 dots per inch. Default 300. */
  readonly image_dpi?: number | undefined;
  /** The pages to include, for example `"1-3,5"`. Default: all pages. */
  readonly pages?: string | undefined;
  /** Password for opening the PDF. Default: no password. */
  readonly open_password?: string | undefined;
  /** Password for changes that `permissions` does not allow; required with `permissions`. Default: none. */
  readonly permission_password?: string | undefined;
  /** Actions that are allowed without the permission password. Default: no actions. */
  readonly permissions?: PdfPermissions | undefined;
  /** Pale text across every page. Default: none. */
  readonly watermark?: string | undefined;
  /** How a reader shows the PDF when it is opened. Default: the reader's settings. */
  readonly initial_view?:
    | (Omit<PdfInitialView, "fullScreen" | "showTitle"> & {
        /** Opens the PDF in full-screen mode, as for a presentation. Default false. */
        readonly full_screen?: boolean | undefined;
        /** Shows the document's title in the title of the window, instead of the file's name. Default false. */
        readonly show_title?: boolean | undefined;
      })
    | undefined;
  /** Rebuilds indexes and tables of contents first, see {@link PdfOptions.updateIndexes}. Default false. */
  readonly update_indexes?: boolean | undefined;
  /** The PDF's metadata. Default: the metadata of the docx, with a fixed date. */
  readonly metadata?: PdfMetadata | undefined;
}

/** Converts the options of a request to options of the converter. */
export function pdfOptionsOf(request: PdfRequestOptions): PdfOptions {
  const { initial_view: view } = request;
  return {
    pdfA: request.pdf_a,
    pdfUA: request.pdf_ua,
    tagged: request.tagged,
    bookmarks: request.bookmarks,
    imageQuality: request.image_quality,
    losslessImages: request.lossless_images,
    imageDpi: request.image_dpi,
    pages: request.pages,
    openPassword: request.open_password,
    permissionPassword: request.permission_password,
    permissions: request.permissions,
    watermark: request.watermark,
    initialView:
      view === undefined
        ? undefined
        : {
            page: view.page,
            zoom: view.zoom,
            layout: view.layout,
            panel: view.panel,
            fullScreen: view.full_screen,
            showTitle: view.show_title,
          },
    updateIndexes: request.update_indexes,
    metadata: request.metadata,
  };
}
