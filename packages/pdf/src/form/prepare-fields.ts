import type { Diagnostic } from "@quire/contracts";
import {
  type PDFContext,
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "../read/pdf-lib.ts";
import { bytesOf, dictIn, key, nameText, numberIn, rectangleOf } from "../read/pdf-objects.ts";
import { drawingDict, type Frame, frameOf, tickDrawing } from "./appearance.ts";
import { type FieldLook, readLook } from "./field-look.ts";
import { ANNOTATION_FLAG, type FieldWidget, FLAG, type FormField } from "./form-fields.ts";
import type { TaggedField } from "./form-tags.ts";
import { type PrintFont, PrintFonts } from "./print-font.ts";

/** A widget and the data needed to draw it. */
export interface PreparedWidget {
  readonly widget: FieldWidget;
  readonly frame: Frame;
  readonly look: FieldLook;
  readonly font: PrintFont;
  /** Whether a reader sees the widget. */
  readonly isVisible: boolean;
  /** The object of the widget's new drawing in a document. `drawingDict` is the dictionary of that drawing. */
  readonly drawing: PDFRef;
  readonly drawingDict: PDFDict;
  /** The widget's appearance dictionary, which refers to the new drawing. */
  readonly looks: PDFDict;
}

/** A field that is ready to be filled. */
export interface PreparedField extends TaggedField {
  readonly widgets: readonly PreparedWidget[];
}

/** Prepares the fields for all documents. Reports fonts that are replaced. */
export class FieldPreparation {
  readonly fonts: PrintFonts;
  readonly #context: PDFContext;
  readonly #form: PDFDict;
  readonly #looks = new Map<string, FieldLook>();

  constructor(context: PDFContext, form: PDFDict) {
    this.#context = context;
    this.#form = form;
    this.fonts = new PrintFonts(context);
  }

  field(tagged: TaggedField): PreparedField {
    const { field } = tagged;
    const widgets = field.widgets.map((widget): PreparedWidget => {
      const look = this.#look(widget.look);
      const frame = frameOf(widget);
      const font = this.fonts.get(look.font.name);
      const drawing = this.#context.nextRef();
      return {
        widget,
        frame,
        look,
        font,
        isVisible: isVisible(widget),
        drawing,
        drawingDict: drawingDict(this.#context, frame, font.resources),
        looks: this.#context.obj({ N: drawing }),
      };
    });
    return { ...tagged, widgets };
  }

  warnings(fields: readonly PreparedField[]): Diagnostic[] {
    const printed = fields.filter(({ field }) => field.kind !== "button");
    const replaced = new Map<string, string>();
    for (const { insteadOf, name } of printed.flatMap(({ widgets }) => widgets.map(fontOf))) {
      if (insteadOf !== null) replaced.set(insteadOf, name);
    }
    return [...replaced].map(([asked, name]) => ({
      severity: "warning",
      code: "font_replaced",
      message: `Fields with the font '${asked}' are printed in ${name}.`,
      hint: "Choose Helvetica, Times or Courier in the properties of the fields.",
    }));
  }

  #look(operators: string): FieldLook {
    let look = this.#looks.get(operators);
    if (look === undefined) {
      look = readLook(operators, this.#form);
      this.#looks.set(operators, look);
    }
    return look;
  }
}

function fontOf({ look }: PreparedWidget): FieldLook["font"] {
  return look.font;
}

function isVisible({ dict, box, page }: FieldWidget): boolean {
  const flags = numberIn(dict, "F") ?? 0;
  const isHidden = (flags & (ANNOTATION_FLAG.hidden | ANNOTATION_FLAG.noView)) !== 0;
  return page !== null && !isHidden && box.right > box.left && box.top > box.bottom;
}

const ON_STATE = "Yes";

/**
 * Adds an appearance to a button that has none: a tick in its frame. A radio button that has neither a state nor an
 * appearance does not change.
 */
export function completeButton(field: FormField, context: PDFContext): FormField {
  if (field.kind !== "button") return field;
  const isRadio = (field.flags & FLAG.radio) !== 0;
  const widgets = field.widgets.map((widget): FieldWidget => {
    const state = widget.state ?? (isRadio ? null : ON_STATE);
    if (state === null || hasLooks(widget)) return widget;
    const frame = frameOf(widget);
    const dict = (): PDFDict => drawingDict(context, frame, context.obj({}));
    const on = context.register(PDFRawStream.of(dict(), bytesOf(tickDrawing(frame))));
    const off = context.register(PDFRawStream.of(dict(), bytesOf(frame.drawing)));
    const states = context.obj({ Off: off });
    states.set(stateName([widget], state) ?? key(ON_STATE), on);
    widget.dict.set(key("AP"), context.obj({ N: states }));
    return { ...widget, state };
  });
  if (field.options.length > 0) return { ...field, widgets };
  const hasState = widgets.some(({ state }) => state !== null);
  return { ...field, widgets, options: hasState ? [{ value: ON_STATE, label: ON_STATE }] : [] };
}

/** Whether a button has a visible drawing of its on state. */
function hasLooks({ dict, state }: FieldWidget): boolean {
  const looks = dictIn(dict, "AP");
  const normal = looks === null ? null : dictIn(looks, "N");
  const name = state === null ? null : stateName([{ dict }], state);
  const drawing = name === null ? undefined : normal?.lookup(name);
  const box = drawing instanceof PDFStream ? rectangleOf(drawing.dict.lookup(key("BBox"))) : null;
  return box !== null && box.right > box.left && box.top > box.bottom;
}

/**
 * Returns the name of a state exactly as the widgets spell it, even if its bytes are not UTF-8; null if no widget has
 * it.
 */
export function stateName(
  widgets: readonly { readonly dict: PDFDict }[],
  state: string,
): PDFName | null {
  for (const { dict } of widgets) {
    const looks = dictIn(dict, "AP");
    const normal = looks === null ? null : dictIn(looks, "N");
    const found = normal?.keys().find((name) => nameText(name) === state);
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the drawing of a widget in the template, in its current state, or null. */
export function drawingOf(dict: PDFDict): PDFRef | null {
  const looks = dictIn(dict, "AP");
  const normal = looks?.get(key("N"));
  const found = looks?.lookup(key("N"));
  if (found instanceof PDFStream) return normal instanceof PDFRef ? normal : null;
  const state = dict.lookup(key("AS"));
  const drawing = found instanceof PDFDict && state instanceof PDFName ? found.get(state) : null;
  return drawing instanceof PDFRef ? drawing : null;
}

/** Returns the normal drawings of a widget: a single one, or one for each state. */
export function drawingsOf(dict: PDFDict): PDFRef[] {
  const looks = dictIn(dict, "AP");
  const normal = looks?.get(key("N"));
  if (normal instanceof PDFRef) return [normal];
  return normal instanceof PDFDict ? normal.values().filter((each) => each instanceof PDFRef) : [];
}
