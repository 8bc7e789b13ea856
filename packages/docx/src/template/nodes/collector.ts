import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { PARAGRAPHS } from "./paragraph-texts.ts";
import { UNTAGGED } from "./untagged.ts";

/** The relevant fields of docxtemplater's tokens, which docxtemplater's own types do not declare. */
export interface RawToken {
  type: string;
  value?: string;
  position?: string;
  tag?: string;
  module?: string;
  raw?: string;
  offset?: number;
}

/** The relevant arguments of `set()` of a docxtemplater module. */
interface Inspection {
  readonly inspect?: { readonly xmllexed?: RawToken[]; readonly parsed?: RawToken[] };
}

const MODULE = "quire";

/** Placeholders for breaks in a tag until its text is read. XML cannot contain these characters. */
const LINE_BREAK = "\ufffe";
const PAGE_BREAK = "\uffff";

/** Elements that represent a character. Between delimiters, they are characters of the tag. */
export const IN_TAG_TEXT = new Map([
  ["w:tab", " "],
  ["w:br", LINE_BREAK],
  ["w:cr", LINE_BREAK],
  ["w:noBreakHyphen", "-"],
  ["a:br", LINE_BREAK],
]);

/**
 * A break in a tag that the author may have meant to be in the text: a page break, or a line break at an edge of the
 * tag.
 */
export type LostBreak = "line" | "page";

/**
 * Returns the text of a tag, with breaks as spaces, and the break that the author may have meant as text; null if there
 * is none.
 */
export function textOfTag(raw: string): {
  readonly content: string;
  readonly lost: LostBreak | null;
} {
  if (!/[\ufffe\uffff]/.test(raw)) return { content: raw, lost: null };
  const content = raw.replace(/[\ufffe\uffff]/g, " ");
  if (raw.includes(PAGE_BREAK)) return { content, lost: "page" };
  const text = raw.trim();
  const isAtEdge = text.startsWith(LINE_BREAK) || text.endsWith(LINE_BREAK);
  return { content, lost: isAtEdge ? "line" : null };
}

/** Matches a break that begins a page or a column. */
const OF_PAGE = / w:type="(?:page|column)"/;

/** Matches the marks of a field and of its result. */
const EDGE_OF_FIELD = /<\/?w:fld(?:Char|Simple)[ />]/;

/** Quire's docxtemplater module. It claims every tag and keeps the results of the lexer and the parser for one file. */
export class Collector {
  readonly name = MODULE;
  lexed: readonly RawToken[] = [];
  parsed: readonly RawToken[] = [];
  /** The offsets of tags that extend into another paragraph. */
  crossing: readonly number[] = [];
  /** The offsets of tags that contain the edge of a field. */
  overFields: readonly number[] = [];
  readonly #delimiters: Delimiters;

  constructor(delimiters: Delimiters) {
    this.#delimiters = delimiters;
  }

  getFileType(): string {
    return "docx";
  }

  matchers(): [RegExp, string][] {
    return [[/^([\s\S]*)$/, MODULE]];
  }

  set({ inspect }: Inspection): void {
    this.lexed = inspect?.xmllexed ?? this.lexed;
    this.parsed = inspect?.parsed ?? this.parsed;
  }

  /**
   * Turns each tab and line break between two delimiters into a character of the tag's text. Treats a tag that extends
   * into another paragraph as not closed, because the lexer's tag would include other text.
   */
  preparse(lexed: RawToken[]): RawToken[] {
    const crossing: number[] = [];
    let opened: number | null = null;
    const inText = this.#withoutTagsOverFields(this.#withoutStrayEnds(lexed));
    const tokens = inText.map((token): RawToken => {
      if (token.type === "delimiter") {
        opened = token.position === "start" ? (token.offset ?? 0) : null;
      } else if (opened !== null && endsText(token)) {
        crossing.push(opened);
        opened = null;
      } else if (opened !== null) {
        return inTag(token);
      }
      return token;
    });
    this.crossing = crossing;
    return tokens;
  }

  /**
   * Turns each tag that contains an edge of a field into text. The result of the field, such as a page number, would
   * otherwise become part of the tag.
   */
  #withoutTagsOverFields(tokens: RawToken[]): RawToken[] {
    const found: number[] = [];
    let start: number | null = null;
    let crosses = false;
    for (const [index, token] of tokens.entries()) {
      if (endsText(token)) {
        start = null;
      } else if (token.type !== "delimiter") {
        crosses ||= start !== null && EDGE_OF_FIELD.test(token.value ?? "");
      } else if (token.position === "start") {
        start = index;
        crosses = false;
      } else if (start !== null) {
        const opening = tokens[start];
        if (crosses && opening !== undefined) {
          found.push(opening.offset ?? 0);
          tokens[start] = asText(this.#delimiters.start);
          tokens[index] = asText(this.#delimiters.end);
        }
        start = null;
      }
    }
    this.overFields = found;
    return tokens;
  }

  /** Turns ends without a start into text. The lexer has reported them and would turn each into an empty tag. */
  #withoutStrayEnds(lexed: readonly RawToken[]): RawToken[] {
    let isInTag = false;
    return lexed.map((token) => {
      if (token.type !== "delimiter") return token;
      const isStray = !isInTag && token.position === "end";
      isInTag = token.position === "start";
      return isStray ? asText(this.#delimiters.end) : token;
    });
  }
}

/** Whether a paragraph begins or ends here, so that an open tag can no longer be closed. */
function endsText({ tag }: RawToken): boolean {
  return tag !== undefined && TEXT_ENDS.has(tag);
}

/** A tag must end before the next of these. */
const TEXT_ENDS: ReadonlySet<string> = new Set([...PARAGRAPHS, UNTAGGED]);

/** Returns a token between two delimiters, as text if it represents a character. */
function inTag(token: RawToken): RawToken {
  const { tag, value = "", position } = token;
  const text = tag === undefined || position === "end" ? undefined : IN_TAG_TEXT.get(tag);
  if (text === undefined) return token;
  return asText(OF_PAGE.test(value) ? PAGE_BREAK : text);
}

function asText(value: string): RawToken {
  return { type: "content", position: "insidetag", value };
}
