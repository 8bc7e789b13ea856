import type { Diagnostic } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { spell } from "../../language/delimiters/wording.ts";
import { placeOf, tagProblem } from "../nodes/diagnostics.ts";
import type { ElementNode, Place, TagNode } from "../nodes/nodes.ts";
import { isOwnComment } from "../nodes/own-comments.ts";
import { PARAGRAPHS } from "../nodes/paragraph-texts.ts";
import type { Places } from "../nodes/places.ts";
import type { ScannedText } from "../nodes/scan.ts";
import { repeatedByCarbone } from "./foreign/carbone-tags.ts";
import { type ForeignTag, foreignTags, MAY_BE_FOREIGN } from "./foreign/foreign-tags.ts";
import { ADVICE, MergeFields } from "./foreign/merge-fields.ts";
import { hintForCell, hintForStatement } from "./foreign/statement-hints.ts";
import { hintForField, typedFields } from "./foreign/typed-fields.ts";
import { hintForPageNumber, MAY_BE_NEAR, type NearTag, nearTags, OTHER } from "./near-tags.ts";
import { markupWarning, typedMarkup } from "./typed-markup.ts";

/** Number of characters of a paragraph that are quoted on each side. */
const SIDE_LENGTH = 40;

/** Maximum number of warnings for a part. */
const MAX_OF_A_PART = 1_000;

/** The text of an open paragraph. Each piece is text escaped as in the XML, a tag, or a break. */
interface OpenText {
  readonly place: Place;
  readonly pieces: {
    readonly text: string;
    readonly kind: "text" | "tag" | "break";
    readonly isField: boolean;
  }[];
  /** Whether the paragraph may contain text that looks like a tag. */
  isWorthALook: boolean;
}

/** Finds text in a part that looks like a tag. The caller passes elements, texts and tags in document order. */
export class LookAlikes {
  readonly #delimiters: Delimiters;
  readonly #places: Places;
  /** Restores delimiters that are meant as text. */
  readonly #reveal: (text: string) => string;
  readonly #open: OpenText[] = [];
  readonly #mergeFields: MergeFields;
  readonly #found: Diagnostic[] = [];
  /** The nesting depth of the open fields. */
  #fields = 0;
  #isOwnComment = false;

  constructor(places: Places, delimiters: Delimiters, reveal: (text: string) => string) {
    this.#places = places;
    this.#delimiters = delimiters;
    this.#reveal = reveal;
    this.#mergeFields = new MergeFields(delimiters);
  }

  /** The warnings about the text that was found. */
  get found(): readonly Diagnostic[] {
    return [...this.#found, ...this.#mergeFields.found];
  }

  open(element: ElementNode): void {
    const { name, attributes, paragraph } = element;
    if (name.startsWith("w:fld")) {
      const place = this.#open.at(-1)?.place ?? this.#places.ofParagraph(0);
      this.#mergeFields.open(element, place);
    }
    if (PARAGRAPHS.includes(name)) {
      const place = this.#places.ofParagraph(paragraph);
      this.#open.push({ place, pieces: [], isWorthALook: false });
    } else if (BREAKS.has(name)) this.#add(" ", "break");
    else if (name === "w:fldSimple") this.#fields += 1;
    else if (name === "w:fldChar") this.#followField(attributes);
    else if (name === "w:comment") this.#isOwnComment = isOwnComment(attributes);
  }

  close(element: ElementNode): void {
    const { name } = element;
    this.#mergeFields.close(element);
    if (name === "w:fldSimple") this.#fields -= 1;
    const text = PARAGRAPHS.includes(name) ? this.#open.pop() : undefined;
    if (text?.isWorthALook === true && !this.#isOwnComment) this.#scan(text);
  }

  /** Adds text of an element, escaped, with delimiters still hidden. */
  text(xml: string, element: string): void {
    if (element === "w:instrText" || this.#fields > 0) {
      this.#mergeFields.text(this.#reveal(unescapeText(xml)), element);
    }
    if (element !== "w:t" && element !== "a:t") return;
    this.#add(xml, "text");
    const open = this.#open.at(-1);
    if (open !== undefined) open.isWorthALook ||= MAY_BEGIN.test(xml);
  }

  tag(text: string): void {
    this.#mergeFields.tag();
    this.#add(text, "tag");
  }

  /** Adds the text of an attribute, or the address of a link. */
  attribute({ source, plain }: ScannedText, place: Place): void {
    if (mayBeNear(plain)) this.#report(plain, source, place);
  }

  #add(text: string, kind: "text" | "tag" | "break"): void {
    this.#open.at(-1)?.pieces.push({ text, kind, isField: this.#fields > 0 });
  }

  #followField(attributes: string): void {
    if (attributes.includes('w:fldCharType="begin"')) this.#fields += 1;
    if (attributes.includes('w:fldCharType="end"') && this.#fields > 0) this.#fields -= 1;
  }

  #scan({ pieces, place }: OpenText): void {
    let written = "";
    let scanned = "";
    for (const { text, kind, isField } of pieces) {
      const plain = kind === "text" ? unescapeText(text) : text;
      written += plain;
      if (kind === "tag") scanned += OTHER.repeat(plain.length);
      else if (kind === "break") scanned += "\n";
      // Word's fields may show text in guillemets.
      else scanned += isField ? plain.replace(/[«»]/g, OTHER) : plain;
    }
    this.#report(scanned, this.#reveal(written), place);
  }

