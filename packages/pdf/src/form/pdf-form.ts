import type { RenderOptions } from "@quire/docx/internal/compile-options";
import type { RenderResult, Template } from "@quire/docx/internal/compile-template";

/** A filled form. */
export interface PdfFormResult extends RenderResult {
  /** The `.pdf`. The same form, data and options give the same bytes. */
  readonly bytes: Uint8Array;
  /** The number of its pages. */
  readonly pages: number;
}

/**
 * A PDF with form fields, as a template: the full name of each field is a tag, `customer.name` or `total ::
 * number("#,##0.00")`. A name that is not a valid tag is read literally, as keys. Immutable.
 */
export interface PdfForm extends Template {
  /** The number of its pages. */
  readonly pages: number;
  /**
   * Fills the form. `onMissing` works as for tags: with `keep`, the default, a field without a value does not change.
   * Throws the errors of {@link Template.render}, and `invalid_data` for a value that is not one of a field's options,
   * that is too long, that does not fit into the field, or that contains a character that the fonts of forms lack.
   */
  render(data: object, options?: RenderOptions): PdfFormResult;
}
