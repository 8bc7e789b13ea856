import type { Diagnostic } from "../../errors.ts";
import { type CompileOptions, delimitersFor } from "../compile-options.ts";
import { Edits } from "../package/edits.ts";
import { DEFAULT_LIMITS } from "../package/limits.ts";
import { type DocxPackage, openPackage } from "../package/open.ts";
import type { ScanBounds } from "../package/scan.ts";
import { createWriter } from "../package/write.ts";
import type { Delimiters } from "../template/scan.ts";
import { NewComments } from "./annotate-comments.ts";
import {
  type FoundParagraph,
  mapParagraphs,
  type Paragraph,
  type ParagraphMap,
  type Span,
} from "./annotate-paragraphs.ts";
import { type ParagraphTags, readTags } from "./annotate-tags.ts";
import { placeInWords, withoutTags } from "./annotate-words.ts";
import { readUtf8 } from "./annotate-xml.ts";

/** How the template was compiled that is annotated. */
export type AnnotateOptions = Pick<CompileOptions, "delimiters" | "limits">;

/**
 * A copy of a template with a Word comment at each problem: what is wrong, then how to fix it. A
 * comment is anchored on the runs of its tag, or else on its paragraph; a problem of another part, such
 * as a header, where Word allows no comments, stands at the first paragraph of the body and says where
 * it is. Comments that the template has stay. The copy compiles to the same problems, except for what
 * no document may carry on: as in compiling, that is taken out. The same input gives the same bytes.
 *
 * Rejects `invalid_template` when the bytes are no Word document, `limit_exceeded` when they are too
 * large. The bytes are copied.
 */
export async function annotateTemplate(
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[],
  options: AnnotateOptions = {},
): Promise<Uint8Array> {
  const docx = await openPackage(Uint8Array.from(bytes), options.limits);
  const parts =
    diagnostics.length === 0
      ? new Map<string, Uint8Array>()
      : annotated(docx, diagnostics, options);
  return createWriter(docx).write(parts);
}

/** The parts that are different in the annotated copy. */
function annotated(
  docx: DocxPackage,
  diagnostics: readonly Diagnostic[],
  options: AnnotateOptions,
): Map<string, Uint8Array> {
  const { mainPart } = docx;
  // How much there is was judged when the package was opened.
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const bounds: ScanBounds = { limits, elements: Number.POSITIVE_INFINITY };
  const { delimiters } = delimitersFor(options.delimiters, () => textOf(docx));
  const wanted = new Set(diagnostics.flatMap((each) => paragraphIn(mainPart, each) ?? []));
  const xml = readUtf8(docx, mainPart);
  const map = mapParagraphs(mainPart, xml, wanted, bounds);
  const comments = new NewComments(docx, map.commentIds, bounds);
  const annotator = new Annotator(map, delimiters, comments);
  for (const each of diagnostics) annotator.annotate(each, paragraphIn(mainPart, each));
  return comments.parts(map.namespace).set(mainPart, annotator.applyTo(xml));
}

/** The text of all stories, to see which delimiters it holds. */
function textOf(docx: DocxPackage): string {
  return docx.storyParts.map((part) => docx.readText(part).replace(/<[^>]*>/g, "")).join("\n");
}

/** The number of the paragraph of the main part at which a problem stands, or null. */
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
  /** The marks of comments in paragraphs that had no content to stand around. */
  readonly #gaps = new Map<Paragraph, string[]>();
  /** How many comments at the first copy of a text box stand for one at the second copy, too. */
  readonly #copies = new Map<string, number>();

  constructor(map: ParagraphMap, delimiters: Delimiters, comments: NewComments) {
    this.#map = map;
    this.#delimiters = delimiters;
    this.#comments = comments;
  }

  annotate(problem: Diagnostic, paragraph: number | null): void {
    const { message, hint } = problem;
    const found = paragraph === null ? undefined : this.#map.found.get(paragraph);
    if (found === undefined) {
      this.#add(this.#map.first, null, [elsewhere(problem), hint]);
      return;
    }
    const span = this.#spanOf(found, problem);
    if (span !== null && this.#isTold(found, span, problem)) return;
    this.#add(found.paragraph, span, [message, hint]);
  }

  applyTo(xml: Buffer): Buffer {
    for (const [{ from, to, around }, marks] of this.#gaps) {
      const [before, after] = around ?? ["", ""];
      this.#edits.replace(from, to, before + marks.join("") + after);
    }
    return this.#edits.applyTo(xml);
  }

  /** The children of the paragraph that the comment is anchored on; null for all of it. */
  #spanOf({ paragraph, child }: FoundParagraph, problem: Diagnostic): Span | null {
    let tags = this.#tags.get(paragraph);
    if (tags === undefined) {
      tags = readTags(paragraph, this.#delimiters);
      this.#tags.set(paragraph, tags);
    }
    return child === null ? tags.find(problem) : tags.around(child);
  }

  /** Whether a problem of the second copy of a text box was told at the first. */
  #isTold(
    { paragraph, child, isFallback }: FoundParagraph,
    span: Span,
    problem: Diagnostic,
  ): boolean {
    if (child === null) return false;
    const { code, message, template } = problem;
    const start = paragraph.children[span.first]?.start;
    const key = JSON.stringify([start, code, message, template?.tag, template?.near]);
    const count = this.#copies.get(key) ?? 0;
    if (!isFallback) this.#copies.set(key, count + 1);
    else if (count > 0) this.#copies.set(key, count - 1);
    return isFallback && count > 0;
  }

  #add(paragraph: Paragraph, span: Span | null, texts: readonly (string | undefined)[]): void {
    const { from, to, around, children, declaration } = paragraph;
    const id = this.#comments.add(
      texts.flatMap((text) => (text === undefined ? [] : withoutTags(text, this.#delimiters))),
    );
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
    const first = span === null ? from : (children[span.first]?.start ?? from);
    const last = span === null ? to : (children[span.last]?.end ?? to);
    this.#edits.replace(first, first, start);
    this.#edits.replace(last, last, end);
  }
}

/** What is told of a problem at a place where it does not stand. */
function elsewhere(problem: Diagnostic): string {
  const near = problem.template?.near;
  const place = placeInWords(problem);
  if (place === "") return problem.message;
  return `${place}${near === undefined ? "" : `, near '${near}'`}: ${problem.message}`;
}
