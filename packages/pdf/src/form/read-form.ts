import type { OpenedPdf } from "../read/open-pdf.ts";
import { type PDFArray, PDFDict, type PDFObject, PDFRef } from "../read/pdf-lib.ts";
import {
  arrayIn,
  dictIn,
  key,
  nameIn,
  numberIn,
  rectangleOf,
  textIn,
} from "../read/pdf-objects.ts";
import { PdfProblem } from "../read/pdf-problem.ts";
import { onState, optionsOf, statesOf } from "./field-options.ts";
import { type FieldKind, type FieldWidget, FLAG, type FormField } from "./form-fields.ts";

/** The parsed form of a PDF. */
export interface ReadForm {
  /** The form's dictionary in the document. */
  readonly form: PDFDict;
  /** Fields that data can fill, in the order in which the pages show them. */
  readonly fields: readonly FormField[];
  /** Widgets of buttons that only start an action. */
  readonly pushButtons: ReadonlySet<PDFRef>;
  /** Unsigned signature fields, with their widgets. */
  readonly signatures: readonly SignatureField[];
  /** The names of fields that data cannot fill. */
  readonly unfilled: readonly string[];
}

/** An unsigned signature field. */
export interface SignatureField {
  readonly ref: PDFRef;
  readonly widgets: readonly PDFRef[];
}

const MAX_FIELDS = 20_000;
const MAX_DEPTH = 50;

/** A node in the tree of fields. */
interface FieldNode {
  readonly ref: PDFRef;
  readonly names: readonly string[];
  /** Attributes that the node inherits from its ancestors. */
  readonly inherited: ReadonlyMap<string, PDFObject>;
  readonly depth: number;
}

/** A field without child fields. */
interface Terminal {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  readonly kids: readonly PDFRef[];
  /** The attributes of the field, including inherited ones. */
  readonly entries: PDFDict;
}

const INHERITED = ["FT", "Ff", "V", "MaxLen", "Opt", "DA", "Q"];

/** Reads the form of a document. Throws {@link PdfProblem} if it has no form that can be filled. */
export function readForm(pdf: OpenedPdf): ReadForm {
  const form = dictIn(pdf.catalog, "AcroForm");
  if (form === null) throw withoutFields();
  const reader = new FormReader(pdf, form);
  reader.read();
  return reader;
}

function withoutFields(): PdfProblem {
  return new PdfProblem("it has no form fields to fill. Add them in a PDF editor");
}

class FormReader implements ReadForm {
  readonly form: PDFDict;
  readonly fields: FormField[] = [];
  readonly pushButtons = new Set<PDFRef>();
  readonly signatures: SignatureField[] = [];
  readonly unfilled: string[] = [];
  readonly #pdf: OpenedPdf;
  readonly #seen = new Set<PDFRef>();
  /** The position of each widget: the index of its page, and its index on that page. */
  readonly #places = new Map<PDFRef, readonly [number, number]>();

  constructor(pdf: OpenedPdf, form: PDFDict) {
    this.#pdf = pdf;
    this.form = form;
  }

