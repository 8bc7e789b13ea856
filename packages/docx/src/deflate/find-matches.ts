import { MAX_MATCH, MIN_MATCH } from "./format.ts";

/**
 * A static text of the template, and its block. A match may only refer to text that is always written before it: text
 * in the same block or in a surrounding block.
 */
export interface StaticText {
  readonly bytes: Uint8Array;
  readonly block: number;
}

/**
 * The tokens of a static text, in one list. A literal is its byte. A match is `-length`, then the number of the text
 * that it repeats, then the difference of two offsets: its own offset in this text, minus the offset of the repeated
 * bytes in their text. Within one text, this difference is the distance.
 */
export type Tokens = Int32Array;

/** Maximum distance for matches. It is smaller than the window of 32,768, because values will be written in between. */
const REACH = 30_000;

/**
 * Maximum number of candidates for each position. It is lower if the static texts have more than `LONG_TEXTS` bytes,
 * because the search would take seconds.
 */
const CHAIN = 64;
const SHORT_CHAIN = 8;
const LONG_TEXTS = 500_000;

/** Positions within a match that is at least this long are not searched for other matches. */
const LONG = 160;

/** Extra cost of a match with another static text, because its distance must be computed for each document. */
const ELSEWHERE = 8;

const HASH_BITS = 16;
const SHORTEST = 4;

/** The costs of tokens, in bits. */
export interface TokenCosts {
  /** The cost of each literal, by byte. */
  readonly literal: ArrayLike<number>;
  /** The cost of each match length. */
  readonly length: ArrayLike<number>;
  distance(far: number): number;
}

/**
 * Finds the parts of static texts that repeat earlier ones. A match ends where the repeated static text ends. `outer`:
 * for each block, the block around it; -1 for the outermost.
 */
export class MatchFinder {
  readonly #all: Uint8Array;
  /** For each static text, its start in the concatenation of all of them. The last entry is the end. */
  readonly #starts: Int32Array;
  /** For each byte of the concatenation, the index of its static text. */
  readonly #owner: Int32Array;
  readonly #blocks: Int32Array;
  readonly #outer: ArrayLike<number>;
  readonly #head = new Int32Array(1 << HASH_BITS).fill(-1);
  readonly #previous: Int32Array;
  /** For each byte, the index of the first match there. Each further match there is longer and farther back. */
  readonly #firsts: Int32Array;
  readonly #lengths: number[] = [];
  readonly #sources: number[] = [];

  constructor(texts: readonly StaticText[], outer: ArrayLike<number>) {
    const size = texts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#all = new Uint8Array(size);
    this.#owner = new Int32Array(size);
    this.#previous = new Int32Array(size);
    this.#firsts = new Int32Array(size + 1);
    this.#starts = new Int32Array(texts.length + 1);
    this.#blocks = Int32Array.from(texts, ({ block }) => block);
    this.#outer = outer;
    let at = 0;
    for (const [index, { bytes }] of texts.entries()) {
      this.#starts[index] = at;
      this.#all.set(bytes, at);
      this.#owner.fill(index, at, at + bytes.length);
      at += bytes.length;
    }
    this.#starts[texts.length] = at;
    this.#find();
  }

  /** Returns the start of a static text in the concatenation of all of them. */
  startOf(text: number): number {
    return this.#starts[text] as number;
  }

