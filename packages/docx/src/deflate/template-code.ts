import { BitWriter, type Opening } from "./bit-writer.ts";
import { Checksums } from "./checksum.ts";
import { addMatch, type Codes, codesFor, DISTANCE_CODES, LENGTHS, Packer } from "./codes.ts";
import { MatchFinder, type StaticText, type TokenCosts, type Tokens } from "./find-matches.ts";
import {
  DISTANCE_BITS,
  DISTANCES,
  distanceSymbol,
  END_OF_BLOCK,
  LENGTH_BITS,
  LENGTH_SYMBOL,
  LITERALS,
  MAX_MATCH,
  MIN_MATCH,
} from "./format.ts";

/** The static texts and the blocks of one part of a template, in writing order. */
export interface StaticTexts {
  readonly texts: readonly StaticText[];
  /** For each block, the block around it; -1 for the outermost. */
  readonly outer: readonly number[];
  /** For each block, whether its content may be written repeatedly. */
  readonly repeats: readonly boolean[];
  /** The number of values in each block. */
  readonly values: readonly number[];
}

/**
 * The static texts of a part, compressed for a DEFLATE stream (RFC 1951) as far as possible without the data: matches
 * between the texts are found, and codes are assigned. It is created once for a template. {@link Deflation} writes
 * documents with it.
 */
export interface TemplateCode {
  readonly codes: Codes;
  /** The start of the first block and of the first static text. */
  readonly opening: Opening;
  /** Whether any text may be written repeatedly. */
  readonly repeats: boolean;
  readonly bytes: readonly Uint8Array[];
  readonly lengths: Int32Array;
  readonly checksums: Checksums;
  readonly tokens: readonly Tokens[];
  /**
   * For each static text, its program with `codes`: words of bits (see `Words`). A word whose lowest bit is 1 ends in
   * the length of a match with another static text. The next two words are the number of that text and the offset
   * difference (see `Tokens`).
   */
  readonly programs: readonly Int32Array[];
  /** For each static text, the start and length of each match with another text. Used if that text was not written. */
  readonly elsewhere: readonly Int32Array[];
}

/** Prepares the static texts of a part. */
export function templateCode(given: StaticTexts): TemplateCode {
  const { texts, outer } = given;
  const finder = new MatchFinder(texts, outer);
  let costs = FIRST_COSTS;
  let tokens: Tokens[] = [];
  let codes: Codes | null = null;
  // The costs of tokens depend on which tokens are chosen.
  for (let round = 0; round < ROUNDS; round++) {
    tokens = texts.map((_text, index) => finder.tokens(index, costs));
    codes = codesFor(...frequenciesOf(given, tokens, (text) => finder.startOf(text)));
    costs = costsOf(codes);
  }
  const settled = codes as Codes;
  const programs = texts.map((_text, index) => programOf(index, tokens[index], settled));
  return {
    codes: settled,
    opening: openingOf(settled, programs[0]?.program ?? new Int32Array()),
    repeats: given.repeats.includes(true),
    bytes: texts.map(({ bytes }) => bytes),
    lengths: Int32Array.from(texts, ({ bytes }) => bytes.length),
    checksums: new Checksums(texts.map(({ bytes }) => bytes)),
    tokens,
    programs: programs.map(({ program }) => program),
    elsewhere: programs.map(({ elsewhere }) => elsewhere),
  };
}

/** Prepares the first block's header and the first static text. Nothing precedes them, so they can be prepared. */
function openingOf({ header }: Codes, program: Int32Array): Opening {
  const writer = new BitWriter();
  writer.words(header);
  writer.words([...program]);
  return writer.opening;
}

const ROUNDS = 2;

/** The costs of tokens in an ordinary document. */
const FIRST_COSTS: TokenCosts = {
  literal: new Float32Array(256).fill(6),
  length: Float32Array.from({ length: MAX_MATCH + 1 }, (_value, length) =>
    length < MIN_MATCH ? 0 : 5 + (LENGTH_BITS[LENGTH_SYMBOL[length] as number] as number),
  ),
  distance: (far) => 5 + (DISTANCE_BITS[distanceSymbol(far)] as number),
};

function costsOf({ table }: Codes): TokenCosts {
  const bits = Uint8Array.from(table, (word) => word & 31);
  return {
    literal: bits.subarray(0, END_OF_BLOCK),
    length: bits.subarray(LENGTHS, LENGTHS + MAX_MATCH + 1),
    distance: (far) => bits[DISTANCE_CODES + distanceSymbol(far)] as number,
  };
}

