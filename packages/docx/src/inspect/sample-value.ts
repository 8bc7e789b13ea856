import { readDate } from "../format/read-date.ts";
import { isImageValue } from "../values/image/read-image.ts";
import { looksLikeHtml } from "../values/rich/read/detect.ts";
import type { Facts, Literal } from "./data-node.ts";
import { isFlag, isPlural, sampleNumber, sampleText } from "./sample-words.ts";
import type { Form, ValueType } from "./shape.ts";

/** A gray square of 16 by 16 pixels. */
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR42mM4gAYYRrYAAAcKwAHNZWX7AAAAAElFTkSuQmCC";

/** Sample content by kind of barcode. All other kinds accept any ASCII text. */
const BARCODES: Readonly<Record<string, string | undefined>> = {
  code39: "QUIRE-1",
  code93: "QUIRE-1",
  codabar: "A12345B",
  ean13: "4006381333931",
  ean8: "73513537",
  upca: "012345678905",
  upce: "01234565",
  isbn: "978-3-16-148410-0",
  itf14: "00012345600012",
  interleaved2of5: "1234567890",
  "gs1-128": "(01)09521234543213",
  "gs1-qrcode": "(01)09521234543213",
  "gs1-datamatrix": "(01)09521234543213",
};

const DIGITS = "5550123456789";

/** The position of a sample value. */
interface SamplePlace {
  readonly key: string;
  /** The index of the element in the innermost list around it. */
  readonly turn: number;
}

type Value = Extract<Form, { kind: "value" }>;

/**
 * Creates plain values. Numbers that tags compute with differ, unless a condition requires a value, so that no
 * difference between two of them is zero.
 */
export class SampleValues {
  readonly #numbers = new Set<number>();
  readonly #next = new Map<number, number>();

  /** Returns a value that tags only test. It shows the first branch. */
  tested({ wish }: Facts): unknown {
    switch (wish) {
      case "false":
        return false;
      case "empty":
        return "";
      case "absent":
        return null;
      default:
        return true;
    }
  }

  value({ type, many, facts }: Value, place: SamplePlace): unknown {
    if (facts.sample !== null) return facts.sample;
    if (many === null || !isGivenAsList(facts, place.key)) return this.#one(type, facts, place);
    const element = many === "anything" ? "scalar" : many;
    return [0, 1, 2].map((turn) => this.#one(element, facts, { ...place, turn }));
  }

  #one(type: ValueType, facts: Facts, place: SamplePlace): unknown {
    switch (type) {
      case "image":
        return PICTURE;
      case "date":
        return dateFor(facts, place);
      case "number":
        return this.#spelled(facts, this.#number(facts, place));
      case "text or number":
        return codeFor(facts, place);
      case "text":
        return textFor(facts, place);
      case "scalar":
        return this.#scalar(facts, place);
    }
  }

  #scalar(facts: Facts, place: SamplePlace): unknown {
    const { uses } = facts;
    if (uses.has("ordered") && !facts.isWord) return this.#number(facts, place);
    if (uses.has("urlPart")) return this.#number(facts, place, 12);
    const candidate = candidateFor(facts, place, (literal) => isPlain(literal, facts));
    if (candidate !== null) return candidate;
    const isOnlyBox = uses.has("checkbox") && !uses.has("printed");
    if (isOnlyBox || isFlag(place.key)) return !facts.avoided.includes(true);
    const number = sampleNumber(place.key, place.turn);
    if (number !== null && !facts.avoided.includes(number)) return number;
    return otherText(facts, place);
  }

  #number(facts: Facts, place: SamplePlace, otherwise = 10): number {
    const { uses, bound } = facts;
    if (uses.has("places") || uses.has("whole")) return 2;
    const isUsable = (number: number): boolean => number !== 0 || !uses.has("divisor");
    const candidate = candidateFor(facts, place, (literal) => {
      const number = numberOf(literal);
      return number !== null && isUsable(number);
    });
    const wanted = candidate === null ? null : numberOf(candidate);
    if (wanted !== null) return wanted;
    const than = bound === null ? null : numberOf(bound.than);
    if (bound !== null && than !== null) {
      const within = than + STEPS[bound.operator];
      if (isUsable(within)) return within;
    }
    const base = sampleNumber(place.key, place.turn) ?? otherwise + 10 * place.turn;
    return this.#different(base, facts.avoided);
  }

  /** Returns the first number, counting up from `base`, that no earlier sample value has and no condition rules out. */
  #different(base: number, avoided: readonly Literal[]): number {
    let number = this.#next.get(base) ?? base;
    while (this.#numbers.has(number) || avoided.includes(number)) number += 1;
    this.#numbers.add(number);
    this.#next.set(base, number + 1);
    return number;
  }

  /** Returns the number as a string if tags measure or search the value. */
  #spelled({ uses }: Facts, number: number): number | string {
    return uses.has("contains") || uses.has("measured") ? String(number) : number;
  }
}

const STEPS = { "<": -1, "<=": 0, ">": 1, ">=": 0 } as const;

