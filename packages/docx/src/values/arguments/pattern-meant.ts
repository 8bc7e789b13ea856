import { checkPattern } from "../../format/format-pattern.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import {
  decimalsMeant,
  isNumberPattern,
  phpMeant,
  strftimeMeant,
} from "../../language/mistakes/elsewhere/other-patterns.ts";

/**
 * Returns a hint with the format that a pattern of another language means; null if it is not recognized. `value`: the
 * formatted value, as written.
 */
export function patternMeant(pattern: string, value: string): Wording | null {
  const decimals = decimalsMeant(pattern);
  if (decimals !== null) return `Write number(${decimals}).`;
  if (isNumberPattern(pattern) && checkPattern("number", pattern) === null) {
    return `Write number("${pattern}").`;
  }
  const ordinal = withoutOrdinal(pattern);
  if (ordinal !== null) {
    return withTags`Write two tags: {{${value}.day().ordinal()}} {{${value} :: format("${ordinal}")}}.`;
  }
  const readings = [strftimeMeant, maskMeant, withQuotes, phpMeant, inEnglish];
  const meant = readings
    .map((read) => read(pattern))
    .find((each) => each !== null && each !== pattern && checkPattern("format", each) === null);
  return meant === undefined || meant === null ? null : `Write format("${meant}").`;
}

/** Returns the hint for a number pattern that means groups of digits, such as `000 000 00 00`; null for others. */
export function digitsMeant(pattern: string, value: Expression): Wording | null {
  if (!/^[+(]*[0#]+(?:[\s()\-/.]+[0#]+)+$/.test(pattern)) return null;
  const mask = `format("${pattern.replace(/[0#]/g, "x")}")`;
  if (checkPattern("format", pattern.replace(/[0#]/g, "x")) !== null) return null;
  return value.kind === "path"
    ? withTags`For groups of digits write a mask: {{${value.source} :: ${mask}}}.`
    : `For groups of digits write a mask: ${mask}.`;
}

/** `(###) ###-####`, with `x` for each character. */
function maskMeant(pattern: string): string | null {
  return /^[#()\s+\-/]*#+[()\s\-/]+#[#()\s\-/]*$/.test(pattern)
    ? pattern.replaceAll("#", "x")
    : null;
}

/** Returns the rest of a pattern that begins with an ordinal number of the day, such as `do MMMM yyyy`. */
function withoutOrdinal(pattern: string): string | null {
  const [, rest = ""] = /^(?:[dD]o|jS|dS)\s+(.+)$/.exec(pattern) ?? [];
  if (rest === "") return null;
  return [rest, phpMeant(rest)].find((each) => each !== null && isDate(each)) ?? null;
}

function isDate(pattern: string): boolean {
  return checkPattern("format", pattern) === null;
}

const WORDS =
  /(?<!['\p{L}])(?:de|del|di|da|do|du|des|den|der|le|la|el|il|van|of|the|at|um|à|às|klo|kl|den|och|og|und|and|Uhr|o'clock)(?!['\p{L}])/gu;

/** Puts short words between the parts of a date, and the `h` of `HHhmm`, in quotes. */
function withQuotes(pattern: string): string {
  return pattern
    .replace(/(?<=HH?)h(?=mm)/g, "'h'")
    .replace(WORDS, (word) => `'${word.replaceAll("'", "''")}'`);
}

/** The letters of days and years in other languages, in lowercase. */
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ...{ tt: "dd", gg: "dd", jj: "dd", dd: "dd", pp: "dd", t: "d", j: "d", g: "d", d: "d" },
  ...{ mm: "MM", kk: "MM", mmm: "MMM", mmmm: "MMMM", m: "M" },
  ...{ aaaa: "yyyy", jjjj: "yyyy", rrrr: "yyyy", vvvv: "yyyy", åååå: "yyyy", yyyy: "yyyy" },
};

/** Returns a pattern with the letters of another language, such as `TT.MM.JJJJ`; null for others. */
function inEnglish(pattern: string): string | null {
  const runs = pattern.split(/(\p{L}+)/u);
  let isKnown = true;
  const meant = runs.map((run) => {
    if (!/\p{L}/u.test(run)) return run;
    const field = OTHER_LETTERS[run.toLowerCase()];
    isKnown &&= field !== undefined;
    return field ?? run;
  });
  return isKnown && meant.includes("yyyy") ? meant.join("") : null;
}
