import { checkOptions, copyBytes, type Diagnostic, type OptionNames } from "@quire/contracts";
import { DEFAULT_LIMITS, type PackageLimits } from "@quire/ooxml/internal/limits/limits";
import { type DocxPackage, openPackage } from "@quire/ooxml/internal/open";
import { createWriter } from "@quire/ooxml/internal/write";
import { Edits } from "@quire/ooxml/internal/xml/edits";
import type { ScanBounds } from "@quire/ooxml/internal/xml/scan";
import { delimitersFor } from "../language/delimiters/choose-delimiters.ts";
import type { DelimiterOption, Delimiters } from "../language/delimiters/delimiters.ts";
import { NewComments } from "./comments.ts";
import { type ClearedDocument, withoutOldComments } from "./old-comments.ts";
import {
  type FoundParagraph,
  mapParagraphs,
  type Paragraph,
  type ParagraphMap,
  type Span,
} from "./paragraphs.ts";
import { includedNames, type ParagraphTags, readTags } from "./tags.ts";
import { includedTemplate, placeInWords } from "./words.ts";

/** Options for annotating a template. */
export interface AnnotateOptions {
  /** See `CompileOptions.delimiters`. */
  readonly delimiters?: DelimiterOption;
  /** See `CompileOptions.limits`. */
  readonly limits?: Partial<PackageLimits> | undefined;
}

const OPTIONS: OptionNames<AnnotateOptions> = { delimiters: true, limits: true };

/**
 * Returns a copy of a template with a Word comment for each problem, which describes the problem and how to fix it. A
 * comment is anchored to the runs of its tag, or otherwise to its paragraph. A problem of an included template is
 * anchored where that template is included. Word does not allow comments in other parts, such as headers: a problem
 * there is anchored to the first paragraph of the body, and the comment names the place. The template's own comments
 * are kept; comments of an earlier annotation are removed. Compiling the copy reports the same problems. As when
 * compiling, content that documents must not contain is removed. The same input gives the same bytes.
 *
 * Rejects with `invalid_template` when the bytes are not a Word document, and with `limit_exceeded` when they
 * are too large. The bytes are copied.
 */
export async function annotateTemplate(
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[],
  options: AnnotateOptions = {},
): Promise<Uint8Array> {
  checkOptions("annotateTemplate()", options, OPTIONS);
  const docx = await openPackage(copyBytes("annotateTemplate()", bytes), options.limits);
  // The size was checked when the package was opened.
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const bounds: ScanBounds = { limits, elements: Number.POSITIVE_INFINITY };
  const cleared = withoutOldComments(docx, bounds);
  const parts =
    diagnostics.length > 0 || cleared.isChanged
      ? annotated(docx, cleared, diagnostics, options.delimiters, bounds)
      : new Map<string, Uint8Array>();
  return createWriter(docx).write(parts);
}

/** Returns the parts that change in the annotated copy. */
function annotated(
  docx: DocxPackage,
  { main, comments: others }: ClearedDocument,
  diagnostics: readonly Diagnostic[],
  option: DelimiterOption,
  bounds: ScanBounds,
): Map<string, Uint8Array> {
  const { delimiters } = delimitersFor(option, () =>
    docx.storyParts
      .map((part) => (part === others?.part ? String(others.xml) : docx.readText(part)))
      .map((xml) => xml.replace(/<\/w:p>/g, "\n").replace(/<[^>]*>/g, ""))
      .join("\n"),
  );
  const isIncluded = ({ template }: Diagnostic): boolean =>
    template !== undefined && includedTemplate(template.part) !== null;
  const wanted = {
    numbers: new Set(diagnostics.flatMap((each) => paragraphIn(main.part, each) ?? [])),
    includes: diagnostics.some(isIncluded)
      ? (text: string) => includedNames(text, delimiters)
      : null,
  };
  const map = mapParagraphs(main.part, main.xml, wanted, bounds);
  const comments = new NewComments(docx, others, map.commentIds, bounds);
  const annotator = new Annotator(map, delimiters, comments);
  for (const each of diagnostics) annotator.annotate(each, paragraphIn(main.part, each));
  return comments.parts(map.namespace).set(main.part, annotator.applyTo(main.xml));
}