function numberOf(literal: Literal): number | null {
  if (typeof literal === "number") return literal;
  return typeof literal === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(literal)
    ? Number(literal)
    : null;
}

/** Whether the sample has a list at a place that allows either a list or a single value. */
function isGivenAsList({ uses }: Facts, key: string): boolean {
  if (uses.has("compared")) return false;
  if (uses.has("counted")) return true;
  if (uses.has("contains")) return false;
  if (uses.has("aggregated") || uses.has("joined") || uses.has("delimited")) return true;
  return uses.has("measured") && isPlural(key);
}

/**
 * Returns a value from a condition, or null. Elements of a list get different values: first those
 * that show a first branch, then those of other branches.
 */
function candidateFor(
  { wanted, mentioned, isClosed }: Facts,
  { turn }: SamplePlace,
  fits: (literal: Literal) => boolean,
): Literal | null {
  const fitting = [...wanted, ...mentioned].filter(fits);
  return fitting[isClosed ? turn % fitting.length : turn] ?? null;
}

/** Whether a literal is not avoided and prints unchanged: it is not rich text or a picture, and breaks no field. */
function isPlain(literal: Literal, { uses, avoided }: Facts): boolean {
  if (avoided.includes(literal)) return false;
  if (typeof literal !== "string") return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the instruction of a field cannot hold them
  if (uses.has("instruction") && /["\\\u0000-\u001f]/.test(literal)) return false;
  return !looksLikeHtml(literal) && !isImageValue(literal);
}

/**
 * Returns a text that differs from all literals that conditions compare it with, also in lowercase letters: texts that
 * differ only in case get a warning.
 */
function otherText({ avoided, mentioned, wanted }: Facts, place: SamplePlace): string {
  const known = [...avoided, ...mentioned, ...wanted].map((each) => String(each).toLowerCase());
  let other = sampleText(place.key, place.turn);
  while (known.includes(other.toLowerCase())) other += " 2";
  return other;
}

/** Returns a date that a condition requires. Otherwise, elements of a list get consecutive days within one month. */
function dateFor(facts: Facts, place: SamplePlace): string {
  const { uses, bound } = facts;
  const hasTime = uses.has("time");
  const isDate = (literal: Literal): boolean => {
    const read = readDate(literal, null, "UTC");
    return !("problem" in read) && (!hasTime || read.time !== null);
  };
  const candidate = candidateFor(facts, place, isDate);
  if (candidate !== null) return String(candidate);
  if (bound?.operator.endsWith("=") && isDate(bound.than)) return String(bound.than);
  const day = `2026-11-${20 + (place.turn % 9)}`;
  return hasTime ? `${day}T09:30${uses.has("zoned") ? "Z" : ""}` : day;
}

function codeFor(facts: Facts, place: SamplePlace): string {
  const { mask, barcode } = facts;
  if (mask !== null) {
    const fits = candidateFor(facts, place, (literal) => [...String(literal)].length === mask);
    return fits === null ? DIGITS.padEnd(mask, "0").slice(0, mask) : String(fits);
  }
  const known = BARCODES[barcode ?? ""];
  if (known !== undefined) return known;
  const candidate = candidateFor(
    facts,
    place,
    (literal) => isPlain(literal, facts) && /^[ -~]{1,40}$/.test(String(literal)),
  );
  return String(candidate ?? sampleText(place.key, place.turn));
}

function textFor(facts: Facts, place: SamplePlace): string {
  const { uses, bound, parts } = facts;
  if (uses.has("url")) return `https://example.com/${place.turn + 1}`;
  if (uses.has("separator")) return ", ";
  const text = plainText(facts, place, bound?.than ?? null);
  const isFormatted = !uses.has("unformatted");
  if (uses.has("html")) return isFormatted ? `${text} with <b>bold</b> words` : text;
  if (uses.has("markdown")) return isFormatted ? `${text} with **bold** words` : text;
  const missing = parts.map(String).filter((part) => !text.includes(part));
  const whole = [text, ...missing.filter((part) => isPlain(part, facts))].join(" ");
  return isPlain(whole, facts) ? whole : text;
}

function plainText(facts: Facts, place: SamplePlace, bound: string | number | null): string {
  const candidate = candidateFor(
    facts,
    place,
    (literal) => typeof literal === "string" && isPlain(literal, facts),
  );
  if (candidate !== null) return String(candidate);
  const within = typeof bound === "string" ? withinBound(bound, facts) : null;
  if (within !== null && isPlain(within, facts)) return within;
  const [only, ...others] = facts.parts;
  if (only !== undefined && others.length === 0 && isPlain(only, facts)) return String(only);
  return otherText(facts, place);
}

/** Returns a string within the bound that a condition sets, or null. */
function withinBound(than: string, { bound }: Facts): string | null {
  if (bound?.operator === ">") return `${than}a`;
  if (bound?.operator !== "<") return than === "" ? null : than;
  return than.length > 1 ? than.slice(0, -1) : null;
}