  /** Returns the cheapest tokens for a static text. */
  tokens(text: number, costs: TokenCosts): Tokens {
    const start = this.#starts[text] as number;
    const size = (this.#starts[text + 1] as number) - start;
    // The lowest cost to reach each position, and the token that leads there.
    const cost = new Float32Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const length = new Int32Array(size + 1);
    const source = new Int32Array(size + 1);
    cost[0] = 0;
    for (let place = 0; place < size; place++) {
      const here = cost[place] as number;
      const at = start + place;
      const literal = here + (costs.literal[this.#all[at] as number] as number);
      if (literal < (cost[place + 1] as number)) {
        cost[place + 1] = literal;
        length[place + 1] = 1;
      }
      let shortest = MIN_MATCH;
      for (
        let index = this.#firsts[at] as number;
        index < (this.#firsts[at + 1] as number);
        index++
      ) {
        const longest = this.#lengths[index] as number;
        const from = this.#sources[index] as number;
        const isOwn = this.#owner[from] === text;
        const base = here + costs.distance(at - from) + (isOwn ? 0 : ELSEWHERE);
        for (let each = longest < LONG ? shortest : longest; each <= longest; each++) {
          const total = base + (costs.length[each] as number);
          if (total >= (cost[place + each] as number)) continue;
          cost[place + each] = total;
          length[place + each] = each;
          source[place + each] = from;
        }
        shortest = longest + 1;
      }
    }
    return this.#tokensOf(text, length, source);
  }

  #tokensOf(text: number, lengths: Int32Array, sources: Int32Array): Tokens {
    const tokens: number[][] = [];
    const start = this.#starts[text] as number;
    for (let place = lengths.length - 1; place > 0; ) {
      const length = lengths[place] as number;
      const from = sources[place] as number;
      place -= length;
      if (length === 1) {
        tokens.push([this.#all[start + place] as number]);
        continue;
      }
      const owner = this.#owner[from] as number;
      tokens.push([-length, owner, place - (from - (this.#starts[owner] as number))]);
    }
    return Int32Array.from(tokens.reverse().flat());
  }

  #find(): void {
    const size = this.#all.length;
    let busy = 0;
    for (let at = 0; at < size; at++) {
      this.#firsts[at] = this.#lengths.length;
      const text = this.#owner[at] as number;
      const end = this.#starts[text + 1] as number;
      if (at >= busy) {
        const longest = this.#findAt(text, at, end);
        if (longest >= LONG) busy = at + longest;
      }
      this.#insert(at);
    }
    this.#firsts[size] = this.#lengths.length;
  }

  /** Collects the matches at a position. Returns the length of the longest. */
  #findAt(text: number, at: number, end: number): number {
    const most = Math.min(end - at, MAX_MATCH);
    if (most < SHORTEST) return 0;
    let longest = SHORTEST - 1;
    let left = this.#all.length > LONG_TEXTS ? SHORT_CHAIN : CHAIN;
    for (
      let from = this.#head[this.#hash(at)] as number;
      from >= 0 && at - from <= REACH && left > 0 && longest < most;
      from = this.#previous[from] as number, left--
    ) {
      if (this.#all[from + longest] !== this.#all[at + longest]) continue;
      const length = this.#matching(text, at, from, most);
      if (length <= longest) continue;
      longest = length;
      this.#lengths.push(length);
      this.#sources.push(from);
    }
    return longest < SHORTEST ? 0 : longest;
  }

  #hash(at: number): number {
    const all = this.#all;
    const word =
      (all[at] as number) |
      ((all[at + 1] as number) << 8) |
      ((all[at + 2] as number) << 16) |
      ((all[at + 3] as number) << 24);
    return Math.imul(word, 0x9e37_79b1) >>> (32 - HASH_BITS);
  }

  #insert(at: number): void {
    if (at + SHORTEST > this.#all.length) return;
    const hash = this.#hash(at);
    this.#previous[at] = this.#head[hash] as number;
    this.#head[hash] = at;
  }

  #matching(text: number, at: number, from: number, most: number): number {
    const all = this.#all;
    const source = this.#owner[from] as number;
    let end = most;
    if (source !== text) {
      if (!this.#isSure(source, text)) return 0;
      end = Math.min(most, (this.#starts[source + 1] as number) - from);
    }
    let length = 0;
    while (length < end && all[from + length] === all[at + length]) length++;
    return length;
  }

  /** Whether a static text is always written before a later one. */
  #isSure(source: number, text: number): boolean {
    const wanted = this.#blocks[source] as number;
    let block = this.#blocks[text] as number;
    while (block !== wanted && block >= 0) block = this.#outer[block] as number;
    return block === wanted;
  }
}
