import type { OpenedPdf } from "../read/open-pdf.ts";
import { withDrawing } from "../read/page-drawing.ts";
import type { PdfPage } from "../read/pages.ts";
import {
  type PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "../read/pdf-lib.ts";
import {
  arrayIn,
  bytesOf,
  key,
  numberIn,
  numbersOf,
  rectangleOf,
  spelled,
} from "../read/pdf-objects.ts";
import type { DrawnWidget } from "./draw-field.ts";
import { ANNOTATION_FLAG } from "./form-fields.ts";
import { drawingOf, drawingsOf } from "./prepare-fields.ts";
import type { ReadForm } from "./read-form.ts";

/** A page whose widgets are drawn as part of its content. */
interface FlatPage {
  readonly page: PdfPage;
  /** In drawing order. */
  readonly widgets: readonly PDFRef[];
  /** The object that draws the widgets of this page in a document. */
  readonly content: PDFRef;
}

/** A document whose fields are flattened: its pages show the fields as content, and only signature fields remain. */
export class FlatForm {
  /** Objects that replace the template's objects in every document. */
  readonly replaced = new Map<PDFRef, PDFObject>();
  readonly #context: PDFContext;
  readonly #pages: FlatPage[] = [];
  readonly #pushButtons: ReadonlySet<PDFRef>;

  constructor(pdf: OpenedPdf, form: ReadForm) {
    this.#context = pdf.context;
    this.#pushButtons = form.pushButtons;
    const signed = new Set(form.signatures.flatMap(({ widgets }) => widgets));
    for (const page of pdf.pages) this.#page(page, signed);
    this.#catalog(pdf, form);
  }

  /** All drawings of the template that a document may show. */
  get drawings(): PDFRef[] {
    const widgets = this.#pages.flatMap((page) => page.widgets);
    return widgets.flatMap((ref) => drawingsOf(this.#context.lookup(ref) as PDFDict));
  }

  /** The objects that each document writes itself. */
  get own(): PDFRef[] {
    return this.#pages.map(({ content }) => content);
  }

  /** Returns the content that the pages of a document show instead of their fields. */
  draw(
    drawn: readonly DrawnWidget[],
    changed: ReadonlyMap<PDFRef, PDFObject>,
  ): [PDFRef, PDFObject][] {
    const drawings = new Map(
      drawn.map(({ prepared, drawing }) => [
        prepared.widget.ref,
        prepared.isVisible ? drawing : null,
      ]),
    );
    return this.#pages.map(({ page, widgets, content }): [PDFRef, PDFObject] => {
      const names = this.#context.obj({});
      let operators = "";
      for (const [index, ref] of widgets.entries()) {
        const drawing = drawings.has(ref) ? drawings.get(ref) : this.#unfilled(ref);
        if (drawing === null || drawing === undefined) continue;
        const stream = changed.get(drawing) ?? this.#context.lookup(drawing);
        const matrix = placed(stream, this.#context.lookup(ref));
        if (matrix === null) continue;
        names.set(PDFName.of(`W${index}`), drawing);
        operators += `q ${matrix} cm /W${index} Do Q\n`;
      }
      const { left, bottom, right, top } = page.box;
      const dict = this.#context.obj({
        Type: "XObject",
        Subtype: "Form",
        BBox: [left, bottom, right, top],
        Resources: { XObject: names },
      });
      return [content, PDFRawStream.of(dict, bytesOf(operators))];
    });
  }

  /**
   * Returns the drawing of a widget that data does not fill. Null if the widget is hidden, or is a push button that is
   * not printed.
   */
  #unfilled(ref: PDFRef): PDFRef | null {
    const dict = this.#context.lookup(ref);
    if (!(dict instanceof PDFDict)) return null;
    const flags = numberIn(dict, "F") ?? 0;
    const isHidden = (flags & (ANNOTATION_FLAG.hidden | ANNOTATION_FLAG.noView)) !== 0;
    const isPrinted = !this.#pushButtons.has(ref) || (flags & ANNOTATION_FLAG.print) !== 0;
    return isHidden || !isPrinted ? null : drawingOf(dict);
  }

  #page(page: PdfPage, signed: ReadonlySet<PDFRef>): void {
    const kept: PDFObject[] = [];
    const widgets: PDFRef[] = [];
    for (const element of arrayIn(page.dict, "Annots")?.asArray() ?? []) {
      const dict = this.#context.lookup(element);
      const isWidget = dict instanceof PDFDict && dict.lookup(key("Subtype")) === key("Widget");
      if (!isWidget || !(element instanceof PDFRef) || signed.has(element)) kept.push(element);
      else widgets.push(element);
    }
    if (widgets.length === 0) return;
    const content = this.#context.nextRef();
    const flat = withDrawing(page, content, (name) => `/${name} Do`);
    if (kept.length > 0) flat.set(key("Annots"), this.#context.obj(kept));
    else flat.delete(key("Annots"));
    this.replaced.set(page.ref, flat);
    // The structure tree of the document may still refer to the widgets.
    for (const ref of widgets) this.replaced.set(ref, emptyWidget(this.#context, ref));
    this.#pages.push({ page, widgets, content });
  }

  /** Removes the form. If there are signature fields, keeps these and their ancestors. */
  #catalog({ catalog }: OpenedPdf, { form, signatures }: ReadForm): void {
    const root = this.#context.trailerInfo.Root as PDFRef;
    const flat = catalog.clone(this.#context);
    this.replaced.set(root, flat);
    flat.delete(key("AcroForm"));
    if (signatures.length === 0) return;
    const kept = new Set<PDFObject>();
    for (const { ref } of signatures) this.#keepWithParents(ref, kept);
    const only = (array: PDFArray | null): PDFArray =>
      this.#context.obj((array?.asArray() ?? []).filter((each) => kept.has(each)));
    const flatForm = form.clone(this.#context);
    flatForm.set(key("Fields"), only(arrayIn(form, "Fields")));
    flat.set(key("AcroForm"), flatForm);
    const own = new Set(signatures.map(({ ref }) => ref as PDFObject));
    for (const ref of kept) {
      const dict = this.#context.lookup(ref);
      if (own.has(ref) || !(dict instanceof PDFDict)) continue;
      const parent = dict.clone(this.#context);
      parent.set(key("Kids"), only(arrayIn(dict, "Kids")));
      this.replaced.set(ref as PDFRef, parent);
    }
  }

  #keepWithParents(ref: PDFRef, kept: Set<PDFObject>): void {
    for (let at: PDFObject | undefined = ref; at instanceof PDFRef && !kept.has(at); ) {
      kept.add(at);
      const dict: PDFObject | undefined = this.#context.lookup(at);
      at = dict instanceof PDFDict ? dict.get(key("Parent")) : undefined;
    }
  }
}

function emptyWidget(context: PDFContext, ref: PDFRef): PDFDict {
  const box = (context.lookup(ref) as PDFDict).get(key("Rect"));
  return context.obj({
    Type: "Annot",
    Subtype: "Widget",
    ...(box === undefined ? {} : { Rect: box }),
    F: ANNOTATION_FLAG.hidden,
  });
}

/**
 * Returns the matrix that scales a drawing into the rectangle of its widget (ISO 32000-2, 12.5.5), as text; null if
 * nothing is visible.
 */
function placed(stream: PDFObject | undefined, widget: PDFObject | undefined): string | null {
  if (!(stream instanceof PDFStream) || !(widget instanceof PDFDict)) return null;
  const box = rectangleOf(stream.dict.lookup(key("BBox")));
  const target = rectangleOf(widget.lookup(key("Rect")));
  if (box === null || target === null) return null;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] =
    numbersOf(stream.dict.lookup(key("Matrix"))) ?? [];
  const corners = [box.left, box.right].flatMap((x) =>
    [box.bottom, box.top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const left = Math.min(...corners.map(([x]) => x));
  const right = Math.max(...corners.map(([x]) => x));
  const bottom = Math.min(...corners.map(([, y]) => y));
  const top = Math.max(...corners.map(([, y]) => y));
  if (right <= left || top <= bottom) return null;
  const across = (target.right - target.left) / (right - left);
  const up = (target.top - target.bottom) / (top - bottom);
  const move = [target.left - left * across, target.bottom - bottom * up];
  return [precise(across), 0, 0, precise(up), ...move.map(spelled)].join(" ");
}

/** Returns a scaling factor with enough digits for large drawings. */
function precise(number: number): string {
  return number.toFixed(6).replace(/\.?0+$/, "");
}
