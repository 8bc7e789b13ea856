import { cutDiagnostic, type Diagnostic, listed, QuireError, unreadable } from "@quire/contracts";
import {
  checkRenderOptions,
  printOptions,
  type RenderOptions,
} from "@quire/docx/internal/compile-options";
import { loadNumberWords } from "@quire/docx/internal/format/words/languages";
import { type PlaceUse, type PlaceUses, placeUsesOf } from "@quire/docx/internal/inspect/place-use";
import { sampleOf } from "@quire/docx/internal/inspect/sample";
import { type JsonSchema, schemaOf } from "@quire/docx/internal/inspect/schema";
import { type DataShape, shapeOf } from "@quire/docx/internal/inspect/shape";
import { type TemplateTag, tagsOf } from "@quire/docx/internal/inspect/tags";
import { typesOf } from "@quire/docx/internal/inspect/types";
import { writesWords } from "@quire/docx/internal/language/grammar/expression";
import { Diagnostics } from "@quire/docx/internal/render/evaluate/context/document-diagnostics";
import { renderData } from "@quire/docx/internal/render/evaluate/context/scope";
import { newEvaluation } from "@quire/docx/internal/render/evaluate/functions/new-evaluation";
import type { PrintContext } from "@quire/docx/internal/render/evaluate/print-tag";
import type { Usage } from "@quire/docx/internal/render/usage/places";
import { reportUnused } from "@quire/docx/internal/render/usage/unused-keys";
import { usageOf } from "@quire/docx/internal/render/usage/usage";
import { Budget } from "@quire/docx/internal/values/budget";
import { contentHash } from "@quire/ooxml/internal/content-hash";
import { cleanPdf } from "../read/clean-pdf.ts";
import { type OpenedPdf, openPdf } from "../read/open-pdf.ts";
import { TEMPLATE_LIMITS } from "../read/parse-budget.ts";
import { type PDFDict, PDFNull, type PDFObject, type PDFRef } from "../read/pdf-lib.ts";
import { key } from "../read/pdf-objects.ts";
import { damaged, PdfProblem } from "../read/pdf-problem.ts";
import { reachable } from "../read/reachable.ts";
import { at, decideField, isEditable } from "./decide-field.ts";
import { DocumentLayout } from "./document-layout.ts";
import { type DrawnWidget, FieldDrawer } from "./draw-field.ts";
import { FlatForm } from "./flatten-form.ts";
import type { FormField } from "./form-fields.ts";
import { nameProblems, tagFields } from "./form-tags.ts";
import { corrected, inspectedForm } from "./inspect-form.ts";
import type { PdfForm, PdfFormResult } from "./pdf-form.ts";
import {
  completeButton,
  drawingOf,
  FieldPreparation,
  type PreparedField,
} from "./prepare-fields.ts";
import { type ReadForm, readForm } from "./read-form.ts";
import { withoutXfa } from "./xfa.ts";

/** Compiles a form; see `compilePdfForm`. */
export async function compileForm(bytes: Uint8Array): Promise<PdfForm> {
  try {
    const pdf = await openPdf(bytes, TEMPLATE_LIMITS);
    const warnings = [...withoutXfa(pdf), ...cleanPdf(pdf.context)];
    const form = readForm(pdf);
    const compiled = new CompiledForm(pdf, form, warnings, contentHash(bytes));
    if (compiled.writesWords) await loadNumberWords();
    return compiled;
  } catch (error) {
    if (error instanceof QuireError) throw error;
    // Errors of these two classes are bugs. pdf-lib throws other errors, for values of the wrong type.
    if (error instanceof TypeError || error instanceof ReferenceError) throw error;
    const why = error instanceof PdfProblem ? error.message : damaged().message;
    throw new QuireError("invalid_template", `This PDF cannot be used as a template: ${why}.`, {
      cause: error,
    });
  }
}

/** Maximum number of times that a sample is corrected to fit into its fields. */
const MAX_CORRECTIONS = 12;

