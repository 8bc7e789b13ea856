import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { type Diagnostic, QuireError } from "../../../../contracts/src/errors.ts";
import { type DocxPackage, openPackage } from "../../../../ooxml/src/open.ts";
import type { PartContent } from "../../../../ooxml/src/write.ts";
import { checkDepth } from "../../../../ooxml/src/xml/depth.ts";
import {
  type CompileOptions,
  printOptions,
  type RenderOptions,
} from "../../../src/compile-options.ts";
import { type CompiledParts, compileParts } from "../../../src/compile-parts.ts";
import type { PartProgram } from "../../../src/program/programs.ts";
import { Diagnostics } from "../../../src/render/evaluate/context/document-diagnostics.ts";
import type { RenderData } from "../../../src/render/evaluate/context/scope.ts";
import { Output } from "../../../src/render/output.ts";
import { LatePlaces } from "../../../src/render/references/late-places.ts";
import { LateReferences, NOTHING_KNOWN } from "../../../src/render/references/late-references.ts";
import { Rendering } from "../../../src/render/rendering.ts";
import type { Usage } from "../../../src/render/usage/places.ts";
import { reportUnused } from "../../../src/render/usage/unused-keys.ts";
import { usageOf } from "../../../src/render/usage/usage.ts";
import { relationshipIdsIn } from "../../../src/template/relationship-ids.ts";
import { Budget } from "../../../src/values/budget.ts";
import { loadBarcodes } from "../../../src/values/image/barcode.ts";
import { Places } from "./part-writer.ts";
import { runCopies, runNotes, runProgram } from "./programs.ts";
import type { Watch } from "./run.ts";

/** The changed parts and the warnings of a rendering. */
export interface PlainResult {
  /** Changed and new parts. */
  readonly parts: ReadonlyMap<string, string | Uint8Array>;
  /** The parts that the document does not have. */
  readonly omitted: ReadonlySet<string>;
  readonly warnings: readonly Diagnostic[];
}

/** A complete document, with its parts in the order of the zip. */
export interface PlainDocument {
  readonly parts: ReadonlyMap<string, Uint8Array>;
  readonly warnings: readonly Diagnostic[];
}

/** A template that is rendered step by step. It is the reference for the renderer in `src`. */
export class PlainTemplate {
  readonly warnings: readonly Diagnostic[];
  readonly #docx: DocxPackage;
  readonly #parts: CompiledParts;
  readonly #usage: Usage;

  constructor(docx: DocxPackage, parts: CompiledParts) {
    this.#docx = docx;
    this.#parts = parts;
    this.#usage = usageOf(parts);
    this.warnings = [...docx.warnings, ...parts.warnings];
  }