/** Assumed frequencies of characters in values, because the values are unknown. */
const EXPECTED: readonly (readonly [characters: string, weight: number])[] = [
  ["0123456789", 6],
  ["abcdefghijklmnopqrstuvwxyz", 2.2],
  ["etaoinsr", 2.2],
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.5],
  [" ", 5],
  [".,-/:&;", 1.2],
];

/** Assumed number of characters of a value, and of repetitions of a block. */
const VALUE_LENGTH = 10;
const TURNS = 20;

function frequenciesOf(
  { texts, repeats, values }: StaticTexts,
  tokens: readonly Tokens[],
  startOf: (text: number) => number,
): [literals: Float64Array, distances: Float64Array] {
  const literals = new Float64Array(LITERALS);
  const distances = new Float64Array(DISTANCES);
  const add = (into: Float64Array, symbol: number, weight: number): void => {
    into[symbol] = (into[symbol] as number) + weight;
  };
  for (const [index, { bytes, block }] of texts.entries()) {
    for (const token of tokensOf(tokens[index])) {
      if (token.length === 0) {
        add(literals, token.byte, 1);
        continue;
      }
      add(literals, END_OF_BLOCK + 1 + (LENGTH_SYMBOL[token.length] as number), 1);
      const apart = startOf(index) - startOf(token.text);
      add(distances, distanceSymbol(apart + token.difference), 1);
    }
    if (repeats[block] !== true) continue;
    for (const length of splitMatch(bytes.length)) {
      add(literals, END_OF_BLOCK + 1 + (LENGTH_SYMBOL[length] as number), TURNS / 5);
      add(distances, distanceSymbol(700), TURNS / 10);
      add(distances, distanceSymbol(1800), TURNS / 10);
    }
  }
  const count = values.reduce(
    (sum, each, block) => sum + each * (repeats[block] === true ? TURNS : 1),
    0,
  );
  let all = 0;
  for (const [characters, weight] of EXPECTED) all += characters.length * weight;
  for (const [characters, weight] of EXPECTED) {
    for (const character of characters) {
      add(literals, character.charCodeAt(0), (weight / all) * count * VALUE_LENGTH);
    }
  }
  literals[END_OF_BLOCK] = 1;
  return [literals.map((each) => each + 0.05), distances.map((each) => each + 0.5)];
}

/** Splits a length into valid match lengths. */
function splitMatch(length: number): number[] {
  const lengths: number[] = [];
  for (let left = length; left >= MIN_MATCH; ) {
    const most = Math.min(left, MAX_MATCH);
    // The rest must not be a match of length one or two.
    const next = left - most > 0 && left - most < MIN_MATCH ? left - MIN_MATCH : most;
    lengths.push(next);
    left -= next;
  }
  return lengths;
}

/** A literal, with `length` 0, or a match. */
export interface Token {
  readonly length: number;
  readonly byte: number;
  readonly text: number;
  readonly difference: number;
}

/** Yields the tokens of a static text. */
export function* tokensOf(tokens: Tokens | undefined): Generator<Token> {
  if (tokens === undefined) return;
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at] as number;
    if (first >= 0) {
      yield { length: 0, byte: first, text: 0, difference: 0 };
      continue;
    }
    const [text, difference] = [tokens[at + 1] as number, tokens[at + 2] as number];
    yield { length: -first, byte: 0, text, difference };
    at += 2;
  }
}

function programOf(
  index: number,
  tokens: Tokens | undefined,
  codes: Codes,
): { readonly program: Int32Array; readonly elsewhere: Int32Array } {
  const program: number[] = [];
  const elsewhere: number[] = [];
  const { table } = codes;
  const packer = new Packer();
  let place = 0;
  for (const { length, byte, text, difference } of tokensOf(tokens)) {
    if (length === 0) {
      const word = table[byte] as number;
      packer.add(word >>> 5, word & 31);
    } else if (text === index) {
      addMatch(packer, codes, length, distanceSymbol(difference), difference);
    } else {
      const word = table[LENGTHS + length] as number;
      packer.addWhole(word >>> 5, word & 31);
      const words = packer.finish();
      const last = words.pop() as number;
      program.push(...words, last | 1, text, difference);
      elsewhere.push(place, length);
    }
    place += Math.max(length, 1);
  }
  return {
    program: Int32Array.from([...program, ...packer.finish()]),
    elsewhere: Int32Array.from(elsewhere),
  };
}