/**
 * Returns the number of the main part's paragraph that has a problem; null if the problem is not in such a paragraph.
 */
function paragraphIn(mainPart: string, { template }: Diagnostic): number | null {
  return template?.part === mainPart ? (template.paragraph ?? null) : null;
}

/** Anchors comments in the main part. */
class Annotator {
  readonly #map: ParagraphMap;
  readonly #delimiters: Delimiters;
  readonly #comments: NewComments;
  readonly #edits = new Edits();
  readonly #tags = new Map<Paragraph, ParagraphTags>();
  /** The comment marks to write into each paragraph without content. */
  readonly #gaps = new Map<Paragraph, string[]>();
  /** Problems reported in text boxes. Word keeps two copies of each text box. */
  readonly #reported = new Set<string>();
  /** The first paragraphs of those content controls that have a comment. */
  readonly #controls = new Set<Paragraph>();

  constructor(map: ParagraphMap, delimiters: Delimiters, comments: NewComments) {
    this.#map = map;
    this.#delimiters = delimiters;
    this.#comments = comments;
  }

  annotate(problem: Diagnostic, paragraph: number | null): void {
    const { message, hint } = problem;
    const found = paragraph === null ? undefined : this.#map.found.get(paragraph);
    if (found === undefined) {
      const include = includedTemplate(problem.template?.part ?? "");
      const place = include === null ? undefined : this.#map.including.get(include);
      this.#add(place?.paragraph ?? this.#map.first, null, [elsewhere(problem), hint]);
    } else if (found.child === null || !this.#isReported(problem)) {
      this.#add(found.paragraph, this.#spanOf(found, problem), [message, hint]);
    }
  }

  applyTo(xml: Buffer): Buffer {
    for (const [{ from, to, around }, marks] of this.#gaps) {
      const [before, after] = around ?? ["", ""];
      this.#edits.replace(from, to, before + marks.join("") + after);
    }
    return this.#edits.applyTo(xml);
  }

  /** Returns the children of the paragraph to which the comment is anchored; null for the whole paragraph. */
  #spanOf({ paragraph, child }: FoundParagraph, problem: Diagnostic): Span | null {
    let tags = this.#tags.get(paragraph);
    if (tags === undefined) {
      tags = readTags(paragraph, this.#delimiters);
      this.#tags.set(paragraph, tags);
    }
    return child === null ? tags.find(problem) : tags.around(child);
  }

  /** Whether the problem was already reported for the other copy of a text box. */
  #isReported(problem: Diagnostic): boolean {
    const key = JSON.stringify(problem);
    const isReported = this.#reported.has(key);
    this.#reported.add(key);
    return isReported;
  }

  #add(paragraph: Paragraph, span: Span | null, texts: readonly (string | undefined)[]): void {
    const { from, to, around, children, declaration } = paragraph;
    const id = this.#comments.add(texts.filter((text) => text !== undefined));
    const start = `<w:commentRangeStart${declaration} w:id="${id}"/>`;
    const end =
      `<w:commentRangeEnd${declaration} w:id="${id}"/>` +
      `<w:r${declaration}><w:commentReference w:id="${id}"/></w:r>`;
    if (around !== null) {
      const marks = this.#gaps.get(paragraph);
      if (marks === undefined) this.#gaps.set(paragraph, [start + end]);
      else marks.push(start + end);
      return;
    }
    // LibreOffice drops content before the first comment in a content control.
    if (paragraph.startsControl && !this.#controls.has(paragraph)) {
      this.#controls.add(paragraph);
      this.#edits.replace(from, from, start + end);
      return;
    }
    const first = span === null ? from : (children[span.first]?.start ?? from);
    const last = span === null ? to : (children[span.last]?.end ?? to);
    this.#edits.replace(first, first, start);
    this.#edits.replace(last, last, end);
  }
}

/** Returns the text for a problem that is anchored elsewhere. */
function elsewhere(problem: Diagnostic): string {
  const near = problem.template?.near;
  const place = placeInWords(problem);
  if (place === "") return problem.message;
  return `${place}${near === undefined ? "" : `, near '${near}'`}: ${problem.message}`;
}