  /** Renders a document. Throws the same errors as {@link Template.render}. */
  render(data: RenderData, options: RenderOptions = {}, watch: Watch = () => {}): PlainResult {
    const { parts, omitted, diagnostics } = this.#settled((places, references) => {
      const result = this.#run(data, options, watch, places, references);
      result.diagnostics.throwIfInvalid();
      return result;
    });
    return { parts, omitted, warnings: [...this.warnings, ...diagnostics.list] };
  }

  /** Returns the same as {@link Template.check}, but throws `limit_exceeded`. */
  check(data: RenderData, options: RenderOptions = {}): readonly Diagnostic[] {
    const { diagnostics } = this.#settled((places, references) =>
      this.#run(data, options, () => {}, places, references),
    );
    return [...this.warnings, ...diagnostics.list];
  }

  /** Runs again if references are lost or renamed, and again if places are filled late. */
  #settled<T>(run: (places: Places, references: LateReferences) => T): T {
    let known = NOTHING_KNOWN;
    for (;;) {
      const references = new LateReferences(known);
      const places = new Places();
      const result = run(places, references);
      const before = known;
      known = references.found();
      if (known !== before) continue;
      if (!places.filled.includes(true)) return result;
      return run(new Places(places.filled), new LateReferences(known));
    }
  }

  /** Like {@link render}, with the copied parts. */
  document(data: RenderData, options?: RenderOptions, watch?: Watch): PlainDocument {
    const { parts, omitted, warnings } = this.render(data, options, watch);
    const own = this.#docx.parts.filter((name) => !omitted.has(name));
    const isTypes = (name: string): boolean => name.toLowerCase() === "[content_types].xml";
    const names = [
      ...own.filter(isTypes),
      ...own.filter((name) => !isTypes(name)),
      ...[...parts.keys()].filter((name) => !own.includes(name) && !omitted.has(name)).sort(),
    ];
    const contentOf = (name: string): Uint8Array => {
      const content = parts.get(name) ?? this.#docx.readBytes(name);
      return typeof content === "string" ? Buffer.from(content) : content;
    };
    return { parts: new Map(names.map((name) => [name, contentOf(name)])), warnings };
  }

  #run(
    data: RenderData,
    options: RenderOptions,
    watch: Watch,
    places: Places,
    references: LateReferences,
  ): Omit<PlainResult, "warnings"> & { readonly diagnostics: Diagnostics } {
    const print = printOptions(options);
    if (typeof data !== "object" || data === null || Array.isArray(data)) {
      const ofList =
        " For a list, render each of its entries, or give it a name: { items: [ … ] }.";
      const more = Array.isArray(data) ? ofList : "";
      throw new QuireError(
        "invalid_data",
        `The data of a document must be an object: { … }.${more}`,
      );
    }
    const diagnostics = new Diagnostics(print.onMissing);
    const output = new Output(this.#parts.facts);
    const rendering = new Rendering({
      data,
      diagnostics,
      options: print,
      images: options.images ?? null,
      budget: new Budget(),
      output,
      loops: this.#parts.loops,
      // Empty: the plain writers use `places` from the arguments.
      places: new LatePlaces(new Set()),
      references,
    });
    const run = { rendering, watch, places };
    const { settled, programs, copied, notes, includes, facts } = this.#parts;
    const parts = new Map<string, string | Uint8Array>(settled);
    const [stories, others] = [true, false].map((isStory) =>
      programs.filter(({ part }) => facts.stories.has(part) === isStory),
    ) as [PartProgram[], PartProgram[]];
    const write = (program: Pick<PartProgram, "part" | "optional">, xml: () => string): void => {
      if (output.needed.omitted.has(program.part)) return;
      const written = xml();
      parts.set(program.part, written);
      output.needed.wrote(program, new Set(relationshipIdsIn(written)));
    };
    const writeCopies = (isStory: boolean): void => {
      const own = copied.filter(({ part }) => facts.stories.has(part) === isStory);
      for (const { name, part, xml } of runCopies(own, run)) {
        const optional = own.find((each) => each.part === name)?.optional ?? new Set();
        write({ part: name, optional }, () => xml);
        if (name !== part) output.needed.copied(part, new Set(relationshipIdsIn(xml)));
      }
    };
    for (const program of stories) write(program, () => runProgram(program, run));
    writeCopies(true);
    for (const program of notes) write(program, () => runNotes(program, run));
    for (const program of others) write(program, () => runProgram(program, run));
    writeCopies(false);
    for (const report of rendering.atEnd) report();
    reportUnused(data, this.#usage, diagnostics);
    if (output.nested || includes) {
      for (const { part } of programs) checkDepth(part, String(parts.get(part) ?? ""));
    }
    for (const [part, content] of output.parts()) parts.set(part, inflated(content));
    return { parts, omitted: output.needed.omitted, diagnostics };
  }
}

function inflated(content: PartContent): string | Uint8Array {
  if (typeof content === "string" || content instanceof Uint8Array) return content;
  return inflateRawSync(Buffer.concat(content.pieces));
}

/** Compiles a template for the plain renderer. Rejects what `compileTemplate` rejects. */
export async function compilePlainly(
  bytes: Uint8Array,
  options: CompileOptions = {},
): Promise<PlainTemplate> {
  const docx = await openPackage(Uint8Array.from(bytes), options.limits);
  const parts = await compileParts(docx, options);
  // Usually already loaded, because comparisons also compile the template with `src`.
  await loadBarcodes();
  return new PlainTemplate(docx, parts);
}

/** Renders one document step by step. Returns the changed parts and the warnings. */
export async function renderPlainly(
  bytes: Uint8Array,
  data: RenderData,
  options: CompileOptions & RenderOptions = {},
): Promise<PlainResult> {
  return (await compilePlainly(bytes, options)).render(data, options);
}