class CompiledForm implements PdfForm {
  readonly pages: number;
  readonly warnings: readonly Diagnostic[];
  /** Whether a field shows a number in words. */
  readonly writesWords: boolean;
  readonly #pdf: OpenedPdf;
  readonly #form: ReadForm;
  readonly #fields: readonly PreparedField[];
  /** The objects of the fields and their widgets. */
  readonly #filled: readonly PDFRef[];
  readonly #fonts: readonly PDFRef[];
  readonly #usage: Usage;
  readonly #inspected: ReturnType<typeof inspectedForm>;
  readonly #id: string;
  /** Drawings of the template that are written only if no new drawing replaces them. */
  readonly #oldDrawings: ReadonlySet<PDFRef>;
  readonly #open: DocumentLayout;
  #flat: { readonly form: FlatForm; readonly layout: DocumentLayout } | null = null;
  #tags: readonly TemplateTag[] | null = null;
  #shape: DataShape | null = null;
  #uses: PlaceUses | null = null;

  constructor(pdf: OpenedPdf, form: ReadForm, removals: readonly Diagnostic[], id: string) {
    const { context } = pdf;
    this.#pdf = pdf;
    this.#form = form;
    this.#id = id;
    this.pages = pdf.pages.length;
    form.form.delete(key("NeedAppearances"));
    const complete = form.fields.map((field) => completeButton(field, context));
    const fillable = complete.filter(hasValues);
    const others = complete.filter((field) => !hasValues(field));
    const { tagged, warnings } = tagFields(fillable);
    const problems = nameProblems(tagged);
    if (problems.length > 0) throw wrongNames(problems);
    this.writesWords = tagged.some(({ op }) => writesWords(op.expression));
    const preparation = new FieldPreparation(context, form.form);
    this.#fields = tagged.map((each) => preparation.field(each));
    this.#filled = fillable.flatMap(({ ref, widgets }) => [
      ref,
      ...widgets.map((each) => each.ref),
    ]);
    this.#fonts = preparation.fonts.resources;
    this.#inspected = inspectedForm(this.#fields);
    this.#usage = usageOf(this.#inspected);
    this.warnings = [
      ...removals,
      ...warnings,
      ...preparation.warnings(this.#fields),
      ...notFilled([...form.unfilled, ...others.map(({ name }) => name)]),
    ].map(cutDiagnostic);
    this.#oldDrawings = this.#onlyInFields();
    this.#open = this.#layout(new Map(), [], this.#filled);
  }

  get tags(): readonly TemplateTag[] {
    this.#tags ??= tagsOf(this.#inspected);
    return this.#tags;
  }

  get tagCount(): number {
    return this.tags.length;
  }

  schema(): JsonSchema {
    return schemaOf(this.#dataShape());
  }

  types(name?: string): string {
    return typesOf(this.#dataShape(), name);
  }

  sample(): Record<string, unknown> {
    const sample = sampleOf(this.#dataShape());
    for (let count = 0; count < MAX_CORRECTIONS; count++) {
      if (!corrected(sample, this.#fill(sample, {}).diagnostics.list)) break;
    }
    return sample;
  }

  /**
   * Returns how the template uses a path. Buttons count as text, because they accept words for on and off and the names
   * of options.
   */
  useOf(keys: readonly string[]): PlaceUse | null {
    const ops = this.#fields.map(({ op }) => op);
    this.#uses ??= placeUsesOf({ programs: [{ part: "form", ops }], notes: [] });
    return this.#uses(keys);
  }

  #dataShape(): DataShape {
    this.#shape ??= shapeOf(this.#inspected);
    return this.#shape;
  }

  render(data: object, options: RenderOptions = {}): PdfFormResult {
    checkRenderOptions("render()", options);
    const { drawer, drawn, diagnostics } = this.#fillFrom(data, options);
    diagnostics.throwIfInvalid();
    const bytes =
      options.flatten === true ? this.#writeFlat(drawer, drawn) : this.#writeOpen(drawer);
    return { bytes, pages: this.pages, warnings: [...this.warnings, ...diagnostics.list] };
  }

  check(data: object, options: RenderOptions = {}): readonly Diagnostic[] {
    checkRenderOptions("check()", options);
    return [...this.warnings, ...this.#fillFrom(data, options).diagnostics.list];
  }

  #fillFrom(data: object, options: RenderOptions): Filling {
    try {
      return this.#fill(data, options);
    } catch (error) {
      throw unreadable(data, error);
    }
  }

  #fill(given: object, options: RenderOptions): Filling {
    const print = printOptions(options);
    const data = renderData(given);
    const diagnostics = new Diagnostics(print.onMissing);
    const budget = new Budget(options.limits);
    const context: PrintContext = {
      diagnostics,
      options: print,
      env: newEvaluation(data, budget.spend, print),
    };
    const drawer = new FieldDrawer(this.#pdf.context, diagnostics);
    const drawn = this.#fields.flatMap((field) =>
      drawer.draw(field, decideField(field, context), () => at(field, context)),
    );
    reportUnused(data, this.#usage, diagnostics);
    return { drawer, drawn, diagnostics };
  }

  #writeOpen({ changed }: FieldDrawer): Uint8Array {
    const { context } = this.#pdf;
    const objects = new Map(changed);
    for (const ref of this.#filled) {
      const original = context.lookup(ref);
      if (!objects.has(ref) && original !== undefined) objects.set(ref, original);
    }
    for (const { widget } of this.#fields.flatMap(({ widgets }) => widgets)) {
      this.#addOldDrawing(drawingOf(objects.get(widget.ref) as PDFDict), objects);
    }
    return this.#open.write(objects);
  }

  #writeFlat({ changed }: FieldDrawer, drawn: readonly DrawnWidget[]): Uint8Array {
    const { form, layout } = this.#flattened();
    const objects = new Map(changed);
    for (const [ref, object] of form.draw(drawn, changed)) objects.set(ref, object);
    for (const { drawing } of drawn) this.#addOldDrawing(drawing, objects);
    return layout.write(objects);
  }

  #addOldDrawing(ref: PDFRef | null, objects: Map<PDFRef, PDFObject>): void {
    const drawing = this.#pdf.context.lookup(ref ?? undefined);
    if (ref !== null && drawing !== undefined && this.#oldDrawings.has(ref))
      objects.set(ref, drawing);
  }

  #flattened(): { readonly form: FlatForm; readonly layout: DocumentLayout } {
    if (this.#flat === null) {
      const form = new FlatForm(this.#pdf, this.#form);
      const layout = this.#layout(form.replaced, form.drawings, form.own);
      this.#flat = { form, layout };
    }
    return this.#flat;
  }

  #layout(
    replaced: ReadonlyMap<PDFRef, PDFObject>,
    needed: readonly PDFRef[],
    own: readonly PDFRef[],
  ): DocumentLayout {
    const drawings = this.#fields.flatMap(({ widgets }) => widgets.map(({ drawing }) => drawing));
    return new DocumentLayout({
      context: this.#pdf.context,
      replaced,
      needed: [...this.#fonts, ...needed],
      own: new Set([...own, ...drawings, ...this.#oldDrawings]),
      id: this.#id,
    });
  }

  /** Returns the template's drawings of text and choice fields, except drawings that are also used elsewhere. */
  #onlyInFields(): ReadonlySet<PDFRef> {
    const cut = new Map<PDFRef, PDFObject>(this.#filled.map((ref) => [ref, PDFNull]));
    const elsewhere = reachable(this.#pdf.context, { replaced: cut });
    const texts = this.#fields.filter(({ field }) => field.kind !== "button");
    const drawings = texts.flatMap(({ field }) =>
      field.widgets.flatMap(({ dict }) => drawingOf(dict) ?? []),
    );
    return new Set(drawings.filter((ref) => !elsewhere.has(ref)));
  }
}

function wrongNames(problems: readonly Diagnostic[]): QuireError {
  const message = listed("The form has errors in the names of its fields", problems);
  return new QuireError("invalid_template", message, { diagnostics: problems });
}

/** The result of filling a form with data. */
interface Filling {
  readonly drawer: FieldDrawer;
  readonly drawn: readonly DrawnWidget[];
  readonly diagnostics: Diagnostics;
}

/** Whether there is any value that the field can have. */
function hasValues({ kind, flags, options }: FormField): boolean {
  return kind === "text" || options.length > 0 || isEditable(flags);
}

function notFilled(names: readonly string[]): Diagnostic[] {
  return names.map((name) => ({
    severity: "warning",
    code: "field_not_filled",
    message: `The field '${name}' is not filled: it has no name or no options, takes a password or a file, or is drawn by a script.`,
    hint: "Remove it, or use a text field, a check box or a list.",
  }));
}
