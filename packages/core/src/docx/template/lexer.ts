import Docxtemplater, { type DXT } from "docxtemplater";
import PizZip from "pizzip";
import { QuireError } from "../../errors.ts";
import { unescapeText } from "../package/xml.ts";
import { hideEscapedDelimiters, TEXT_ELEMENTS } from "./escapes.ts";
import { holdInstructions } from "./fields.ts";
import type { Delimiters } from "./scan.ts";

/**
 * A piece of a part after docxtemplater's lexer and parser have been over it: a run of XML, a piece
 * of text within `w:t`, or a tag whose pieces were gathered from the runs over which Word spread it.
 */
export type Token =
  | { readonly kind: "xml"; readonly xml: string }
  | { readonly kind: "text"; readonly xml: string }
  | { readonly kind: "tag"; readonly content: string };

/** A delimiter without its counterpart. */
export interface DelimiterProblem {
  readonly code: "unclosed_tag" | "unopened_tag";
  /** The text around the delimiter in its paragraph, cut short. */
  readonly near: string;
  /** The number of the paragraph it stands in, from 1. */
  readonly paragraph: number;
}

/** What the lexer found in one part. */
export interface LexedPart {
  readonly tokens: readonly Token[];
  readonly problems: readonly DelimiterProblem[];
  /** What stands in the tokens for delimiters that are meant as text: see {@link hideEscapedDelimiters}. */
  readonly hidden: number | null;
}

const MODULE = "quire";

/** docxtemplater's tokens, as far as they matter here; its own types leave them open. */
interface RawToken {
  type: string;
  value?: string;
  position?: string;
  tag?: string;
  module?: string;
  raw?: string;
  offset?: number;
}

/** What `set()` of a docxtemplater module is called with, as far as it matters here. */
interface Inspection {
  readonly inspect?: {
    readonly filePath?: string;
    readonly xmllexed?: RawToken[];
    readonly parsed?: RawToken[];
  };
}

/**
 * Finds the tags of several parts. docxtemplater does the finding: it joins the text over runs,
 * matches the delimiters, and our module takes every tag as one of ours before any of
 * docxtemplater's own meanings apply. Its rendering is never used.
 *
 * The parts must be canonical XML. Problems are collected, never thrown, so that all of them can be
 * told at once.
 */
export function lexParts(
  parts: ReadonlyMap<string, string>,
  delimiters: Delimiters,
): Map<string, LexedPart> {
  const zip = new PizZip();
  zip.file("[Content_Types].xml", "<Types/>");
  const hidden = new Map<string, number | null>();
  for (const [name, source] of parts) {
    const { xml, first } = hideEscapedDelimiters(holdInstructions(source), delimiters);
    zip.file(name, xml);
    hidden.set(name, first);
  }
  const collector = new Collector();
  let errors: readonly LexerError[] = [];
  try {
    new Docxtemplater(zip, {
      modules: [collector as unknown as DXT.Module],
      delimiters: { ...delimiters },
      syntax: { changeDelimiterPrefix: null },
      errorLogging: false,
      fileTypeConfig: {
        getTemplatedFiles: () => [...parts.keys()],
        tagsXmlTextArray: [...TEXT_ELEMENTS],
        tagsXmlLexedArray: ["w:p", ...IN_TAG_TEXT.keys(), "w:lastRenderedPageBreak"],
        droppedTagsInsidePlaceholder: ["w:lastRenderedPageBreak"],
        baseModules: [],
      },
    } as DXT.ConstructorOptions);
  } catch (error) {
    errors = lexerErrors(error);
  }
  const lexed = new Map<string, LexedPart>();
  for (const name of parts.keys()) {
    lexed.set(name, { ...collector.part(name, errors), hidden: hidden.get(name) ?? null });
  }
  return lexed;
}

/** What stands for itself between two runs of text: it is a character of a tag when it is in one. */
const IN_TAG_TEXT = new Map([
  ["w:tab", " "],
  ["w:br", " "],
  ["w:cr", " "],
  ["w:noBreakHyphen", "-"],
]);

/** An error of docxtemplater's lexer. `offset` counts characters of the part's text. */
interface LexerError {
  readonly id: string;
  readonly file: string;
  readonly offset: number;
}

/** The errors with a place. Throws `invalid_template` for one without: text where no text may stand. */
function lexerErrors(error: unknown): LexerError[] {
  const properties = propertiesOf(error);
  const list = Array.isArray(properties.errors) ? properties.errors : [error];
  return list.map((each) => {
    const { id, file, offset } = propertiesOf(each);
    if (typeof id !== "string" || typeof file !== "string" || typeof offset !== "number") {
      throw new QuireError(
        "invalid_template",
        "The text of the template cannot be read: its XML is not that of a Word document. Open the template in Word, save it again and use the new file.",
        { cause: error },
      );
    }
    return { id, file, offset };
  });
}

