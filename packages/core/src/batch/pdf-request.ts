import type { PdfInitialView, PdfMetadata, PdfOptions, PdfPermissions } from "@quire/contracts";

/** {@link PdfOptions} in the form of a JSON body. */
export interface PdfRequestOptions {
  readonly pdf_a?: PdfOptions["pdfA"];
  readonly pdf_ua?: boolean | undefined;
  readonly tagged?: boolean | undefined;
  readonly bookmarks?: boolean | undefined;
  readonly image_quality?: number | undefined;
  readonly lossless_images?: boolean | undefined;
  readonly image_dpi?: number | undefined;
  readonly pages?: string | undefined;
  readonly open_password?: string | undefined;
  readonly permission_password?: string | undefined;
  readonly permissions?: PdfPermissions | undefined;
  readonly watermark?: string | undefined;
  readonly initial_view?:
    | (Omit<PdfInitialView, "fullScreen" | "showTitle"> & {
        readonly full_screen?: boolean | undefined;
        readonly show_title?: boolean | undefined;
      })
    | undefined;
  readonly update_indexes?: boolean | undefined;
  readonly metadata?: PdfMetadata | undefined;
}

/** The options of a batch's PDFs, in the form of the converter. */
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
