import { type PatternCharacter, PatternError, readPatternText } from "./pattern-text.ts";
import { createCache, remember } from "./remember.ts";

/** Maximum number of decimals that `Intl` can show. */
export const MAX_DECIMALS = 100;
/** Maximum number of leading zeros that `Intl` can show. */
const MAX_LEADING = 21;

/** Represents the percent sign of the locale. */
export const PERCENT_SIGN = Symbol("percent sign");

/** The text before or after the number. */
export type Affix = readonly (string | typeof PERCENT_SIGN)[];

/** A format for numbers. */
export interface NumberSection {
  readonly prefix: Affix;
  readonly suffix: Affix;
  /** Whether the number is multiplied by 100. */
  readonly percent: boolean;
  readonly grouped: boolean;
  /** The minimum number of digits before the decimal point; 0 if a number below 1 has none. */
  readonly minInteger: number;
  readonly minFraction: number;
  readonly maxFraction: number;
}

/** The formats for positive and negative numbers, and for zero. */
export interface NumberPattern {
  readonly positive: NumberSection;
  /** Null if a negative number has the format of a positive one, after the locale's minus sign. */
  readonly negative: NumberSection | null;
  /** Text, which may be empty, or the format of zero. Null if zero has the format of a positive number. */
  readonly zero: NumberSection | string | null;
}

const patterns = createCache<NumberPattern>();

/**
 * Reads a pattern such as `#,##0.00`, `0.0#%` or `#,##0.00 "kg";(#,##0.00 "kg")`. `0` is a required digit and
 * `#` an optional one. `,` adds thousands separators and `.` is the decimal point, in any locale. `%` shows the
 * number times 100. The pattern after `;` is for negative numbers, and a third one for zero, which may be text only.
 * Throws {@link PatternError}.
 */
export function readNumberPattern(pattern: string): NumberPattern {
  return remember(patterns, pattern, () => {
    const [positive, negative, zero, ...more] = splitSections(readPatternText(pattern));
    if (positive === undefined || more.length > 0) {
      throw new PatternError(
        "has more than three sections: for positive numbers, for negative ones and for zero",
      );
    }
    return {
      positive: readSection(positive),
      negative: negative === undefined ? null : readSection(negative),
      zero: zero === undefined ? null : readZero(zero),
    };
  });
}

function splitSections(chars: readonly PatternCharacter[]): PatternCharacter[][] {
  const sections: PatternCharacter[][] = [];
  let section: PatternCharacter[] = [];
  sections.push(section);
  for (const next of chars) {
    if (next.quoted || next.char !== ";") {
      section.push(next);
    } else {
      section = [];
      sections.push(section);
    }
  }
  return sections;
}

/** Whether a character is a part of the number, not literal text. */
function isPlace({ char, quoted }: PatternCharacter): boolean {
  return !quoted && "#0,.".includes(char);
}

function readZero(chars: readonly PatternCharacter[]): NumberSection | string {
  if (chars.some(isPlace)) return readSection(chars);
  const text = readAffix(chars);
  return text.every((part) => part !== PERCENT_SIGN) ? text.join("") : readSection(chars);
}

function readSection(chars: readonly PatternCharacter[]): NumberSection {
  const begin = chars.findIndex(isPlace);
  if (begin < 0) throw new PatternError("has no place for the number, such as #,##0.00");
  const length = chars.slice(begin).findIndex((next) => !isPlace(next));
  const end = length < 0 ? chars.length : begin + length;
  const prefix = readAffix(chars.slice(0, begin));
  const suffix = readAffix(chars.slice(end));
  const signs = [...prefix, ...suffix].filter((part) => part === PERCENT_SIGN).length;
  if (signs > 1) throw new PatternError("has more than one percent sign");
  const places = chars.slice(begin, end).map(({ char }) => char);
  return { prefix, suffix, percent: signs === 1, ...readPlaces(places.join("")) };
}

/** Characters with a meaning here or in spreadsheet patterns. They are literal only in quotes. */
const RESERVED = "#0123456789,.‰¤*_@?[]\\";

function readAffix(chars: readonly PatternCharacter[]): Affix {
  return chars.map(({ char, quoted }) => {
    if (quoted) return char;
    if (RESERVED.includes(char)) {
      throw new PatternError(
        /[0#]/.test(char)
          ? `has '${char}' next to its number: a number has one group of digits, without spaces`
          : `has '${char}' next to its number: put literal text in quotes, as in 0.00 'no. 1'`,
      );
    }
    return char === "%" ? PERCENT_SIGN : char;
  });
}

/** Explains the separators, because in much of Europe 0.00 is written 0,00. */
const SEPARATORS =
  "every pattern has '.' before the decimals and ',' between thousands, as in #,##0.00, and the locale decides what is printed";

type Places = Pick<NumberSection, "grouped" | "minInteger" | "minFraction" | "maxFraction">;

function readPlaces(places: string): Places {
  const [whole = "", fraction, ...more] = places.split(".");
  const digits = whole.replaceAll(",", "");
  const wellSeparated = !/^,|,,|,$/.test(whole) && !fraction?.includes(",");
  if (more.length > 0 || !wellSeparated || fraction === "") {
    throw new PatternError(`has ',' or '.' in the wrong place: ${SEPARATORS}`);
  }
  const lastGroup = whole.length - whole.lastIndexOf(",") - 1;
  if (lastGroup < whole.length && lastGroup !== 3) {
    throw new PatternError(
      `has ${lastGroup} instead of 3 digits after its last ',': ${SEPARATORS}`,
    );
  }
  if (digits === "" && fraction === undefined) throw new PatternError("has no 0 or # for a digit");
  if (!/^#*0*$/.test(digits) || !/^0*#*$/.test(fraction ?? "")) {
    throw new PatternError(
      "has # between two zeros, or between a zero and the point: # belongs outside the zeros",
    );
  }
  const minInteger = digits.length - Math.max(digits.lastIndexOf("#") + 1, 0);
  const minFraction = fraction?.replaceAll("#", "").length ?? 0;
  if (minInteger > MAX_LEADING || (fraction?.length ?? 0) > MAX_DECIMALS) {
    throw new PatternError(
      `has more than ${MAX_LEADING} leading zeros or more than ${MAX_DECIMALS} decimals`,
    );
  }
  return {
    grouped: whole.includes(","),
    minInteger,
    minFraction,
    maxFraction: fraction?.length ?? 0,
  };
}
