import { escapeText } from "../package/xml.ts";
import { firstOf } from "./braces.ts";
import type { Delimiters } from "./delimiters.ts";
import { LONE_ELEMENTS, PARAGRAPHS } from "./paragraph-texts.ts";

/**
 * Stands for XML that the lexer need not see; its attribute `n` is the number of the piece. Its text is
 * {@link APART}.
 */
export const UNTAGGED = "quire:untagged";

/**
 * Keeps the text of two paragraphs apart, which the lexer joins: the brace that ends one and the brace
 * that begins the next are no delimiter. No XML can hold this character.
 */
export const APART = "\u0001";

/** A piece of a part, of which only what may hold tags is left. */
export interface TaggedChunk {
  readonly xml: string;
  /** Where in the part it begins. */
  readonly start: number;
  /** What {@link UNTAGGED} elements stand for, by their numbers. Each stands where a paragraph begins or ends. */
  readonly untagged: readonly string[];
}

/** Where paragraphs begin and end, and separate texts begin. A tag lies between two of these. */
const BOUNDARIES = new RegExp(
  `<(?:${[...PARAGRAPHS, ...LONE_ELEMENTS].join("|")})(?=[ />])|</(?:${PARAGRAPHS.join("|")})>`,
  "g",
);

/** So many characters of a part are lexed at once: the lexer needs many times as much. */
const CHUNK = 250_000;

/**
 * Cuts a part, which must be canonical XML, between paragraphs, and puts an {@link UNTAGGED} element in
 * the place of those without a character of the delimiters: the lexer makes several objects of each
 * element of XML.
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

  /** Also with nothing set aside it keeps two texts apart. */
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
