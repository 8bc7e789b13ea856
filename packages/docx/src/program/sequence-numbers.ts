import { roman } from "../values/roman.ts";

/** The form of a number, as named in Word's format switch, in uppercase or lowercase. */
export type NumberStyle = "arabic" | "arabicDash" | "roman" | "ROMAN" | "alphabetic" | "ALPHABETIC";

/** The number of a `SEQ` field, such as the number of a figure. */
export interface SequenceOp {
  readonly op: "sequence";
  /** The name of the sequence, in lowercase. */
  readonly sequence: string;
  /** The number before the first one that is computed for the sequence. */
  readonly start: number;
  /** The number that the field sets; null if it counts up. */
  readonly reset: number | null;
  /** Whether the field repeats the last number. */
  readonly repeats: boolean;
  /** The form of the number; null for a field that counts but is not visible. */
  readonly style: NumberStyle | null;
}

/** The last number of each sequence, such as the numbers of figures, in one document. */
export class SequenceNumbers {
  // Created with the first number, because most documents have none.
  #last: Map<string, number> | null = null;

  /** Returns the last number of a sequence; 0 before the first one. */
  last(sequence: string): number {
    return this.#last?.get(sequence) ?? 0;
  }

  /** Returns the next number, as the field shows it; empty if the field is hidden. */
  next({ sequence, start, reset, repeats, style }: Omit<SequenceOp, "op">): string {
    this.#last ??= new Map();
    const last = this.#last.get(sequence) ?? start;
    const number = reset ?? (repeats ? last : last + 1);
    this.#last.set(sequence, number);
    return style === null ? "" : spell(number, style);
  }
}

/** Writes a number in one of Word's styles. A number outside the style's range is written in digits. */
export function spell(number: number, style: NumberStyle): string {
  switch (style) {
    case "arabic":
      return String(number);
    case "arabicDash":
      return `- ${number} -`;
    case "roman":
      return romanOf(number);
    case "ROMAN":
      return romanOf(number).toUpperCase();
    case "alphabetic":
      return alphabetic(number);
    case "ALPHABETIC":
      return alphabetic(number).toUpperCase();
  }
}

/** The highest number that Word writes in Roman numerals (ECMA-376 part 1, 17.18.59). */
const MAX_ROMAN = 32_767;

function romanOf(number: number): string {
  return number < 1 || number > MAX_ROMAN ? String(number) : roman(number);
}

/** The highest number that Word writes in letters: thirty times the last letter. */
const MAX_ALPHABETIC = 780;

/** Returns a number as letters: a to z, then aa to zz, and so on. The same letter is repeated. */
function alphabetic(number: number): string {
  if (number < 1 || number > MAX_ALPHABETIC) return String(number);
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  return letter.repeat(Math.ceil(number / 26));
}
