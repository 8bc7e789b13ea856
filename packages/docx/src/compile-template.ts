import {
  copyBytes,
  cutDiagnostic,
  type Diagnostic,
  isQuireError,
  unreadable,
} from "@quire/contracts";
import { openPackage } from "@quire/ooxml/internal/open";
import { createWriter, type PackageWriter, type PartContent } from "@quire/ooxml/internal/write";
import { lower } from "./compile/lower.ts";
import {
  type CompileOptions,
  checkCompileOptions,
  checkRenderOptions,
  compressionOf,
  printOptions,
  type RenderOptions,
} from "./compile-options.ts";
import { type CompiledParts, compileParts } from "./compile-parts.ts";
import { PartCompression, ZLIB_LEVELS } from "./compression.ts";
import type { Compressor } from "./deflate/pieces.ts";
import { type PlaceUse, type PlaceUses, placeUsesOf } from "./inspect/place-use.ts";
import { sampleOf } from "./inspect/sample.ts";
import { type JsonSchema, schemaOf } from "./inspect/schema.ts";
import { type DataShape, shapeOf } from "./inspect/shape.ts";
import { onlyLooks, type TemplateTag, tagsOf } from "./inspect/tags.ts";
import { typesOf } from "./inspect/types.ts";
import { widestDelimiters } from "./language/delimiters/choose-delimiters.ts";
import { loadTables } from "./load-tables.ts";
import type { CopiedProgram } from "./program/programs.ts";
import { Diagnostics } from "./render/evaluate/context/document-diagnostics.ts";
import { renderData } from "./render/evaluate/context/scope.ts";
import { Output } from "./render/output.ts";
import { inPasses, type LateFacts } from "./render/references/passes.ts";
import { Rendering, type Running } from "./render/rendering.ts";
import { runCopies, runNotes, runProgram, type WritePart } from "./render/run-programs.ts";
import type { Usage } from "./render/usage/places.ts";
import { reportUnused } from "./render/usage/unused-keys.ts";
import { usageOf } from "./render/usage/usage.ts";
import { Budget } from "./values/budget.ts";

/** A rendered document. */
export interface RenderResult {
  /** The `.docx`. The same template, data and options give the same bytes. */
  readonly bytes: Uint8Array;
  /**
   * Warnings and values that are missing. A diagnostic with severity `error` reports a value that the template uses but
   * the data does not have. Such a document is complete except for these values: it shows their tags as written, and a
   * batch ends the job as `completed_with_error`. At most 100 diagnostics of each code are listed, each with its own
   * location. If there are more, one additional diagnostic with the same code and without a location gives the number
   * of the others.
   */
  readonly warnings: readonly Diagnostic[];
}

/**
 * A compiled template. It is immutable, so it may be rendered any number of times and concurrently. `Data` is the type
 * of its data, for example the one that {@link Template.types} declares. This type is not checked against the template.
 */
export interface Template<Data extends object = object> {
  /**
   * Warnings about the template, for example about macros and remote links that were removed because documents must not
   * contain them.
   */
  readonly warnings: readonly Diagnostic[];
  /** Every tag, in document order, with the paths in the data that it uses. */
  readonly tags: readonly TemplateTag[];
  /** The number of {@link tags}, and of the tags that only change a look: `{{cell :: fill("#FFE0E0")}}`. */
  readonly tagCount: number;
  /** Returns the JSON Schema (draft 2020-12) of the data that the template needs. */
  schema(): JsonSchema;
  /** Returns TypeScript source that declares the same data as types. Default name: `TemplateData`. */
  types(name?: string): string;
  /**
   * Returns sample data that renders the template. Rendering it gives no warnings, with two exceptions: if a list item
   * consists only of a section with text, the sample for the section is a list whose items are printed without a
   * separator; and a name of a bookmark with a tag in it is the name of no bookmark.
   */
  sample(): Record<string, unknown>;
  /** Returns how the tags use the value at these keys, starting at the root of the data. Null if no tag uses it. */
  useOf(keys: readonly string[]): PlaceUse | null;
  /**
   * Renders one document. Throws `invalid_data`, with every problem in `diagnostics`, when a value has a type that its
   * tag cannot use (an object printed, a string repeated as a list), or when a value is missing and the policy is
   * `fail`. Throws `limit_exceeded` when the document exceeds its limits (see `RenderOptions.limits`), and
   * `invalid_request` for invalid options.
   */
  render(data: Data, options?: RenderOptions): RenderResult;
  /**
   * Returns all errors and warnings that {@link render} would report for this data, without rendering. If none
   * has the severity `error`, the document would be complete.
   */
  check(data: Data, options?: RenderOptions): readonly Diagnostic[];
}