  read(): void {
    const roots = arrayIn(this.form, "Fields") ?? this.#pdf.context.obj([]);
    this.form.set(key("Fields"), roots);
    this.#findWidgets();
    this.#tree(roots);
    this.#adopt(roots);
    if (this.fields.length === 0) throw withoutFields();
    const placeOf = ({ widgets }: FormField): readonly [number, number] => {
      const places = widgets.flatMap(({ ref }) => [this.#places.get(ref) ?? NOWHERE]);
      return places.toSorted(byPlace)[0] ?? NOWHERE;
    };
    const placed = this.fields.map((field) => ({ field, place: placeOf(field) }));
    placed.sort((a, b) => byPlace(a.place, b.place));
    this.fields.splice(0, placed.length, ...placed.map(({ field }) => field));
  }

  #findWidgets(): void {
    for (const [page, { dict }] of this.#pdf.pages.entries()) {
      const annotations = arrayIn(dict, "Annots");
      for (let index = 0; index < (annotations?.size() ?? 0); index++) {
        const ref = referenceAt(annotations as PDFArray, index, this.#pdf);
        if (ref !== null && !this.#places.has(ref)) this.#places.set(ref, [page, index]);
      }
    }
  }

  #tree(roots: PDFArray): void {
    const open = references(roots, this.#pdf).map(
      (ref): FieldNode => ({ ref, names: [], inherited: new Map(), depth: 0 }),
    );
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      open.push(...this.#node(node));
    }
  }

  /** Adds fields that some programs list only on the pages, not in the form. */
  #adopt(roots: PDFArray): void {
    for (const ref of this.#places.keys()) {
      const dict = this.#pdf.context.lookup(ref);
      if (this.#seen.has(ref) || !(dict instanceof PDFDict) || nameIn(dict, "Subtype") !== "Widget")
        continue;
      let root = ref;
      for (let depth = 0; depth < MAX_DEPTH; depth++) {
        const parent = (this.#pdf.context.lookup(root) as PDFDict).get(key("Parent"));
        if (!(parent instanceof PDFRef) || !(this.#pdf.context.lookup(parent) instanceof PDFDict))
          break;
        root = parent;
      }
      if (this.#seen.has(root)) continue;
      roots.push(root);
      this.#tree(only(root, this.#pdf));
    }
  }

  /** Processes a field that has no child fields. For any other field, returns the child fields. */
  #node({ ref, names, inherited, depth }: FieldNode): FieldNode[] {
    const dict = this.#pdf.context.lookup(ref);
    if (!(dict instanceof PDFDict)) return [];
    if (this.#seen.has(ref)) throw new PdfProblem("its field tree contains a cycle");
    if (depth > MAX_DEPTH || this.#seen.size > 2 * MAX_FIELDS) throw tooManyFields();
    this.#seen.add(ref);
    const own = textIn(dict, "T");
    const path = own === null || own === "" ? names : [...names, own];
    const all = new Map(inherited);
    for (const name of INHERITED) {
      const value = dict.get(key(name));
      if (value !== undefined) all.set(name, value);
    }
    const kids = references(arrayIn(dict, "Kids"), this.#pdf);
    const fields = kids.filter((kid) => isField(this.#pdf.context.lookup(kid)));
    if (fields.length === 0) {
      for (const kid of kids) this.#seen.add(kid);
      const entries = this.#pdf.context.obj(Object.fromEntries(all));
      this.#terminal({ ref, dict, kids, entries }, path.join("."));
    }
    return fields
      .toReversed()
      .map((kid) => ({ ref: kid, names: path, inherited: all, depth: depth + 1 }));
  }

  #terminal(terminal: Terminal, name: string): void {
    const { ref, dict, kids, entries } = terminal;
    const own = kids.length > 0 ? kids : [ref];
    const type = nameIn(entries, "FT");
    const flags = numberIn(entries, "Ff") ?? 0;
    const kind = KINDS.get(type);
    if (type === "Sig") {
      if (entries.has(key("V"))) throw signed();
      this.signatures.push({ ref, widgets: own });
    } else if (type === "Btn" && (flags & FLAG.pushButton) !== 0) {
      for (const widget of own) this.pushButtons.add(widget);
    } else if (kind === undefined) return;
    else if (name === "" || cannotBeFilled(type, flags, dict)) this.unfilled.push(name);
    else this.#field(terminal, { name, kind, flags }, own);
  }

  #field(
    { ref, dict, entries }: Terminal,
    { name, kind, flags }: Pick<FormField, "name" | "kind" | "flags">,
    own: readonly PDFRef[],
  ): void {
    if (this.fields.length === MAX_FIELDS) throw tooManyFields();
    const options = optionsOf(entries.lookup(key("Opt")), this.#pdf.context);
    const widgets = own.flatMap((each) => this.#widget(each, entries));
    const maxLength = numberIn(entries, "MaxLen") ?? 0;
    this.fields.push({
      name,
      kind,
      ref,
      dict,
      flags,
      value: entries.lookup(key("V")),
      maxLength: kind === "text" && maxLength > 0 ? maxLength : null,
      options: kind === "button" ? statesOf(widgets, options) : options,
      widgets,
    });
  }

  #widget(ref: PDFRef, field: PDFDict): FieldWidget[] {
    const dict = this.#pdf.context.lookup(ref);
    const box = dict instanceof PDFDict ? rectangleOf(dict.lookup(key("Rect"))) : null;
    if (!(dict instanceof PDFDict) || box === null) return [];
    const look = (holder: PDFDict): string | null => textIn(holder, "DA");
    return [
      {
        ref,
        dict,
        page: this.#places.get(ref)?.[0] ?? null,
        box,
        look: look(dict) ?? look(field) ?? look(this.form) ?? "",
        alignment: numberIn(dict, "Q") ?? numberIn(field, "Q") ?? numberIn(this.form, "Q") ?? 0,
        state: onState(dict),
      },
    ];
  }
}

const KINDS: ReadonlyMap<string, FieldKind> = new Map([
  ["Tx", "text"],
  ["Btn", "button"],
  ["Ch", "choice"],
]);

const NOWHERE: readonly [number, number] = [Number.MAX_SAFE_INTEGER, 0];

function byPlace(
  [page, index]: readonly [number, number],
  [otherPage, other]: readonly [number, number],
): number {
  return page - otherPage || index - other;
}

function signed(): PdfProblem {
  return new PdfProblem(
    "it is signed, and filling it would break the signature. Use the unsigned form",
  );
}

function tooManyFields(): PdfProblem {
  return new PdfProblem(
    `it has more than ${MAX_FIELDS} fields, or its fields are nested too deeply`,
  );
}

/** Whether data cannot fill a field: passwords, files, and barcodes, which only a script can draw. */
function cannotBeFilled(type: string, flags: number, dict: PDFDict): boolean {
  return (
    type === "Tx" && ((flags & (FLAG.password | FLAG.fileSelect)) !== 0 || dict.has(key("PMD")))
  );
}

function isField(object: PDFObject | undefined): boolean {
  return object instanceof PDFDict && textIn(object, "T") !== null;
}

function references(array: PDFArray | null, pdf: OpenedPdf): PDFRef[] {
  if (array === null) return [];
  return array.asArray().flatMap((_, index) => referenceAt(array, index, pdf) ?? []);
}

/**
 * Returns the reference at an index of an array; null if the element is neither a reference nor a dictionary. A direct
 * dictionary becomes an indirect object.
 */
function referenceAt(array: PDFArray, index: number, { context }: OpenedPdf): PDFRef | null {
  const element = array.get(index);
  if (element instanceof PDFRef) return element;
  if (!(element instanceof PDFDict)) return null;
  const ref = context.register(element);
  array.set(index, ref);
  return ref;
}

function only(ref: PDFRef, { context }: OpenedPdf): PDFArray {
  return context.obj([ref]);
}
