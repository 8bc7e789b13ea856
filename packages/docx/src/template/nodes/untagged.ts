import { escapeText } from "@quire/ooxml/internal/xml/escape";
import { firstOf } from "../../language/delimiters/braces.ts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { LONE_ELEMENTS, PARAGRAPHS } from "./paragraph-texts.ts";

/**
 * The element that replaces XML that is hidden from the lexer. Its attribute `n` is the number of the piece, and its
 * text is {@link APART}.
 */
export const UNTAGGED = "quire:untagged";

/**
 * Separates the text of two paragraphs, which the lexer joins, so that a brace at the end of one and a brace at the
 * start of the next do not form a delimiter. XML cannot contain this character.
 */
export const APART = "\u0001";

/** A piece of a part, reduced to content that may contain tags. */
export interface TaggedChunk {
  readonly xml: string;
  /** The offset of the chunk in the part. */
  readonly start: number;
  /** The content of {@link UNTAGGED} elements, by number. Each is at the start or end of a paragraph. */
  readonly untagged: readonly string[];
}

/** Matches where paragraphs begin and end, and where separate text elements begin. A tag is between two of these. */
const BOUNDARIES = new RegExp(
  `<(?:${[...PARAGRAPHS, ...LONE_ELEMENTS].join("|")})(?=[ />])|</(?:${PARAGRAPHS.join("|")})>`,
  "g",
);

/**
 * Number of characters of a part that are lexed at once. It is limited because the lexer needs many times as much
 * memory.
 */
const CHUNK = 250_000;

/**
 * Splits a part, which must be canonical XML, between paragraphs. Replaces paragraphs without a delimiter
 * character with an {@link UNTAGGED} element, because the lexer creates several objects for each XML element.
 */
export function taggedChunks(xml: string, { start, end }: Delimiters): TaggedChunk[] {
  const next = firstOf(xml, [escapeText(start)[0] ?? "", escapeText(end)[0] ?? ""]);
  const chunks: TaggedChunk[] = [];
  let chunk = new Chunk(0);
  let at = 0;
  const go = (to: number): void => {
    chunk.add(xml.slice(at, to), next(at) < to);
    if (chunk.length > CHUNK) {
      chunks.push(chunk.finish());
      chunk = new Chunk(to);
    }
    at = to;
  };
  for (const { index } of xml.matchAll(BOUNDARIES)) go(index);
  go(xml.length);
  chunks.push(chunk.finish());
  return chunks;
}

class Chunk {
  readonly #start: number;
  readonly #untagged: string[] = [];
  #xml = "";
  #aside = "";

  constructor(start: number) {
    this.#start = start;
  }

  get length(): number {
    return this.#xml.length;
  }

  add(xml: string, tagged: boolean): void {
    if (!tagged) {
      this.#aside += xml;
      return;
    }
    this.#settle();
    this.#xml += xml;
  }

  /** Adds the XML that was set aside. Even an empty piece separates two pieces of text. */
  #settle(): void {
    if (this.#aside === "" && this.#xml === "") return;
    this.#xml += `<${UNTAGGED} n="${this.#untagged.length}">${APART}</${UNTAGGED}>`;
    this.#untagged.push(this.#aside);
    this.#aside = "";
  }

  finish(): TaggedChunk {
    this.#settle();
    return { xml: this.#xml, start: this.#start, untagged: this.#untagged };
  }
}
