/**
 * Reads rules that write numbers in words: rule-based number formats (RBNF) of CLDR. Their language is defined in Unicode
 * Technical Standard #35, part 3, "Rule-Based Number Formatting", and in the documentation of ICU's
 * `RuleBasedNumberFormat`, from which details such as the rollback rule come.
 */

/** A part of the text of a rule. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** Another number, written by a set of rules. */
  | {
      readonly kind: "number";
      /** `=` is the number itself, `<` its quotient by the rule's divisor, and `>` the remainder. */
      readonly of: "=" | "<" | ">";
      readonly by: Writer;
      /** For fractions: whether zeros are written before the numerator (`<<` at the end). */
      readonly zeros: boolean;
    }
  /** A word that depends on the plural form of the quotient. */
  | { readonly kind: "plural"; readonly type: Intl.PluralRuleType; readonly forms: Forms };

type Forms = ReadonlyMap<string, string>;

/** What writes a number: a named set of rules, the set that has the rule, the rule before it, or digits. */
export type Writer =
  | { readonly kind: "set"; readonly name: string }
  | { readonly kind: "own" }
  | { readonly kind: "predecessor"; readonly rule: Rule | null }
  | { readonly kind: "digits" };

/** A rule for numbers from `base` to the base of the next rule. */
export interface Rule {
  readonly base: bigint;
  /** The quotient and the remainder are of a division by this power of the radix. */
  readonly divisor: bigint;
  readonly pieces: readonly Piece[];
}

/** The sign before decimals. */
export type DecimalPoint = "." | ",";

/** The rules of one set. */
export interface RuleSet {
  /** Rules for whole numbers, in the order of their bases. */
  readonly whole: readonly Rule[];
  /** The rule for numbers below zero. */
  readonly negative: Rule | null;
  /** The rules for numbers with decimals, by the decimal point of a locale. */
  readonly decimal: Readonly<Record<DecimalPoint, Rule | null>>;
  /** The rule for numbers with decimals below one. */
  readonly decimalBelowOne: Rule | null;
}

/** Rules as in the files of `cldr-rbnf`: each is its base (`100`, `1100/100`, `x.x`, `-x`) and its text. */
export type RawRules = readonly (readonly string[])[];

interface Building {
  readonly whole: Rule[];
  negative: Rule | null;
  decimal: Record<DecimalPoint, Rule | null>;
  decimalBelowOne: Rule | null;
}

/** Reads the rules of one set. Throws an Error for rules that are not in this language. */
export function readRules(raw: RawRules): RuleSet {
  const decimal = { ".": null, ",": null };
  const set: Building = { whole: [], negative: null, decimal, decimalBelowOne: null };
  for (const [descriptor = "", text = ""] of raw) addRule(set, descriptor, text);
  return set;
}

function addRule(set: Building, descriptor: string, source: string): void {
  const text = source.replace(/^'/, "").replace(/;$/, "");
  const before = set.whole.at(-1) ?? null;
  const rule = (base: bigint, divisor: bigint, content: string): Rule => {
    return { base, divisor, pieces: readPieces(content, before) };
  };
  if (descriptor === "-x") set.negative = rule(0n, 1n, text);
  const { present, absent } = optionsOf(text);
  if (/^x[.,]x$/.test(descriptor)) {
    set.decimal[descriptor === "x,x" ? "," : "."] = rule(0n, 1n, present);
    if (absent !== null) set.decimalBelowOne = rule(0n, 1n, absent);
  }
  if (descriptor === "0.x") set.decimalBelowOne = rule(0n, 1n, present);
  const [, digits, radix = "10"] = /^(\d+)(?:\/([\d,]+))?$/.exec(descriptor) ?? [];
  if (digits === undefined) return;
  const base = BigInt(digits);
  const divisor = powerBelow(base, BigInt(radix.replaceAll(",", "")));
  const isSplit = absent !== null && base > 0n && base % divisor === 0n;
  if (isSplit) set.whole.push(rule(base, divisor, absent));
  set.whole.push(rule(isSplit ? base + 1n : base, divisor, present));
}

/** Returns the text of a rule with its part in brackets, and the text without it; null if it has no such part. */
function optionsOf(text: string): { present: string; absent: string | null } {
  const [whole, before = "", inside = "", after = ""] = /^(.*?)\[(.*)\](.*)$/s.exec(text) ?? [];
  if (whole === undefined) return { present: text, absent: null };
  const [one = "", other = ""] = inside.split("|");
  return { present: before + one + after, absent: before + other + after };
}

/** Returns the highest power of a radix that is not above a number; 1 for 0. */
function powerBelow(number: bigint, radix: bigint): bigint {
  let power = 1n;
  while (number >= power * radix) power *= radix;
  return power;
}

/** A substitution such as `→→`, `←%spellout-cardinal←` or `=#,##0=`, or a choice such as `$(cardinal,one{…}other{…})$`. */
const PIECE =
  /(?<last>→→→)|←(?<quotient>[^←]*)←(?<zeros>←?)|→(?<rest>[^→]*)→|=(?<same>[^=]*)=|\$\((?<type>cardinal|ordinal),(?<forms>.*?)\)\$/gs;

function readPieces(text: string, before: Rule | null): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ kind: "text", text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    pieces.push(readPiece(match.groups ?? {}, before));
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end) });
  return pieces;
}

function readPiece(groups: Readonly<Record<string, string>>, before: Rule | null): Piece {
  const { last, quotient, zeros, rest, same, type, forms = "" } = groups;
  if (type !== undefined) {
    const words = forms.matchAll(/(\w+)\{(.*?)\}/g);
    return {
      kind: "plural",
      type: type as Intl.PluralRuleType,
      forms: new Map(Array.from(words, ([, form = "", word = ""]) => [form, word])),
    };
  }
  const number = (of: "=" | "<" | ">", by: Writer): Piece => {
    return { kind: "number", of, by, zeros: zeros === "←" };
  };
  if (last !== undefined) return number(">", { kind: "predecessor", rule: before });
  if (quotient !== undefined) return number("<", writerOf(quotient));
  return rest === undefined ? number("=", writerOf(same ?? "")) : number(">", writerOf(rest));
}

function writerOf(content: string): Writer {
  if (content === "") return { kind: "own" };
  return content.startsWith("%") ? { kind: "set", name: content } : { kind: "digits" };
}
