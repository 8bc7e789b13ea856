import type { PDFDict, PDFObject, PDFRef } from "../read/pdf-lib.ts";
import type { Rectangle } from "../read/pdf-objects.ts";

/** The kind of value that a field takes. */
export type FieldKind = "text" | "button" | "choice";

/** A possible value of a choice field or of a group of buttons. */
export interface FieldOption {
  /** The option's value in the PDF's data. */
  readonly value: string;
  /** The option's text as a reader sees it. */
  readonly label: string;
}

/** A rectangle in which a field is shown. */
export interface FieldWidget {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  /** The index of the page, from 0; null if the widget is not on a page, which makes it invisible. */
  readonly page: number | null;
  readonly box: Rectangle;
  /** The style of its text as operators (ISO 32000-2, 12.7.4.3); may be empty. */
  readonly look: string;
  /** 0 is left, 1 is centred, 2 is right. */
  readonly alignment: number;
  /** For a button: the state in which it is on; null if it has no such state. */
  readonly state: string | null;
}

/** A field of a form that data can fill. */
export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  /** Field flags (ISO 32000-2, tables 227, 229, 231 and 233). */
  readonly flags: number;
  /** Its value in the template. */
  readonly value: PDFObject | undefined;
  /** Maximum number of characters; null if there is no limit. */
  readonly maxLength: number | null;
  /**
   * The options of a choice field or of buttons, without duplicates. For buttons, the value is the name of the state.
   */
  readonly options: readonly FieldOption[];
  readonly widgets: readonly FieldWidget[];
}

/** Bits of the field flags. */
export const FLAG = {
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  multiSelect: 1 << 21,
  comb: 1 << 24,
} as const;

/** Bits of the annotation flags. */
export const ANNOTATION_FLAG = { hidden: 1 << 1, print: 1 << 2, noView: 1 << 5 } as const;
