import type { PDFDict, PDFObject, PDFRef } from "./pdf-lib.ts";
import type { Rectangle } from "./pdf-objects.ts";

/** What a field is filled with. */
export type FieldKind = "text" | "button" | "choice";

/** One of the values that a choice, or a group of buttons, can have. */
export interface FieldOption {
  /** What stands for it in the PDF's data. */
  readonly value: string;
  /** What a reader sees. */
  readonly label: string;
}

/** A place where a field is shown. */
export interface FieldWidget {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  /** From 0; null when it stands on none, and so is seen nowhere. */
  readonly page: number | null;
  readonly box: Rectangle;
  /** What the text in it looks like, as operators (ISO 32000-2, 12.7.4.3); empty when nothing is said. */
  readonly look: string;
  /** 0 left, 1 centred, 2 right. */
  readonly alignment: number;
  /** Of a button: the state in which it is on; null when it is never. */
  readonly state: string | null;
}

/** A field of a form that data fill. */
export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  /** Its flags (ISO 32000-2, tables 227, 229, 231 and 233). */
  readonly flags: number;
  /** What it has in the template. */
  readonly value: PDFObject | undefined;
  /** The most characters that it takes; null when it does not say. */
  readonly maxLength: number | null;
  /** Of a choice, or of buttons, each once; of buttons the value is the name of the state. */
  readonly options: readonly FieldOption[];
  readonly widgets: readonly FieldWidget[];
}

/** What fields are told to be by their flags, by the number of the bit. */
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

/** What annotations are told to be. */
export const ANNOTATION_FLAG = { hidden: 1 << 1, print: 1 << 2, noView: 1 << 5 } as const;