/**
 * Compiles the bytes of a Word file (`.docx`, `.dotx`, `.docm`, `.dotm`) once, for any number of documents. Rejects
 * with `invalid_template` if the bytes are not a Word document or if tags are wrong. The `diagnostics` of this error
 * list every problem of every part, with its location. Rejects with `limit_exceeded` when the file is too large. The
 * bytes are copied.
 */
export async function compileTemplate<Data extends object = object>(
  bytes: Uint8Array,
  options: CompileOptions = {},
): Promise<Template<Data>> {
  checkCompileOptions(options);
  const { start } = widestDelimiters(options.delimiters);
  const docx = await openPackage(copyBytes("compileTemplate()", bytes), options.limits, start);
  const parts = await compileParts(docx, options);
  await loadTables(parts.tags);
  const changing = [...parts.programs, ...parts.notes].map(({ part }) => part);
  const writer = createWriter(docx, parts.settled, changing);
  return new CompiledTemplate(writer, parts, [...docx.warnings, ...parts.warnings]);
}

/** The state of rendering one document: the diagnostics of earlier passes, and the budget that all passes share. */
interface DocumentRun extends LateFacts {
  readonly budget: Budget;
}

/** The parts of a document that differ from the template, and its diagnostics. */
interface WrittenParts {
  readonly parts: Map<string, PartContent>;
  /** The parts of the template that the document does not have. */
  readonly omitted: ReadonlySet<string>;
  readonly diagnostics: Diagnostics;
}

/** Returns the budget of a document, minus the steps for drawing its images. */
function budgetOf({ limits, images }: RenderOptions): Budget {
  const budget = new Budget(limits);
  budget.spend(images?.steps ?? 0, "drawings");
  return budget;
}

/** Writes one part of a document, or its copied parts. */
interface Step {
  /** Null for parts that are written for each iteration. */
  readonly part: string | null;
  readonly compression: PartCompression;
  readonly run: (running: Running, compressor: Compressor | null, write: WritePart) => void;
}

/**
 * Returns the steps in the order in which parts refer to each other, because a part is written only if the document
 * refers to it: the main part, headers and footers, notes, and charts and other parts that any of them may show.
 */
function stepsOf({ programs, copied, notes, facts }: CompiledParts): readonly Step[] {
  const ofParts = programs.map((program): Step => {
    const lowered = lower(program);
    return {
      part: program.part,
      compression: new PartCompression(lowered.statics),
      run: (running, compressor, write) => runProgram(lowered, running, compressor, write),
    };
  });
  const ofNotes = notes.map(
    (program): Step => ({
      part: program.part,
      compression: new PartCompression(null),
      run: (running, compressor, write) => runNotes(program, running, compressor, write),
    }),
  );
  const isStory = ({ part }: { readonly part: string | null }): boolean =>
    part !== null && facts.stories.has(part);
  const [stories, others] = [ofParts.filter(isStory), ofParts.filter((each) => !isStory(each))];
  const headers = ofCopies(copied.filter(isStory));
  const charts = ofCopies(copied.filter((each) => !isStory(each)));
  return [...stories, ...headers, ...ofNotes, ...others, ...charts];
}

/** Returns the step for parts that are written for each iteration; nothing without such parts. */
function ofCopies(copied: readonly CopiedProgram[]): Step[] {
  if (copied.length === 0) return [];
  const byPart = new Map(copied.map((program) => [program.part, program]));
  const compression = new PartCompression(null);
  return [
    {
      part: null,
      compression,
      run: (running, compressor, write) => runCopies(byPart, running, compressor, write),
    },
  ];
}

