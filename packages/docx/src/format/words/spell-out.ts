import type { DecimalPoint, Piece, Rule, RuleSet, Writer } from "./rules.ts";

/** Why a number has no words. The message completes "… cannot be computed: …". */
export class NoWordsError extends Error {
  /** Returns what to write instead, for a number as the tag names it; null if unknown. */
  readonly hint: ((number: string) => string) | null;

  constructor(message: string, hint: NoWordsError["hint"] = null) {
    super(message);
    this.hint = hint;
  }
}

/** Sets of rules of one language, by name, such as `%spellout-cardinal`. */
export interface Speller {
  readonly sets: ReadonlyMap<string, RuleSet>;
  /** Returns the plural form of a number. */
  readonly plural: (type: Intl.PluralRuleType, number: bigint) => string;
  readonly decimalPoint: DecimalPoint;
  /** Returns the digits of a number; null if a number without words is an error. */
  readonly digits: ((number: bigint) => string) | null;
}

/** Writes the numbers of one piece of a rule. */
type WritePiece = (piece: Piece & { kind: "number" }) => string;

/**
 * Writes a number in words.
 *
 * @param decimals The digits after the decimal point; empty for a whole number.
 * @throws {NoWordsError} The rules have no words for this number.
 */
export function spellOut(
  speller: Speller,
  setName: string,
  number: { isNegative: boolean; whole: bigint; decimals: string },
): string {
  const { isNegative, ...absolute } = number;
  const set = setOf(speller, setName);
  const written = (): string => writeDecimal(speller, set, absolute);
  if (!isNegative) return written();
  if (set.negative === null) throw new NoWordsError("a number below zero has no words here");
  return write(speller, set.negative, absolute.whole, written);
}

interface Absolute {
  readonly whole: bigint;
  readonly decimals: string;
}

function writeDecimal(speller: Speller, set: RuleSet, number: Absolute): string {
  const { whole, decimals } = number;
  if (decimals === "") return writeWhole(speller, set, whole);
  const general = set.decimal[speller.decimalPoint] ?? set.decimal["."] ?? set.decimal[","];
  const rule = whole === 0n ? (set.decimalBelowOne ?? general) : general;
  if (rule === null) return writeDecimal(speller, otherSetFor(speller, set, whole), number);
  return write(speller, rule, whole, ({ of, by }) => {
    const own = by.kind === "set" ? setOf(speller, by.name) : set;
    if (of === "=") return writeDecimal(speller, other(own, set), number);
    if (of === "<") return writeWith(speller, by, set, whole);
    if (own !== set) return writeFraction(speller, own, decimals);
    const words = Array.from(decimals, (digit) => writeWhole(speller, set, BigInt(digit)));
    return words.join(by.kind === "predecessor" ? "" : " ");
  });
}

/** Returns the set that a rule for whole numbers passes every number on to. */
function otherSetFor(speller: Speller, set: RuleSet, whole: bigint): RuleSet {
  const [piece, ...rest] = ruleFor(set, whole).pieces;
  const isOther = piece?.kind === "number" && piece.of === "=" && piece.by.kind === "set";
  return other(isOther && rest.length === 0 ? setOf(speller, piece.by.name) : set, set);
}

function other(found: RuleSet, own: RuleSet): RuleSet {
  if (found !== own) return found;
  throw new NoWordsError("a number with decimals has no words here");
}

function writeWhole(speller: Speller, set: RuleSet, number: bigint): string {
  return writeByRule(speller, set, ruleFor(set, number), number);
}

function writeByRule(speller: Speller, set: RuleSet, rule: Rule, number: bigint): string {
  return write(speller, rule, number / rule.divisor, ({ of, by }) => {
    const part = { "=": number, "<": number / rule.divisor, ">": number % rule.divisor }[of];
    if (by.kind === "predecessor" && by.rule !== null) {
      return writeByRule(speller, set, by.rule, part);
    }
    return writeWith(speller, by, set, part);
  });
}

/** Writes a whole number with the writer of a piece. */
function writeWith(speller: Speller, by: Writer, own: RuleSet, number: bigint): string {
  if (by.kind === "digits") {
    if (speller.digits === null) throw new NoWordsError("the number is too large for words");
    return speller.digits(number);
  }
  return writeWhole(speller, by.kind === "set" ? setOf(speller, by.name) : own, number);
}

/**
 * Writes decimals as a fraction, such as "five tenths". The bases of the set are denominators. Of two rules with the
 * same base, the first one is for a numerator of one.
 */
function writeFraction(speller: Speller, set: RuleSet, decimals: string): string {
  const denominator = 10n ** BigInt(decimals.length);
  const fraction = BigInt(decimals);
  const at = set.whole.findIndex(({ base }) => (fraction * base) % denominator === 0n);
  const first = set.whole[at];
  if (first === undefined) throw new NoWordsError("a number with this many decimals has no words");
  const numerator = (fraction * first.base) / denominator;
  const next = set.whole[at + 1];
  const rule = next?.base === first.base && numerator !== 1n ? next : first;
  return write(speller, rule, numerator, ({ of, by, zeros }) => {
    const own = by.kind === "set" ? setOf(speller, by.name) : set;
    if (of !== "<" || own === set) throw new NoWordsError("the fraction has no words");
    const written = writeWhole(speller, own, numerator);
    if (!zeros) return written;
    const missing = String(rule.base).length - 1 - String(numerator).length;
    return `${writeWhole(speller, own, 0n)} `.repeat(Math.max(0, missing)) + written;
  });
}

function write({ plural }: Speller, rule: Rule, quotient: bigint, writePiece: WritePiece): string {
  const written = rule.pieces.map((piece) => {
    if (piece.kind === "text") return piece.text;
    if (piece.kind === "number") return writePiece(piece);
    return piece.forms.get(plural(piece.type, quotient)) ?? piece.forms.get("other") ?? "";
  });
  return written.join("");
}

/** Returns the rule for a whole number: the one with the highest base that is not above the number. */
function ruleFor({ whole }: RuleSet, number: bigint): Rule {
  const at = whole.findLastIndex(({ base }) => base <= number);
  const [rule, before] = [whole[at], whole[at - 1]];
  if (rule === undefined) throw new NoWordsError("the number has no words here");
  // The rollback rule: a rule for "two hundred one" is not used for a number without a remainder.
  const rollsBack =
    rule.pieces.some((piece) => piece.kind === "number" && piece.of === ">") &&
    number % rule.divisor === 0n &&
    rule.base % rule.divisor !== 0n;
  return rollsBack && before !== undefined ? before : rule;
}

function setOf({ sets }: Speller, name: string): RuleSet {
  const set = sets.get(name);
  if (set === undefined) throw new Error(`Unknown set of rules '${name}'.`);
  return set;
}
