import type { RenderOptions } from "@quire/docx/internal/compile-options";
import type { RenderResult, Template } from "@quire/docx/internal/compile-template";

/** A filled form. */
export interface PdfFormResult extends RenderResult {
  /** The bytes of the `.pdf` file. The same form, data and options give the same bytes. */
  readonly bytes: Uint8Array;
  /** Number of pages. */
  readonly pages: number;
}

/**
 * A PDF form as a template. The full name of each field is a tag, such as `customer.name` or `total ::
 * number("#,##0.00")`. A name that is not a valid tag is read literally, as a path of keys. Immutable.
 */
export interface PdfForm extends Template {
  /** Number of pages. */
  readonly pages: number;
  /**
   * Fills the form. `onMissing` works as for tags: with `keep`, the default, a field without a value does not change.
   * Throws the errors of {@link Template.render}. Throws `invalid_data` if a value is not one of a field's options, is
   * too long, does not fit into the field, or contains a character that the fonts of forms lack.
   */
  render(data: object, options?: RenderOptions): PdfFormResult;
}
