import { QuireError } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import Docxtemplater, { type DXT } from "docxtemplater";
import PizZip from "pizzip";
import type { StrayDelimiter } from "../../language/delimiters/braces.ts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { holdInstructions } from "../fields/fields.ts";
import { holdIndexEntries } from "../fields/held-entries.ts";
import { holdNumbers } from "../fields/held-numbers.ts";
import {
  Collector,
  IN_TAG_TEXT,
  type LostBreak,
  type RawToken,
  textOfTag,
} from "../nodes/collector.ts";
import { holdOwnComments } from "../nodes/own-comments.ts";
import { type OpenParagraph, ParagraphCounter } from "../nodes/paragraph-counter.ts";
import { PARAGRAPHS, TEXT_ELEMENTS } from "../nodes/paragraph-texts.ts";
import { APART, type TaggedChunk, taggedChunks, UNTAGGED } from "../nodes/untagged.ts";
import { asWritten, type EscapedTag, hideDelimiters } from "./escapes.ts";

/**
 * A piece of a part after docxtemplater's lexer and parser: a run of XML (which the lexer may not have seen), a
 * piece of text within `w:t`, or a tag whose pieces were collected from the runs over which Word had spread it.
 */
export type Token =
  | { readonly kind: "xml"; readonly xml: string }
  | { readonly kind: "text"; readonly xml: string }
  | { readonly kind: "tag"; readonly content: string; readonly lost: LostBreak | null };

/** A delimiter without its counterpart, or a delimiter that the edge of a field separates from its counterpart. */
export interface DelimiterProblem {
  readonly code: StrayDelimiter | "tag_crosses_field";
  /** The text around the delimiter in its paragraph, shortened. */
  readonly near: string;
  /** The number of its paragraph, from 1. */
  readonly paragraph: number;
}

/** The results of the lexer for one part. */
export interface LexedPart {
  readonly tokens: readonly Token[];
  readonly problems: readonly DelimiterProblem[];
  /** Tags whose preceding backslashes may belong to a file path, as written. */
  readonly doubtful: readonly { text: string; near: string; paragraph: number }[];
  /** Block tags that a backslash turns into text. */
  readonly escaped: readonly (EscapedTag & { paragraph: number })[];
  /** The first code point that replaces hidden characters in the tokens, or null: see {@link hideDelimiters}. */
  readonly hidden: number | null;
}

const FILE = "part.xml";

/**
 * Finds the tags of a part with docxtemplater's lexer: it joins the text over runs and matches the delimiters.
 * Quire's module claims every tag before docxtemplater's own meanings apply. docxtemplater's rendering is never
 * used.
 *
 * The part must be canonical XML. Problems are collected, not thrown, so that all of them can be reported
 * together.
 */
export function lexPart(source: string, delimiters: Delimiters): LexedPart {
  const held = holdNumbers(holdOwnComments(holdInstructions(holdIndexEntries(source))));
  const { xml, first, doubtful, escaped } = hideDelimiters(held, delimiters);
  const tokens: Token[] = [];
  const problems: DelimiterProblem[] = [];
  for (const chunk of taggedChunks(xml, delimiters)) {
    const { lexed, parsed, found } = lexChunk(chunk, delimiters);
    for (const token of parsed) tokens.push(toToken(token, chunk));
    if (found.length === 0) continue;
    const paragraphs = new ParagraphCounter();
    paragraphs.follow(xml.slice(0, chunk.start));
    const text = paragraphTexts(lexed, chunk, paragraphs);
    for (const { code, offset } of found.toSorted((a, b) => a.offset - b.offset)) {
      const { near, paragraph } = text.at(offset);
      problems.push({ code, near: asWritten(near, first, delimiters), paragraph });
    }
  }
  return {
    tokens,
    problems,
    doubtful: withParagraphs(held, doubtful),
    escaped: withParagraphs(held, escaped),
    hidden: first,
  };
}

function withParagraphs<T extends { readonly position: number }>(
  xml: string,
  found: readonly T[],
): (T & { paragraph: number })[] {
  const paragraphs = new ParagraphCounter();
  let at = 0;
  return found.map((each) => {
    paragraphs.follow(xml.slice(at, each.position));
    at = each.position;
    return { ...each, paragraph: paragraphs.innermost?.number ?? 0 };
  });
}

interface LexedChunk {
  /** The tokens of the lexer, and the tokens derived from them. */
  readonly lexed: readonly RawToken[];
  readonly parsed: readonly RawToken[];
  /** The problems of delimiters; `offset` counts characters of the chunk's text. */
  readonly found: readonly { readonly code: DelimiterProblem["code"]; readonly offset: number }[];
}

