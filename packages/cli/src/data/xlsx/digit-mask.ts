/** A number format for codes, which pads numbers with zeros: for example `00000` or `000\-00\-0000`. */
export interface DigitMask {
  /** Literal strings, and null for each digit. */
  readonly pieces: readonly (string | null)[];
  /** The minimum number of digits shown. */
  readonly minDigits: number;
  /** Whether the format shows zero differently. */
  readonly hasOtherZero: boolean;
}

const TOKENS = /"[^"]*"?|\\.|\[[^\]]*\]|[_*].|./gs;
/** The characters that are shown without quotes or a backslash. */
const LITERAL = /^[ $€£¥()+\-:'!^&~{}]$/;

/** Parses a number format. Returns null if it has decimals or digit groups, or does not pad numbers with zeros. */
export function digitMaskOf(code: string): DigitMask | null {
  const tokens: readonly string[] = code.match(TOKENS) ?? [];
  const end = tokens.indexOf(";");
  const pieces: (string | null)[] = [];
  let minDigits = 0;
  for (const token of end === -1 ? tokens : tokens.slice(0, end)) {
    if (/^[0#?]$/.test(token)) {
      if (token === "0" || minDigits > 0) minDigits += 1;
      pieces.push(null);
      continue;
    }
    const literal = literalOf(token);
    if (literal === null) return null;
    pieces.push(literal);
  }
  if (minDigits < 2) return null;
  return { pieces, minDigits, hasOtherZero: tokens.filter((each) => each === ";").length > 1 };
}

/** Returns the text that a token shows; null if a mask cannot contain this token. */
function literalOf(token: string): string | null {
  if (token.startsWith('"')) return token.replaceAll('"', "");
  if (token.startsWith("\\")) return token.slice(1);
  if (/^[_*]./s.test(token)) return "";
  if (/^\[\$/.test(token)) return token.slice(2, -1).replace(/-[^-]*$/, "");
  if (/^\[[a-z]+\d*\]$/i.test(token)) return "";
  return LITERAL.test(token) ? token : null;
}

/** Formats the digits of an integer with a mask. */
export function masked(digits: string, { pieces, minDigits }: DigitMask): string {
  const rest = [...digits.padStart(minDigits, "0")];
  let places = pieces.filter((piece) => piece === null).length;
  let shown = "";
  for (const piece of pieces.toReversed()) {
    if (piece !== null) {
      shown = piece + shown;
      continue;
    }
    places -= 1;
    // The leftmost placeholder gets all remaining digits.
    const taken = places === 0 ? rest.splice(0) : rest.splice(-1);
    shown = taken.join("") + shown;
  }
  return shown;
}
