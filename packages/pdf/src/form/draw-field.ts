import type { Diagnostics } from "@quire/docx/internal/render/evaluate/context/document-diagnostics";
import {
  type PDFContext,
  PDFDict,
  PDFHexString,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from "../read/pdf-lib.ts";
import { bytesOf, key, textOf, textString } from "../read/pdf-objects.ts";
import { combDrawing, listDrawing, roomIn, type TextStyle, textDrawing } from "./appearance.ts";
import type { FieldChange } from "./decide-field.ts";
import { type FieldOption, FLAG } from "./form-fields.ts";
import { drawingOf, type PreparedField, type PreparedWidget, stateName } from "./prepare-fields.ts";
import { asPrinted, codePointName } from "./print-font.ts";
import { fitLine, fitLines, LEADING, MIN_SIZE } from "./text-layout.ts";

/** Returns the location of a field's value in the data, for diagnostics. */
export type FieldPlace = () => { readonly pointer?: string };

/** A widget and its appearance in one document. */
export interface DrawnWidget {
  readonly prepared: PreparedWidget;
  /** Null if nothing is drawn. */
  readonly drawing: PDFRef | null;
}

/** The objects of a document that differ from those of the template. */
export type ChangedObjects = Map<PDFRef, PDFObject>;

/** Maximum length of text. Longer text fits on no page, so it is rejected before its layout is computed. */
const MAX_CHARACTERS = 200_000;

/**
 * Fills the fields of one document. Reports a value that cannot be printed as an error; then no document is created.
 */
export class FieldDrawer {
  readonly changed: ChangedObjects = new Map();
  readonly #context: PDFContext;
  readonly #diagnostics: Diagnostics;

  constructor(context: PDFContext, diagnostics: Diagnostics) {
    this.#context = context;
    this.#diagnostics = diagnostics;
  }

  draw(field: PreparedField, change: FieldChange, place: FieldPlace): DrawnWidget[] {
    switch (change.kind) {
      case "keep":
        return this.#keep(field, place);
      case "state":
        return this.#press(field, change.state);
      case "text": {
        const { text } = change;
        this.#value(field, text === "" ? null : textString(text));
        return this.#print(field, text, place);
      }
      case "choice": {
        this.#choose(field, change.chosen);
        return isList(field)
          ? this.#list(field, change.chosen, place)
          : this.#print(field, change.chosen.map(({ label }) => label).join(", "), place);
      }
    }
  }

  /** Leaves the field as it is in the template. If the template has no drawing of its text or combo box, draws it. */
  #keep(field: PreparedField, place: FieldPlace): DrawnWidget[] {
    const { kind, value, options } = field.field;
    const isDrawn = field.widgets.every(({ widget }) => drawingOf(widget.dict) !== null);
    const text = textOf(value);
    if (kind === "button" || isDrawn || text === null || isList(field)) {
      return field.widgets.map((prepared) => ({
        prepared,
        drawing: drawingOf(prepared.widget.dict),
      }));
    }
    const shown = options.find((option) => option.value === text)?.label ?? text;
    return this.#print(field, shown.replace(/\r\n?/g, "\n"), place);
  }

  #press({ field, widgets }: PreparedField, state: string | null): DrawnWidget[] {
    const named = state === null ? null : stateName(field.widgets, state);
    this.#copy(field.ref, field.dict).set(key("V"), named ?? key("Off"));
    return widgets.map((prepared) => {
      const { widget } = prepared;
      const dict = this.#copy(widget.ref, widget.dict);
      const isOn = state !== null && widget.state === state;
      dict.set(key("AS"), isOn && named !== null ? named : key("Off"));
      return { prepared, drawing: drawingOf(dict) };
    });
  }

  #value({ field }: PreparedField, value: PDFObject | null): PDFDict {
    const dict = this.#copy(field.ref, field.dict);
    // If the old rich text remained, readers would show it instead.
    dict.delete(key("RV"));
    dict.set(key("V"), value ?? PDFHexString.of(""));
    return dict;
  }

  #choose(prepared: PreparedField, chosen: readonly FieldOption[]): void {
    const { flags, options } = prepared.field;
    const values = chosen.map(({ value }) => textString(value));
    const isMany = (flags & FLAG.multiSelect) !== 0 && values.length > 1;
    const dict = this.#value(prepared, isMany ? this.#context.obj(values) : (values[0] ?? null));
    dict.delete(key("I"));
    if (!isList(prepared) || chosen.length === 0) return;
    dict.set(key("I"), this.#context.obj(chosen.map((option) => options.indexOf(option))));
  }

  /** Prints text in each widget of its field. */
  #print(field: PreparedField, text: string, place: FieldPlace): DrawnWidget[] {
    if (text.length > MAX_CHARACTERS) {
      this.#doesNotFit(field, place);
      return [];
    }
    const printed = asPrinted(text);
    const isMultiline = field.field.kind === "text" && (field.field.flags & FLAG.multiline) !== 0;
    return field.widgets.map((prepared) => {
      if (!prepared.isVisible) return this.#drawn(prepared, "");
      if (!this.#canPrint(field, prepared, printed.replaceAll("\n", ""), place)) {
        return { prepared, drawing: null };
      }
      const { frame, font, look, widget } = prepared;
      const style: TextStyle = { font, color: look.color, alignment: widget.alignment };
      const cells = isMultiline ? 0 : combCells(field);
      const room = roomIn(frame, isMultiline);
      const fit = isMultiline ? fitLines : fitLine;
      const widest = cells > 0 ? widestIn(printed, prepared) : "";
      const fitted =
        cells > 0
          ? fitLine(widest, font, look.size, { ...room, width: frame.width / cells })
          : fit(printed, font, look.size, room);
      if (fitted === null) {
        this.#doesNotFit(field, place);
        return { prepared, drawing: null };
      }
      if (fitted.shrunk) this.#reportShrunk(field, place);
      const content =
        cells > 0
          ? combDrawing(frame, { ...fitted, lines: [printed] }, style, cells)
          : textDrawing(frame, fitted, style, isMultiline);
      return this.#drawn(prepared, content);
    });
  }

  #list(field: PreparedField, chosen: readonly FieldOption[], place: FieldPlace): DrawnWidget[] {
    const { options } = field.field;
    return field.widgets.map((prepared) => {
      if (!prepared.isVisible) return this.#drawn(prepared, "");
      const { frame, font, look, widget } = prepared;
      const room = roomIn(frame, false);
      const widest = Math.max(0.001, ...chosen.map(({ label }) => font.width(asPrinted(label))));
      const size = Math.min(look.size || 12, room.width / widest);
      const rows = Math.max(1, Math.floor(room.height / (size * LEADING)));
      const first = chosen.length === 0 ? 0 : options.indexOf(chosen[0] as FieldOption);
      const top = first < rows ? 0 : first;
      const shown = options.slice(top, top + rows);
      const texts = shown.map(({ label }) => asPrinted(label));
      if (!this.#canPrint(field, prepared, texts.join(""), place)) {
        return { prepared, drawing: null };
      }
      if (size < MIN_SIZE || !chosen.every((option) => shown.includes(option))) {
        this.#doesNotFit(field, place);
        return { prepared, drawing: null };
      }
      if (top > 0)
        this.#copy(field.field.ref, field.field.dict).set(key("TI"), this.#context.obj(top));
      const lines = texts.map((text, index) => ({
        text,
        chosen: chosen.includes(shown[index] as FieldOption),
      }));
      const style: TextStyle = { font, color: look.color, alignment: widget.alignment };
      return this.#drawn(prepared, listDrawing(frame, lines, size, style));
    });
  }

  #drawn(prepared: PreparedWidget, content: string): DrawnWidget {
    const { widget, drawing, drawingDict, looks, isVisible } = prepared;
    const dict = this.#copy(widget.ref, widget.dict);
    if (isVisible) {
      this.changed.set(drawing, PDFRawStream.of(drawingDict, bytesOf(content)));
      dict.set(key("AP"), looks);
      return { prepared, drawing };
    }
    dict.delete(key("AP"));
    return { prepared, drawing: null };
  }

  /** Returns the document's copy of an object. A field and its only widget may be the same object. */
  #copy(ref: PDFRef, dict: PDFDict): PDFDict {
    const known = this.changed.get(ref);
    if (known instanceof PDFDict) return known;
    const copy = dict.clone(this.#context);
    this.changed.set(ref, copy);
    return copy;
  }

  #canPrint(
    { field, op }: PreparedField,
    { font }: PreparedWidget,
    text: string,
    place: FieldPlace,
  ): boolean {
    const codePoint = font.unprintable(text);
    if (codePoint === null) return true;
    this.#diagnostics.add(op.origin, {
      severity: "error",
      code: "unprintable_character",
      message: `The value for the field '${field.name}' contains the character ${codePointName(codePoint)}, which cannot be printed in a PDF field.`,
      hint: "Fields can only print characters of Western European languages. Use a Word template for other scripts.",
      ...place(),
    });
    return false;
  }

  #doesNotFit({ field, op }: PreparedField, place: FieldPlace): void {
    this.#diagnostics.add(op.origin, {
      severity: "error",
      code: "value_does_not_fit",
      message: `The value for the field '${field.name}' does not fit into it, even at the smallest font size.`,
      hint: "Shorten it, or make the field larger.",
      ...place(),
    });
  }

  #reportShrunk({ field, op }: PreparedField, place: FieldPlace): void {
    this.#diagnostics.warn(
      op.origin,
      "text_shrunk",
      `The value for the field '${field.name}' is printed at a smaller size than the field sets, so that it fits.`,
      place().pointer,
    );
  }
}

function isList({ field }: PreparedField): boolean {
  return field.kind === "choice" && (field.flags & FLAG.combo) === 0;
}

/** Returns the number of cells of a comb field, each for one character; 0 for other fields. */
function combCells({ field }: PreparedField): number {
  const isComb = (field.flags & FLAG.comb) !== 0 && field.kind === "text";
  return isComb ? (field.maxLength ?? 0) : 0;
}

function widestIn(text: string, { font }: PreparedWidget): string {
  let widest = "";
  for (const character of text) {
    if (font.width(character) > font.width(widest)) widest = character;
  }
  return widest;
}