function lexChunk({ xml }: TaggedChunk, delimiters: Delimiters): LexedChunk {
  const zip = new PizZip();
  zip.file("[Content_Types].xml", "<Types/>");
  zip.file(FILE, xml);
  const collector = new Collector(delimiters);
  let errors: LexedChunk["found"] = [];
  try {
    new Docxtemplater(zip, {
      modules: [collector as unknown as DXT.Module],
      delimiters: { ...delimiters },
      syntax: { changeDelimiterPrefix: null },
      errorLogging: false,
      fileTypeConfig: {
        getTemplatedFiles: () => [FILE],
        tagsXmlTextArray: [...TEXT_ELEMENTS, UNTAGGED],
        tagsXmlLexedArray: [...PARAGRAPHS, ...IN_TAG_TEXT.keys(), "w:lastRenderedPageBreak"],
        droppedTagsInsidePlaceholder: ["w:lastRenderedPageBreak"],
        baseModules: [],
      },
    } as DXT.ConstructorOptions);
  } catch (error) {
    errors = lexerErrors(error);
  }
  const { lexed, parsed, crossing, overFields } = collector;
  const crossed = crossing.map((offset) => ({ code: "unclosed_tag", offset }) as const);
  const cut = overFields.map((offset) => ({ code: "tag_crosses_field", offset }) as const);
  return { lexed, parsed, found: [...errors, ...crossed, ...cut] };
}

/**
 * Returns the errors of docxtemplater's lexer. Throws `invalid_template` if the XML has text where it must not have
 * any, because docxtemplater reports that error without an offset.
 */
function lexerErrors(error: unknown): LexedChunk["found"] {
  const properties = propertiesOf(error);
  const list = Array.isArray(properties.errors) ? properties.errors : [error];
  return list.map((each) => {
    const { id, offset } = propertiesOf(each);
    if (typeof id !== "string" || typeof offset !== "number") {
      throw new QuireError(
        "invalid_template",
        "The text of the template cannot be read: its XML is not in the form that Word writes. Open the template in Word, save it again and use the new file.",
        { cause: error },
      );
    }
    const unopened = id === "unopened_tag" || id === "duplicate_close_tag";
    return { code: unopened ? "unopened_tag" : "unclosed_tag", offset };
  });
}

function propertiesOf(error: unknown): Record<string, unknown> {
  const properties = (error as { properties?: unknown } | null)?.properties;
  return typeof properties === "object" && properties !== null ? { ...properties } : {};
}

function toToken(token: RawToken, { untagged }: TaggedChunk): Token {
  if (token.type === "placeholder") {
    return { kind: "tag", ...textOfTag((token.raw ?? "").replaceAll(APART, "")) };
  }
  if (token.tag === UNTAGGED) return { kind: "xml", xml: pieceOf(token, untagged) };
  const xml = token.value === APART ? "" : (token.value ?? "");
  return token.position === "insidetag" ? { kind: "text", xml } : { kind: "xml", xml };
}

/** Returns the content that an `UNTAGGED` element replaced. It is returned for the start tag of the element. */
function pieceOf({ value = "", position }: RawToken, untagged: readonly string[]): string {
  if (position === "end") return "";
  const piece = untagged[Number(/ n="(\d+)"/.exec(value)?.[1] ?? Number.NaN)];
  if (piece === undefined) throw new Error("The text that was set aside is missing.");
  return piece;
}

/** Number of characters that a message quotes before and after a stray delimiter. */
const BEFORE = 40;
const AFTER = 60;

/**
 * Returns a function that finds the paragraph and the surrounding text for an offset. Offsets count characters as the
 * lexer does.
 */
function paragraphTexts(
  lexed: readonly RawToken[],
  { untagged }: TaggedChunk,
  paragraphs: ParagraphCounter,
): {
  at(offset: number): Pick<DelimiterProblem, "near" | "paragraph">;
} {
  const starts: { readonly offset: number; readonly paragraph: OpenParagraph | null }[] = [];
  let text = "";
  for (const token of lexed) {
    if (token.tag === UNTAGGED) paragraphs.follow(pieceOf(token, untagged));
    else if (token.type !== "content" || token.position !== "insidetag") {
      paragraphs.follow(token.value ?? "");
    } else {
      const paragraph = paragraphs.innermost;
      if (starts.at(-1)?.paragraph !== paragraph) starts.push({ offset: text.length, paragraph });
      text += token.value ?? "";
    }
  }
  // Callers pass ascending offsets.
  let index = -1;
  return {
    at(offset) {
      while ((starts[index + 1]?.offset ?? Number.POSITIVE_INFINITY) <= offset) index += 1;
      const { paragraph = null, offset: first = 0 } = starts[index] ?? {};
      const end = starts[index + 1]?.offset ?? text.length;
      const from = Math.max(first, offset - BEFORE);
      const to = Math.min(end, offset + AFTER);
      const near = unescapeText(text.slice(from, to).replaceAll(APART, ""));
      return {
        paragraph: paragraph?.number ?? 0,
        near: `${from > first ? "…" : ""}${near}${to < end ? "…" : ""}`,
      };
    },
  };
}