class CompiledTemplate implements Template {
  readonly warnings: readonly Diagnostic[];
  #tags: readonly TemplateTag[] | null = null;
  #shape: DataShape | null = null;
  #uses: PlaceUses | null = null;
  readonly #writer: PackageWriter;
  readonly #parts: CompiledParts;
  readonly #usage: Usage;
  readonly #steps: readonly Step[];

  constructor(writer: PackageWriter, parts: CompiledParts, warnings: readonly Diagnostic[]) {
    this.#writer = writer;
    this.#parts = parts;
    this.warnings = warnings.map(cutDiagnostic);
    this.#usage = usageOf(parts);
    this.#steps = stepsOf(parts);
  }

  get tags(): readonly TemplateTag[] {
    this.#tags ??= tagsOf(this.#parts);
    return this.#tags;
  }

  get tagCount(): number {
    return this.tags.length + this.#parts.tags.filter(onlyLooks).length;
  }

  schema(): JsonSchema {
    return schemaOf(this.#dataShape());
  }

  types(name?: string): string {
    return typesOf(this.#dataShape(), name);
  }

  sample(): Record<string, unknown> {
    return sampleOf(this.#dataShape());
  }

  useOf(keys: readonly string[]): PlaceUse | null {
    this.#uses ??= placeUsesOf(this.#parts);
    return this.#uses(keys);
  }

  #dataShape(): DataShape {
    this.#shape ??= shapeOf(this.#parts);
    return this.#shape;
  }

  render(data: object, options: RenderOptions = {}): RenderResult {
    checkRenderOptions("render()", options);
    const budget = budgetOf(options);
    try {
      return inPasses((late) => this.#render(data, options, { ...late, budget }));
    } catch (error) {
      throw unreadable(data, error);
    }
  }

  #render(data: object, options: RenderOptions, run: DocumentRun): RenderResult {
    const compression = compressionOf(options);
    const compressors = this.#steps.map((each) => each.compression.borrow(compression));
    try {
      const { parts, omitted, diagnostics } = this.#run(data, options, run, compressors);
      diagnostics.throwIfInvalid();
      const bytes = this.#writer.write(parts, ZLIB_LEVELS[compression], omitted);
      return { bytes, warnings: [...this.warnings, ...diagnostics.list] };
    } finally {
      for (const [index, each] of this.#steps.entries()) {
        each.compression.giveBack(compressors[index] as Compressor);
      }
    }
  }

  check(data: object, options: RenderOptions = {}): readonly Diagnostic[] {
    checkRenderOptions("check()", options);
    try {
      const budget = budgetOf(options);
      const { diagnostics } = inPasses((late) => this.#run(data, options, { ...late, budget }, []));
      return [...this.warnings, ...diagnostics.list];
    } catch (error) {
      if (!isQuireError(error) || error.code !== "limit_exceeded") throw unreadable(data, error);
      const { code, message } = error;
      return [...this.warnings, { severity: "error", code, message }];
    }
  }

  /** Runs all programs. Without compressors, only the diagnostics are useful. */
  #run(
    given: object,
    options: RenderOptions,
    run: DocumentRun,
    compressors: readonly Compressor[],
  ): WrittenParts {
    const print = printOptions(options);
    const data = renderData(given);
    const diagnostics = new Diagnostics(print.onMissing);
    const output = new Output(this.#parts.facts);
    const rendering = new Rendering({
      data,
      diagnostics,
      options: print,
      images: options.images ?? null,
      output,
      loops: this.#parts.loops,
      ...run,
    });
    run.budget.startOver();
    const { includes } = this.#parts;
    const running = { rendering, isDeep: () => includes || output.nested };
    const parts = new Map<string, PartContent>();
    const { needed } = output;
    for (const [index, { part, run: write }] of this.#steps.entries()) {
      if (part !== null && needed.omitted.has(part)) continue;
      write(running, compressors[index] ?? null, (name, content) => parts.set(name, content));
    }
    for (const report of rendering.atEnd) report();
    reportUnused(data, this.#usage, diagnostics);
    for (const [part, content] of output.parts()) parts.set(part, content);
    return { parts, omitted: needed.omitted, diagnostics };
  }
}