function propertiesOf(error: unknown): Record<string, unknown> {
  const properties = (error as { properties?: unknown } | null)?.properties;
  return typeof properties === "object" && properties !== null ? { ...properties } : {};
}

/** The docxtemplater module: claims every tag and keeps what the lexer and the parser saw. */
class Collector {
  readonly name = MODULE;
  readonly #lexed = new Map<string, RawToken[]>();
  readonly #parsed = new Map<string, RawToken[]>();
  readonly #crossing = new Map<string, number[]>();
  #file = "";

  getFileType(): string {
    return "docx";
  }

  matchers(): [RegExp, string][] {
    return [[/^([\s\S]*)$/, MODULE]];
  }

  set({ inspect }: Inspection): void {
    if (inspect?.filePath !== undefined) this.#file = inspect.filePath;
    if (inspect?.xmllexed !== undefined) this.#lexed.set(this.#file, inspect.xmllexed);
    if (inspect?.parsed !== undefined) this.#parsed.set(this.#file, inspect.parsed);
  }

  /**
   * Between two delimiters a tab or a line break is a space of the tag's text. A tag that runs into
   * another paragraph is not closed: what the lexer made of it would swallow text.
   */
  preparse(lexed: RawToken[]): RawToken[] {
    const crossing: number[] = [];
    let opened: number | null = null;
    const tokens = lexed.map((token): RawToken => {
      if (token.type === "delimiter") {
        opened = token.position === "start" ? (token.offset ?? 0) : null;
      } else if (opened !== null && token.tag === "w:p") {
        crossing.push(opened);
        opened = null;
      } else if (opened !== null && token.tag !== undefined) {
        const text = token.position === "end" ? undefined : IN_TAG_TEXT.get(token.tag);
        if (text !== undefined) return { type: "content", position: "insidetag", value: text };
      }
      return token;
    });
    this.#crossing.set(this.#file, crossing);
    return tokens;
  }

  part(name: string, errors: readonly LexerError[]): Omit<LexedPart, "hidden"> {
    const text = paragraphTexts(this.#lexed.get(name) ?? []);
    const own = errors.filter(({ file }) => file === name);
    const problems = own.map(({ id, offset }): DelimiterProblem => {
      const unopened = id === "unopened_tag" || id === "duplicate_close_tag";
      return { code: unopened ? "unopened_tag" : "unclosed_tag", ...text.at(offset) };
    });
    for (const offset of this.#crossing.get(name) ?? []) {
      problems.push({ code: "unclosed_tag", ...text.at(offset) });
    }
    return { tokens: (this.#parsed.get(name) ?? []).map(toToken), problems };
  }
}

function toToken(token: RawToken): Token {
  if (token.type === "placeholder") return { kind: "tag", content: token.raw ?? "" };
  const xml = token.value ?? "";
  return token.position === "insidetag" ? { kind: "text", xml } : { kind: "xml", xml };
}

/** How many characters a message quotes before and after a stray delimiter. */
const BEFORE = 40;
const AFTER = 60;

/** Finds the paragraph, and the text around, for an offset into the part's text, as the lexer counts it. */
function paragraphTexts(lexed: readonly RawToken[]): {
  at(offset: number): Pick<DelimiterProblem, "near" | "paragraph">;
} {
  const starts: { readonly offset: number; readonly paragraph: number }[] = [];
  let text = "";
  let opened = 0;
  const open: number[] = [];
  for (const token of lexed) {
    if (token.tag === "w:p" && token.position === "start") open.push(++opened);
    else if (token.tag === "w:p" && token.position === "end") open.pop();
    else if (token.tag === "w:p") opened += 1;
    else if (token.type === "content" && token.position === "insidetag") {
      const paragraph = open.at(-1) ?? 0;
      if (starts.at(-1)?.paragraph !== paragraph) starts.push({ offset: text.length, paragraph });
      text += token.value ?? "";
    }
  }
  return {
    at(offset) {
      const index = starts.findLastIndex((start) => start.offset <= offset);
      const { paragraph = 0, offset: first = 0 } = starts[index] ?? {};
      const end = starts[index + 1]?.offset ?? text.length;
      const from = Math.max(first, offset - BEFORE);
      const to = Math.min(end, offset + AFTER);
      const near = unescapeText(text.slice(from, to));
      return { paragraph, near: `${from > first ? "…" : ""}${near}${to < end ? "…" : ""}` };
    },
  };
}