  /** `written`: the text as quoted in messages; its characters correspond to those of `scanned`. */
  #report(scanned: string, written: string, place: Place): void {
    for (const each of typedMarkup(scanned)) {
      if (this.#found.length === MAX_OF_A_PART) return;
      this.#found.push(markupWarning(each, written, this.#delimiters, place));
    }
    const foreign = foreignTags(scanned).filter(({ isSure }) => isSure);
    const fields = typedFields(scanned).map((each) => ({ ...each, meant: null }));
    const isInField = ({ at }: { readonly at: number }): boolean =>
      fields.some((field) => field.at <= at && at < field.at + field.text.length);
    const near = [...nearTags(scanned), ...foreign].filter((each) => !isInField(each));
    for (const each of [...near, ...fields].toSorted((a, b) => a.at - b.at)) {
      if (this.#found.length === MAX_OF_A_PART) return;
      this.#found.push(this.#warning(each, written, place));
    }
  }

  #warning(tag: NearTag | ForeignTag, written: string, place: Place): Diagnostic {
    const { at } = tag;
    const text = written.slice(at, at + tag.text.length).replaceAll("\n", " ");
    const from = Math.max(at - SIDE_LENGTH, 0);
    const to = Math.min(at + text.length + SIDE_LENGTH, written.length);
    const near = `${from > 0 ? "…" : ""}${written.slice(from, to)}${to < written.length ? "…" : ""}`;
    return {
      severity: "warning",
      code: "looks_like_tag",
      message: `'${text}' looks like a tag but is not one: it is printed as it is.`,
      hint: this.#hint({ ...tag, text }),
      template: { ...placeOf(place), tag: text, near },
    };
  }

  #hint({ text, meant, engine }: NearTag | ForeignTag): string {
    const { start, end } = this.#delimiters;
    if (engine === "carbone") {
      const page = "The page from-carbone.md of the documentation translates Carbone's tags.";
      const repeated = repeatedByCarbone(text);
      if (repeated !== null) return `${spell(repeated, this.#delimiters)} ${page}`;
      if (meant === null) return `A tag begins with ${start} and ends with ${end}. ${page}`;
      const own = text.slice(1, -1).trim();
      return `Write ${start}${meant}${end}, or, if '${own[0]}' is a name in your template or data, ${start}${own}${end}.`;
    }
    const other = hintForPageNumber(text) ?? this.#ofMerge(text);
    if (other !== null) return other;
    const statement = meant === null ? hintForStatement(text) : hintForCell(text, meant);
    if (statement !== null) return spell(statement, this.#delimiters);
    if (/^\{\s*(?:IF\s|=)/.test(text)) return hintForField(text, this.#delimiters);
    return meant === null
      ? `A tag begins with ${start} and ends with ${end}.`
      : `Write ${start}${meant}${end}.`;
  }

  /** The blocks of a mail merge, which Word shows as «AddressBlock» and «GreetingLine». */
  #ofMerge(text: string): string | null {
    const [, name = ""] = /^«(AddressBlock|GreetingLine)»$/.exec(text) ?? [];
    const advice = ADVICE.get(name.toUpperCase());
    return advice === undefined ? null : spell(advice, this.#delimiters);
  }
}

function mayBeNear(text: string): boolean {
  return MAY_BE_NEAR.test(text) || MAY_BE_FOREIGN.test(text);
}

/** Matches a piece of a paragraph's escaped text that may contain part of something that looks like a tag. */
const MAY_BEGIN = /[{｛«[+#]|&lt;|\*\*|__|\]\(/;

/** Matches the value of a string that would be a path without its quotes. */
const WORD = /^\p{L}[\p{L}\p{M}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*$/u;

/** Returns a warning for a tag that prints a quoted name, which is text; null for other tags. */
export function quotedName(tag: TagNode, { start, end }: Delimiters): Diagnostic | null {
  const { directive } = tag;
  if (directive.kind !== "value" || directive.modifiers.length > 0) return null;
  const { expression } = directive;
  if (expression.kind !== "literal" || typeof expression.value !== "string") return null;
  if (!WORD.test(expression.value)) return null;
  const problem = tagProblem(
    tag,
    "quoted_name",
    `${tag.text} prints the word '${expression.value}' itself: words in quotes are text.`,
    `For the value with that name, write ${start}${expression.value}${end}.`,
  );
  return { ...problem, severity: "warning" };
}

/** Elements that count as a character between two pieces of text. */
const BREAKS = new Set(["w:tab", "w:br", "w:cr", "w:noBreakHyphen"]);
